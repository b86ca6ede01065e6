// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/show.hpp"
#include "report/show_content.hpp"
#include "report/state_text.hpp"

namespace panoptes {

std::string show_tables(const Program& program, const SourceSet& sources, const TextStyle& style) {
  std::string out;
  std::size_t cells_left = most_cells;
  for (const Process& process : program.protocol.processes) {
    const TransitionTable table = transition_table(program, process.automaton);
    out += fmt::format("{}forward table of process {}\n\n", out.empty() ? "" : "\n", process.name);
    const std::size_t table_cells = table.rows.size() * table.actions.size();
    if (table_cells > cells_left) {
      out += fmt::format("  {} and {}: too many for a table; --automata shows them\n",
                         plural(table.rows.size(), "state", "states"),
                         plural(table.actions.size(), "action", "actions"));
      continue;
    }
    cells_left -= table_cells;
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
