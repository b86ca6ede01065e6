// SPDX-License-Identifier: Apache-2.0
// A selector that leaves out steps which need not be seen: what one that chooses among the steps of
// a state is made into.
//
// Where members are exchanged freely, all arrangements of a state keep the same, whichever was
// found first: mostly it does not matter to the choice how members are called, and where it does,
// it is made in the arrangement that stands for all of them (arranged_steps.hpp).
#pragma once

#include <optional>
#include <span>

#include "rules/symmetry.hpp"
#include "search/selector.hpp"

namespace panoptes {

// The steps of a state: the rules of its successors, in order, and how many more fail.
struct StepsOfState {
  std::span<const RuleId> rules;
  std::uint32_t failed;
};

class StepReduction : public Selector {
 public:
  // `symmetry`: null where no members are exchanged.
  StepReduction(const Program& program, const Symmetry* symmetry);

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t depth,
                       SelectorScratch& scratch) const final;

 protected:
  bool has_alike() const { return arranged_.has_value(); }
  // The first of the processes that may be exchanged with this one; itself where there is none.
  ProcessId first_alike(ProcessId process) const { return first_alike_[process]; }

  enum class Choice : std::uint8_t {
    all,      // are kept
    some,     // are
    unclear,  // it depends on what members are called
  };
  // Sets in `kept`, by step, which are kept, where some are. `may_be_unclear`: else the answer
  // must be another one. REQUIRES: there are several steps; where it is not unclear, the choice in
  // an arrangement of the state is the arranged choice.
  virtual Choice choose(StateView state, const StepsOfState& steps, bool may_be_unclear,
                        std::span<std::uint8_t> kept) const = 0;

 private:
  bool is_reduced(StateView state, const StepsOfState& steps, SelectorScratch& scratch) const;

  std::vector<ProcessId> first_alike_;

  std::optional<ArrangedSteps> arranged_;
};

}  // namespace panoptes
