// SPDX-License-Identifier: Apache-2.0
#include "report/reception_matrix.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace panoptes {
namespace {

using Cell = ReceptionMatrix::Cell;
using Column = ReceptionMatrix::Column;
using MatrixRow = ReceptionMatrix::Row;
using Acceptance = ReceptionMatrix::Acceptance;

// ---- one control state --------------------------------------------------------------------------

// A receive that is taken whenever its message is there.
bool is_certain(const Transition& t) { return t.conditions.empty(); }

void accept(const Transition& t, Cell& cell) {
  if (std::find(cell.targets.begin(), cell.targets.end(), t.target) == cell.targets.end())
    cell.targets.push_back(t.target);
  cell.acceptance =
      std::max(cell.acceptance, is_certain(t) ? Acceptance::always : Acceptance::conditional);
}

// What a state does about the message of a column.
Cell static_cell(const ControlState& state, const Column& column) {
  Cell cell;
  const auto accept_all = [&](ActionKind kind) {
    for (const Transition& t : state.transitions)
      if (t.kind == kind && t.channel == column.channel &&
          (kind != ActionKind::receive || t.message == column.message))
        accept(t, cell);
  };
  if (column.is_timeout()) {
    accept_all(ActionKind::timeout);
    return cell;
  }
  accept_all(ActionKind::receive);
  if (cell.acceptance == Acceptance::always) return cell;
  const std::size_t named = cell.targets.size();
  accept_all(ActionKind::receive_default);
  cell.by_default = named == 0 && !cell.targets.empty();
  return cell;
}

std::vector<Column> columns_of(const Protocol& protocol, ProcessId process,
                               const std::vector<Traffic>& traffic) {
  std::vector<Column> columns;
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    const Channel& channel = protocol.channels[c];
    if (channel.reader() != process) continue;
    const auto first = static_cast<std::ptrdiff_t>(columns.size());
    for (std::uint32_t i = 0; i < channel.sort.size(); ++i) {
      const auto known = std::find_if(
          columns.begin() + first, columns.end(),
          [&](const Column& column) { return column.message == channel.sort[i].name; });
      if (known == columns.end())
        columns.push_back({c, channel.sort[i].name, {i + 1}});
      else
        known->tags.push_back(i + 1);
    }
    for (const std::string& message : traffic[c].never_sent()) columns.push_back({c, message, {}});
    if (traffic[c].has_timeout) columns.push_back({c, "", {0}});
  }
  return columns;
}

// With what has arrived there.
Cell cell_at(const ControlState& state, StateId id, const Column& column,
             const Arrivals& arrivals) {
  Cell cell = static_cell(state, column);
  for (const std::uint32_t tag : column.tags) {
    const Arrival& arrival = arrivals.at(column.channel, id, tag);
    cell.is_seen = cell.is_seen || arrival.is_seen;
    if (arrival.unspecified)
      cell.hole = std::min(cell.hole.value_or(ReceptionPolicy::any), *arrival.unspecified);
  }
  return cell;
}

// ---- labels -------------------------------------------------------------------------------------

using RowSet = std::set<std::uint32_t>;

// The control states of one process as rows of labels. The start is one, whatever it is called, and
// so is the end.
class LabelRows {
 public:
  explicit LabelRows(const Automaton& automaton) : automaton_(automaton) {
    make_rows();
    find_next();
  }

  std::vector<MatrixRow>& rows() { return rows_; }
  // The rows of the labels that a process comes to next from `state`, that of its own included.
  const RowSet& next(StateId state) const { return next_[state]; }

 private:
  bool is_named(StateId s) const {
    const ControlState& state = automaton_.states[s];
    return !state.labels.empty() || state.is_end || s == automaton_.initial;
  }

  void make_rows() {
    std::map<std::pair<bool, std::string>, std::vector<StateId>> named;
    std::vector<std::pair<bool, std::string>> order;
    for (StateId s = 0; s < automaton_.states.size(); ++s) {
      if (!is_named(s)) continue;
      const ControlState& state = automaton_.states[s];
      const std::pair key(state.is_end, state.name);
      if (!named.contains(key)) order.push_back(key);
      named[key].push_back(s);
    }
    next_.resize(automaton_.states.size());
    for (const auto& key : order) {
      for (const StateId s : named[key]) next_[s].insert(static_cast<std::uint32_t>(rows_.size()));
      rows_.push_back({key.second, named[key], false, false, {}});
      if (std::vector<StateId> between = behind(named[key]); !between.empty())
        rows_.push_back({key.second, std::move(between), true, false, {}});
    }
  }

  // The places that `states` lead to before the next label, in their order.
  std::vector<StateId> behind(std::vector<StateId> waiting) const {
    std::set<StateId> found;
    while (!waiting.empty()) {
      const StateId s = waiting.back();
      waiting.pop_back();
      for (const Transition& t : automaton_.states[s].transitions)
        if (!is_named(t.target) && found.insert(t.target).second) waiting.push_back(t.target);
    }
    return {found.begin(), found.end()};
  }

  // Backwards from each label, up to the labels before it.
  void find_next() {
    std::vector<std::vector<StateId>> before(next_.size());
    for (StateId s = 0; s < next_.size(); ++s)
      if (!is_named(s))
        for (const Transition& t : automaton_.states[s].transitions) before[t.target].push_back(s);
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].is_between) continue;
      std::vector<StateId> waiting = rows_[row].states;
      while (!waiting.empty()) {
        const StateId s = waiting.back();
        waiting.pop_back();
        for (const StateId from : before[s])
          if (next_[from].insert(row).second) waiting.push_back(from);
      }
    }
  }

  const Automaton& automaton_;
  std::vector<MatrixRow> rows_;
  std::vector<RowSet> next_;  // by state
};

