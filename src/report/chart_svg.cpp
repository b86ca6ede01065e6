// SPDX-License-Identifier: Apache-2.0
// A chart as a drawing. Time goes down: every event has a row, a receive behind its send shares it,
// and an arrow leads from the row of the send to that of the receive, however far that is. Every
// group has what it stands for as attributes (`data-message`, `data-sent`, ...), for style sheets
// and for the tests.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "base/display.hpp"
#include "report/chart.hpp"
#include "report/text.hpp"
#include "report/xml.hpp"

namespace panoptes {
namespace {

constexpr double row_height = 34, header_height = 30, top = 52, side = 24;
constexpr double letter = 7.3;        // width of a letter at 12 pixels, monospaced
constexpr double small_letter = 6.1;  // at 10 pixels
constexpr double footnote_height = 20;
// Below an event, where more would make the drawing wider; its tooltip has all of them.
constexpr std::size_t note_letters = 40, note_letters_of_part = 36;
constexpr std::size_t last_note_letters = 64;  // the same beside the last lifeline
constexpr std::size_t values_letters = 80;

double width_of(std::string_view text, double of_a_letter) {
  return static_cast<double>(display_width(text)) * of_a_letter;
}

class Drawing {
 public:
  Drawing(const Chart& chart, std::string title) : chart_(chart), title_(std::move(title)) {}

  std::string draw() {
    place_rows();
    place_columns();
    return heading() + run() + fault();
  }

  DrawnChart draw_as_part() {
    is_part_ = true;
    place_rows();
    place_columns();
    DrawnChart drawn{width_, header_height - 8, 28, header_height + 18, 0, {}, run()};
    drawn.height = bottom_ + 22 - drawn.top;
    for (const ProcessId p : chart_.lifelines) drawn.names += name(p);
    return drawn;
  }

  double width() const { return width_; }
  double height() const {
    return bottom_ + (chart_.fault.empty() ? 30 : 70) +
           footnote_height * static_cast<double>(footnotes().size());
  }

 private:
  // What happens, from the first event to the last.
  std::string run() const {
    std::string body;
    for (const ProcessId p : chart_.lifelines) body += lifeline(p);
    body += parts();
    for (std::size_t i = 0; i < chart_.events.size(); ++i)
      if (rows_.contains(i)) body += event(i);
    for (const ChartArrow& a : chart_.arrows) body += arrow(a);
    if (is_part_ && !chart_.fault_at.empty())
      body += fmt::format("<g class=\"fault\">{}</g>\n", crosses());
    return body;
  }

  // ---- where everything is ----
  void place_rows() {
    double row = 0;
    for (const ChartPart& part : chart_.parts) {
      if (chart_.repeats_for_ever == part.first) {
        cycle_top_ = top + row * row_height;
        if (part.times != 1) row += 0.6;  // the frames of both need room
      }
      part_top_.push_back(top + row * row_height);
      if (part.times == 0) {
        ++row;
        continue;
      }
      for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        if (!chart_.events[i].joins_previous) ++row;
        rows_[i] = top + row * row_height;
      }
      if (part.times > 1) row += part.values.empty() ? 0.6 : 1.1;
    }
    bottom_ = top + (row + 1) * row_height;
  }

