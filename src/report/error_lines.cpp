// SPDX-License-Identifier: Apache-2.0
#include "report/error_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "base/display.hpp"
#include "base/parts.hpp"
#include "report/number_text.hpp"

namespace panoptes {
namespace {

using Cells = std::vector<std::string>;

// ---- what is in them ------------------------------------------------------------------------

// Of a trail that nobody has walked, steps of the search alone are known, and one of those may be
// several.
std::string steps_text(const ErrorReport& error) {
  if (error.is_shortest) return fmt::format("{}", error.step_count());
  return error.gap <= TrailGap::unasked ? fmt::format("≤{}", error.step_count()) : "?";
}

// "?ring" of a process that reads the channel of its own name.
std::string shown_subject(const Program& program, const ErrorReport& error) {
  const std::string& text = subject_of(program, error);
  const std::string& process = error.description.process;
  const bool is_own = !process.empty() && text.size() > process.size() &&
                      text.starts_with(process) &&
                      (text[process.size()] == '?' || text[process.size()] == '!');
  return is_own ? text.substr(process.size()) : text;
}

// The states of deadlocks, without those processes that do not tell one from the other: they are at
// the same place in all of them, or may stop wherever they are.
class DeadlockStates {
 public:
  DeadlockStates(const Program& program, const std::vector<const ErrorReport*>& errors)
      : program_(program) {
    for (const ErrorReport* error : errors)
      if (error->description.kind == ErrorKind::deadlock) deadlocks_.push_back(error);
    for (const bool may_stop : {true, false}) {
      leave_out(may_stop);
      std::set<std::string> texts;
      for (const ErrorReport* error : deadlocks_) texts.insert(text(*error));
      if (texts.size() == deadlocks_.size()) return;
    }
    shown_.clear();  // then there is nothing to be gained
  }

  // "llc[0] setup, llc[1] adm"; without the names where everybody is in it.
  std::string text(const ErrorReport& error) const {
    const std::vector<std::string_view> states = states_of(error);
    if (error.description.kind != ErrorKind::deadlock || shown_.empty() ||
        shown_.size() == states.size())
      return error.description.state;
    std::string text;
    for (const ProcessId p : shown_)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", program_.protocol.processes[p].name,
                          states[p]);
    return text;
  }

 private:
  static std::vector<std::string_view> states_of(const ErrorReport& error) {
    return parts_of(error.description.state, ',');
  }

  void leave_out(bool those_that_may_stop) {
    if (deadlocks_.empty()) return;
    const std::size_t processes = program_.control.size();
    std::vector<bool> is_common(processes, deadlocks_.size() > 1),
        may_stop(processes, those_that_may_stop);
    const std::vector<std::string_view> first = states_of(*deadlocks_.front());
    for (const ErrorReport* error : deadlocks_) {
      const std::vector<std::string_view> states = states_of(*error);
      for (ProcessId p = 0; p < processes; ++p) {
        const auto id = static_cast<StateId>(read(program_.layout.control[p], error->trail.last));
        is_common[p] = is_common[p] && states[p] == first[p];
        may_stop[p] = may_stop[p] && program_.at(p, id).may_stop;
      }
    }
    shown_.clear();
    for (ProcessId p = 0; p < processes; ++p)
      if (!is_common[p] && !may_stop[p]) shown_.push_back(p);
  }

