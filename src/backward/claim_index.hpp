// SPDX-License-Identifier: Apache-2.0
// Claims that were met, to be asked whether another lies within one of them.
//
// Idea: a claim can only lie within one that says something of fewer places. Which places those
// are is a word of bits, and comparing that settles most. Claims that say of every process where it
// is, are looked for among those that say the same.
//
// Cost: of a question, a look at the bits of all claims with the same control states, and of those
// that leave some open. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "backward/claims.hpp"

namespace panoptes {

class ClaimIndex {
 public:
  // `space` outlives it.
  explicit ClaimIndex(const ClaimSpace& space) : space_(space) {}

  void add(const Claim& claim);
  // Whether all states of `claim` are in one of those added.
  bool has_around(const Claim& claim) const;
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::uint64_t places;  // of which it says something
    Claim claim;
  };
  std::uint64_t places_of(const Claim& claim) const;
  // Of the control states; 0 where some process may be at several.
  std::uint64_t control_of(const Claim& claim) const;
  bool has_around(const std::vector<Entry>& entries, std::uint64_t places,
                  const Claim& claim) const;

  const ClaimSpace& space_;
  std::vector<Entry> open_;
  std::unordered_map<std::uint64_t, std::vector<Entry>> by_control_;
  std::uint64_t bytes_ = 0;
};

}  // namespace panoptes
