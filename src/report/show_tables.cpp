// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/show.hpp"
#include "report/state_text.hpp"
#include "report/views.hpp"

namespace panoptes {
namespace {

// Nobody looks through more, and each takes memory.
constexpr std::size_t most_cells = 1'000'000;

}  // namespace

std::string show_tables(const Program& program, const SourceSet& sources, const TextStyle& style) {
  std::string out;
  for (const Process& process : program.protocol.processes) {
    const TransitionTable table = transition_table(program, process.automaton);
    out += fmt::format("{}forward table of process {}\n\n", out.empty() ? "" : "\n", process.name);
    if (table.rows.size() * table.actions.size() > most_cells) {
      out +=
          fmt::format("  {} and {}: too many for a table; --automata or --format json show them\n",
                      plural(table.rows.size(), "state", "states"),
                      plural(table.actions.size(), "action", "actions"));
      continue;
    }
    Grid grid;
    grid.corner = "states\\actions";
    for (const std::string& action : table.actions) grid.columns.push_back({"", action});
    for (const TransitionTable::Row& row : table.rows) {
      grid.labels.push_back(
          fmt::format("{} {}", row.state, state_title(process.automaton, row.state, sources)));
      auto& cells = grid.rows.emplace_back();
      cells.resize(table.actions.size());
      for (const auto& [action, next] : row.next)
        cells[action].text = fmt::format("{}", fmt::join(next, ","));
    }
    out += to_text(grid, style);
  }
  return out;
}

}  // namespace panoptes
