// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "report/dot.hpp"
#include "report/graph_view.hpp"
#include "report/show.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

constexpr std::string_view error_fill = "#fde0e4";

std::string wrong_line(const GraphView::Wrong& wrong) {
  return dot::in_colour(
      fmt::format("✗ {}{}", wrong.is_warning ? "warning: " : "", to_string(wrong.kind)),
      wrong.is_warning ? dot::other_colour : dot::error_colour);
}

std::string node(const GraphView& view, std::uint64_t number) {
  const GraphView::State& state = view.states[number];
  std::vector<std::string> lines{dot::bold(fmt::format("{}{}", number == 0 ? "▶ " : "", number))};
  for (const auto& [process, name] : state.control)
    lines.push_back(dot::escape(fmt::format("{} {}", process, name)));
  for (const auto& [channel, contents] : state.channels)
    lines.push_back(
        dot::in_colour(dot::escape(fmt::format("{}: {}", channel, contents)), dot::receive_colour));
  for (const GraphView::State::Variable& variable : state.variables)
    lines.push_back(dot::small(dot::escape(fmt::format("{} = {}", variable.name, variable.text))));
  for (const auto& [assertion, value] : state.assertions)
    lines.push_back(dot::small(dot::escape(fmt::format("{} at {}", assertion, value))));
  std::string tip = fmt::format("{}: {}", number, state_words(state));
  bool is_error = false;
  for (const GraphView::Wrong& wrong : state.wrong) {
    lines.push_back(wrong_line(wrong));
    tip += fmt::format("; {}: {}", to_string(wrong.kind), wrong.text);
    is_error = is_error || !wrong.is_warning;
  }
  std::string attributes = fmt::format("label={}, tooltip={}", dot::lines(lines), dot::quote(tip));
  if (is_error)
    attributes +=
        fmt::format(", color=\"{}\", fillcolor=\"{}\", penwidth=2", dot::error_colour, error_fill);
  else if (number == 0)
    attributes += fmt::format(", color=\"{}\", penwidth=2", dot::start_colour);
  if (state.may_end) attributes += ", peripheries=2";
  return fmt::format("  s{} [{}];\n", number, attributes);
}

// All steps between the same two states are one edge.
std::string edges(const Program& program, const GraphView& view) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<dot::Action>> together;
  for (const GraphView::Step& step : view.steps)
    if (step.wrong.empty())
      together[{step.source, step.target}].push_back(
          {fmt::format("{}: {}", step.process, step.action),
           dot::colour_of(program.rules[step.rule].kind)});
  std::string out;
  for (const auto& [ends, actions] : together)
    out += dot::edge(fmt::format("s{}", ends.first), fmt::format("s{}", ends.second), actions);
  return out;
}

// A step that fails leads to what is wrong with it.
std::string failures(const GraphView& view) {
  std::string out;
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const GraphView::Step& step = view.steps[i];
    if (step.wrong.empty()) continue;
    std::vector<std::string> lines, tips;
    for (const GraphView::Wrong& wrong : step.wrong) {
      lines.push_back(wrong_line(wrong));
      tips.push_back(wrong.text);
    }
    out += fmt::format("  f{} [label={}, shape=plaintext, style=\"\", tooltip={}];\n", i,
                       dot::lines(lines), dot::quote(fmt::format("{}", fmt::join(tips, "; "))));
    out += dot::edge(fmt::format("s{}", step.source), fmt::format("f{}", i),
                     {{fmt::format("{}: {}", step.process, step.action), dot::error_colour}});
  }
  return out;
}

// What is not drawn, behind the state that it would begin in.
std::string left_out(const GraphView& view) {
  std::string out;
  for (std::uint64_t s = 0; s < view.states.size(); ++s) {
    const GraphView::State& state = view.states[s];
    if (state.left_out == 0 && state.is_expanded) continue;
    const std::string text =
        state.is_expanded ? fmt::format("{} more", state.left_out) : std::string("not known");
    out += fmt::format("  m{} [label={}, shape=plaintext, style=\"\", tooltip={}];\n", s,
                       dot::lines({dot::small(text)}), dot::quote("steps to states left out"));
    out += fmt::format("  s{0} -> m{0} [color=\"{1}\", style=dashed, tooltip={2}];\n", s,
                       dot::faint_colour, dot::quote("steps to states left out"));
  }
  return out;
}

}  // namespace

std::string show_graph_dot(const Program& program, const GlobalGraph& graph,
                           const SourceSet& sources, const Strictness& strictness) {
  const GraphView view = graph_view(program, graph, sources, strictness);
  std::string body;
  for (std::uint64_t s = 0; s < view.states.size(); ++s) body += node(view, s);
  body += edges(program, view) + failures(view) + left_out(view);
  return dot::graph("states", body,
                    {{dot::bold("▶ 0"), "the start"},
                     {dot::in_colour("c: m", dot::receive_colour), "what is in channel c"},
                     {dot::in_colour("✗ deadlock", dot::error_colour), "an error"},
                     {"double border", "every process may stop there"},
                     {dot::in_colour("p: c?m", dot::receive_colour), "process p receives m"},
                     {dot::in_colour("p: c!m", dot::send_colour), "process p sends m"},
                     {dot::small("3 more"), "steps to states that are not drawn"},
                     {dot::bold("shown"), dot::escape(graph_summary(graph))}});
}

}  // namespace panoptes