  void place_columns() {
    const std::size_t count = chart_.lifelines.size();
    std::map<ProcessId, std::size_t> index;
    for (std::size_t i = 0; i < count; ++i) index[chart_.lifelines[i]] = i;
    std::vector<double> gaps(count, 90.0);
    double margin = side;
    const auto name_width = [&](std::size_t i) {
      return width_of(chart_.names[chart_.lifelines[i]], letter) + 20;
    };
    const auto state_width = [&](std::size_t i) {
      return width_of(chart_.final_states[chart_.lifelines[i]], small_letter);
    };
    for (std::size_t i = 0; i + 1 < count; ++i)
      gaps[i] = std::max({gaps[i], (name_width(i) + name_width(i + 1)) / 2 + 16,
                          (state_width(i) + state_width(i + 1)) / 2 + 12});
    for (const auto& [i, y] : rows_) {
      const ChartEvent& event = chart_.events[i];
      const double note = note_width(event);
      gaps[index[event.process]] = std::max(gaps[index[event.process]], note);
      if (event.kind == ActionKind::receive && event.arrow != none &&
          chart_.arrows[event.arrow].from == none) {
        const std::size_t reader = index[event.process];
        double& before = reader == 0 ? margin : gaps[reader - 1];
        before = std::max(before, room_of_first(chart_.arrows[event.arrow]) + side);
      }
      if (event.kind != ActionKind::send) continue;
      if (chart_.arrows[event.arrow].to == none) {
        double& gap = gaps[index[event.process]];
        gap = std::max(gap, aside(chart_.arrows[event.arrow]) + 20);
        continue;
      }
      const std::size_t a = index[event.process], b = index[chart_.arrows[event.arrow].to];
      const double label =
          static_cast<double>(chart_.arrows[event.arrow].label.size() + 2) * letter + 36;
      double have = 0;
      for (std::size_t g = std::min(a, b); g < std::max(a, b); ++g) have += gaps[g];
      if (a != b && have < label) gaps[std::min(a, b)] += label - have;
    }
    // Beside the first lifeline stand numbers of steps.
    const double digits = static_cast<double>(fmt::to_string(chart_.events.size()).size());
    double x = std::max(digits * small_letter + 20, margin);
    if (count > 0) x = std::max({x, side + name_width(0) / 2, side + state_width(0) / 2});
    if (count > 0) gaps.back() = std::max(gaps.back(), state_width(count - 1) / 2);
    for (std::size_t i = 0; i < count; ++i) {
      columns_[chart_.lifelines[i]] = x;
      x += gaps[i];
    }
    width_ = x + side;
    if (!is_part_)
      width_ = std::max({width_, static_cast<double>(chart_.fault.size()) * letter + 2 * side + 16,
                         static_cast<double>(title_.size()) * letter + 2 * side});
    for (const ChartPart& part : chart_.parts)
      width_ = std::max(width_, width_of(values_then(part), letter) + 2 * side);
  }

  // ---- pieces ----
  std::string heading() const {
    return fmt::format("<text class=\"small\" x=\"{}\" y=\"12\">{}</text>\n", side,
                       xml_escaped(title_));
  }

  std::string name(ProcessId p) const {
    const double x = columns_.at(p);
    const double half = (static_cast<double>(chart_.names[p].size()) * letter + 20) / 2;
    return fmt::format(
        "<g class=\"name\"><rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" "
        "height=\"24\" rx=\"4\"/><text x=\"{:.1f}\" y=\"{}\">{}</text></g>",
        x - half, header_height - 6, 2 * half, x, header_height + 10, xml_escaped(chart_.names[p]));
  }

  std::string lifeline(ProcessId p) const {
    return fmt::format(
        "<g class=\"lifeline\" data-process=\"{0}\"><line x1=\"{1:.1f}\" y1=\"{2}\" x2=\"{1:.1f}\" "
        "y2=\"{3:.1f}\"/>{4}<text class=\"state\" x=\"{1:.1f}\" y=\"{5:.1f}\" "
        "text-anchor=\"middle\">{6}</text></g>\n",
        xml_escaped(chart_.names[p]), columns_.at(p), header_height + 18, bottom_,
        is_part_ ? "" : name(p), bottom_ + 14, xml_escaped(chart_.final_states[p]));
  }

  // What stands below an event, with the control state it leads to or without.
  static std::string note_text(const ChartEvent& event, bool has_state = true) {
    std::string text = event.is_default ? "(default)" : "";
    if (event.arrow == none) text = event.says().here;
    if (has_state && !event.state.empty()) text += (text.empty() ? "→ " : "  → ") + event.state;
    for (const ChartWords& change : event.changes) text += (text.empty() ? "" : ", ") + change.here;
    return text;
  }

  // As much of it as there is room for: a label says more than line and column, which go first.
  static std::string note_in(const ChartEvent& event, std::size_t letters) {
    constexpr std::size_t least = 12;  // of what it does
    const std::string whole = note_text(event);
    if (display_width(whole) <= letters) return whole;
    if (!event.has_name) return cut_to_width(note_text(event, false), letters);
    const std::string label = "  → " + event.state;
    if (event.arrow != none || !event.changes.empty() || display_width(label) + least > letters)
      return cut_to_width(whole, letters);
    return cut_to_width(note_text(event, false), letters - display_width(label)) + label;
  }

