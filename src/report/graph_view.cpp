// SPDX-License-Identifier: Apache-2.0
#include "report/graph_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "report/state_text.hpp"
#include "report/text.hpp"
#include "rules/values.hpp"
#include "verdict/trail.hpp"

namespace panoptes {
namespace {

class Viewer {
 public:
  Viewer(const Program& program, const GlobalGraph& graph, const SourceSet& sources,
         const Strictness& strictness)
      : program_(program),
        graph_(graph),
        sources_(sources),
        strictness_(strictness),
        interpreter_(program) {
    for (const Process& process : program.protocol.processes)
      names_.push_back(control_state_names(process));
  }

  GraphView run() {
    GraphView view;
    for (std::uint64_t s = 0; s < graph_.states.size(); ++s) view.states.push_back(state(s));
    for (const GlobalGraph::Step& step : graph_.steps)
      view.steps.push_back(
          this->step(step.source, step.rule, step.target, graph_.states[step.source].words));
    for (std::uint64_t s = 0; s < graph_.states.size(); ++s)
      for (const auto& [rule, failure] : failures(s)) {
        view.steps.push_back(step(s, rule, none, failure.state));
        view.steps.back().wrong = failure.wrong;
      }
    return view;
  }

 private:
  GraphView::State state(std::uint64_t number) const {
    const GlobalGraph::State& from = graph_.states[number];
    const Protocol& protocol = program_.protocol;
    GraphView::State result;
    for (ProcessId p = 0; p < protocol.processes.size(); ++p)
      result.control.emplace_back(
          protocol.processes[p].name,
          names_[p][static_cast<std::size_t>(read(program_.layout.control[p], from.words))]);
    for (VariableId v = 0; v < protocol.variables.size(); ++v) {
      const std::int64_t value = read(program_.layout.variables[v], from.words);
      result.variables.push_back({variable_name(protocol, v), value, value_text(protocol, v, value),
                                  protocol.variables[v].enumeration != none});
    }
    for (ChannelId c = 0; c < protocol.channels.size(); ++c)
      if (std::string contents = contents_text(program_, c, from.words); !contents.empty())
        result.channels.emplace_back(protocol.channels[c].name, std::move(contents));
    for (std::size_t a = 0; a < protocol.assertions.size(); ++a)
      result.assertions.emplace_back(protocol.assertions[a].name,
                                     read(program_.layout.assertions[a], from.words));
    for (const Finding& finding : from.findings)
      if (finding.rule == none) result.wrong.push_back(wrong(finding, from.words));
    result.may_end = may_end(program_, from.words);
    result.left_out = from.left_out;
    result.is_expanded = number < graph_.expanded;
    return result;
  }

  GraphView::Wrong wrong(const Finding& finding, StateView state) const {
    return {finding.kind, describe(program_, finding, state, sources_).text,
            is_warning(finding.kind, strictness_)};
  }

  StateView state_of(const Finding& finding, std::uint64_t number) const {
    return finding.inside ? StateView(finding.inside->state) : graph_.states[number].words;
  }

  struct Failure {
    StateView state;  // in which the rule fired
    std::vector<GraphView::Wrong> wrong;
  };

  // What goes wrong by which step, each step once.
  std::map<RuleId, Failure> failures(std::uint64_t number) const {
    std::map<RuleId, Failure> result;
    for (const Finding& finding : graph_.states[number].findings) {
      if (finding.rule == none) continue;
      Failure& failure = result[finding.rule];
      failure.state = state_of(finding, number);
      failure.wrong.push_back(wrong(finding, failure.state));
    }
    return result;
  }

  // The rule fires in `state`.
  GraphView::Step step(std::uint64_t source, RuleId id, std::uint64_t target,
                       StateView state) const {
    const Rule& rule = program_.rules[id];
    const std::string message = message_of(interpreter_, id, state);
    const bool is_lost = rule.kind == ActionKind::lose;
    return {source,
            target,
            id,
            program_.protocol.processes[rule.owner().process].name,
            message.empty() ? rule.text
                            : fmt::format("{}{}{}{}", program_.protocol.channels[rule.channel].name,
                                          is_lost || rule.kind == ActionKind::send ? '!' : '?',
                                          message, is_lost ? " (lost)" : ""),
            {}};
  }

  const Program& program_;
  const GlobalGraph& graph_;
  const SourceSet& sources_;
  const Strictness& strictness_;
  Interpreter interpreter_;
  std::vector<std::vector<std::string>> names_;  // by process and control state
};

}  // namespace

GraphView graph_view(const Program& program, const GlobalGraph& graph, const SourceSet& sources,
                     const Strictness& strictness) {
  return Viewer(program, graph, sources, strictness).run();
}

std::string state_words(const GraphView::State& state) {
  std::vector<std::string> control, rest;
  for (const auto& [process, name] : state.control)
    control.push_back(fmt::format("{} {}", process, name));
  for (const auto& [channel, contents] : state.channels)
    rest.push_back(fmt::format("{}: {}", channel, contents));
  for (const GraphView::State::Variable& variable : state.variables)
    rest.push_back(fmt::format("{} = {}", variable.name, variable.text));
  for (const auto& [assertion, value] : state.assertions)
    rest.push_back(fmt::format("{} at {}", assertion, value));
  return fmt::format("{}{}{}", fmt::join(control, ", "), rest.empty() ? "" : "; ",
                     fmt::join(rest, "; "));
}

std::string graph_summary(const GlobalGraph& graph) {
  std::uint64_t shown = graph.steps.size();
  for (const GlobalGraph::State& state : graph.states) {
    std::set<RuleId> failing;
    for (const Finding& finding : state.findings)
      if (finding.rule != none) failing.insert(finding.rule);
    shown += failing.size();
  }
  const std::string least = graph.is_counted() ? "" : "at least ";
  const std::string why =
      graph.is_counted() ? "" : fmt::format("; the search was ended: {}", to_string(graph.stop()));
  if (graph.is_counted() && graph.states.size() == graph.state_count)
    return fmt::format("{}, all there are; {}", plural(graph.state_count, "state", "states"),
                       plural(shown, "transition", "transitions"));
  std::string out = fmt::format("{} of {}{}, those nearest to the start; {} of {}{}",
                                with_commas(graph.states.size()), least,
                                plural(graph.state_count, "state", "states"), with_commas(shown),
                                least, plural(graph.transition_count, "transition", "transitions"));
  if (graph.findings_left_out > 0)
    out += fmt::format("; {}{} left out", least,
                       plural(graph.findings_left_out, "finding is", "findings are"));
  return out + why;
}

}  // namespace panoptes
