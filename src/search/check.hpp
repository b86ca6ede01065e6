// SPDX-License-Identifier: Apache-2.0
// A whole check: chooses stepper, store and frontier, explores, judges, replays.
#pragma once

#include <optional>
#include <string>

#include "search/choose.hpp"
#include "search/explore.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

enum class Order { breadth, depth, best_first };
enum class StepperKind { native, interpreter };

struct CheckOptions {
  Order order = Order::breadth;
  // Best-first: by this cost. A successor is chosen by that of `choice`.
  Preference guide = Preference::scatter;
  Choice choice;
  std::optional<CostExpression> cost;  // for Preference::cost
  bool reduce_internal = false;
  StateWords folded;  // bits of a state the store does not look at; empty: it looks at all
  StepperKind stepper = StepperKind::native;  // the interpreter where there is no native one
  unsigned threads = 1;  // of a breadth-first search without sink or folding; others use one
  Limits limits;
  ExploreOptions explore;
  bool strict = false;  // unread messages are errors
  const std::atomic<bool>* interrupted = nullptr;
  Monitor::Observer observer;
  GraphSink* sink = nullptr;
};

// The verdict; nothing where the engine contradicts itself (a trail that does not replay), with the
// reason in `problem`. Throws InternalFault where an inferred range proves wrong.
std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem);

}  // namespace panoptes
