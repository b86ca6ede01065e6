// SPDX-License-Identifier: Apache-2.0
#include "search/numbered_search.hpp"

#include <utility>

#include "search/breadth.hpp"

namespace panoptes {

NumberedSearch::NumberedSearch(std::unique_ptr<Stepper> stepper, std::uint64_t kept)
    : store_(stepper->program().layout.words), watch_(store_, kept) {
  steppers_.push_back(std::move(stepper));
}

Exploration NumberedSearch::run(GraphSink& sink, Monitor& monitor, ExploreOptions options,
                                std::uint64_t memory_bytes) {
  BreadthFrontier frontier(*steppers_[0], 1, &sink);
  frontier.fit_batches(memory_bytes);
  ErrorLog errors(steppers_[0]->program());
  options.sink = &sink;
  options.watcher = &watch_;
  return explore(steppers_, store_, frontier, monitor, errors, options);
}

}  // namespace panoptes