  std::size_t usual_letters(const ChartEvent& event) const {
    if (!chart_.lifelines.empty() && event.process == chart_.lifelines.back())
      return last_note_letters;
    return is_part_ ? note_letters_of_part : note_letters;
  }
  // For which the drawing is made wide enough.
  double note_width(const ChartEvent& event) const {
    return std::max(width_of(note_in(event, usual_letters(event)), small_letter),
                    width_of(shown_break(event), small_letter)) +
           18;
  }

  // With the room that there is anyway: up to the other event in the row, or a message that waits.
  std::string shown_note(std::size_t i) const {
    const ChartEvent& event = chart_.events[i];
    const std::size_t usual = usual_letters(event);
    if (display_width(note_text(event)) <= usual) return note_text(event);
    const double x = columns_.at(event.process), y = rows_.at(i) + 9;
    double end = width_;
    const auto keep_off = [&](double at) {
      if (at > x + 10) end = std::min(end, at);
    };
    for (const std::size_t other : {i - 1, i + 1})
      if (const auto found = rows_.find(other);
          found != rows_.end() && found->second == rows_.at(i))
        keep_off(columns_.at(chart_.events[other].process));
    for (const ChartArrow& a : chart_.arrows)
      if (const Ends e = ends_of(a); waits(e) && e.y1 < y && y < e.y2) keep_off(door(a, e));
    const double room = std::max(0.0, (end - x - 16) / small_letter);
    return note_in(event, std::max(usual, static_cast<std::size_t>(room)));
  }

  // Where one can point at an event.
  static std::string hit(double x, double y) {
    return fmt::format(
        "<rect class=\"hit\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"44\" height=\"{}\" rx=\"6\"/>",
        x - 22, y - 14, row_height - 4);
  }

  std::string event(std::size_t i) const {
    const ChartEvent& event = chart_.events[i];
    const double x = columns_.at(event.process), y = rows_.at(i);
    const std::string note = note_text(event), shown = shown_note(i);
    std::string out = fmt::format(
        "<g class=\"event {}{}{}\" data-step=\"{}\" data-process=\"{}\"><title>{}</title>",
        !event.lost.empty()                 ? "loss"
        : event.kind == ActionKind::timeout ? "timeout"
        : event.arrow == none               ? "internal"
                                            : "message",
        event.is_concurrent ? " concurrent" : "", is_at_fault(event) ? " fails" : "", event.step,
        xml_escaped(chart_.names[event.process]),
        xml_escaped(fmt::format("step {}, {}: {}{}{}", event.step,
                                event.place.empty() ? "no line" : "line " + event.place,
                                event.text.here, shown == note ? "" : "; " + note,
                                event.comment.empty() ? "" : "\n" + event.comment)));
    if (is_part_) out += hit(x, y);
    double half = 3;  // of the mark
    if (is_at_fault(event) || !event.lost.empty()) {
      out += cross(x, y);
      half = 8;
    } else if (event.kind == ActionKind::timeout) {  // an hourglass
      out += fmt::format("<path d=\"M{:.1f} {:.1f}h10l-10 14h10z\"/>", x - 5, y - 7);
      half = 5;
    } else {
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", x, y);
    }
    const bool is_right = has_arrow_at_left(event);
    out += fmt::format("<text class=\"number{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       is_right ? " right" : "", is_right ? x + half + 2 : x - half - 2, y - 4,
                       event.step);
    if (!event.breaks.empty())
      out += fmt::format("<text class=\"broken\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 10,
                         y + 25, xml_escaped(shown_break(event)));
    return out + fmt::format("<text class=\"state\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
                             x + 6, y + 13, xml_escaped(shown));
  }

  static bool is_at_fault(const ChartEvent& event) { return event.fails || !event.breaks.empty(); }
  static std::string shown_break(const ChartEvent& event) {
    return event.breaks.empty() ? "" : cut_to_width("✗ " + event.breaks, note_letters);
  }

