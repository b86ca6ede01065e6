// SPDX-License-Identifier: Apache-2.0
// Claims that are excluded, to be asked whether another lies within one of them, thousands of times
// a second.
//
// Idea: of every part of a claim that is asked for it is kept which of the excluded claims say no
// more of that place, a bit each; a question is their conjunction. Where a search asks again and
// again, nearly all parts were there before. Nine of ten steps into what is excluded begin within
// one claim that is excluded, too, and need no SAT solver (llc: 94 of 100).
//
// Cost: of a question, a word for every 64 claims and place at most; of a part that is new, a
// comparison with every claim. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "backward/claims.hpp"

namespace panoptes {

class ClaimCover {
 public:
  // `space` outlives it.
  explicit ClaimCover(const ClaimSpace& space)
      : space_(space), columns_(space.everything().size()), known_(columns_.size()) {}

  void add(const Claim& claim);
  void clear();
  // One of those added, by number, in which all states of `claim` are.
  std::optional<std::size_t> first_around(const Claim& claim);
  bool has_around(const Claim& claim) { return first_around(claim).has_value(); }
  std::uint64_t bytes() const { return answers_ * (size_ / 8 + 100) + size_ * columns_.size() * 4; }

 private:
  struct Answer {
    std::vector<std::uint64_t> bits;
    std::size_t covered = 0;  // of the claims
  };
  const std::vector<std::uint64_t>& around(std::size_t place, std::uint32_t said);

  const ClaimSpace& space_;
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> columns_;               // by place: what claims say of it
  std::vector<std::unordered_map<std::uint32_t, Answer>> known_;  // by place and what is said of it
  std::uint64_t answers_ = 0;                                     // there
};

}  // namespace panoptes
