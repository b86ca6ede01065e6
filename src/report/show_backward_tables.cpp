// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "report/show.hpp"
#include "report/table_text.hpp"

namespace panoptes {
namespace {

// `0 = 3 end (start)`: the row, the state it stands for, and what it is backwards.
std::string row_title(const BackwardTable& table, std::size_t row, const Automaton& automaton,
                      const SourceSet& sources) {
  std::vector<std::string> facts;
  if (row < table.starts) facts.emplace_back("start");
  if (row == table.end) facts.emplace_back("end");
  const StateId state = table.rows[row].state;
  return fmt::format("{} = {} {}", row, state, state_title(automaton, state, sources, facts));
}

}  // namespace

std::string show_backward_tables(const Program& program, const SourceSet& sources,
                                 const TextStyle& style) {
  TableText text("backward table", "rows = states\\actions", "--format json has them", style);
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p) {
    const Process& process = program.protocol.processes[p];
    const BackwardTable table = backward_table(program, p);
    text.add(process.name, table.actions, table.rows.size(), [&](std::size_t r) {
      std::map<std::size_t, std::set<std::size_t>> next;  // rows by action
      for (const BackwardTable::Step& step : table.rows[r].back) next[step.action].insert(step.row);
      TableText::Row shown{row_title(table, r, process.automaton, sources), {}};
      for (const auto& [action, rows] : next)
        shown.cells[action] = fmt::format("{}", fmt::join(rows, ","));
      return shown;
    });
  }
  return text.text();
}

}  // namespace panoptes
