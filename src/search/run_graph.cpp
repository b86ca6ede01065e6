// SPDX-License-Identifier: Apache-2.0
#include "search/run_graph.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "search/in_parallel.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

RunGraph::RunGraph(const Program& program, const TemporalProperty& property,
                   const StateGraph& graph, const NumberedStore& store, bool has_failures)
    : program_(program),
      graph_(graph),
      store_(store),
      moments_(program, property),
      ways_(program, moments_),
      has_failures_(has_failures),
      follows_sequences_(has_indivisible(program)) {
  for (RuleId id = 0; id < program.rules.size(); ++id) add_effect(ways_.effect(id));
  nothing_ = number_of({});
}

RunGraph::EffectId RunGraph::number_of(const StepEffect& effect) {
  const auto [found, fresh] =
      known_effects_.try_emplace(effect, static_cast<EffectId>(effects_.size()));
  if (fresh) add_effect(effect);
  return found->second;
}

void RunGraph::add_effect(StepEffect effect) {
  events_.push_back(effect.events);
  moved_bits_.push_back(0);
  if (has_process_bits())
    for (const ProcessId process : effect.moved) moved_bits_.back() |= std::uint64_t{1} << process;
  effects_.push_back(std::move(effect));
}

void RunGraph::set_atoms(std::uint64_t state, Valuation atoms) {
  if (few_atoms_.empty())
    atoms_[state] = atoms;
  else
    few_atoms_[state] = static_cast<std::uint8_t>(atoms);
}

bool RunGraph::make(unsigned threads, const Deadline& deadline) {
  if (moments_.atoms() <= 8)
    few_atoms_.resize(states());
  else
    atoms_.resize(states());
  std::vector<Failing> failing(threads);
  std::atomic<bool> is_late{false};
  in_parallel(threads, states(), [&](unsigned worker, std::uint64_t begin, std::uint64_t end) {
    if (is_late || deadline.has_passed()) {
      is_late = true;
      return;
    }
    for (std::uint64_t state = begin; state < end; ++state)
      set_atoms(state, moments_.of_state(store_.state(state)));
    if (!has_failures_) return;
    const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program_));
    for (std::uint64_t state = begin; state < end; ++state)
      look_at_failures(state, *stepper, failing[worker]);
  });
  if (is_late) return false;
  for (Failing& some : failing)
    for (auto& [state, rules] : some) failing_[state] = std::move(rules);
  if (moments_.of_end() != 0)
    for (std::uint64_t state = 0; state < states(); ++state)
      if (has_ended(state)) set_atoms(state, atoms(state) | moments_.of_end());
  return !follows_sequences_ || follow_sequences(threads, deadline);
}

// Failing steps are no links, so the state is expanded once more.
void RunGraph::look_at_failures(std::uint64_t state, Stepper& stepper, Failing& failing) const {
  StateBatch batch{program_.layout.words, {}};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  batch.assign(store_.state(state));
  stepper.expand(batch, successors, findings);
  std::vector<RuleId> rules;
  for (const Finding& finding : findings) {
    if (finding.rule == none) continue;
    const bool is_inside = finding.inside && !finding.inside->rules.empty();
    rules.push_back(is_inside ? finding.inside->rules.front() : finding.rule);
  }
  if (!rules.empty()) failing.emplace_back(state, std::move(rules));
}

RunGraph::Step RunGraph::step(std::uint64_t state, std::uint64_t number) const {
  if (has_ended(state)) return {state, nothing_, none};
  if (follows_sequences_) return own_steps_[first_step_[state] + number];
  const StateGraph::Link link = graph_.link(graph_.first(state) + number);
  return {link.target, link.rule, link.rule};
}

std::uint64_t RunGraph::enabled_bits(std::uint64_t state) const {
  std::uint64_t result = 0;
  for (std::uint64_t at = graph_.first(state); at < graph_.end(state); ++at)
    result |= moved_bits_[graph_.link(at).rule];
  if (failing_.empty()) return result;
  if (const auto failing = failing_.find(state); failing != failing_.end())
    for (const RuleId rule : failing->second) result |= moved_bits_[rule];
  return result;
}

bool RunGraph::has_room(std::uint64_t state, ChannelId line) const {
  return !is_full(program_.layout.channels[line], store_.state(state));
}

std::vector<ProcessId> RunGraph::enabled(std::uint64_t state) const {
  std::vector<ProcessId> result;
  const auto add = [&](RuleId rule) {
    for (const ProcessMove& move : program_.rules[rule].moves) result.push_back(move.process);
  };
  for (std::uint64_t at = graph_.first(state); at < graph_.end(state); ++at)
    add(graph_.link(at).rule);
  if (const auto failing = failing_.find(state); failing != failing_.end())
    for (const RuleId rule : failing->second) add(rule);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<RuleId> RunGraph::rules(std::uint64_t state, const Step& step) const {
  if (step.rule == none) return {};
  if (!follows_sequences_) return {step.rule};
  for (const StepWay& way : ways_.from(store_.state(state)))
    if (way.rules.front() == step.rule && way.effect == effects_[step.effect] &&
        std::ranges::equal(way.target, store_.state(step.target)))
      return way.rules;
  return {};
}

// ---- indivisible sequences -------------------------------------------------------------------

std::vector<RunGraph::Step> RunGraph::steps_from(std::uint64_t state) {
  std::vector<Step> result;
  bool has_sequence = false;
  for (std::uint64_t at = graph_.first(state); at < graph_.end(state); ++at) {
    const StateGraph::Link link = graph_.link(at);
    has_sequence = has_sequence || ways_.begins_sequence(link.rule);
    result.push_back({link.target, link.rule, link.rule});
  }
  if (!has_sequence) return result;
  result.clear();
  for (const StepWay& way : ways_.from(store_.state(state)))
    for (std::uint64_t at = graph_.first(state); at < graph_.end(state); ++at) {
      const StateGraph::Link link = graph_.link(at);
      if (link.rule != way.rules.front() ||
          !std::ranges::equal(way.target, store_.state(link.target)))
        continue;
      const std::lock_guard lock(effects_guard_);
      result.push_back({link.target, number_of(way.effect), link.rule});
      break;
    }
  return result;
}

bool RunGraph::follow_sequences(unsigned threads, const Deadline& deadline) {
  std::map<std::uint64_t, std::vector<Step>> pieces;  // by their first state
  first_step_.assign(states() + 1, 0);
  std::mutex guard;
  std::atomic<bool> is_late{false};
  in_parallel(threads, states(), [&](unsigned, std::uint64_t begin, std::uint64_t end) {
    std::vector<Step> piece;
    for (std::uint64_t state = begin; state < end && !is_late; ++state) {
      if (deadline.has_passed()) is_late = true;
      const std::vector<Step> steps = steps_from(state);
      first_step_[state + 1] = steps.size();
      piece.insert(piece.end(), steps.begin(), steps.end());
    }
    const std::lock_guard lock(guard);
    pieces[begin] = std::move(piece);
  });
  if (is_late) return false;
  for (std::uint64_t state = 0; state < states(); ++state)
    first_step_[state + 1] += first_step_[state];
  for (auto& [begin, piece] : pieces) {
    own_steps_.insert(own_steps_.end(), piece.begin(), piece.end());
    piece = {};
  }
  return true;
}

}  // namespace panoptes
