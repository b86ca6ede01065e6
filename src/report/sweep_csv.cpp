// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/csv.hpp"
#include "report/sweep.hpp"

namespace panoptes {
namespace {

// What is known of a run, column by column.
std::vector<std::string> sweep_cells(const SweepRun& run) {
  const bool is_checked = run.end == SweepEnd::checked;
  const auto number = [&](std::uint64_t value) {
    return is_checked ? fmt::format("{}", value) : std::string{};
  };
  const auto words = [&](std::string_view text) {
    return is_checked ? csv_value(text) : std::string{};
  };
  const ShortestError none_found;
  const ShortestError& error = run.shortest ? *run.shortest : none_found;
  return {std::string(verdict_word(run)),
          words(to_string(run.promise)),
          words(to_string(run.stop)),
          run.states ? number(*run.states) : "",
          number(run.states_analysed),
          number(run.transitions),
          number(run.depth),
          number(run.errors),
          run.shortest ? error.kind : "",
          error.events ? fmt::format("{}", *error.events) : "",
          run.shortest ? fmt::format("{}", error.steps) : "",
          run.end == SweepEnd::not_run ? "" : fmt::format("{:.3f}", run.seconds),
          number(run.memory_bytes),
          run.narrowed.empty() ? "" : csv_value(run.narrowed),
          run.lines.empty() ? "" : csv_value(run.lines),
          run.problem.empty() ? "" : csv_value(run.problem)};
}

constexpr std::string_view sweep_headings =
    "verdict,promise,stop,states,states_analysed,transitions,depth,errors,kind,events,steps,"
    "seconds,memory_bytes,narrowed,lines,problem\n";

}  // namespace

bool sweep_csv(const SweepTable& table, const Sink& sink) {
  std::string head;
  for (const Parameter& parameter : table.parameters) head += parameter.name + ",";
  if (!sink(head += sweep_headings)) return false;
  for (std::size_t c = 0; c < table.runs.size(); ++c) {
    const std::vector<std::size_t> values = values_in(table.parameters, c);
    std::string row;
    for (std::size_t p = 0; p < values.size(); ++p) {
      const Parameter::Value& value = table.parameters[p].values[values[p]];
      row += (value ? csv_value(*value) : "") + ",";
    }
    if (!sink(row + fmt::format("{}\n", fmt::join(sweep_cells(table.runs[c]), ",")))) return false;
  }
  return true;
}

}  // namespace panoptes