  // The number of an event stands where its arrow does not.
  bool has_arrow_at_left(const ChartEvent& event) const {
    if (event.arrow == none) return false;
    const ChartArrow& arrow = chart_.arrows[event.arrow];
    const ProcessId other = event.kind == ActionKind::send ? arrow.to : arrow.from;
    if (other == none) return event.kind == ActionKind::receive;
    return columns_.at(other) < columns_.at(event.process);
  }

  static std::string cross(double x, double y) {
    return fmt::format("<path d=\"M{:.1f} {:.1f}l14 14m0 -14l-14 14\"/>", x - 7, y - 7);
  }

  static std::string tip(double x, double y, double angle) {
    return fmt::format(
        "<path class=\"tip\" d=\"M0 0l-9 -4v8z\" transform=\"translate({:.1f} {:.1f}) "
        "rotate({:.1f})\"/>",
        x, y, angle * 180 / std::numbers::pi);
  }

  // Where an arrow begins and ends, and which of its ends are drawn.
  struct Ends {
    bool is_sent_here = false, is_received_here = false, is_loop = false;
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  };

  // How much room an arrow needs that comes from nobody, with its label in the middle.
  static double room_of_first(const ChartArrow& a) {
    return std::max(60.0, 30.0 + width_of(a.label, letter) / 2);
  }

  // How far an arrow reaches that leads to nobody.
  static double aside(const ChartArrow& a) {
    return std::max(60.0, static_cast<double>(a.label.size() + 2) * letter + 24);
  }

  // An end that is not drawn, or does not exist, is somewhat aside of the other.
  Ends ends_of(const ChartArrow& a) const {
    Ends e;
    e.is_sent_here = a.sent && rows_.contains(*a.sent);
    e.is_received_here = a.received && rows_.contains(*a.received);
    e.is_loop = e.is_sent_here && a.from == a.to;
    if (e.is_sent_here) e.x1 = columns_.at(a.from), e.y1 = rows_.at(*a.sent);
    if (e.is_received_here) e.x2 = columns_.at(a.to), e.y2 = rows_.at(*a.received);
    if (!e.is_sent_here && e.is_received_here) {
      const double from = a.from == none ? e.x2 - 60 : columns_.at(a.from);
      e.x1 = e.x2 + (from < e.x2 ? -60 : 60), e.y1 = e.y2 - 14;
    }
    if (!e.is_received_here && e.is_sent_here) {
      const bool is_aside = a.to == none || e.is_loop;
      const double to = is_aside ? e.x1 + aside(a) : columns_.at(a.to);
      const double way = to < e.x1 ? -1 : 1;
      e.x2 = is_aside ? to : a.received ? e.x1 + 60 * way : to - 14 * way;
      e.y2 = e.y1 + (a.received ? 14 : 0);
    }
    return e;
  }

  // A message that is taken later waits beside the lifeline of its reader.
  static bool waits(const Ends& e) {
    return e.is_sent_here && e.is_received_here && !e.is_loop && e.y2 > e.y1 + row_height / 2;
  }
  static double door(const ChartArrow& a, const Ends& e) {
    return e.x2 + (e.x2 > e.x1 ? -1 : 1) * (12 + 5 * static_cast<double>(*a.sent % 3));
  }

  std::string arrow(const ChartArrow& a) const {
    const Ends e = ends_of(a);
    if (!e.is_sent_here && !e.is_received_here) return {};
    const std::size_t near_end = e.is_sent_here ? *a.sent : *a.received;
    const bool is_concurrent = chart_.events[near_end].is_concurrent;
    const std::string label =
        xml_escaped(a.received || a.is_lost ? a.label : fmt::format("[{}]", a.label));
    return fmt::format(
               "<g class=\"arrow {}{}\" data-from=\"{}\" data-to=\"{}\" data-message=\"{}\" "
               "data-sent=\"{}\" data-received=\"{}\">",
               a.is_lost || a.to == none ? "unread"
               : a.received              ? "received"
                                         : "unreceived",
               is_concurrent ? " concurrent" : "",
               a.from == none ? "" : xml_escaped(chart_.names[a.from]),
               a.to == none ? "" : xml_escaped(chart_.names[a.to]), xml_escaped(a.label),
               a.sent ? fmt::to_string(chart_.events[*a.sent].step) : "",
               a.received ? fmt::to_string(chart_.events[*a.received].step) : "") +
           (e.is_loop && e.is_received_here ? loop_line(e, label) : line(a, e, label)) + "</g>\n";
  }

