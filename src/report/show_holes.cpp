// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/csv.hpp"
#include "report/alike_automata.hpp"
#include "report/show.hpp"
#include "report/state_text.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

using Matrix = ReceptionMatrix;

// What a cell can say, in the order of the legend.
enum class Sign : std::uint8_t {
  leads_to_state,
  leads_to_label,
  accepted_in_vain,
  by_default,
  conditional,
  blocked,
  reading,
  waits,
  left,
  not_here,
  never_sent,
};

std::string_view mark_of(ReceptionPolicy policy) {
  switch (policy) {
    case ReceptionPolicy::blocked: return "✗";
    case ReceptionPolicy::reading: return "!";
    case ReceptionPolicy::any: return "~";
  }
  return "";
}
Sign sign_of(ReceptionPolicy policy) {
  switch (policy) {
    case ReceptionPolicy::blocked: return Sign::blocked;
    case ReceptionPolicy::reading: return Sign::reading;
    case ReceptionPolicy::any: return Sign::waits;
  }
  return Sign::waits;
}
Colour colour_of(ReceptionPolicy policy) {
  return policy == ReceptionPolicy::blocked ? Colour::bad : Colour::warning;
}

class Holes {
 public:
  Holes(const Program& program, const SourceSet& sources, const Arrivals& arrivals,
        const HolesRequest& request, const TextStyle& style)
      : program_(program),
        sources_(sources),
        arrivals_(arrivals),
        receptions_(request.receptions),
        style_(style) {
    for (const AlikeMatrices& alike : alike_matrices(program, arrivals, request.by))
      tables_.push_back(table(alike));
  }

  std::string text() const {
    std::string out;
    for (const TitledGrid& table : tables_) {
      out += table.title + "\n";
      if (!table.grid.rows.empty()) out += "\n" + to_text(table.grid, style_);
      if (!table.note.empty()) out += "  " + table.note + "\n";
      out += "\n";
    }
    for (const std::string& line : legend()) out += "  " + line + "\n";
    return out + search() + "\n";
  }

  std::string svg() const {
    std::vector<std::string> notes = legend();
    notes.push_back(search());
    return svg_grids(tables_, notes);
  }

 private:
  TitledGrid table(const AlikeMatrices& alike) {
    const Matrix& matrix = alike.matrix;
    const std::string title = coloured("process " + alike.processes.title, Colour::heading, style_);
    if (matrix.columns.empty()) return {fmt::format("{}: receives nothing", title), {}, ""};
    TitledGrid result{fmt::format("{}: {}", title, summary(alike)), {}, ""};
    Grid& grid = result.grid;
    grid.corner = "state";
    for (std::size_t c = 0; c < matrix.columns.size(); ++c)
      grid.columns.push_back(
          {channel_title(program_.protocol.channels[matrix.columns[c].channel],
                         alike.channel_names[c]),
           matrix.columns[c].is_timeout() ? "timeout" : matrix.columns[c].message});
    const std::set<StateId> hidden = hidden_places(matrix);
    for (const Matrix::Row& row : matrix.rows) {
      if (is_hidden(matrix, row, *alike.processes.automaton)) continue;
      grid.labels.push_back(label(alike, row));
      auto& cells = grid.rows.emplace_back();
      for (std::size_t c = 0; c < matrix.columns.size(); ++c) cells.push_back(cell(alike, row, c));
    }
    if (!hidden.empty())
      result.note =
          fmt::format("and {} between labels, without holes (--by place shows {})",
                      plural(hidden.size(), "place", "places"), hidden.size() == 1 ? "it" : "them");
    return result;
  }

  // Places in between that no row shows: one may lie behind several labels.
  std::set<StateId> hidden_places(const Matrix& matrix) const {
    std::set<StateId> places;
    for (const bool is_shown : {false, true})
      for (const Matrix::Row& row : matrix.rows) {
        if (!row.is_between || matrix.has_hole(row, receptions_) != is_shown) continue;
        if (!is_shown) places.insert(row.states.begin(), row.states.end());
        if (is_shown)
          for (const StateId s : row.states) places.erase(s);
      }
    return places;
  }

  // By label: places in between where nothing is wrong, and an end that nobody comes to.
  bool is_hidden(const Matrix& matrix, const Matrix::Row& row, const Automaton& automaton) const {
    if (matrix.by == RowsBy::place) return false;
    if (row.is_between) return !matrix.has_hole(row, receptions_);
    return automaton.states[row.states[0]].is_end && !row.is_reached;
  }

  // What a sequence that nothing comes in between only passes is no state of the search.
  static bool is_passed(const Matrix::Row& row, const Automaton& automaton) {
    return std::ranges::any_of(automaton.states, [&](const ControlState& from) {
      return std::ranges::any_of(from.transitions, [&](const Transition& transition) {
        return transition.ends_inside &&
               std::ranges::find(row.states, transition.target) != row.states.end();
      });
    });
  }

