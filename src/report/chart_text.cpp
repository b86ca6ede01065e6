// SPDX-License-Identifier: Apache-2.0
// A chart in the characters of a terminal. Every row is drawn on a line of cells: lifelines first,
// then what happens on them, then in the margin where it leads to. What has no room in the margin
// goes on in the next line; only states that have no name but their line and column are left out,
// with a sign, and the chart says how wide it would have to be for them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

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
constexpr std::size_t arrow_ends = 5;  // what an arrow has besides its label: `──` `──▶`
constexpr std::size_t least_arrow_ends = 3;
constexpr std::size_t note_columns = 26;  // the most that is kept free for words on a lifeline
constexpr std::size_t most_name = 24;     // letters of a name that are shown above its lifeline
constexpr std::size_t least_gap = 4;
constexpr std::size_t margin_gap = 3;  // from the last lifeline to the margin
constexpr std::size_t usual_margin = 28, least_margin = 18;
constexpr std::string_view sign = "…";  // of what is left out

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
    style_.width = std::max(style_.width, least_chart_width);
    for (const std::string& name : chart.names) names_.push_back(short_name(name));
  }

  std::string draw() {
    const std::string out = sheets();
    return out + footnotes();
  }

 private:
  std::string sheets() {
    make_rows();
    for (const Row& row : rows_) number_width_ = std::max(number_width_, number_of(row).size() + 1);
    const std::set<ProcessId> all(chart_.lifelines.begin(), chart_.lifelines.end());
    if (least_width(all) <= style_.width) return sheet(0, rows_.size(), all);
    std::string out;
    std::size_t first = 0;
    do {
      std::set<ProcessId> used;
      const std::size_t end = sheet_end(first, used);
      out += sheet(first, end, used);
      first = end;
      if (first < rows_.size()) out += "\n";
    } while (first < rows_.size());
    return out;
  }

  // With room for everything.
  std::size_t full_width() const {
    TextChart wide(chart_, {most_chart_width, false});
    wide.draw();
    return wide.margin_ + std::max(wide.widest_margin_, usual_margin);
  }

  // ---- rows ----
  void make_rows() {
    for (const ChartPart& part : chart_.parts) {
      if (chart_.repeats_for_ever == part.first) remark("then for ever:");
      if (part.times == 0) {
        remark(left_out(part));
        continue;
      }
      if (part.times > 1)
        remark(fmt::format("{} times, to step {}{}; the first:", with_commas(part.times),
                           with_commas(last_step(part)),
                           part.has_other_values ? ", each with other values" : ""));
      for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        if (chart_.events[i].joins_previous)
          rows_.back().events.push_back(i);
        else
          rows_.push_back({{i}, {}});
      }
      if (part.times > 1)
        remark(fmt::format("end of what repeats{}{}", part.values.empty() ? "" : "; by then ",
                           part.values));
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
    return std::max(number_width_ + 1, half_of_longest()) + used.size() * least_gap + margin_gap +
           least_margin;
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
  // What a row would like to have between lifelines i and j, and what its message needs.
  struct Wish {
    std::size_t i, j, width, needed;
  };
  using Gaps = std::vector<std::size_t>;  // behind each lifeline but the last

  // Where there is no room for all of it, words beside lifelines go into the margin; then the
  // margin gets narrower; then messages go there too.
  void place_columns(std::size_t first, std::size_t end) {
    columns_.assign(chart_.names.size(), 0);
    if (lifelines_.empty()) return;
    // Numbers have no name above them, and the margin neither.
    const std::size_t left =
        std::max(number_width_ + 1, names_[lifelines_.front()].size() / 2) + margin_gap;
    const std::size_t room = style_.width - std::min(style_.width, left + least_margin);
    const std::size_t margin = std::min(style_.width / 3, usual_margin);
    const std::size_t usual_room = room - std::min(room, margin - least_margin);
    std::vector<Wish> rows = wishes(first, end);
    const Gaps least = least_gaps(room);
    Gaps gaps = widened(least, rows, &Wish::width);
    while (sum_of(gaps) > usual_room && give_up_widest_words(rows))
      gaps = widened(least, rows, &Wish::width);
    narrow(gaps, widened(least, rows, &Wish::needed), usual_room);
    narrow(gaps, least, room);
    std::size_t at = left - margin_gap;
    for (std::size_t i = 0; i < lifelines_.size(); ++i) {
      columns_[lifelines_[i]] = at;
      if (i < gaps.size()) at += gaps[i];
    }
    margin_ = at + margin_gap;
  }

  static std::size_t sum_of(const Gaps& gaps) {
    return std::accumulate(gaps.begin(), gaps.end(), std::size_t{0});
  }

  // Of the wishes that are no message's; false where there is none.
  static bool give_up_widest_words(std::vector<Wish>& wishes) {
    std::size_t widest = 0;
    for (const Wish& wish : wishes)
      if (wish.needed == 0) widest = std::max(widest, wish.width);
    return std::erase_if(wishes, [&](const Wish& wish) {
             return wish.needed == 0 && wish.width == widest;
           }) > 0;
  }

  // Names side by side, where there is room for it.
  Gaps least_gaps(std::size_t room) const {
    Gaps gaps;
    for (std::size_t i = 0; i + 1 < lifelines_.size(); ++i)
      gaps.push_back(std::max(
          least_gap, names_[lifelines_[i]].size() / 2 + names_[lifelines_[i + 1]].size() / 2 + 2));
    if (sum_of(gaps) > room) gaps.assign(gaps.size(), least_gap);
    return gaps;
  }

  static Gaps widened(Gaps gaps, const std::vector<Wish>& wishes, std::size_t Wish::*width) {
    for (const Wish& wish : wishes) {
      std::size_t have = 0;
      for (std::size_t i = wish.i; i < wish.j; ++i) have += gaps[i];
      if (have < wish.*width) gaps[wish.i] += wish.*width - have;
    }
    return gaps;
  }

  // To what there is room for, where that can be: the widest first, and none below its least.
  static void narrow(Gaps& gaps, const Gaps& least, std::size_t room) {
    for (std::size_t sum = sum_of(gaps); sum > room; --sum) {
      std::size_t widest = gaps.size();
      for (std::size_t i = 0; i < gaps.size(); ++i)
        if (gaps[i] > least[i] && (widest == gaps.size() || gaps[i] > gaps[widest])) widest = i;
      if (widest == gaps.size()) break;
      --gaps[widest];
    }
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
        const std::size_t label = arrow_label(chart_.arrows[event.arrow]).size();
        result.push_back(
            {std::min(from, to), std::max(from, to), label + arrow_ends, label + least_arrow_ends});
      } else if (const std::size_t width = note(event).here.size() + 3;
                 from + 1 < lifelines_.size() && width <= note_columns) {
        result.push_back({from, from + 1, width, 0});
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

  std::string draw_row(const Row& row) {
    if (row.events.empty()) return draw_remark(row.remark);
    Line line = lifelines();
    const ChartEvent& event = chart_.events[row.events.front()];
    const std::string number = number_of(row);
    line.write(number_width_ - 1 - number.size(), number, Colour::faint);
    const bool is_concurrent = std::ranges::all_of(
        row.events, [&](std::size_t e) { return chart_.events[e].is_concurrent; });
    if (is_concurrent) line.put(number_width_ - 1, "~", Colour::faint);
    const std::string without_room = is_drawn_as_arrow(event)
                                         ? draw_arrow(line, event, row.events.size() > 1)
                                         : draw_mark(line, event);
    std::string out;
    for (const std::string& text : margin_lines(row, without_room)) {
      line.write(margin_, text, Colour::faint);
      out += line.str(style_);
      line = lifelines();
    }
    return out;
  }

  std::string draw_remark(const std::string& remark) const {
    const std::size_t at = number_width_ + 1;
    std::string out;
    for (const std::string& text : broken_to_width(remark, style_.width - at)) {
      Line line;
      for (const ProcessId p : lifelines_) line.put(columns_[p], "┊", Colour::faint);
      line.write(at - 1, fmt::format(" {} ", text));
      out += line.str(style_);
    }
    return out;
  }

  // Those of its steps; a rendezvous is one.
  std::string number_of(const Row& row) const {
    std::string number;
    std::size_t last = 0;
    for (const std::size_t e : row.events)
      if (const std::size_t step = chart_.events[e].step; std::exchange(last, step) != step)
        number += fmt::format("{}{}", number.empty() ? "" : ",", step);
    return number;
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
  ChartWords note(const ChartEvent& event) const {
    if (event.arrow == none) return event.says();
    const std::string text = exchange_note(event, chart_.arrows[event.arrow]);
    return {text, text};
  }
  std::string exchange_note(const ChartEvent& event, const ChartArrow& arrow) const {
    if (event.kind == ActionKind::receive)
      return arrow.sent
                 ? fmt::format("takes {} of {}", arrow.label, chart_.events[*arrow.sent].step)
                 : fmt::format("takes {}, there at the start", arrow.label);
    if (arrow.is_lost) return arrow.label + ", forgotten";
    return arrow.label + (arrow.to == none ? ", read by nobody" : ", to itself");
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
    const ChartWords text = note(event);
    std::size_t next = margin_;
    for (const ProcessId p : lifelines_)
      if (columns_[p] > at) next = std::min(next, columns_[p]);
    if (at + 2 + text.here.size() + 1 > next) return text.elsewhere;
    line.write(at + 2, text.here, colour);
    return {};
  }

  // What a row has in the margin, in lines, one at least: what found no room on the lifelines,
  // states with a name, variables that change. Other states only where these leave room for them.
  std::vector<std::string> margin_lines(const Row& row, const std::string& without_room) {
    std::vector<std::string> words, changes, places;
    if (!without_room.empty()) words.push_back(without_room);
    for (const std::size_t e : row.events) {
      const ChartEvent& event = chart_.events[e];
      for (const ChartWords& change : event.changes) changes.push_back(change.elsewhere);
      if (!event.state.empty())
        (event.has_name ? words : places)
            .push_back(fmt::format("{} at {}", chart_.names[event.process], event.state));
    }
    words.insert(words.end(), changes.begin(), changes.end());
    const std::size_t room = style_.width - std::min(style_.width - 1, margin_);
    std::vector<std::string> lines = wrapped(words, room);
    if (add_places(lines, places, room)) return lines;
    lines = wrapped(words, room - std::min(room - 1, display_width(sign) + 2));
    add_places(lines, places, room);
    return lines;
  }

  static std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t room) {
    std::vector<std::string> lines;
    for (const std::string& line : folded_list(words, room))
      for (std::string& part : broken_to_width(line, room)) lines.push_back(std::move(part));
    if (lines.empty()) lines.emplace_back();
    return lines;
  }

  // As many of them as there is room for in the last line, and a sign for the others. False where
  // even that has none.
  bool add_places(std::vector<std::string>& lines, const std::vector<std::string>& places,
                  std::size_t room) {
    const auto text = [&](std::size_t kept) {
      std::string line = lines.back();
      for (std::size_t i = 0; i <= kept && i < places.size(); ++i)
        line += fmt::format("{}{}", line.empty() ? "" : ", ", i < kept ? places[i] : sign);
      return line;
    };
    std::size_t kept = places.size();
    widest_margin_ = std::max(widest_margin_, display_width(text(kept)));
    while (kept > 0 && display_width(text(kept)) > room) --kept;
    leaves_places_out_ |= kept < places.size();
    if (display_width(text(kept)) > room) return false;
    lines.back() = text(kept);
    return true;
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

  std::string footnotes() const {
    std::string out;
    for (const std::string& text :
         {concurrent_footnote(chart_), chart_.left_out, places_footnote()})
      if (!text.empty()) out += text + "\n";
    return out;
  }
  std::string places_footnote() const {
    if (!leaves_places_out_) return {};
    return fmt::format("{} a state by its line and column, without room here (--width {} has it)",
                       sign, full_width());
  }

  const Chart& chart_;
  TextStyle style_;
  std::size_t number_width_ = least_number_width;
  std::vector<std::string> names_;  // by process, shortened
  std::vector<Row> rows_;
  std::vector<ProcessId> lifelines_;  // of this sheet
  std::vector<std::size_t> columns_;  // by process
  std::size_t margin_ = 0;            // where it begins
  std::size_t widest_margin_ = 0;     // of all rows, had everything been in one line
  bool leaves_places_out_ = false;
};

}  // namespace

std::string text_chart(const Chart& chart, const TextStyle& style) {
  return TextChart(chart, style).draw();
}

}  // namespace panoptes
