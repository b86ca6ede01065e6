// SPDX-License-Identifier: Apache-2.0
// The search backwards, from the states in which something is wrong: claim by claim, breadth first,
// until the initial state is among them or nothing is left that was not there already.
//
// Found is the shortest way there: rules are fired backwards exactly (predecessors.hpp). Not found,
// with nothing left, is a proof: no state outside of the claims leads into them, and the initial
// state is outside. What one search has proved unreachable, the next one need not look at.
//
// How it can be wrong: not; it gives up where time, memory or work end, and says why.
// Thread safety: one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backward/claim_index.hpp"
#include "backward/targets.hpp"
#include "base/deadline.hpp"
#include "base/result.hpp"

namespace panoptes {

enum class Reachability : std::uint8_t { reachable, unreachable, unknown };

struct BackwardLimits {
  Deadline deadline = {};
  std::uint64_t bytes = UINT64_MAX;
  std::uint64_t claims = UINT64_MAX;  // to be met for each target, or questions to be asked
  std::uint64_t work = 1'000'000;     // questions about claims for each step backwards
};

struct BackwardAnswer {
  Reachability reachability = Reachability::unknown;
  std::vector<RuleId> rules;  // reachable: from the initial state to one in which it is wrong
  std::string reason;         // unknown: why
  std::uint64_t claims = 0;   // met, or questions asked, until it was known
};

class ClaimSearch {
 public:
  // Keeps a copy of the program.
  explicit ClaimSearch(const Program& program);
  ClaimSearch(const ClaimSearch&) = delete;
  ClaimSearch& operator=(const ClaimSearch&) = delete;

  // What may go wrong, as far as each state for itself tells; or what there was too little of.
  Result<std::vector<Targets::Candidate>, std::string> candidates(ReceptionPolicy receptions,
                                                                  const BackwardLimits& limits);
  BackwardAnswer search(const Targets::Candidate& candidate, const BackwardLimits& limits);

 private:
  struct Node {
    Claim claim;
    RuleId rule;         // that leads on from it; none where nobody moves
    std::uint32_t next;  // where to; none: it is wrong
  };
  bool add(const Claim& claim, RuleId rule, std::uint32_t next);
  void expand(std::uint32_t node, const BackwardLimits& limits);
  void allow(const BackwardLimits& limits);
  std::uint64_t bytes() const;

  Program program_;
  RuleConditions conditions_;
  ClaimSpace space_;
  Solver solver_;
  Predecessors predecessors_;
  ClaimIndex unreachable_;  // by the searches before
  std::vector<Node> nodes_;
  std::optional<ClaimIndex> met_;
  bool is_found_ = false;                 // the initial state, in the last node
  std::uint64_t bytes_at_the_start_ = 0;  // of the search
};

}  // namespace panoptes
