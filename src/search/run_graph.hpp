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
// Cost: 8 bytes a state for atoms; 16 a step where there are indivisible sequences.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "search/state_graph.hpp"
#include "store/numbered_store.hpp"
#include "verdict/moments.hpp"

namespace panoptes {

// What happens in a step.
struct StepEffect {
  Valuation events = 0;
  std::vector<ProcessId> moved;          // sorted, as the others are
  std::vector<ChannelId> lost, carried;  // by lossy lines
  friend auto operator<=>(const StepEffect&, const StepEffect&) = default;
};

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
  bool make(const Deadline& deadline);

  std::uint64_t states() const { return graph_.states(); }
  // What holds behind a step to `state` in which nothing happens.
  Valuation atoms(std::uint64_t state) const { return atoms_[state]; }
  // The steps of a state: step(state, 0) to step(state, steps(state) - 1).
  std::uint64_t steps(std::uint64_t state) const;
  Step step(std::uint64_t state, std::uint64_t number) const;
  const StepEffect& effect(EffectId id) const { return effects_[id]; }

  // Who could move in a state, sorted: whose rule is enabled, be it one that fails.
  std::vector<ProcessId> enabled(std::uint64_t state) const;
  // The rules of a step, those inside of an indivisible sequence too; none of an ended run.
  std::vector<RuleId> rules(std::uint64_t state, const Step& step) const;

 private:
  // A way through an indivisible sequence, or a single step.
  struct Way {
    std::vector<RuleId> rules;
    StateWords target;
    StepEffect effect;
  };
  void look_at_failures(std::uint64_t state, Stepper& stepper);
  StepEffect effect_of(RuleId rule) const;
  static StepEffect joined(StepEffect first, const StepEffect& second);
  EffectId number_of(const StepEffect& effect);
  std::vector<Way> ways_from(std::uint64_t state) const;
  void follow(Way way, std::vector<Way>& ways) const;
  void add_ways(std::uint64_t state);

  const Program& program_;
  const StateGraph& graph_;
  const NumberedStore& store_;
  Moments moments_;
  const bool has_failures_, follows_sequences_;
  std::vector<Valuation> atoms_;                          // by state
  std::vector<bool> has_ended_;                           // by state
  std::map<std::uint64_t, std::vector<RuleId>> failing_;  // by state: rules that fail there
  std::vector<StepEffect> effects_;                       // of rules, by rule; then others
  std::map<StepEffect, EffectId> known_effects_;
  EffectId nothing_ = 0;
  std::vector<std::uint64_t> first_step_;  // by state, and one more; where sequences are followed
  std::vector<Step> own_steps_;
};

}  // namespace panoptes
