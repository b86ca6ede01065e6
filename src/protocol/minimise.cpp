// SPDX-License-Identifier: Apache-2.0
// Two states are equivalent if they offer the same actions and every action leads to equivalent
// states: successors are compared per action, so that a choice made early is never moved (language
// equivalence would turn `a?m -> b?m or a?m -> skip` into `a?m -> (b?m or skip)`, which has no
// deadlock where the first has one).
//
// Partition refinement by signatures, one round per step of distance: at most n rounds of n log n,
// in practice a handful. Hopcroft's algorithm would save nothing at the sizes of protocols.
#include "protocol/minimise.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace panoptes {
namespace {

using Label = std::tuple<ActionKind, std::vector<ExpressionId>, ChannelId, std::string,
                         std::vector<ExpressionId>, ExpressionId, std::vector<Assignment>,
                         std::vector<StatementId>>;

Label label_of(const Transition& t) {
  const bool apart = t.kind == ActionKind::check;
  return {t.kind,   t.conditions, t.channel,     t.message,
          t.values, t.check,      t.assignments, apart ? t.statements : std::vector<StatementId>{}};
}

class Partition {
 public:
  explicit Partition(const Automaton& automaton) : automaton_(automaton) {
    std::map<Label, std::uint32_t> numbers;
    for (const ControlState& state : automaton.states) {
      auto& labels = labels_.emplace_back();
      for (const Transition& t : state.transitions)
        labels.push_back(
            numbers.try_emplace(label_of(t), static_cast<std::uint32_t>(numbers.size()))
                .first->second);
    }
    std::map<std::tuple<bool, bool, std::vector<std::string>>, std::uint32_t> first;
    for (const ControlState& state : automaton.states)
      classes_.push_back(first
                             .try_emplace({state.is_end, state.may_stop, state.labels},
                                          static_cast<std::uint32_t>(first.size()))
                             .first->second);
    count_ = first.size();
  }

  // Refines until nothing changes; gives the class of each state, numbered by first member.
  const std::vector<std::uint32_t>& refine() {
    while (true) {
      using Signature = std::pair<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint32_t>>>;
      std::map<Signature, std::uint32_t> next;
      std::vector<std::uint32_t> refined;
      for (StateId s = 0; s < classes_.size(); ++s) {
        Signature signature{classes_[s], {}};
        const auto& transitions = automaton_.states[s].transitions;
        for (std::size_t i = 0; i < transitions.size(); ++i)
          signature.second.emplace(labels_[s][i], classes_[transitions[i].target]);
        refined.push_back(
            next.try_emplace(std::move(signature), static_cast<std::uint32_t>(next.size()))
                .first->second);
      }
      const bool stable = next.size() == count_;
      count_ = next.size();
      classes_ = std::move(refined);
      if (stable) return classes_;
    }
  }

  std::uint32_t label(StateId state, std::size_t transition) const {
    return labels_[state][transition];
  }

 private:
  const Automaton& automaton_;
  std::vector<std::vector<std::uint32_t>> labels_;  // per state and transition
  std::vector<std::uint32_t> classes_;
  std::size_t count_ = 0;
};

void add_statements(std::vector<StatementId>& to, const std::vector<StatementId>& from) {
  for (const StatementId s : from)
    if (std::find(to.begin(), to.end(), s) == to.end()) to.push_back(s);
}

}  // namespace

void minimise(Automaton& automaton) {
  Partition partition(automaton);
  const std::vector<std::uint32_t> classes = partition.refine();
  std::vector<ControlState> merged;
  std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>> position;
  for (StateId s = 0; s < classes.size(); ++s) {
    ControlState& state = automaton.states[s];
    const bool is_first = classes[s] == merged.size();
    if (is_first) {
      merged.push_back(state);
      merged.back().transitions.clear();
      position.emplace_back();
    }
    ControlState& into = merged[classes[s]];
    auto& known = position[classes[s]];
    if (!is_first) {
      into.merged.insert(into.merged.end(), state.merged.begin(), state.merged.end());
      into.is_labelled = into.is_labelled || state.is_labelled;
    }
    for (std::size_t i = 0; i < state.transitions.size(); ++i) {
      Transition& t = state.transitions[i];
      t.target = classes[t.target];
      const auto [found, fresh] =
          known.try_emplace({partition.label(s, i), t.target}, into.transitions.size());
      if (fresh)
        into.transitions.push_back(t);
      else
        add_statements(into.transitions[found->second].statements, t.statements);
    }
  }
  automaton.initial = classes[automaton.initial];
  automaton.end = classes[automaton.end];
  automaton.states = std::move(merged);
}

}  // namespace panoptes