  // A message to oneself.
  static std::string loop_line(const Ends& e, const std::string& label) {
    return fmt::format(
               "<path d=\"M{0:.1f} {1:.1f}C{2:.1f} {1:.1f} {2:.1f} {3:.1f} {4:.1f} {3:.1f}\"/>",
               e.x1, e.y1, e.x1 + 60, e.y2, e.x2 + 3) +
           tip(e.x2 + 3, e.y2, std::numbers::pi) +
           fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", e.x1 + 46, (e.y1 + e.y2) / 2,
                       label);
  }

  static std::string line(const ChartArrow& a, const Ends& e, const std::string& label) {
    const double x1 = e.x1, y1 = e.y1, x2 = e.x2, y2 = e.y2;
    std::string out;
    const bool is_late = waits(e);
    const double turn = is_late ? door(a, e) : x2;
    if (is_late)
      out += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}\"/>",
                         x1, y1, turn, y1, turn, y2 - 8, x2, y2);
    else
      out += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x1, y1, x2, y2);
    if (a.is_lost || a.to == none)
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\"/>", x2, y2 - 4);
    else if (!a.received)
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x2, y2);
    else
      out += tip(x2 - (x2 > x1 ? 3 : -3), y2 - (is_late ? 2 : 0),
                 is_late ? std::atan2(8, x2 - turn) : std::atan2(y2 - y1, x2 - x1));
    if (a.from == none) out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x1, y1);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       (x1 + (is_late ? turn : x2)) / 2, (is_late ? y1 : (y1 + y2) / 2) - 5, label);
    return out;
  }

  std::string parts() const {
    std::string out;
    for (std::size_t i = 0; i < chart_.parts.size(); ++i) {
      const ChartPart& part = chart_.parts[i];
      const double y = part_top_[i] + row_height / 2 + 2;
      if (part.times == 0) {
        out += fmt::format(
            "<g class=\"left-out\"><rect x=\"8\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">⋮ {} steps left "
            "out</text></g>\n",
            y + 2, width_ - 16, row_height - 6, width_ / 2, y + row_height / 2,
            with_commas(part.count));
        continue;
      }
      if (part.times == 1) continue;
      const double last = rows_.at(part.first + part.count - 1);
      out += frame(8, y, last + (part.values.empty() ? 20 : 37),
                   fmt::format("{} times{}", with_commas(part.times),
                               part.has_other_values ? ", values of the first" : ""),
                   values_then(part));
    }
    if (chart_.repeats_for_ever)
      out += frame(4, cycle_top_ + row_height / 2 + 2, bottom_ - row_height / 2, "for ever");
    return out;
  }

  // Around what repeats.
  std::string frame(double x, double y, double end, const std::string& text,
                    const std::string& text_below = {}) const {
    const auto write = [&](double at, const std::string& words) {
      return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                         width_ - x - 6, at, xml_escaped(words));
    };
    return fmt::format(
        "<g class=\"fold\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>{}{}</g>\n",
        x, y, width_ - 2 * x, end - y, write(y + 13, text),
        text_below.empty() ? "" : write(end - 5, text_below));
  }

  // What the rounds of a part leave, in a line below them.
  static std::string values_then(const ChartPart& part) {
    return part.values.empty() ? "" : cut_to_width("by then " + part.values, values_letters);
  }

  // On the lifelines that the fault is about, but for that of the step that it comes with.
  std::string crosses() const {
    std::string out;
    for (const ProcessId p : chart_.fault_at) {
      const bool has_one = std::ranges::any_of(chart_.events, [&](const ChartEvent& event) {
        return event.process == p && !event.breaks.empty();
      });
      if (columns_.contains(p) && !has_one) out += cross(columns_.at(p), bottom_ - 8);
    }
    return out;
  }

  std::string fault() const {
    std::string out;
    if (!chart_.fault.empty()) {
      out += "<g class=\"fault\">" + crosses();
      out += fmt::format(
          "<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"24\" rx=\"4\"/>"
          "<text x=\"{}\" y=\"{:.1f}\">{}</text></g>\n",
          side - 8, bottom_ + 28, static_cast<double>(chart_.fault.size()) * letter + 16, side,
          bottom_ + 44, xml_escaped(chart_.fault));
    }
    double y = bottom_ + (chart_.fault.empty() ? 30 : 68);
    for (const std::string& footnote : footnotes()) {
      out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", side, y,
                         xml_escaped(footnote));
      y += footnote_height;
    }
    return out;
  }

  std::vector<std::string> footnotes() const {
    std::vector<std::string> result;
    if (chart_.concurrent_count > 0)
      result.emplace_back("pale: concurrent with the fault, can be left out");
    if (!chart_.left_out.empty()) result.push_back(chart_.left_out);
    return result;
  }

  const Chart& chart_;
  std::string title_;
  std::map<std::size_t, double> rows_;  // by event that is drawn
  std::map<ProcessId, double> columns_;
  std::vector<double> part_top_;
  double bottom_ = 0, width_ = 0, cycle_top_ = 0;
  bool is_part_ = false;
};