  std::string label(const AlikeMatrices& alike, const Matrix::Row& row) const {
    const Automaton& automaton = *alike.processes.automaton;
    const std::string reached = row.is_reached              ? ""
                                : is_passed(row, automaton) ? ", only passed"
                                : arrivals_.is_complete()   ? ", never reached"
                                                            : ", not reached";
    if (row.is_between)
      return fmt::format("behind {} ({}){}", row.name, plural(row.states.size(), "place", "places"),
                         reached);
    if (row.states.size() > 1)
      return fmt::format("{} (in {} places){}", row.name, row.states.size(), reached);
    const std::string title = state_title(automaton, row.states[0], sources_);
    return alike.matrix.by == RowsBy::label ? title + reached
                                            : fmt::format("{} {}{}", row.states[0], title, reached);
  }

  // "→ 3", "→ idle,connected".
  std::string targets_text(const Matrix& matrix, const Matrix::Cell& cell) {
    if (matrix.by == RowsBy::place) return fmt::format("→ {}", fmt::join(cell.targets, ","));
    std::vector<std::string_view> names;
    for (const std::uint32_t row : cell.targets) names.push_back(matrix.rows[row].name);
    return names.empty() ? "→ …" : fmt::format("→ {}", fmt::join(names, ","));
  }

  Grid::Cell cell(const AlikeMatrices& alike, const Matrix::Row& row, std::size_t c) {
    const Matrix& matrix = alike.matrix;
    const Matrix::Column& column = matrix.columns[c];
    const Matrix::Cell& cell = row.cells[c];
    Grid::Cell shown;
    if (cell.acceptance != Matrix::Acceptance::no) {
      shown.text = targets_text(matrix, cell);
      shown.colour = Colour::good;
      if (cell.acceptance == Matrix::Acceptance::conditional) {
        shown.text = "?" + shown.text;
        signs_.insert(Sign::conditional);
      }
      if (cell.by_default) {
        shown.text = "*" + shown.text;
        signs_.insert(Sign::by_default);
      }
      signs_.insert(!cell.is_seen                ? Sign::accepted_in_vain
                    : matrix.by == RowsBy::label ? Sign::leads_to_label
                                                 : Sign::leads_to_state);
      if (!cell.is_seen) shown = {"(" + shown.text + ")", Colour::faint};
    }
    if (cell.hole) {
      shown.text =
          fmt::format("{}{}{}", mark_of(*cell.hole), shown.text.empty() ? "" : " ", shown.text);
      shown.colour = colour_of(*cell.hole);
      signs_.insert(sign_of(*cell.hole));
    }
    if (!shown.text.empty() || column.is_timeout()) return shown;
    if (column.tags.empty()) return noted("–", Sign::never_sent);
    if (cell.is_seen && alike.processes.automaton->states[row.states[0]].is_end)
      return noted("left", Sign::left);
    return noted(arrivals_.is_complete() ? "·" : "?", Sign::not_here);
  }

  Grid::Cell noted(std::string text, Sign sign) {
    signs_.insert(sign);
    return {std::move(text), Colour::faint};
  }

