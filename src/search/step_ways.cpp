// SPDX-License-Identifier: Apache-2.0
#include "search/step_ways.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

template <typename Number>
void sort_unique(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

template <typename Number>
void add_all(const std::vector<Number>& more, std::vector<Number>& numbers) {
  numbers.insert(numbers.end(), more.begin(), more.end());
  sort_unique(numbers);
}

StepEffect joined(StepEffect first, const StepEffect& second) {
  first.events |= second.events;
  add_all(second.moved, first.moved);
  add_all(second.lost, first.lost);
  add_all(second.carried, first.carried);
  return first;
}

StepEffect effect_of(const Program& program, const Moments& moments, RuleId id) {
  const Rule& rule = program.rules[id];
  StepEffect effect;
  effect.events = moments.of_rule(id);
  for (const ProcessMove& move : rule.moves) effect.moved.push_back(move.process);
  sort_unique(effect.moved);
  if (rule.kind == ActionKind::lose) effect.lost.push_back(rule.channel);
  if (rule.kind == ActionKind::send && program.protocol.channels[rule.channel].is_lossy)
    effect.carried.push_back(rule.channel);
  return effect;
}

}  // namespace

StepWays::StepWays(const Program& program, const Moments& moments) : program_(program) {
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    effects_.push_back(effect_of(program, moments, id));
    begins_sequence_.push_back(alone_after(program.rules[id]) != none);
  }
}

std::vector<StepWay> StepWays::from(StateView state) const {
  Interpreter interpreter(program_);
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  batch.assign(state);
  interpreter.expand(batch, successors, findings);
  std::vector<StepWay> ways;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const StateView next = successors.states[i];
    follow({{successors.rules[i]}, {next.begin(), next.end()}, effects_[successors.rules[i]]},
           ways);
  }
  return ways;
}

// Adds all ends of a way, with every effect once. A sequence comes to no state twice, or it is an
// error that keeps properties from being known.
void StepWays::follow(StepWay first, std::vector<StepWay>& ways) const {
  Interpreter interpreter(program_);
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  using Node = std::tuple<ProcessId, StateWords, StepEffect>;
  std::set<Node> seen;
  std::vector<StepWay> waiting{std::move(first)};
  while (!waiting.empty()) {
    StepWay way = std::move(waiting.back());
    waiting.pop_back();
    const ProcessId alone = alone_after(program_.rules[way.rules.back()]);
    if (!seen.emplace(alone, way.target, way.effect).second) continue;
    if (alone != none) {
      batch.assign(way.target);
      findings.clear();
      interpreter.expand_alone(alone, batch, successors, findings);
    }
    if (alone == none || (successors.size() == 0 && findings.empty())) {
      // It is outside, or waits.
      const auto is_known = [&](const StepWay& other) {
        return other.rules.front() == way.rules.front() && other.target == way.target &&
               other.effect == way.effect;
      };
      if (std::none_of(ways.begin(), ways.end(), is_known)) ways.push_back(std::move(way));
      continue;
    }
    for (std::size_t i = successors.size(); i-- > 0;) {
      const StateView next = successors.states[i];
      StepWay longer{
          way.rules, {next.begin(), next.end()}, joined(way.effect, effects_[successors.rules[i]])};
      longer.rules.push_back(successors.rules[i]);
      waiting.push_back(std::move(longer));
    }
  }
}

}  // namespace panoptes
