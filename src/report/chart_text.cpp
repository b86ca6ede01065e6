// SPDX-License-Identifier: Apache-2.0
// A chart in the characters of a terminal. Every row is drawn on a line of cells: lifelines first,
// then what happens on them, then in the margin where it leads to.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/display.hpp"
#include "report/chart.hpp"
#include "report/grid.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

// A line of text, a character in each cell. Names and messages are ASCII, so their bytes are as
// many; a path of an included file need not be.
class Line {
 public:
  void put(std::size_t at, std::string_view glyph, Colour colour = Colour::plain) {
    if (cells_.size() <= at) cells_.resize(at + 1);
    cells_[at] = {std::string(glyph), colour};
  }
  void write(std::size_t at, std::string_view text, Colour colour = Colour::plain) {
    for (std::size_t begin = 0, end; begin < text.size(); begin = end, ++at) {
      for (end = begin + 1; end < text.size() && !begins_character(text[end]);) ++end;
      put(at, text.substr(begin, end - begin), colour);
    }
  }
  std::size_t size() const { return cells_.size(); }
  bool has(std::size_t at, std::string_view glyph) const {
    return at < cells_.size() && cells_[at].glyph == glyph;
  }

  std::string str(const TextStyle& style) const {
    std::size_t end = cells_.size();
    while (end > 0 && cells_[end - 1].glyph == " ") --end;
    std::string out, run;  // run: cells of one colour, and the blanks between them
    Colour colour = Colour::plain;
    for (std::size_t i = 0; i < end; ++i) {
      if (cells_[i].colour != colour && cells_[i].glyph != " ") {
        out += coloured(run, colour, style);
        run.clear();
        colour = cells_[i].colour;
      }
      run += cells_[i].glyph;
    }
    return out + coloured(run, colour, style) + "\n";
  }

 private:
  struct Cell {
    std::string glyph = " ";
    Colour colour = Colour::plain;
  };
  std::vector<Cell> cells_;
};

constexpr std::size_t usual_width = 100;
constexpr std::size_t least_number_width = 9;  // "123,1234" and what marks a concurrent step
constexpr std::size_t arrow_ends = 5;  // what an arrow needs besides its label: `──` `──▶`
constexpr std::size_t note_columns = 26;  // kept free for what stands on a lifeline
constexpr std::size_t most_name = 24;     // letters of a name that are shown above its lifeline
constexpr std::size_t least_gap = 4;

// Letters in the middle go: the end of a name tells the members of a family apart.
std::string short_name(const std::string& name) {
  constexpr std::size_t least_tail = 8;
  if (name.size() <= most_name) return name;
  const std::size_t index = name.size() - std::min(name.size(), name.find('['));
  const std::size_t tail = std::clamp(index, least_tail, most_name - 3);
  return name.substr(0, most_name - 2 - tail) + ".." + name.substr(name.size() - tail);
}

// What is drawn in one line: an event, or a send with its receive, or a remark between them.
struct Row {
  std::vector<std::size_t> events;  // none: a remark
  std::string remark;
};

class TextChart {
 public:
  TextChart(const Chart& chart, const TextStyle& style) : chart_(chart), style_(style) {
    if (style_.width == 0) style_.width = usual_width;
    least_margin_ = std::min<std::size_t>(28, style_.width / 5);
    for (const std::string& name : chart.names) names_.push_back(short_name(name));
  }

  std::string draw() {
    make_rows();
    for (const Row& row : rows_) number_width_ = std::max(number_width_, number_of(row).size() + 1);
    const std::set<ProcessId> all(chart_.lifelines.begin(), chart_.lifelines.end());
    if (least_width(all) <= style_.width) return sheet(0, rows_.size(), all) + footnote();
    std::string out;
    std::size_t first = 0;
    do {
      std::set<ProcessId> used;
      const std::size_t end = sheet_end(first, used);
      out += sheet(first, end, used);
      first = end;
      if (first < rows_.size()) out += "\n";
    } while (first < rows_.size());
    return out + footnote();
  }

