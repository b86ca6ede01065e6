// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/replay.hpp"
#include "api/reported_options.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/session_command.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "app/validate.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

std::string sentence_of(const ErrorReport& replayed, bool has_error) {
  const std::string steps = plural(replayed.trail.steps.size(), "step", "steps");
  return fmt::format("{}{} replayed{}", steps,
                     replayed.cycle.steps.empty() ? ""
                                                  : fmt::format(" and a cycle of {}, twice round,",
                                                                replayed.cycle.steps.size()),
                     has_error ? ", and the error shows again" : "");
}

int session(const Arguments& arguments, const Loaded& loaded, const RecordedTrail& recorded) {
  std::vector<RuleId> rules = recorded.steps;
  rules.insert(rules.end(), recorded.cycle.begin(), recorded.cycle.end());
  const std::uint64_t step = arguments.get(option::step).value_or(recorded.steps.size());
  if (step > rules.size())
    return complain(
        fmt::format("--step {}: the trail has {}", step, plural(rules.size(), "step", "steps")));
  if (rules.size() > Walk::most_steps)
    return complain(fmt::format("a session has {} steps at most, and the trail has {}",
                                Walk::most_steps, rules.size()));
  std::string problem;
  auto chooser = chooser_of(arguments, *loaded.program, problem);
  if (!chooser) return complain(problem);
  return run_session(arguments, loaded, std::move(*chooser), rules, step, recorded.cycle.size());
}

int replay_one(const Arguments& arguments, const Loaded& loaded, const RecordedTrail& recorded) {
  std::string problem;
  auto replayed = replay_trail(arguments, loaded, recorded, problem);
  if (!replayed) return complain(fmt::format("{}: {}", arguments.operand("TRAIL"), problem));
  if (arguments.has(option::interactive)) return session(arguments, loaded, recorded);
  if (arguments.has(option::minimise_trail) && !recorded.error)
    return complain(fmt::format(
        "--minimise-trail keeps what an error needs, and no error was found at the end of {}",
        arguments.operand("TRAIL")));
  const Deadline deadline = report_deadline(arguments);
  if (arguments.has(option::minimise_trail))
    shorten_trail(arguments, loaded, *replayed,
                  [&] { return interrupted().load() || deadline.has_passed(); });
  RunReport run{arguments.model, reported_options(arguments), "replayed", {},
                replayed->trail, arguments.has(option::state)};
  if (recorded.error) {
    run.end = replayed->is_warning ? "stopped" : "error";
    run.error = *replayed;
  }
  if (!print_run(arguments, loaded, run, sentence_of(*replayed, recorded.error.has_value())))
    return ExitCode::internal_failure;
  return recorded.error && !replayed->is_warning ? ExitCode::errors_found : ExitCode::holds;
}

// Whether the trail stands where the model should.
bool are_swapped(const Arguments& arguments) {
  std::string ignored;
  return arguments.model != "-" && read_trails(arguments.model, ignored).has_value();
}

std::string swapped_text(const Arguments& arguments) {
  const std::string model = arguments.operand("TRAIL"), trail = arguments.model;
  return fmt::format(
      "{} is a trail and no model: the model comes first\nThis would do: panoptes replay {} {}",
      trail, as_word(model), as_word(trail));
}

// Whether there is a model where the trail should be.
bool is_model(const Arguments& arguments) {
  const std::string trail = arguments.operand("TRAIL");
  return trail == arguments.model || trail.ends_with(".argos");
}

std::string no_trail_text(const Arguments& arguments) {
  return fmt::format(
      "{} is a model and no trail\nThis makes one, where there is an error: panoptes check {} "
      "--trail trail.json",
      arguments.operand("TRAIL"), as_word(arguments.model));
}

}  // namespace

int replay_command(const Arguments& given) {
  std::string problem;
  const auto file = read_trails(given.operand("TRAIL"), problem);
  if (!file)
    return complain(are_swapped(given) ? swapped_text(given)
                    : is_model(given)  ? no_trail_text(given)
                                       : problem);
  const std::uint64_t number = *given.get(option::error);
  if (number > file->trails.size())
    return complain(fmt::format("--error {}: {} has {}", number, given.operand("TRAIL"),
                                plural(file->trails.size(), "trail", "trails")));
  Arguments arguments = given;
  problem = adopt_options(*file, arguments);
  if (!problem.empty())
    return complain(fmt::format("the trail was {}\nThis would do: {}", problem,
                                fitting_command(*file, arguments)));
  problem = validate(arguments);
  if (!problem.empty())
    return complain(fmt::format("{}: options: {}", given.operand("TRAIL"), problem));

  const Loaded loaded = load(arguments);
  tell(loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  problem = other_model(*file, arguments, loaded);
  if (!problem.empty()) return complain(problem);
  try {
    return replay_one(arguments, loaded, file->trails[number - 1]);
  } catch (const InternalFault& fault) {
    return own_fault(fault.what());
  }
}

}  // namespace panoptes