  // "2 holes: connected ✗ to_A?ON, idle ✗ to_A?OFF; 1 not accepted, but not in the way (!)".
  std::string summary(const AlikeMatrices& alike) const {
    constexpr std::size_t most = 6;
    const std::vector<Matrix::Hole> holes = alike.matrix.holes(receptions_);
    const bool are_several = alike.processes.members.size() > 1;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(holes.size(), most); ++i)
      words.push_back(coloured(
          fmt::format("{}{} {} {}?{}", alike.matrix.rows[holes[i].row].is_between ? "behind " : "",
                      alike.matrix.rows[holes[i].row].name, mark_of(holes[i].policy),
                      alike.channel_names[holes[i].column],
                      alike.matrix.columns[holes[i].column].message),
          colour_of(holes[i].policy), style_));
    if (holes.size() > most) words.push_back(fmt::format("{} more", holes.size() - most));
    std::string out =
        holes.empty()
            ? coloured(arrivals_.is_complete() ? "no holes" : "no holes seen", Colour::good, style_)
            : fmt::format("{}{}: {}", plural(holes.size(), "hole", "holes"),
                          are_several ? " each" : "", fmt::join(words, ", "));
    for (const ReceptionPolicy policy : {ReceptionPolicy::reading, ReceptionPolicy::any})
      if (const std::size_t count = alike.matrix.count(policy); policy > receptions_ && count > 0)
        out += fmt::format("; {} {} ({})", count,
                           policy == ReceptionPolicy::any ? count == 1 ? "waits" : "wait"
                                                          : "not accepted, but not in the way",
                           mark_of(policy));
    return out;
  }

  // Whether a check reports it.
  bool is_hole(ReceptionPolicy policy) const { return policy <= receptions_; }

  // Only what occurs.
  std::vector<std::string> legend() const {
    const bool is_complete = arrivals_.is_complete();
    std::vector<std::string> lines;
    const auto add = [&](Sign sign, std::string_view mark, std::string_view meaning) {
      if (signs_.contains(sign)) lines.push_back(fmt::format("{:<6}{}", mark, meaning));
    };
    add(Sign::leads_to_state, "→ 3", "accepted, and leads to state 3");
    add(Sign::leads_to_label, "→ s", "accepted, and s is the next label that it leads to");
    add(Sign::accepted_in_vain, "(→ 3)",
        is_complete ? "accepted, but never arrives here" : "accepted, not seen to arrive");
    add(Sign::by_default, "*→ 3", "accepted by `default`");
    add(Sign::conditional, "?→ 3", "accepted under a condition");
    add(Sign::blocked, "✗",
        "a hole: arrives, is not accepted, and the process can do nothing else");
    add(Sign::reading, "!",
        is_hole(ReceptionPolicy::reading)
            ? "a hole: arrives, is not accepted, though the channel is read here"
            : "arrives, is not accepted, but the process can do something else: a hole "
              "with --receptions reading");
    add(Sign::waits, "~",
        is_hole(ReceptionPolicy::any)
            ? "a hole: arrives where the channel is not read, and waits"
            : "arrives where the channel is not read, and waits: a hole with --receptions any");
    add(Sign::left, "left", "arrives after the end of the process");
    add(Sign::not_here, is_complete ? "·" : "?",
        is_complete ? "never arrives here" : "not seen to arrive here");
    add(Sign::never_sent, "–", "nobody sends it");
    return lines;
  }

  std::string search() const {
    std::string out = plural(arrivals_.states, "state", "states");
    if (arrivals_.promise == Promise::exhaustive && arrivals_.has_failures)
      return out + ", all but what lies behind steps that fail: what was not seen may still be";
    if (arrivals_.promise == Promise::exhaustive) return out + ", all there are";
    return out + fmt::format(" {} looked at, not all ({}): what was not seen may still be",
                             arrivals_.states == 1 ? "was" : "were", to_string(arrivals_.stop));
  }

  const Program& program_;
  const SourceSet& sources_;
  const Arrivals& arrivals_;
  ReceptionPolicy receptions_;
  const TextStyle& style_;
  std::set<Sign> signs_;  // that occur
  std::vector<TitledGrid> tables_;
};

// ---- for spreadsheets -----------------------------------------------------------------------

std::string csv_row(const Matrix& matrix, const AlikeMatrices& alike, const Matrix::Row& row,
                    std::size_t column, bool is_complete) {
  const Matrix::Cell& cell = row.cells[column];
  const Matrix::Column& of = matrix.columns[column];
  std::vector<std::string_view> targets;
  for (const std::uint32_t target : cell.targets) targets.push_back(matrix.rows[target].name);
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_value(alike.processes.title),
                     csv_value(row.is_between ? "behind " + row.name : row.name),
                     fmt::join(row.states, " "), row.is_reached ? "yes" : "no",
                     csv_value(alike.channel_names[column]),
                     of.is_timeout() ? "(timeout)" : csv_value(of.message),
                     arrival_text(of, cell, is_complete), to_string(cell.acceptance),
                     targets.empty() ? "" : csv_value(fmt::format("{}", fmt::join(targets, " "))),
                     cell.hole ? to_string(*cell.hole) : "");
}

}  // namespace

std::string show_holes(const Program& program, const SourceSet& sources, const Arrivals& arrivals,
                       const HolesRequest& request, const TextStyle& style) {
  return Holes(program, sources, arrivals, request, style).text();
}

std::string show_holes_svg(const Program& program, const SourceSet& sources,
                           const Arrivals& arrivals, const HolesRequest& request) {
  return Holes(program, sources, arrivals, request, {}).svg();
}

std::string show_holes_csv(const Program& program, const Arrivals& arrivals,
                           const HolesRequest& request) {
  std::string out =
      "process,state,numbers,reached,channel,message,arrival,accepted,leads_to,hole\n";
  for (const AlikeMatrices& alike : alike_matrices(program, arrivals, request.by))
    for (const ReceptionMatrix::Row& row : alike.matrix.rows)
      for (std::size_t c = 0; c < alike.matrix.columns.size(); ++c)
        out += csv_row(alike.matrix, alike, row, c, arrivals.is_complete());
  return out;
}

std::string too_large_for_holes(const Program& program, RowsBy by) {
  const std::size_t cells = matrix_cells(program, by);
  if (cells <= most_cells) return {};
  return fmt::format(
      "--holes: {} pairs of a state and a message are too many, {} are the most; `panoptes check "
      "--receptions any` finds the holes one by one",
      with_commas(cells), with_commas(most_cells));
}

}  // namespace panoptes
