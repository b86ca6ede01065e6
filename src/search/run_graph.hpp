// SPDX-License-Identifier: Apache-2.0
// A kept graph as temporal properties see it: which atoms of a property hold in each state, and
// what happens in each step.
//
// A run that ends is extended: a state in which nobody can move, and in which no step fails, has a
// step to itself in which nothing happens. Where all that can happen is a step that fails, no run
// goes on, and none is judged.
//
// Idea: what happens in a step is an effect, of which there are few: one for each rule, as a link
// of the graph has it. Where there are indivisible sequences a link has only the first rule, and
// one link may stand for several ways through the sequence in which other things happen; then they
// are followed once more, and there is a step for each effect.
//
// Cost: a byte a state for up to eight atoms, else 8; 16 a step where there are indivisible
// sequences.
//
// Thread safety: once it is made, it only answers.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "search/state_graph.hpp"
#include "search/step_ways.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

class RunGraph {
 public:
  using EffectId = std::uint32_t;
  struct Step {
    std::uint64_t target;
    EffectId effect;
    RuleId rule;  // the first; none where the run has ended
  };

  // `graph` is finished and `store` has its states; some step of the search failed where
  // `has_failures` is true.
  RunGraph(const Program& program, const TemporalProperty& property, const StateGraph& graph,
           const NumberedStore& store, bool has_failures);

  // Looks at all states. False where that takes too long.
  bool make(unsigned threads, const Deadline& deadline);

  std::uint64_t states() const { return graph_.states(); }
  void expect(std::uint64_t state) const { graph_.expect(state); }
  // What holds behind a step to `state` in which nothing happens.
  Valuation atoms(std::uint64_t state) const {
    return few_atoms_.empty() ? atoms_[state] : few_atoms_[state];
  }
  Valuation events(EffectId effect) const { return events_[effect]; }
  // A step of a state, by its number.
  Step step(std::uint64_t state, std::uint64_t number) const;
  // Calls use(number, step) for each of them, in order.
  template <typename Use>
  void for_each_step(std::uint64_t state, const Use& use) const {
    if (follows_sequences_ && !has_ended(state)) {
      for (std::uint64_t at = first_step_[state]; at < first_step_[state + 1]; ++at)
        use(at - first_step_[state], own_steps_[at]);
      return;
    }
    const std::uint64_t first = graph_.first(state), end = graph_.end(state);
    for (std::uint64_t at = first; at < end; ++at) {
      const StateGraph::Link link = graph_.link(at);
      use(at - first, Step{link.target, link.rule, link.rule});
    }
    if (first == end && has_ended(state)) use(0, Step{state, nothing_, none});
  }
  const StepEffect& effect(EffectId id) const { return effects_[id]; }

  // Whether a line is not full; one without slots always has room.
  bool has_room(std::uint64_t state, ChannelId line) const;
  // Who could move in a state, sorted: whose rule is enabled, be it one that fails.
  std::vector<ProcessId> enabled(std::uint64_t state) const;
  // The same as bits, and who moves in a step. REQUIRES: has_process_bits().
  bool has_process_bits() const { return program_.control.size() <= 64; }
  std::uint64_t enabled_bits(std::uint64_t state) const;
  std::uint64_t moved_bits(EffectId effect) const { return moved_bits_[effect]; }
  // The rules of a step, those inside of an indivisible sequence too; none of an ended run.
  std::vector<RuleId> rules(std::uint64_t state, const Step& step) const;

 private:
  using Failing = std::vector<std::pair<std::uint64_t, std::vector<RuleId>>>;
  bool has_ended(std::uint64_t state) const {
    return !graph_.has_links(state) && !failing_.contains(state);
  }
  void set_atoms(std::uint64_t state, Valuation atoms);
  void look_at_failures(std::uint64_t state, Stepper& stepper, Failing& failing) const;
  void add_effect(StepEffect effect);
  bool follow_sequences(unsigned threads, const Deadline& deadline);
  EffectId number_of(const StepEffect& effect);
  std::vector<Step> steps_from(std::uint64_t state);

  const Program& program_;
  const StateGraph& graph_;
  const NumberedStore& store_;
  const Moments moments_;
  const StepWays ways_;
  const bool has_failures_, follows_sequences_;
  std::vector<std::uint8_t> few_atoms_;                   // by state, where a byte has room
  std::vector<Valuation> atoms_;                          // by state, else
  std::map<std::uint64_t, std::vector<RuleId>> failing_;  // by state: rules that fail there
  std::vector<StepEffect> effects_;                       // of rules, by rule; then others
  std::vector<Valuation> events_;                         // by effect, as the next one
  std::vector<std::uint64_t> moved_bits_;
  std::mutex effects_guard_;  // while they are being added
  std::map<StepEffect, EffectId> known_effects_;
  EffectId nothing_ = 0;
  std::vector<std::uint64_t> first_step_;  // by state, and one more; where sequences are followed
  std::vector<Step> own_steps_;
};

}  // namespace panoptes
