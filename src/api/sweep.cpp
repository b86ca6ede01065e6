// SPDX-License-Identifier: Apache-2.0
#include "api/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <set>

#include "protocol/line_faults.hpp"
#include "report/number_text.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// The first error of a model that was not compiled, with its place.
std::string first_error(const Loaded& loaded) {
  for (const Diagnostic& diagnostic : loaded.diagnostics.all()) {
    if (diagnostic.severity != Severity::error) continue;
    if (!diagnostic.place.known()) return diagnostic.message;
    return fmt::format("{}: {}", loaded.sources.line_and_column(diagnostic.place),
                       diagnostic.message);
  }
  return {};
}

std::optional<ShortestError> shortest_of(const Program& program, const Verdict& verdict) {
  if (verdict.errors.empty()) return {};
  const ErrorReport& error = verdict.errors.front();  // as in a report of them
  return ShortestError{std::string(to_string(error.description.kind)), error.description.text,
                       error.event_count(program), error.step_count(), error.is_shortest};
}

SweepRun checked_run(const Program& program, const Verdict& verdict) {
  return {SweepEnd::checked,
          {},
          verdict.outcome,
          verdict.promise,
          verdict.stop,
          verdict.is_distinct ? std::optional(verdict.states) : std::nullopt,
          verdict.states_analysed,
          verdict.transitions,
          verdict.depth,
          verdict.errors.size(),
          shortest_of(program, verdict),
          narrowed_channels(program.protocol),
          program.protocol.has_given_lines ? lines_in_words(program.protocol) : ""};
}

SweepRun run_one(const OptionValues& values, std::size_t combination, const SweepDoors& doors) {
  try {
    const Loaded loaded = doors.load(values);
    doors.compiled(combination, loaded);
    if (!loaded.program) return {SweepEnd::not_compiled, first_error(loaded)};
    CheckOptions options = check_options(values, loaded);
    doors.prepare(options);
    const auto verdict = check_model(values, loaded, options, {});
    if (!verdict) return {SweepEnd::failed, verdict.failure()};
    return checked_run(*loaded.program, *verdict);
  } catch (const std::bad_alloc&) {
    return {SweepEnd::no_memory, "too little memory for this model"};
  } catch (const std::exception& error) {
    return {SweepEnd::failed, error.what()};
  }
}

}  // namespace

Result<SweepPlan, std::string> plan_sweep(const std::vector<Parameter>& parameters) {
  SweepPlan plan;
  std::set<std::string> names;
  for (const Parameter& parameter : parameters) {
    if (!names.insert(parameter.name).second)
      return fmt::format("-D {} is given twice; several values are joined by commas",
                         parameter.name);
    if (parameter.is_varied)
      plan.varied.push_back(parameter);
    else
      plan.fixed.push_back(*definition_of(parameter, 0));
  }
  if (plan.varied.empty())
    return std::string("nothing varies: give a parameter several values, e.g. -D WINDOW=1..4");
  if (count_combinations(plan.varied) > most_combinations)
    return fmt::format("these are more than {} combinations: leave out some values",
                       with_commas(most_combinations));
  return plan;
}

std::vector<std::string> definitions_of(const SweepPlan& plan, std::size_t combination) {
  std::vector<std::string> definitions = plan.fixed;
  const std::vector<std::size_t> at = values_in(plan.varied, combination);
  for (std::size_t p = 0; p < at.size(); ++p)
    if (auto definition = definition_of(plan.varied[p], at[p]))
      definitions.push_back(std::move(*definition));
  return definitions;
}

void run_sweep(const SweepPlan& plan, const OptionValues& values, const SweepDoors& doors,
               SweepTable& table) {
  table.parameters = plan.varied;
  table.runs.assign(count_combinations(plan.varied), {});
  table.is_question = values.has(option::reach);
  std::size_t number = 0;
  for (const std::size_t combination : smaller_first(plan.varied)) {
    table.ended_by = doors.ended_by();
    if (table.ended_by != Stop::finished) return;
    doors.begin(++number, combination);
    OptionValues own = values;
    own.set_all(option::define, definitions_of(plan, combination));
    const double started = steady_seconds();
    SweepRun run = run_one(own, combination, doors);
    run.seconds = steady_seconds() - started;
    run.memory_bytes = doors.memory_bytes();
    table.runs[combination] = std::move(run);
  }
}

}  // namespace panoptes
