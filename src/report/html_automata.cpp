// SPDX-License-Identifier: Apache-2.0
// The automata of a protocol, with what a search has seen of them.
//
// Pictures are Graphviz's, one for each automaton: states and edges have classes, and the style
// sheet of the page says how those look. Where Graphviz is not there, or an automaton too large for
// it, there is the table of its transitions, which every automaton has.
#include <algorithm>
#include <map>

#include "base/display.hpp"
#include "base/parse_value.hpp"
#include "report/alike_automata.hpp"
#include "report/dot.hpp"
#include "report/html_parts.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_pictures = 24, most_states = 120, most_edges = 300;
constexpr std::size_t most_rows = 400, most_rows_in_all = 4000;  // of tables
constexpr std::size_t label_letters = 60;

// What became of a transition, in all members that are alike.
enum class Taken : std::uint8_t { always, in_some, failed, not_taken };

class AutomatonView {
 public:
  AutomatonView(const Page& page, const AlikeAutomata& alike) : page_(page), alike_(alike) {}

  Taken of(StateId from, const Transition& t) const {
    const auto has_taken = [&](ProcessId p) { return page_.executed.has_taken(p, from, t); };
    const auto has_failed = [&](ProcessId p) { return page_.executed.has_failed(p, from, t); };
    const auto count = std::ranges::count_if(alike_.members, has_taken);
    if (std::ranges::any_of(alike_.members, has_failed)) return Taken::failed;
    if (count == 0) return Taken::not_taken;
    const bool is_in_all = count == std::ssize(alike_.members);
    return is_in_all || !page_.verdict.is_dead_code_certain ? Taken::always : Taken::in_some;
  }
  // An index that is out of range is of interest where it was.
  bool is_shown(StateId from, const Transition& t) const {
    return t.kind != ActionKind::bad_index || of(from, t) == Taken::failed;
  }
  bool is_visited(StateId state) const {
    return std::ranges::any_of(alike_.members,
                               [&](ProcessId p) { return page_.executed.was_in(p, state); });
  }
  bool is_blocked(StateId state) const {
    return std::ranges::any_of(alike_.members,
                               [&](ProcessId p) { return page_.executed.is_blocked(p, state); });
  }
  // It visits nothing; what it knows to be executed are the steps of its trails.
  bool is_backward() const { return page_.verdict.backward.has_value(); }
  std::string_view not_reached() const { return is_backward() ? "on no trail" : "not reached"; }
  std::string_view missing() const {
    return page_.verdict.is_dead_code_certain ? "never" : "not-reached";
  }
  std::string_view class_of(Taken taken) const {
    switch (taken) {
      case Taken::always: return "executed";
      case Taken::in_some: return "in-some";
      case Taken::failed: return "failed";
      case Taken::not_taken: return missing();
    }
    return "";
  }
  std::string_view words_of(Taken taken) const {
    switch (taken) {
      case Taken::always: return is_backward() ? "on a trail" : "executed";
      case Taken::in_some: return "executed by some members; others never can";
      case Taken::failed: return "fails";
      case Taken::not_taken:
        return page_.verdict.is_dead_code_certain ? "never executed" : not_reached();
    }
    return "";
  }
  std::string_view words_of(StateId state) const {
    return is_blocked(state)                    ? "blocked here"
           : is_visited(state)                  ? ""
           : page_.verdict.is_dead_code_certain ? "never visited"
                                                : not_reached();
  }
  std::string_view class_of(StateId state) const {
    return is_blocked(state) ? "blocked" : is_visited(state) ? "executed" : missing();
  }
  std::string action(const Transition& t) const {
    return action_text(page_.program, t, alike_.wording());
  }
  const Automaton& automaton() const { return *alike_.automaton; }
  const Page& page() const { return page_; }
  ProcessId number() const { return alike_.members.front(); }

 private:
  const Page& page_;
  const AlikeAutomata& alike_;
};

// ---- pictures ------------------------------------------------------------------------------

// Actions that lead from one state to another and had the same fate are one edge.
using Edges = std::map<std::tuple<StateId, StateId, Taken>, std::vector<std::string>>;

