// SPDX-License-Identifier: Apache-2.0
#include "api/sessions.hpp"

#include "api/trails.hpp"
#include "load/front_ends.hpp"

namespace panoptes {

std::optional<StepChooser> chooser_of(const OptionValues& values, const Program& program,
                                      std::string& problem) {
  auto chooser = StepChooser::make(program, values.get(option::seed).value_or(1),
                                   values.all(option::weight), problem);
  if (!chooser) problem = "--weight: " + problem;
  return chooser;
}

std::function<Result<CostExpression, std::string>(const std::string& text)> predicates_of(
    const std::string& path, const Loaded& loaded) {
  return [&front_end = front_end_of(path),
          &protocol = loaded.program->protocol](const std::string& text) {
    return read_expression(front_end, "break", text, protocol);
  };
}

std::optional<Simulation> simulate_model(const OptionValues& values, const Loaded& loaded,
                                         StepChooser chooser, std::function<bool()> interrupted,
                                         std::string& problem) {
  SimulationOptions options;
  options.length = *values.get(option::length);
  options.strictness = strictness_of(values);
  options.interrupted = std::move(interrupted);
  return simulate(*loaded.program, std::move(chooser), options, loaded.sources, problem);
}

RecordedTrail record(const Simulation& simulation) {
  if (simulation.error) return record(*simulation.error);
  RecordedTrail trail;
  for (const TrailStep& step : simulation.trail.steps) trail.steps.push_back(step.rule);
  return trail;
}

}  // namespace panoptes
