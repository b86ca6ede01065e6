// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/parts.hpp"
#include "report/alike_automata.hpp"
#include "report/dot.hpp"
#include "report/show.hpp"
#include "report/show_content.hpp"

namespace panoptes {
namespace {

constexpr std::string_view merged_fill = "#fff3c4";
constexpr std::string_view cluster_fill = "#f6f7f9";

std::string node(const Automaton& automaton, StateId id, const std::string& prefix, bool is_dead,
                 const SourceSet& sources) {
  const ControlState& state = automaton.states[id];
  const bool is_merged = state.merged.size() > 1;
  const std::string place = sources.line_and_column(state.place);
  const std::string start = id == automaton.initial ? "▶ " : "";
  std::vector<std::string> lines{dot::bold(start + dot::escape(state.name))};
  const std::vector<std::string_view> named = parts_of(state.name, '|');
  for (const std::string& label : state.labels)
    if (std::find(named.begin(), named.end(), label) == named.end())
      lines.push_back(dot::escape(label));
  if (is_merged)
    lines.push_back(
        dot::small(fmt::format("= {}", fmt::join(places_of(automaton, id, sources), " = "))));
  else if (!state.is_end && state.name != place)
    lines.push_back(dot::small(place));
  std::string attributes = fmt::format("label={}, tooltip={}", dot::lines(lines),
                                       dot::quote(state_title(automaton, id, sources)));
  if (is_merged) attributes += fmt::format(", fillcolor=\"{}\"", merged_fill);
  if (id == automaton.initial)
    attributes += fmt::format(", color=\"{}\", penwidth=2", dot::start_colour);
  if (state.may_stop) attributes += ", peripheries=2";
  if (is_dead)
    attributes += fmt::format(", color=\"{0}\", fontcolor=\"{0}\", style=\"rounded,dashed\"",
                              dot::faint_colour);
  return fmt::format("    {}{} [{}];\n", prefix, id, attributes);
}

// All transitions between the same two states are one edge.
std::string edges(const Program& program, const AlikeAutomata& alike, const std::string& prefix) {
  const Automaton& automaton = *alike.automaton;
  std::string out;
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    std::map<StateId, std::vector<const Transition*>> by_target;
    for (const Transition& t : automaton.states[s].transitions) by_target[t.target].push_back(&t);
    for (const auto& [target, transitions] : by_target) {
      std::vector<dot::Action> actions;
      for (const Transition* each : transitions) {
        std::string text = action_text(program, *each, alike.wording());
        const bool is_known = std::any_of(actions.begin(), actions.end(),
                                          [&](const dot::Action& a) { return a.text == text; });
        if (!is_known) actions.push_back({std::move(text), dot::colour_of(each->kind)});
      }
      out += "  " + dot::edge(fmt::format("{}{}", prefix, s), fmt::format("{}{}", prefix, target),
                              actions);
    }
  }
  return out;
}

std::string cluster(const Program& program, const std::string& title, const std::string& prefix,
                    const AlikeAutomata& alike, const SourceSet& sources) {
  const Automaton& automaton = *alike.automaton;
  std::vector<bool> is_target(automaton.states.size());
  is_target[automaton.initial] = true;
  for (const ControlState& state : automaton.states)
    for (const Transition& t : state.transitions) is_target[t.target] = true;
  std::string out = fmt::format(
      "  subgraph cluster_{} {{\n"
      "    label={}; labelloc=t; labeljust=c; fontsize=12; margin=16;\n"
      "    style=\"rounded,filled\"; color=\"#c5cad1\"; fillcolor=\"{}\"; tooltip={};\n",
      prefix, dot::lines({dot::bold(dot::escape(title))}), cluster_fill, dot::quote(title));
  for (StateId s = 0; s < automaton.states.size(); ++s)
    out += node(automaton, s, prefix, !is_target[s], sources);
  return out + edges(program, alike, prefix) + "  }\n";
}

std::vector<std::pair<std::string, std::string>> legend() {
  return {
      {dot::bold("▶ name"), "the start"},
      {dot::small("12:3"), "line and column of its statement"},
      {dot::small("= 12:3 = 15:3"), "one state made of several, by where they were written"},
      {"double border", "a process may stop there"},
      {"dashed border", "nothing leads there"},
      {dot::in_colour("c?m", dot::receive_colour), "receives m from c"},
      {dot::in_colour("c!m", dot::send_colour), "sends m to c"},
      {dot::in_colour("c?timeout", dot::timeout_colour), "goes on if c is empty"},
  };
}

}  // namespace

std::string show_automata_dot(const Program& program, const SourceSet& sources) {
  std::string body;
  for (const AlikeAutomata& alike : alike_processes(program))
    body += cluster(program, "process " + alike.title, fmt::format("p{}_", alike.members[0]), alike,
                    sources);
  for (const AlikeAutomata& alike : alike_assertions(program))
    body += cluster(program, "assertion " + alike.title, fmt::format("a{}_", alike.members[0]),
                    alike, sources);
  return dot::graph("automata", body, legend());
}

}  // namespace panoptes
