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
#include <vector>

#include "backward/claim_index.hpp"
#include "backward/reversed_program.hpp"

namespace panoptes {

class ClaimSearch {
 public:
  // `reversed` outlives it.
  explicit ClaimSearch(ReversedProgram& reversed);
  ClaimSearch(const ClaimSearch&) = delete;
  ClaimSearch& operator=(const ClaimSearch&) = delete;

  BackwardAnswer search(const Targets::Candidate& candidate, const BackwardLimits& limits);

  // What is proved: no state in one of these can be reached. They hold together, by induction.
  const std::vector<Claim>& proved() const { return proved_; }

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

  const Program& program_;
  ClaimSpace& space_;
  Solver& solver_;
  Predecessors& predecessors_;
  ClaimIndex unreachable_;     // by the searches before
  std::vector<Claim> proved_;  // the same, in order
  std::vector<Node> nodes_;
  std::optional<ClaimIndex> met_;
  bool is_found_ = false;  // the initial state, in the last node
};

}  // namespace panoptes