// Both of them in one: what is not the same in both is so under a condition.
void add_up(const Cell& other, Cell& cell) {
  cell.by_default = cell.acceptance == Acceptance::no    ? other.by_default
                    : other.acceptance == Acceptance::no ? cell.by_default
                                                         : cell.by_default && other.by_default;
  if (other.acceptance != cell.acceptance) cell.acceptance = Acceptance::conditional;
  RowSet targets(cell.targets.begin(), cell.targets.end());
  targets.insert(other.targets.begin(), other.targets.end());
  cell.targets.assign(targets.begin(), targets.end());
  cell.is_seen = cell.is_seen || other.is_seen;
  if (other.hole) cell.hole = std::min(cell.hole.value_or(*other.hole), *other.hole);
}

// Targets by row instead of by control state.
void lead_to_labels(const LabelRows& labels, Cell& cell) {
  RowSet rows;
  for (const StateId target : cell.targets)
    rows.insert(labels.next(target).begin(), labels.next(target).end());
  cell.targets.assign(rows.begin(), rows.end());
}

// Of copies that nobody came to nothing is said where there are others.
std::vector<StateId> states_that_count(const std::vector<StateId>& states,
                                       const std::vector<std::uint8_t>& reached) {
  std::vector<StateId> result;
  for (const StateId s : states)
    if (reached[s] != 0) result.push_back(s);
  return result.empty() ? states : result;
}

std::vector<MatrixRow> label_rows(const Automaton& automaton, const std::vector<Column>& columns,
                                  const std::vector<std::uint8_t>& reached,
                                  const Arrivals& arrivals) {
  LabelRows labels(automaton);
  std::vector<MatrixRow> rows = std::move(labels.rows());
  for (MatrixRow& row : rows) {
    const std::vector<StateId> states = states_that_count(row.states, reached);
    row.is_reached = reached[states[0]] != 0;
    for (const Column& column : columns) {
      Cell& folded = row.cells.emplace_back();
      for (const StateId s : states) {
        Cell cell = cell_at(automaton.states[s], s, column, arrivals);
        lead_to_labels(labels, cell);
        if (s == states[0])
          folded = std::move(cell);
        else
          add_up(cell, folded);
      }
    }
  }
  return rows;
}

}  // namespace

std::string_view to_string(ReceptionMatrix::Acceptance acceptance) {
  switch (acceptance) {
    case ReceptionMatrix::Acceptance::no: return "no";
    case ReceptionMatrix::Acceptance::conditional: return "conditionally";
    case ReceptionMatrix::Acceptance::always: return "always";
  }
  return "";
}

std::string_view arrival_text(const ReceptionMatrix::Column& column,
                              const ReceptionMatrix::Cell& cell, bool is_complete) {
  if (column.tags.empty()) return "never sent";
  if (cell.is_seen) return "arrives";
  return is_complete ? "never" : "not seen";
}

bool has_labels(const Automaton& automaton) {
  std::set<std::string> names;
  for (const ControlState& state : automaton.states)
    if (!state.labels.empty()) names.insert(state.name);
  return names.size() > 1;
}

std::vector<ReceptionMatrix::Hole> ReceptionMatrix::holes(ReceptionPolicy policy) const {
  std::vector<Hole> result;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (const auto& hole = rows[r].cells[c].hole; hole && *hole <= policy)
        result.push_back({r, c, *hole});
  std::stable_sort(result.begin(), result.end(),
                   [](const Hole& a, const Hole& b) { return a.policy < b.policy; });
  return result;
}

bool ReceptionMatrix::has_hole(const MatrixRow& row, ReceptionPolicy policy) const {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [&](const Cell& cell) { return cell.hole && *cell.hole <= policy; });
}

std::size_t ReceptionMatrix::count(ReceptionPolicy policy) const {
  std::size_t result = 0;
  for (const MatrixRow& row : rows)
    for (const Cell& cell : row.cells) result += !row.is_between && cell.hole == policy;
  return result;
}

std::size_t matrix_cells(const Program& program, RowsBy by) {
  const Protocol& protocol = program.protocol;
  const std::vector<Traffic> traffic = collect_traffic(protocol);
  std::size_t cells = 0;
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    const Channel& channel = protocol.channels[c];
    if (channel.reader() == none) continue;
    const Automaton& automaton = protocol.processes[channel.reader()].automaton;
    const std::size_t rows = by == RowsBy::label && has_labels(automaton)
                                 ? LabelRows(automaton).rows().size()
                                 : automaton.states.size();
    cells += rows * (channel.sort.size() + traffic[c].never_sent().size() + 1);
  }
  return cells;
}

ReceptionMatrix reception_matrix(const Program& program, ProcessId process,
                                 const std::vector<Traffic>& traffic, const Arrivals& arrivals,
                                 RowsBy by) {
  const Automaton& automaton = program.protocol.processes[process].automaton;
  const std::vector<std::uint8_t>& reached = arrivals.reached[process];
  ReceptionMatrix matrix;
  matrix.columns = columns_of(program.protocol, process, traffic);
  if (by == RowsBy::label && has_labels(automaton)) {
    matrix.by = RowsBy::label;
    matrix.rows = label_rows(automaton, matrix.columns, reached, arrivals);
    return matrix;
  }
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    MatrixRow& row = matrix.rows.emplace_back();
    row.name = automaton.states[s].name;
    row.states = {s};
    row.is_reached = reached[s] != 0;
    for (const Column& column : matrix.columns)
      row.cells.push_back(cell_at(automaton.states[s], s, column, arrivals));
  }
  return matrix;
}

}  // namespace panoptes
