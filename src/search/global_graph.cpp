// SPDX-License-Identifier: Apache-2.0
#include "search/global_graph.hpp"

#include <algorithm>

#include "search/numbered_search.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// Of all states that are kept: in words for people, each takes some hundred bytes.
constexpr std::uint64_t most_words = 200'000;

// What a state with its steps takes at most when it is written down, about: every part of it has a
// name and a value, and may be part of an error.
std::uint64_t written_bytes(const Program& program) {
  constexpr std::uint64_t bytes_per_part = 1200, bytes_per_word = 640, bytes_per_step = 600;
  const Protocol& protocol = program.protocol;
  const std::uint64_t parts = protocol.processes.size() + protocol.variables.size() +
                              protocol.channels.size() + protocol.assertions.size();
  return parts * bytes_per_part + program.layout.words * bytes_per_word +
         most_successors(program) * bytes_per_step;
}

// How many of `wanted` states are kept: half of the memory is for the search.
std::uint64_t states_with_room(const Program& program, std::uint64_t memory_bytes,
                               std::uint64_t wanted) {
  const std::uint64_t room =
      std::min(most_words / program.layout.words, memory_bytes / 2 / written_bytes(program));
  return std::clamp<std::uint64_t>(room, 1, wanted);
}

// Keeps the steps between the first states, and counts those that lead out of them.
class FirstStates final : public GraphSink {
 public:
  explicit FirstStates(std::uint64_t most) : left_out_(most) {}

  void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool) override {
    if (source >= left_out_.size()) return;
    if (target < left_out_.size())
      steps_.push_back({source, rule, target});
    else
      ++left_out_[source];
  }
  std::uint64_t bytes() const override {
    return (steps_.capacity() + left_out_.capacity()) * sizeof(GlobalGraph::Step);
  }

  std::vector<GlobalGraph::Step>& steps() { return steps_; }
  std::uint64_t left_out(std::uint64_t state) const { return left_out_[state]; }

 private:
  std::vector<GlobalGraph::Step> steps_;
  std::vector<std::uint64_t> left_out_;  // by source
};

}  // namespace

GlobalGraph find_graph(const Program& program, const CheckOptions& options,
                       std::uint64_t most_states) {
  most_states = states_with_room(program, options.limits.memory_bytes, most_states);
  NumberedSearch search(in_whole_sequences(std::make_unique<Interpreter>(program)), most_states);
  FindingWatcher& watch = search.watch();
  FirstStates sink(most_states);
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  const Exploration found =
      search.run(sink, monitor, {options.explore}, options.limits.memory_bytes);

  GlobalGraph graph;
  for (std::uint64_t s = 0; s < std::min(most_states, found.states); ++s) {
    const StateView words = search.store().state(s);
    graph.states.push_back({{words.begin(), words.end()}, {}, sink.left_out(s)});
  }
  for (const NumberedFinding& each : watch.found())
    graph.states[each.state].findings.push_back(each.finding);
  graph.steps = std::move(sink.steps());
  graph.expanded = std::min<std::uint64_t>(graph.states.size(), watch.expanded());
  graph.state_count = found.states;
  graph.transition_count = found.transitions;
  graph.findings_left_out = watch.not_kept();
  graph.ending = found.ending;
  return graph;
}

}  // namespace panoptes
