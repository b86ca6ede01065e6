// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/sweep.hpp"

namespace panoptes {
namespace {

std::string sweep_cell(std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// What is known of a run, column by column.
std::vector<std::string> sweep_cells(const SweepRun& run) {
  const bool is_checked = run.end == SweepEnd::checked;
  const auto number = [&](std::uint64_t value) {
    return is_checked ? fmt::format("{}", value) : std::string{};
  };
  const auto words = [&](std::string_view text) {
    return is_checked ? sweep_cell(text) : std::string{};
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
          run.narrowed.empty() ? "" : sweep_cell(run.narrowed),
          run.lines.empty() ? "" : sweep_cell(run.lines),
          run.problem.empty() ? "" : sweep_cell(run.problem)};
}

constexpr std::string_view sweep_headings =
    "verdict,promise,stop,states,states_analysed,transitions,depth,errors,kind,events,steps,"
    "seconds,memory_bytes,narrowed,lines,problem\r\n";

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
      row += (value ? sweep_cell(*value) : "") + ",";
    }
    if (!sink(row + fmt::format("{}\r\n", fmt::join(sweep_cells(table.runs[c]), ","))))
      return false;
  }
  return true;
}

}  // namespace panoptes
