// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/show.hpp"
#include "report/views.hpp"

namespace panoptes {

std::string show_tables(const Program& program, const SourceSet& sources, const TextStyle& style) {
  std::string out;
  for (const Process& process : program.protocol.processes) {
    const TransitionTable table = transition_table(program, process.automaton);
    Grid grid;
    grid.corner = "states\\actions";
    for (const std::string& action : table.actions) grid.columns.push_back({"", action});
    for (const TransitionTable::Row& row : table.rows) {
      grid.labels.push_back(
          fmt::format("{} {}", row.state, state_title(process.automaton, row.state, sources)));
      auto& cells = grid.rows.emplace_back();
      for (const std::vector<StateId>& next : row.next)
        cells.push_back({fmt::format("{}", fmt::join(next, ","))});
    }
    out += fmt::format("{}forward table of process {}\n\n{}", out.empty() ? "" : "\n", process.name,
                       to_text(grid, style));
  }
  return out;
}

}  // namespace panoptes