constexpr std::string_view style_sheet =
    "<style>\n"
    "svg { background: #fff; }\n"
    "text { font: 12px monospace; fill: #222; }\n"
    ".name rect { fill: #eef2f7; stroke: #456; }\n"
    ".name text { font-weight: bold; text-anchor: middle; }\n"
    ".lifeline line { stroke: #9ab; }\n"
    ".arrow path { stroke: #0b5394; fill: none; stroke-width: 1.4; }\n"
    ".arrow .tip { fill: #0b5394; stroke: none; }\n"
    ".arrow text { fill: #0b5394; text-anchor: middle; paint-order: stroke; stroke: #fff; "
    "stroke-width: 3px; }\n"
    ".unreceived path { stroke-dasharray: 5 4; }\n"
    ".unreceived .tip, .arrow circle, .arrow rect { fill: #fff; stroke: #0b5394; }\n"
    ".event circle { fill: #456; }\n"
    ".small { font-size: 10px; }\n"
    ".state { font-size: 10px; fill: #678; paint-order: stroke; stroke: #fff; stroke-width: 3px; "
    "}\n"
    ".broken { font-size: 10px; font-weight: bold; fill: #c00; }\n"
    ".event .number { font-size: 10px; fill: #9ab; text-anchor: end; }\n"
    ".event .right { text-anchor: start; }\n"
    ".timeout path { fill: #c27c0e; }\n"
    ".loss path { stroke: #c27c0e; stroke-width: 2; fill: none; }\n"
    ".concurrent { opacity: 0.45; }\n"
    ".fold rect { fill: none; stroke: #99a; stroke-dasharray: 3 3; }\n"
    ".fold text { fill: #667; font-weight: bold; }\n"
    ".left-out rect { fill: #f6f6f6; stroke: none; }\n"
    ".fault path, .fails path { stroke: #c00; stroke-width: 3; fill: none; }\n"
    ".fault rect { fill: #fdecea; stroke: #c00; }\n"
    ".fault text { fill: #900; }\n"
    "</style>\n";

}  // namespace

std::string svg_charts(const std::vector<NamedChart>& charts, const std::string& headline) {
  double width = static_cast<double>(headline.size()) * letter + 2 * side, height = 34;
  std::string body = fmt::format("<text class=\"headline\" x=\"{}\" y=\"22\">{}</text>\n", side,
                                 xml_escaped(headline));
  for (const NamedChart& each : charts) {
    Drawing drawing(each.chart, each.title);
    const std::string drawn = drawing.draw();
    body += fmt::format("<g class=\"chart\" transform=\"translate(0 {:.0f})\">\n{}</g>\n", height,
                        drawn);
    height += drawing.height() + 16;
    width = std::max(width, drawing.width());
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n{3}"
             "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
             width, height, xml_escaped(headline), style_sheet) +
         body + "</svg>\n";
}

DrawnChart drawn_chart(const Chart& chart) { return Drawing(chart, {}).draw_as_part(); }

}  // namespace panoptes