Edges edges_of(const AutomatonView& view) {
  Edges edges;
  const auto& states = view.automaton().states;
  for (StateId from = 0; from < states.size(); ++from)
    for (const Transition& t : states[from].transitions) {
      if (!view.is_shown(from, t)) continue;
      auto& actions = edges[{from, t.target, view.of(from, t)}];
      std::string text = view.action(t);
      if (std::ranges::find(actions, text) == actions.end()) actions.push_back(std::move(text));
    }
  return edges;
}

std::string node_dot(const AutomatonView& view, StateId id) {
  const Automaton& automaton = view.automaton();
  const ControlState& state = automaton.states[id];
  const std::string place = view.page().sources.line_and_column(state.place);
  std::vector<std::string> lines{dot::bold((id == automaton.initial ? "▶ " : "") +
                                           dot::escape(cut_to_width(state.name, label_letters)))};
  if (!state.is_end && state.name != place) lines.push_back(dot::escape(place));
  return fmt::format("  s{0} [id=\"a{1}-s{0}\", label={2}, class=\"{3}\", tooltip={4}{5}];\n", id,
                     view.number(), dot::lines(lines), view.class_of(id),
                     dot::quote(state_title(automaton, id, view.page().sources)),
                     state.may_stop ? ", peripheries=2" : "");
}

// A page has several pictures, so that every part of them has a name of its own.
std::string drawing(const AutomatonView& view, const Edges& edges) {
  constexpr std::string_view room = "&#160;";  // between a label and its edge
  std::string body;
  std::size_t number = 0;
  for (StateId id = 0; id < view.automaton().states.size(); ++id) body += node_dot(view, id);
  for (const auto& [ends, actions] : edges) {
    const auto& [from, to, taken] = ends;
    std::vector<std::string> lines;
    for (const std::string& action : actions)
      lines.push_back(
          fmt::format("{0}{1}{0}", room, dot::escape(cut_to_width(action, label_letters))));
    body += fmt::format("  s{} -> s{} [id=\"a{}-e{}\", label={}, class=\"{}\", tooltip={}];\n",
                        from, to, view.number(), number++, dot::lines(lines), view.class_of(taken),
                        dot::quote(view.words_of(taken)));
  }
  return fmt::format(
      "digraph automaton {{\n"
      "  graph [fontname=\"Helvetica,Arial,sans-serif\", rankdir=TB, nodesep=0.3, ranksep=0.4,\n"
      "    bgcolor=transparent, id=\"a{}\", tooltip=\" \"];\n"
      "  node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, shape=box,\n"
      "    style=\"rounded,filled\", fillcolor=white, margin=\"0.12,0.06\", height=0.3, "
      "width=0.4];\n"
      "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, arrowsize=0.7];\n"
      "{}}}\n",
      view.number(), body);
}

// Without what stands before the picture in a file.
std::string embedded(const std::string& svg) {
  return svg.substr(std::min(svg.find("<svg"), svg.size()));
}

// Whether nobody could read it were it made to fit on a screen.
bool is_wide(const std::string& svg) {
  constexpr std::uint64_t most_points = 1600;
  constexpr std::string_view width = "<svg width=\"";
  const std::size_t at = svg.find(width);
  if (at == std::string::npos) return false;
  const std::size_t end = svg.find_first_not_of("0123456789", at + width.size());
  return parse_count(svg.substr(at + width.size(), end - at - width.size())).value_or(0) >
         most_points;
}

// ---- tables --------------------------------------------------------------------------------

Html transitions_table(const AutomatonView& view, std::size_t most) {
  const auto& states = view.automaton().states;
  Html rows;
  std::size_t count = 0;
  for (StateId from = 0; from < states.size(); ++from) {
    const std::string name = state_title(view.automaton(), from, view.page().sources);
    const std::string_view here = view.words_of(from);
    if (states[from].transitions.empty() && count++ < most)
      rows += html("<tr class=\"{}\"><td>{}</td><td></td><td></td><td>{}</td></tr>\n",
                   view.class_of(from), name, here);
    for (const Transition& t : states[from].transitions) {
      if (!view.is_shown(from, t) || count++ >= most) continue;
      const Taken taken = view.of(from, t);
      rows += html(
          "<tr class=\"{}\"><td>{}{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
          view.class_of(taken), name,
          here.empty() ? Html() : html(" <em class=\"{}\">{}</em>", view.class_of(from), here),
          shortened(view.action(t), 200), states[t.target].name, view.words_of(taken));
    }
  }
  if (count > most)
    rows += html("<tr><td colspan=\"4\">and {} more (panoptes show --automata)</td></tr>\n",
                 with_commas(count - most));
  return html(
      "<div class=\"scroll\"><table class=\"transitions\"><thead><tr><th>state</th>"
      "<th>statement</th><th>leads to</th><th></th></tr></thead><tbody>\n{}</tbody></table></div>"
      "\n",
      rows);
}