 private:
  // ---- rows ----
  void make_rows() {
    for (const ChartPart& part : chart_.parts) {
      if (chart_.repeats_for_ever == part.first) remark("then for ever:");
      if (part.times == 0) {
        remark(left_out(part));
        continue;
      }
      if (part.times > 1)
        remark(fmt::format("{} times, to step {}; the first:", with_commas(part.times),
                           with_commas(last_step(part))));
      for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        if (chart_.events[i].joins_previous)
          rows_.back().events.push_back(i);
        else
          rows_.push_back({{i}, {}});
      }
      if (part.times > 1) remark("end of what repeats");
    }
  }
  void remark(std::string text) { rows_.push_back({{}, std::move(text)}); }

  std::size_t last_step(const ChartPart& part) const {
    std::size_t last = 0;
    for (std::size_t i = part.first; i < part.end(); ++i)
      last = std::max(last, chart_.events[i].step);
    return last;
  }

  std::string left_out(const ChartPart& part) const {
    std::size_t messages = 0;
    for (std::size_t i = part.first; i < part.end(); ++i)
      if (chart_.events[i].kind == ActionKind::send) ++messages;
    return fmt::format("{} steps left out, with {} {}", with_commas(part.count),
                       with_commas(messages), messages == 1 ? "message" : "messages");
  }

  // Lifelines that a row needs.
  void add_lifelines(const Row& row, std::set<ProcessId>& used) const {
    for (const std::size_t e : row.events) {
      const ChartEvent& event = chart_.events[e];
      used.insert(event.process);
      if (event.kind == ActionKind::send && chart_.arrows[event.arrow].to != none)
        used.insert(chart_.arrows[event.arrow].to);
    }
  }

  // ---- sheets ----
  std::size_t least_width(const std::set<ProcessId>& used) const {
    return number_width_ + 2 * half_of_longest() + used.size() * least_gap + least_margin_;
  }
  std::size_t half_of_longest() const {
    std::size_t longest = 0;
    for (const ProcessId p : chart_.lifelines) longest = std::max(longest, names_[p].size() / 2);
    return longest;
  }

  // Of a chart whose lifelines do not all fit: how far a sheet goes, and those it has.
  std::size_t sheet_end(std::size_t first, std::set<ProcessId>& used) const {
    std::size_t end = first;
    for (; end < rows_.size(); ++end) {
      std::set<ProcessId> wanted = used;
      add_lifelines(rows_[end], wanted);
      if (least_width(wanted) > style_.width && end > first) break;
      used = std::move(wanted);
    }
    return end;
  }

  std::string sheet(std::size_t first, std::size_t end, const std::set<ProcessId>& used) {
    lifelines_.clear();
    for (const ProcessId p : chart_.lifelines)
      if (used.contains(p)) lifelines_.push_back(p);
    place_columns(first, end);
    std::string out = header();
    for (std::size_t i = first; i < end; ++i) out += draw_row(rows_[i]);
    return end == rows_.size() ? out + ending() : out;
  }

  // ---- columns ----
  // What a row would like to have between lifelines i and j.
  struct Wish {
    std::size_t i, j, width;
  };

  void place_columns(std::size_t first, std::size_t end) {
    const std::size_t count = lifelines_.size();
    columns_.assign(chart_.names.size(), 0);
    if (count == 0) return;
    const auto half = [&](std::size_t i) { return names_[lifelines_[i]].size() / 2; };
    // Names side by side, where there is room for it.
    std::vector<std::size_t> least(count, least_gap);
    for (std::size_t i = 0; i + 1 < count; ++i)
      least[i] = std::max(least_gap, half(i) + half(i + 1) + 2);
    if (number_width_ + half(0) + std::accumulate(least.begin(), least.end(), std::size_t{0}) +
            least_margin_ >
        style_.width)
      least.assign(count, least_gap);
    std::vector<std::size_t> gaps = least;
    for (const Wish& wish : wishes(first, end)) {
      std::size_t have = 0;
      for (std::size_t i = wish.i; i < wish.j; ++i) have += gaps[i];
      if (have < wish.width) gaps[wish.i] += wish.width - have;
    }
    const std::size_t left = number_width_ + half(0) + 1;
    const auto total = [&] {
      std::size_t sum = left + half(count - 1) + 3 + least_margin_;
      for (std::size_t i = 0; i + 1 < count; ++i) sum += gaps[i];
      return sum;
    };
    // Too wide: from the widest gap first.
    for (std::size_t sum = total(); sum > style_.width; --sum) {
      std::size_t widest = count;
      for (std::size_t i = 0; i + 1 < count; ++i)
        if (gaps[i] > least[i] && (widest == count || gaps[i] > gaps[widest])) widest = i;
      if (widest == count) break;
      --gaps[widest];
    }
    std::size_t at = left;
    for (std::size_t i = 0; i < count; ++i) {
      columns_[lifelines_[i]] = at;
      if (i + 1 < count) at += gaps[i];
    }
    margin_ = at + half(count - 1) + 3;
  }

  std::vector<Wish> wishes(std::size_t first, std::size_t end) const {
    std::vector<Wish> result;
    const auto index = [&](ProcessId p) {
      return static_cast<std::size_t>(std::ranges::find(lifelines_, p) - lifelines_.begin());
    };
    for (std::size_t r = first; r < end; ++r) {
      if (rows_[r].events.empty()) continue;
      const ChartEvent& event = chart_.events[rows_[r].events.front()];
      const std::size_t from = index(event.process);
      if (is_drawn_as_arrow(event)) {
        const std::size_t to = index(chart_.arrows[event.arrow].to);
        result.push_back({std::min(from, to), std::max(from, to),
                          arrow_label(chart_.arrows[event.arrow]).size() + arrow_ends});
      } else if (from + 1 < lifelines_.size()) {
        result.push_back({from, from + 1, std::min(note_columns, note(event).size() + 3)});
      }
    }
    // Short reaches first: a long one then has what those left.
    std::ranges::stable_sort(result, {}, [](const Wish& w) { return w.j - w.i; });
    return result;
  }

  // ---- drawing ----
  std::string header() const {
    if (lifelines_.empty()) return {};
    // Every name in the lowest row in which it does not touch another.
    std::vector<Line> rows;
    for (const ProcessId p : lifelines_) {
      const std::size_t at = columns_[p] - std::min(columns_[p], names_[p].size() / 2);
      std::size_t row = 0;
      while (row < rows.size() && rows[row].size() >= at) ++row;
      if (row == rows.size()) rows.emplace_back();
      rows[row].write(at, names_[p]);
      for (std::size_t below = 0; below < row; ++below)
        if (rows[below].size() <= columns_[p]) rows[below].put(columns_[p], "│", Colour::faint);
    }
    std::string out;
    for (std::size_t row = rows.size(); row-- > 0;) out += rows[row].str(style_);
    return out + lifelines().str(style_);
  }

  Line lifelines() const {
    Line line;
    for (const ProcessId p : lifelines_) line.put(columns_[p], "│", Colour::faint);
    return line;
  }

  bool is_drawn_as_arrow(const ChartEvent& event) const {
    if (event.kind != ActionKind::send) return false;
    const ChartArrow& arrow = chart_.arrows[event.arrow];
    return arrow.to != none && arrow.to != arrow.from;
  }

  static std::string arrow_label(const ChartArrow& arrow) {
    return arrow.received ? arrow.label : fmt::format("[{}]", arrow.label);
  }

  std::string draw_row(const Row& row) const {
    Line line = lifelines();
    if (row.events.empty()) {
      Line remark;
      for (const ProcessId p : lifelines_) remark.put(columns_[p], "┊", Colour::faint);
      write_cut(remark, number_width_, fmt::format(" {} ", row.remark));
      return remark.str(style_);
    }
    const ChartEvent& event = chart_.events[row.events.front()];
    const std::string number = number_of(row);
    line.write(number_width_ - 1 - number.size(), number, Colour::faint);
    const bool is_concurrent = std::ranges::all_of(
        row.events, [&](std::size_t e) { return chart_.events[e].is_concurrent; });
    if (is_concurrent) line.put(number_width_ - 1, "~", Colour::faint);
    std::string margin = is_drawn_as_arrow(event) ? draw_arrow(line, event, row.events.size() > 1)
                                                  : draw_mark(line, event);
    write_margin(line, row, margin);
    return line.str(style_);
  }

  std::string number_of(const Row& row) const {
    std::string number;
    for (const std::size_t e : row.events)
      number += fmt::format("{}{}", number.empty() ? "" : ",", chart_.events[e].step);
    return number;
  }

  // As much of it as the width allows.
  void write_cut(Line& line, std::size_t at, std::string_view text,
                 Colour colour = Colour::plain) const {
    line.write(at, cut_to_width(text, style_.width - std::min(style_.width, at)), colour);
  }

  // Returns what found no room.
  std::string draw_arrow(Line& line, const ChartEvent& event, bool arrives) const {
    const ChartArrow& arrow = chart_.arrows[event.arrow];
    const std::size_t from = columns_[arrow.from], to = columns_[arrow.to];
    const bool goes_right = from < to;
    const std::size_t low = std::min(from, to), high = std::max(from, to);
    const Colour colour = event.fails ? Colour::bad : Colour::message;
    for (std::size_t x = low + 1; x < high; ++x)
      line.put(x, arrow.received || event.fails ? (line.has(x, "│") ? "┼" : "─") : "┄", colour);
    line.put(from, goes_right ? "├" : "┤", colour);
    const std::string_view head = event.fails  ? "╳"
                                  : arrives    ? (goes_right ? "▶" : "◀")
                                  : goes_right ? "▷"
                                               : "◁";
    line.put(goes_right ? to - 1 : to + 1, head, colour);
    const std::string label = arrow_label(arrow);
    const std::size_t room = high - low - 1;
    if (label.size() + 2 > room) return label;
    line.write(low + 1 + (room - label.size()) / 2, label, colour);
    return {};
  }

  // What stands beside the mark on a lifeline.
  std::string note(const ChartEvent& event) const {
    switch (event.kind) {
      case ActionKind::send: {
        const ChartArrow& arrow = chart_.arrows[event.arrow];
        if (arrow.is_lost) return arrow.label + ", forgotten";
        return arrow.label + (arrow.to == none ? ", read by nobody" : ", to itself");
      }
      case ActionKind::receive: {
        const ChartArrow& arrow = chart_.arrows[event.arrow];
        return arrow.sent
                   ? fmt::format("takes {} of {}", arrow.label, chart_.events[*arrow.sent].step)
                   : fmt::format("takes {}, there at the start", arrow.label);
      }
      default: return event.says();
    }
  }

  std::string draw_mark(Line& line, const ChartEvent& event) const {
    const std::size_t at = columns_[event.process];
    const bool is_lost = event.kind == ActionKind::send && chart_.arrows[event.arrow].is_lost;
    const Colour colour = event.fails ? Colour::bad
                          : event.kind == ActionKind::timeout || !event.lost.empty()
                              ? Colour::warning
                          : event.arrow != none ? Colour::message
                                                : Colour::plain;
    line.put(at,
             event.fails                         ? "╳"
             : event.kind == ActionKind::timeout ? "τ"
             : is_lost                           ? "┝"
             : !event.lost.empty()               ? "✕"
             : event.arrow == none               ? "▪"
                                                 : "●",
             colour);
    const std::string text = note(event);
    std::size_t next = margin_;
    for (const ProcessId p : lifelines_)
      if (columns_[p] > at) next = std::min(next, columns_[p]);
    if (at + 2 + text.size() + 1 > next) return text;
    line.write(at + 2, text, colour);
    return {};
  }

  // Where there is no room for all of it, states and values go first: the list of steps has them.
  void write_margin(Line& line, const Row& row, std::string text) const {
    const std::size_t room = style_.width > margin_ ? style_.width - margin_ : 0;
    for (const std::size_t e : row.events) {
      const ChartEvent& event = chart_.events[e];
      const auto add = [&](const std::string& part) {
        if (text.size() + 2 + part.size() <= room) text += (text.empty() ? "" : ", ") + part;
      };
      for (const std::string& change : event.changes) add(change);
      if (!event.state.empty())
        add(fmt::format("{} at {}", chart_.names[event.process], event.state));
    }
    write_cut(line, margin_, text, Colour::faint);
  }

  // Where everybody is at the end, and what is wrong with it.
  std::string ending() const {
    std::string out;
    Line line = lifelines();
    bool has_fault = false;
    for (const ProcessId p : chart_.fault_at) {
      if (std::ranges::find(lifelines_, p) == lifelines_.end()) continue;
      line.put(columns_[p], "╳", Colour::bad);
      has_fault = true;
    }
    if (has_fault) out += line.str(style_);
    return out + final_states() + fault_line();
  }

  // Below the lifelines, where all of them are here and there is room; else in a list.
  std::string final_states() const {
    Line states;
    bool fits = lifelines_.size() == chart_.lifelines.size();
    for (const ProcessId p : lifelines_) {
      const std::string& state = chart_.final_states[p];
      const std::size_t at = columns_[p] - std::min(columns_[p], state.size() / 2);
      fits =
          fits && (states.size() == 0 || at > states.size()) && at + state.size() <= style_.width;
      if (fits) states.write(at, state, Colour::faint);
    }
    if (fits) return states.str(style_);
    std::vector<std::string> places;
    for (const ProcessId p : chart_.lifelines) {
      const bool is_at_fault = std::ranges::find(chart_.fault_at, p) != chart_.fault_at.end();
      places.push_back(fmt::format("{} at {}{}", chart_.names[p], chart_.final_states[p],
                                   is_at_fault ? " (╳)" : ""));
    }
    std::string out;
    for (const std::string& line : folded_list(places, style_.width)) out += line + "\n";
    return out;
  }

  std::string fault_line() const {
    if (chart_.fault.empty()) return {};
    return coloured(chart_.fault, Colour::bad, style_) + "\n";
  }

  std::string footnote() const {
    const std::string text = concurrent_footnote(chart_);
    return text.empty() ? text : text + "\n";
  }

  const Chart& chart_;
  TextStyle style_;
  std::size_t least_margin_ = 0;
  std::size_t number_width_ = least_number_width;
  std::vector<std::string> names_;  // by process, shortened
  std::vector<Row> rows_;
  std::vector<ProcessId> lifelines_;  // of this sheet
  std::vector<std::size_t> columns_;  // by process
  std::size_t margin_ = 0;            // where it begins
};

}  // namespace

std::string text_chart(const Chart& chart, const TextStyle& style) {
  return TextChart(chart, style).draw();
}

}  // namespace panoptes
