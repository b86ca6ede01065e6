// SPDX-License-Identifier: Apache-2.0
#include "session/simulate.hpp"

namespace panoptes {
namespace {

// Walks on; what it ended with.
RunEnd run(Walk& walk, StepChooser& chooser, const SimulationOptions& options,
           std::optional<Finding>& found) {
  while (true) {
    if (const Finding* finding = worst_of(walk.findings(), options.strictness)) {
      found = *finding;
      return RunEnd::error;
    }
    if (walk.enabled().empty()) return RunEnd::stopped;
    if (walk.at() == options.length) return RunEnd::length;
    if (options.interrupted && options.interrupted()) return RunEnd::interrupted;
    const std::size_t choice = chooser.choose(walk.enabled());
    const EnabledStep& step = walk.enabled()[choice];
    if (step.fails()) {
      found = step.failures.front();
      return RunEnd::error;
    }
    walk.take(choice);
  }
}

}  // namespace

std::string_view to_string(RunEnd end) {
  switch (end) {
    case RunEnd::length: return "length";
    case RunEnd::stopped: return "stopped";
    case RunEnd::error: return "error";
    case RunEnd::interrupted: return "interrupted";
  }
  return "";
}

std::optional<Simulation> simulate(const Program& program, StepChooser chooser,
                                   const SimulationOptions& options, const SourceSet& sources,
                                   std::string& problem) {
  Walk walk(program, options.strictness.receptions);
  Simulation result;
  std::optional<Finding> found;
  result.end = run(walk, chooser, options, found);
  if (found) {
    auto error = report_error(program, *found, walk.state(), walk.rules(), options.strictness,
                              sources, problem);
    if (!error) return {};
    result.trail = error->trail;
    if (error->is_warning) result.end = RunEnd::stopped;
    result.error = std::move(*error);
    return result;
  }
  auto trail = follow(program, walk.rules(), problem);
  if (!trail) return {};
  result.trail = std::move(*trail);
  return result;
}

}  // namespace panoptes