  const Program& program_;
  std::vector<const ErrorReport*> deadlocks_;
  std::vector<ProcessId> shown_;  // none where nobody is left out
};

// ---- how wide they are ----------------------------------------------------------------------

enum class CutAt : std::uint8_t { end, middle, beginning };

std::string cut_at(CutAt where, std::string_view text, std::size_t width) {
  const std::size_t all = display_width(text);
  if (all <= width) return std::string(text);
  const std::size_t kept = width - 1;
  const std::size_t behind = where == CutAt::end ? 0 : where == CutAt::middle ? kept / 2 : kept;
  return fmt::format("{}…{}", first_columns(text, kept - behind),
                     text.substr(first_columns(text, all - behind).size()));
}

// Cut where most of them still differ. REQUIRES: width > 0.
Cells cut_cells(const Cells& cells, std::size_t width) {
  Cells best;
  std::size_t most = 0;
  for (const CutAt where : {CutAt::end, CutAt::middle, CutAt::beginning}) {
    Cells cut;
    for (const std::string& cell : cells) cut.push_back(cut_at(where, cell, width));
    const std::size_t distinct = std::set<std::string>(cut.begin(), cut.end()).size();
    if (distinct > most) {
      most = distinct;
      best = std::move(cut);
    }
  }
  return best;
}

// A column of texts, at the left, or of numbers, at the right; left out where nothing is in it.
struct TableColumn {
  enum class Kind : std::uint8_t { number, kind, text };
  std::string title;
  Kind kind = Kind::text;
  Cells cells = {}, shown = {};
  std::size_t width = 0;

  bool is_empty() const {
    return std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
  }
  std::string in_line(const std::string& cell, std::size_t room) const {
    const std::string blanks(room - std::min(room, display_width(cell)), ' ');
    return kind == Kind::number ? blanks + cell : cell + blanks;
  }
};

struct Caps {
  std::size_t kinds = 40, texts = 32;
};

class TableOfErrors {
 public:
  TableOfErrors(const Program& program, const std::vector<const ListedError*>& rows)
      : row_count_(rows.size()) {
    using enum TableColumn::Kind;
    columns_ = {{"", number},      {"kind", TableColumn::Kind::kind},
                {"process", text}, {"state", text},
                {"message", text}, {"events", number},
                {"steps", number}, {"depth", number},
                {"seen", number},  {"members", number}};
    std::vector<const ErrorReport*> errors;
    for (const ListedError* listed : rows) errors.push_back(listed->error);
    const DeadlockStates states(program, errors);
    const bool has_depths = std::any_of(errors.begin(), errors.end(), [](const auto* error) {
      return error->search_step_count() != error->step_count();
    });
    for (const ListedError* listed : rows) add_row(program, *listed, states, has_depths);
    std::erase_if(columns_, [](const TableColumn& column) { return column.is_empty(); });
  }

  std::string text(std::size_t width) {
    fit(width == 0 ? SIZE_MAX : width);
    std::string out;
    Cells line;
    for (const TableColumn& column : columns_) line.push_back(column.title);
    add_line(line, width, out);
    for (std::size_t row = 0; row < row_count_; ++row) {
      line.clear();
      for (const TableColumn& column : columns_) line.push_back(column.shown[row]);
      add_line(line, width, out);
    }
    return out;
  }

 private:
  void add_row(const Program& program, const ListedError& listed, const DeadlockStates& states,
               bool has_depths) {
    const ErrorReport& error = *listed.error;
    const ErrorDescription& d = error.description;
    const auto events = error.event_count(program);
    const std::size_t alike = alike_count(error.members);
    const std::string cells[] = {
        fmt::format("{}", listed.number),
        fmt::format("{}{}", to_string(d.kind), error.is_warning ? ", warning" : ""),
        d.process,
        states.text(error),
        shown_subject(program, error),
        events ? fmt::format("{}", *events) : "?",
        steps_text(error),
        has_depths ? fmt::format("{}", error.search_step_count()) : "",
        error.count == 0 ? "" : fmt::format("{}", error.count),
        alike > 1 ? fmt::format("{}", alike) : ""};
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].cells.push_back(cells[c]);
  }

