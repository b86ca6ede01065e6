// SPDX-License-Identifier: Apache-2.0
// The search: one loop for all of them, run by one or many workers.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "search/batch_watcher.hpp"
#include "search/by_level.hpp"
#include "search/checkpoints.hpp"
#include "search/frontier.hpp"
#include "search/memory_watch.hpp"
#include "search/monitor.hpp"
#include "search/selector.hpp"
#include "search/state_sample.hpp"
#include "step/stepper.hpp"
#include "verdict/ending.hpp"
#include "verdict/error_log.hpp"

namespace panoptes {

// Called by one worker at a time between two batches, with the seconds since the search began; it
// may take its time. False ends the search.
using Interlude = std::function<bool(double)>;

// What somebody who wants a search may ask of the loop.
struct ExploreRequest : MemoryOptions {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool first_error_only = false;  // ends with the level the first error is found in
  bool expands_faulty = true;     // false: no step is taken from a state with an error
};

// And what whoever runs it has for it.
struct ExploreOptions : ExploreRequest {
  bool unread_messages_are_errors = false;  // for first_error_only
  // Ends with the level in which the last of these is found; null: nobody waits for any.
  const std::set<ErrorKey>* wanted = nullptr;
  MemoryBudget* budget = nullptr;      // told what the search takes beside its store
  const Selector* selector = nullptr;  // null: every successor is followed
  SelectByLevel* by_level = nullptr;   // part of that, if it has such a part
  const GraphSink* sink = nullptr;     // that of the frontier, for the memory it takes
  StateSample* sample = nullptr;       // told which states were known and expanded
  BatchWatcher* watcher = nullptr;     // told of every batch
  Interlude interlude = {};            // may be empty
  Checkpoints* checkpoints = nullptr;  // where the search is written down, if anywhere
};

// What the loop has counted.
struct Exploration {
  std::uint64_t states = 0, transitions = 0, depth = 0;
  Ending ending;
  std::vector<bool> fired;   // by rule: it was executed, whether it failed or not ...
  std::vector<bool> passed;  // ... and it was, with a state behind it
  std::uint64_t store_bytes = 0, trail_bytes = 0, frontier_bytes = 0;  // at their peak
  std::uint64_t graph_bytes = 0;                                       // of the sink, at the end
  Sequences sequences;
  std::uint64_t needed_bytes = 0;  // of memory, where there was too little to begin with
  LeftOver left_over;              // at the end
  double first_error_seconds = 0.0;
  std::uint64_t first_error_states = 0;
  double earlier_seconds = 0.0;            // of the runs it goes on from ...
  double earlier_processor_seconds = 0.0;  // ... and of the processors meanwhile

  Stop stop() const { return stop_of(ending); }
};

// Visits states from the initial one until the frontier is empty or the monitor says stop; or,
// where there is a checkpoint to go on from, from what waited then. One worker for each stepper.
// Throws what a stepper throws. REQUIRES: with checkpoints, the frontier is resumable.
Exploration explore(const std::vector<std::unique_ptr<Stepper>>& steppers, StateStore& store,
                    Frontier& frontier, Monitor& monitor, ErrorLog& errors,
                    const ExploreOptions& options);

// What the store took when that checkpoint was written.
std::uint64_t saved_store_bytes(const CheckpointFolder& folder);

}  // namespace panoptes
