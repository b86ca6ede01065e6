// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/reported_options.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/session_command.hpp"
#include "app/system.hpp"
#include "app/trails.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

std::string sentence_of(const Simulation& simulation) {
  const std::string steps = plural(simulation.trail.steps.size(), "step", "steps");
  switch (simulation.end) {
    case RunEnd::length: return fmt::format("{}, no error so far", steps);
    case RunEnd::stopped: return fmt::format("{}, then nothing can happen any more", steps);
    case RunEnd::error: return fmt::format("an error after {}", steps);
    case RunEnd::interrupted: return fmt::format("interrupted after {}", steps);
  }
  return "";
}

int exit_code(RunEnd end) {
  if (end == RunEnd::error) return ExitCode::errors_found;
  return end == RunEnd::interrupted ? ExitCode::unknown : ExitCode::holds;
}

int simulate_by_chance(const Arguments& arguments, const Loaded& loaded, StepChooser chooser) {
  std::optional<Output> output;
  if (arguments.has(option::trail)) {
    output.emplace(arguments.get(option::trail));
    if (!output->is_open()) return complain(fmt::format("--trail {}", output->problem()));
  }
  std::string problem;
  const auto simulation = simulate_model(
      arguments, loaded, std::move(chooser), [] { return interrupted().load(); }, problem);
  if (!simulation) return own_fault(problem);
  const RunReport run{
      arguments.model,   reported_options(arguments), std::string(to_string(simulation->end)),
      simulation->error, simulation->trail,           arguments.has(option::state)};
  // The file does not depend on whether anybody reads what is printed.
  bool is_kept = true;
  if (output) {
    TrailFile file = trail_file_of(arguments.model, arguments, loaded);
    file.trails.push_back(record(*simulation));
    is_kept = write_trails(file, *loaded.program, loaded.sources, *output);
    if (!is_kept) tell(fmt::format("panoptes: cannot write `{}`\n", arguments.get(option::trail)));
  }
  if (!print_run(arguments, loaded, run, sentence_of(*simulation)) || !is_kept)
    return ExitCode::internal_failure;
  return exit_code(simulation->end);
}

}  // namespace

int simulate_command(const Arguments& arguments) {
  const Loaded loaded = load(arguments);
  tell(loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  std::string problem;
  auto chooser = chooser_of(arguments, *loaded.program, problem);
  if (!chooser) return complain(problem);
  try {
    if (arguments.has(option::interactive))
      return run_session(arguments, loaded, std::move(*chooser));
    return simulate_by_chance(arguments, loaded, std::move(*chooser));
  } catch (const InternalFault& fault) {
    return own_fault(fault.what());
  }
}

}  // namespace panoptes
