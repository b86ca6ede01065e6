// SPDX-License-Identifier: Apache-2.0
// What a graph does not have, a step that fails or what is wrong with a state, is found by
// expanding its states once more.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/deadline.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

// A state, and what a stepper says of it.
struct ExpandedState {
  StateBatch state;
  SuccessorBatch successors;
  std::vector<Finding> findings;
};

// Calls `visit(number, expanded)` for each of the first `states` of which `is_wanted(number)` says
// so, in order, until the deadline.
template <typename IsWanted, typename Visit>
void expand_again(const Program& program, const NumberedStore& store, std::uint64_t states,
                  const Deadline& deadline, IsWanted&& is_wanted, Visit&& visit) {
  constexpr std::uint64_t states_per_look = 1024;
  IndivisibleStepper stepper(std::make_unique<Interpreter>(program));
  ExpandedState expanded{{program.layout.words, {}}, {}, {}};
  for (std::uint64_t number = 0; number < states; ++number) {
    if (number % states_per_look == 0 && deadline.has_passed()) return;
    if (!is_wanted(number)) continue;
    expanded.findings.clear();
    expanded.state.assign(store.state(number));
    stepper.expand(expanded.state, expanded.successors, expanded.findings);
    visit(number, expanded);
  }
}

}  // namespace panoptes
