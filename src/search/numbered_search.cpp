// SPDX-License-Identifier: Apache-2.0
#include "search/numbered_search.hpp"

#include <utility>

#include "search/breadth.hpp"

namespace panoptes {

NumberedSearch::NumberedSearch(std::unique_ptr<Stepper> stepper, std::uint64_t kept)
    : store_(stepper->program().layout.words) {
  auto watched = std::make_unique<WatchedStepper>(std::move(stepper), store_, kept);
  watch_ = watched.get();
  steppers_.push_back(std::move(watched));
}

Exploration NumberedSearch::run(GraphSink& sink, Monitor& monitor, ExploreOptions options,
                                std::uint64_t memory_bytes) {
  BreadthFrontier frontier(watch_->inner(), 1, &sink);
  frontier.fit_batches(memory_bytes);
  ErrorLog errors(watch_->program());
  options.sink = &sink;
  return explore(steppers_, store_, frontier, monitor, errors, options);
}

}  // namespace panoptes
