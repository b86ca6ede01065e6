// SPDX-License-Identifier: Apache-2.0
// Execution cycles of a kept graph, and those among them that nothing leads out of.
//
// Idea: strong components (strong_components.hpp) come out with those behind them first. So when a
// component is complete,
// it is known of every link out of it whether a state that counts as a way out lies behind, and one
// pass decides it for all.
// Cost: linear; 8 bytes a state and the stacks.
//
// A state is livelocked where everything it can ever do is internal, and it can do that for ever:
// from it no state can be reached that has a link of an external rule, that is a `stop`, or that
// has no link at all. Every run from it ends up in a livelock: a component nothing leads out of.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/deadline.hpp"
#include "search/state_graph.hpp"

namespace panoptes {

struct Cycles {
  std::uint64_t components = 0;         // strong ones with a cycle
  std::uint64_t states = 0;             // in them
  std::uint64_t largest_component = 0;  // states in the largest of them
  std::uint64_t livelocked_states = 0;
  std::vector<std::vector<std::uint64_t>> livelocks;  // the states of each, in order
};

// `is_external` by rule, `is_stop` by state. Nothing where it takes too long. REQUIRES: `graph` is
// finished.
std::optional<Cycles> find_cycles(const StateGraph& graph, const std::vector<bool>& is_external,
                                  const std::vector<bool>& is_stop, const Deadline& deadline = {});

// Calls `found` for every strong component, those that can be reached from it first. False where it
// takes too long.
bool strong_components(const StateGraph& graph,
                       const std::function<void(std::span<const std::uint64_t>)>& found,
                       const Deadline& deadline = {});

}  // namespace panoptes
