// SPDX-License-Identifier: Apache-2.0
// The steps of a state, as they are called in the arrangement that stands for it.
//
// Idea: who leaves out steps chooses among them by their numbers and by those of processes. Where
// members are exchanged freely, a state may come in any arrangement, whichever was found first; so
// the choice is made in the one that stands for all of them (arrangement.hpp), and what was chosen
// there is followed here under its own name. What is left out is then the same for all, and a
// search by orbits has the same graph whoever finds what first.
//
// A rule goes through exchanges of neighbours until every member has its place. Cost: one more
// arrangement of a state, and a look at a table for every exchange and step.
//
// Thread safety: arrange() may be called concurrently, each with a scratch of its own.
#pragma once

#include <span>
#include <vector>

#include "search/arrangement.hpp"

namespace panoptes {

class ArrangedSteps {
 public:
  struct Scratch {
    StateWords state;                 // that stands for the one that was given ...
    Buffer<RuleId> rules;             // ... the steps it has, in order, ...
    Buffer<std::uint32_t> number_of;  // ... and which of those that were given each is
    Arranger::Scratch arranging;
    std::vector<std::uint32_t> order;  // of members on the way
    Buffer<std::uint64_t> sorted;      // rules, with their numbers
  };

  // `symmetry` is found in `program`; neither is needed any more afterwards.
  ArrangedSteps(const Program& program, const Symmetry& symmetry);

  // `rules`: those of the successors of `state`, in order.
  void arrange(StateView state, std::span<const RuleId> rules, Scratch& scratch) const;

 private:
  void exchange(const std::vector<RuleId>& image, Buffer<RuleId>& rules) const;

  Arranger arranger_;
  std::vector<std::vector<RuleId>> exchanged_;  // see symmetry.hpp
};

}  // namespace panoptes