// ---- both ----------------------------------------------------------------------------------

class AutomataWriter {
 public:
  AutomataWriter(const Page& page, const Sink& sink) : page_(page), sink_(sink) {}

  bool write(const AlikeAutomata& alike) {
    const AutomatonView view(page_, alike);
    const std::size_t rows = std::min(most_rows, rows_left_);
    rows_left_ -= std::min(rows, transitions_of(view));
    const Html picture = picture_of_automaton(view);
    return sink_(html("<article class=\"automaton\">\n<h3>{}</h3>\n{}<details{}><summary>"
                      "Transitions of {}</summary>{}</details>\n</article>\n",
                      alike.title, picture, is_drawn_ ? Html() : html(" open"), alike.title,
                      transitions_table(view, rows))
                     .text());
  }

 private:
  static std::size_t transitions_of(const AutomatonView& view) {
    std::size_t count = 0;
    for (const ControlState& state : view.automaton().states)
      count += std::max<std::size_t>(1, state.transitions.size());
    return count;
  }

  // The picture, or why there is none.
  Html picture_of_automaton(const AutomatonView& view) {
    is_drawn_ = false;
    const auto without = [](std::string_view why) {
      return html("<p class=\"note\">Not drawn: {}.</p>\n", why);
    };
    if (!problem_.empty()) return without(problem_);
    if (pictures_ == most_pictures) return without("there are too many automata");
    const std::size_t states = view.automaton().states.size();
    const Edges edges = states > most_states ? Edges() : edges_of(view);
    if (states > most_states || edges.size() > most_edges)
      return without(fmt::format("it has {} states", with_commas(states)));
    const auto picture = page_.draw(drawing(view, edges));
    if (!picture) {
      const std::string& message = picture.failure().message;
      const std::string first = message.substr(0, message.find('\n'));
      // One may take too long and the next one not; but who has no Graphviz has none.
      if (!picture.failure().is_cut_off) problem_ = first;
      return without(first);
    }
    ++pictures_;
    is_drawn_ = true;
    return html("<div class=\"scroll picture{}\">{}</div>\n", is_wide(picture->svg) ? " wide" : "",
                Html::is_markup(embedded(picture->svg)));
  }

  const Page& page_;
  const Sink& sink_;
  std::string problem_;  // why there are no pictures at all
  std::size_t pictures_ = 0, rows_left_ = most_rows_in_all;
  bool is_drawn_ = false;
};

}  // namespace

bool write_automata(const Page& page, const Sink& sink) {
  constexpr std::size_t most = 200;
  const bool is_certain = page.verdict.is_dead_code_certain;
  const std::vector<AlikeAutomata> all = alike_processes(page.program);
  // What was seen, and what was not.
  const Html seen =
      page.verdict.backward
          ? html(
                "<li><span class=\"sample executed\"></span> on a trail</li>\n"
                "<li><span class=\"sample not-reached\"></span> on no trail</li>\n")
          : html(
                "<li><span class=\"sample executed\"></span> visited, executed</li>\n"
                "<li><span class=\"sample {}\"></span> {}</li>\n"
                "<li><span class=\"sample in-some\"></span> executed by some members of a family "
                "only</li>\n",
                is_certain ? "never" : "not-reached",
                is_certain ? "never executed" : "not reached by this search");
  if (!sink(html("<section id=\"automata\">\n<h2>Automata</h2>\n<ul class=\"legend\">\n{}"
                 "<li><span class=\"sample blocked\"></span> a process is stuck there in an error, "
                 "or the step fails</li>\n"
                 "<li>▶ the start; a double border: a process may stop there</li>\n</ul>\n",
                 seen)
                .text()))
    return false;
  AutomataWriter writer(page, sink);
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    if (!writer.write(all[i])) return false;
  Html end;
  if (all.size() > most)
    end = html("<p class=\"note\">And {} more, which panoptes show --automata has.</p>\n",
               with_commas(all.size() - most));
  return sink((end + html("</section>\n")).text());
}

}  // namespace panoptes
