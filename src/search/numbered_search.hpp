// SPDX-License-Identifier: Apache-2.0
// A breadth-first search for whoever wants the graph: every state has a number, every transition
// goes to a sink, and what is wrong is kept by the number of the state.
#pragma once

#include <memory>
#include <vector>

#include "search/explore.hpp"
#include "search/finding_watcher.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

class NumberedSearch {
 public:
  // Of states from number `kept` on, findings are counted and not kept.
  explicit NumberedSearch(std::unique_ptr<Stepper> stepper, std::uint64_t kept = UINT64_MAX);

  // To be called once. A search that has no more memory ends, rather than to leave out states.
  Exploration run(GraphSink& sink, Monitor& monitor, ExploreOptions options,
                  std::uint64_t memory_bytes);

  const NumberedStore& store() const { return store_; }
  FindingWatcher& watch() { return watch_; }

 private:
  NumberedStore store_;
  FindingWatcher watch_;
  std::vector<std::unique_ptr<Stepper>> steppers_;
};

}  // namespace panoptes