  TableColumn* column(std::string_view title) {
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const TableColumn& c) { return c.title == title; });
    return found == columns_.end() ? nullptr : &*found;
  }

  // Whether all lines are within `width`.
  bool fits_in(std::size_t width, const Caps& caps) {
    TableColumn *const state = column("state"), *const message = column("message");
    for (TableColumn& column : columns_) {
      if (&column == state && message != nullptr) continue;
      column.shown = column.kind == TableColumn::Kind::number ? column.cells
                     : column.kind == TableColumn::Kind::kind ? cut_cells(column.cells, caps.kinds)
                                                              : cut_cells(column.cells, caps.texts);
      column.width = display_width(column.title);
      for (const std::string& cell : column.shown)
        column.width = std::max(column.width, display_width(cell));
    }
    if (state != nullptr && message != nullptr) lay_out_states(*state, *message, caps);
    std::size_t all = 0;
    for (const TableColumn& column : columns_) all += column.width + 2;
    return all - 2 <= width;
  }

  // Where there is no message, the state has its room, too.
  void lay_out_states(TableColumn& state, TableColumn& message, const Caps& caps) const {
    Cells narrow, wide;
    for (std::size_t row = 0; row < row_count_; ++row)
      (message.cells[row].empty() ? wide : narrow).push_back(state.cells[row]);
    narrow = cut_cells(narrow, caps.texts);
    wide = cut_cells(wide, 2 * caps.texts);
    const auto widest = [](const Cells& cells) {
      std::size_t width = 0;
      for (const std::string& cell : cells) width = std::max(width, display_width(cell));
      return width;
    };
    state.width = std::max(display_width(state.title), widest(narrow));
    const std::size_t room = state.width + 2 + message.width;
    message.width += std::max(room, widest(wide)) - room;
    state.shown.clear();
    for (std::size_t row = 0, n = 0, w = 0; row < row_count_; ++row)
      state.shown.push_back(message.cells[row].empty() ? wide[w++] : narrow[n++]);
  }

  void leave_out(std::string_view title) {
    std::erase_if(columns_, [&](const TableColumn& column) { return column.title == title; });
  }

  void fit(std::size_t width) {
    Caps caps;
    if (fits_in(width, caps)) return;
    for (const std::string_view title : {"members", "seen"}) {
      leave_out(title);
      if (fits_in(width, caps)) return;
    }
    for (caps.kinds = 20; caps.kinds > 8; caps.kinds -= 2)
      if (fits_in(width, caps)) return;
    for (caps.texts = 30; caps.texts > 6; caps.texts -= 2)
      if (fits_in(width, caps)) return;
    for (const std::string_view title : {"events", "depth"}) {
      leave_out(title);
      if (fits_in(width, caps)) return;
    }
  }

  void add_line(const Cells& cells, std::size_t width, std::string& out) const {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::size_t room = columns_[c].width;
      const std::string& cell = cells[c];
      const bool has_more = display_width(cell) > room && c + 1 < columns_.size();
      if (has_more) room += 2 + columns_[c + 1].width;
      line += (line.empty() ? "" : "  ") + columns_[c].in_line(cell, room);
      c += has_more;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (width == 0 ? line : cut_to_width(line, width)) + "\n";
  }

  std::size_t row_count_;
  std::vector<TableColumn> columns_;
};

// "and 9,900 more: 9,890 deadlock, 10 assertion (--only WORD lists those with it, --json all)"
std::string others_text(const std::vector<const ListedError*>& wanted) {
  if (wanted.size() <= most_table_rows) return {};
  std::map<ErrorKind, std::size_t> kinds;
  for (std::size_t i = most_table_rows; i < wanted.size(); ++i)
    ++kinds[wanted[i]->error->description.kind];
  std::vector<std::string> words;
  for (const auto& [kind, count] : kinds)
    words.push_back(fmt::format("{} {}", with_commas(count), to_string(kind)));
  return fmt::format("and {} more: {} (--only WORD lists those with it, --json all)",
                     with_commas(wanted.size() - most_table_rows), fmt::join(words, ", "));
}

}  // namespace

std::string table_text(const Program& program, const ErrorList& list, std::size_t width) {
  std::vector<const ListedError*> wanted;
  for (const ListedError& listed : list.all())
    if (listed.is_wanted) wanted.push_back(&listed);
  const std::string others = others_text(wanted);
  if (wanted.size() > most_table_rows) wanted.resize(most_table_rows);
  std::string out = TableOfErrors(program, wanted).text(width);
  if (others.empty()) return out;
  for (const std::string& line : broken_to_width(others, width == 0 ? SIZE_MAX : width))
    out += line + "\n";
  return out;
}

}  // namespace panoptes
