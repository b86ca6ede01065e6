// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/show.hpp"
#include "report/table_text.hpp"

namespace panoptes {

std::string show_tables(const Program& program, const SourceSet& sources, const TextStyle& style) {
  TableText text("forward table", "states\\actions", "--automata shows them", style);
  for (const Process& process : program.protocol.processes) {
    const TransitionTable table = transition_table(program, process.automaton);
    text.add(process.name, table.actions, table.rows.size(), [&](std::size_t r) {
      const TransitionTable::Row& row = table.rows[r];
      TableText::Row shown{
          fmt::format("{} {}", row.state, state_title(process.automaton, row.state, sources)), {}};
      for (const auto& [action, next] : row.next)
        shown.cells[action] = fmt::format("{}", fmt::join(next, ","));
      return shown;
    });
  }
  return text.text();
}

}  // namespace panoptes
