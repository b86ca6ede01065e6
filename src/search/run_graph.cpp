// SPDX-License-Identifier: Apache-2.0
#include "search/run_graph.hpp"

#include <algorithm>
#include <iterator>
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

}  // namespace

RunGraph::RunGraph(const Program& program, const TemporalProperty& property,
                   const StateGraph& graph, const NumberedStore& store, bool has_failures)
    : program_(program),
      graph_(graph),
      store_(store),
      moments_(program, property),
      has_failures_(has_failures),
      follows_sequences_(has_indivisible(program)) {
  for (RuleId id = 0; id < program.rules.size(); ++id) effects_.push_back(effect_of(id));
  nothing_ = number_of({});
}

StepEffect RunGraph::effect_of(RuleId id) const {
  const Rule& rule = program_.rules[id];
  StepEffect effect;
  effect.events = moments_.of_rule(id);
  for (const ProcessMove& move : rule.moves) effect.moved.push_back(move.process);
  sort_unique(effect.moved);
  if (rule.kind == ActionKind::lose) effect.lost.push_back(rule.channel);
  if (rule.kind == ActionKind::send && program_.protocol.channels[rule.channel].is_lossy)
    effect.carried.push_back(rule.channel);
  return effect;
}

StepEffect RunGraph::joined(StepEffect first, const StepEffect& second) {
  first.events |= second.events;
  add_all(second.moved, first.moved);
  add_all(second.lost, first.lost);
  add_all(second.carried, first.carried);
  return first;
}

RunGraph::EffectId RunGraph::number_of(const StepEffect& effect) {
  const auto [found, fresh] =
      known_effects_.try_emplace(effect, static_cast<EffectId>(effects_.size()));
  if (fresh) effects_.push_back(effect);
  return found->second;
}

bool RunGraph::make(const Deadline& deadline) {
  constexpr std::uint64_t states_per_look = 256;
  atoms_.resize(states());
  has_ended_.resize(states());
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program_));
  for (std::uint64_t state = 0; state < states(); ++state) {
    if (state % states_per_look == 0 && deadline.has_passed()) return false;
    atoms_[state] = moments_.of_state(store_.state(state));
    if (has_failures_) look_at_failures(state, *stepper);
    has_ended_[state] = !graph_.has_links(state) && !failing_.contains(state);
    if (has_ended_[state]) atoms_[state] |= moments_.of_end();
    if (follows_sequences_) add_ways(state);
  }
  if (follows_sequences_) first_step_.push_back(own_steps_.size());
  return true;
}

// Failing steps are no links, so the state is expanded once more.
void RunGraph::look_at_failures(std::uint64_t state, Stepper& stepper) {
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  batch.assign(store_.state(state));
  stepper.expand(batch, successors, findings);
  for (const Finding& finding : findings) {
    if (finding.rule == none) continue;
    const bool is_inside = finding.inside && !finding.inside->rules.empty();
    failing_[state].push_back(is_inside ? finding.inside->rules.front() : finding.rule);
  }
}

std::uint64_t RunGraph::steps(std::uint64_t state) const {
  if (has_ended_[state]) return 1;
  if (follows_sequences_) return first_step_[state + 1] - first_step_[state];
  return graph_.first(state + 1) - graph_.first(state);
}

RunGraph::Step RunGraph::step(std::uint64_t state, std::uint64_t number) const {
  if (has_ended_[state]) return {state, nothing_, none};
  if (follows_sequences_) return own_steps_[first_step_[state] + number];
  const StateGraph::Link link = graph_.link(graph_.first(state) + number);
  return {link.target, link.rule, link.rule};
}

std::vector<ProcessId> RunGraph::enabled(std::uint64_t state) const {
  std::vector<ProcessId> result;
  const auto add = [&](RuleId rule) {
    for (const ProcessMove& move : program_.rules[rule].moves) result.push_back(move.process);
  };
  for (std::uint64_t at = graph_.first(state); at < graph_.first(state + 1); ++at)
    add(graph_.link(at).rule);
  if (const auto failing = failing_.find(state); failing != failing_.end())
    for (const RuleId rule : failing->second) add(rule);
  sort_unique(result);
  return result;
}

std::vector<RuleId> RunGraph::rules(std::uint64_t state, const Step& step) const {
  if (step.rule == none) return {};
  if (!follows_sequences_) return {step.rule};
  for (const Way& way : ways_from(state))
    if (way.rules.front() == step.rule && way.effect == effects_[step.effect] &&
        std::ranges::equal(way.target, store_.state(step.target)))
      return way.rules;
  return {};
}

// ---- indivisible sequences -------------------------------------------------------------------

std::vector<RunGraph::Way> RunGraph::ways_from(std::uint64_t state) const {
  Interpreter interpreter(program_);
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  batch.assign(store_.state(state));
  interpreter.expand(batch, successors, findings);
  std::vector<Way> ways;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const StateView next = successors.states[i];
    follow({{successors.rules[i]}, {next.begin(), next.end()}, effects_[successors.rules[i]]},
           ways);
  }
  return ways;
}

// Adds all ends of a way, with every effect once. A sequence comes to no state twice, or it is an
// error that keeps properties from being known.
void RunGraph::follow(Way first, std::vector<Way>& ways) const {
  Interpreter interpreter(program_);
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  using Node = std::tuple<ProcessId, StateWords, StepEffect>;
  std::set<Node> seen;
  std::vector<Way> waiting{std::move(first)};
  while (!waiting.empty()) {
    Way way = std::move(waiting.back());
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
      const auto is_known = [&](const Way& other) {
        return other.rules.front() == way.rules.front() && other.target == way.target &&
               other.effect == way.effect;
      };
      if (std::none_of(ways.begin(), ways.end(), is_known)) ways.push_back(std::move(way));
      continue;
    }
    for (std::size_t i = successors.size(); i-- > 0;) {
      const StateView next = successors.states[i];
      Way longer{
          way.rules, {next.begin(), next.end()}, joined(way.effect, effects_[successors.rules[i]])};
      longer.rules.push_back(successors.rules[i]);
      waiting.push_back(std::move(longer));
    }
  }
}

void RunGraph::add_ways(std::uint64_t state) {
  first_step_.push_back(own_steps_.size());
  for (const Way& way : ways_from(state))
    for (std::uint64_t at = graph_.first(state); at < graph_.first(state + 1); ++at) {
      const StateGraph::Link link = graph_.link(at);
      if (link.rule != way.rules.front() ||
          !std::ranges::equal(way.target, store_.state(link.target)))
        continue;
      own_steps_.push_back({link.target, number_of(way.effect), link.rule});
      break;
    }
}

}  // namespace panoptes
