// SPDX-License-Identifier: Apache-2.0
// Two states are equivalent if they offer the same actions and every action leads to equivalent
// states: successors are compared per action, so that a choice made early is never moved (language
// equivalence would turn `a?m -> b?m or a?m -> skip` into `a?m -> (b?m or skip)`, which has no
// deadlock where the first has one).
//
// Partition refinement by signatures, where only states with a successor that changed its class are
// looked at again and the largest part of a class keeps its number: O(m log n) signatures. Looking
// at all states in every round took two minutes for a process of 30,000 alike statements in a row.
#include "protocol/minimise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace panoptes {
namespace {

using Label = std::tuple<ActionKind, std::vector<ExpressionId>, ChannelId, std::string,
                         std::vector<ExpressionId>, ExpressionId, std::vector<Assignment>,
                         std::vector<StatementId>, std::int8_t, std::uint32_t, bool, std::uint32_t,
                         bool, std::optional<TimeoutPolicy>, bool, std::uint32_t>;

Label label_of(const Transition& t) {
  const bool apart = t.kind == ActionKind::check;
  return {
      t.kind,       t.conditions, t.channel,     t.message,
      t.values,     t.check,      t.assignments, apart ? t.statements : std::vector<StatementId>{},
      t.likelihood, t.position,   t.ends_inside, t.choosing,
      t.is_else,    t.timeout,    t.is_fault,    t.room};
}

// Those of its names that keep a state apart.
std::set<std::string> asked_names_of(const ControlState& state, const AskedNames& asked) {
  std::set<std::string> result;
  for (const std::string& label : state.labels)
    if (asked.contains_label(label)) result.insert(label);
  if (asked.names.contains(state.name)) result.insert(state.name);
  return result;
}

class Partition {
 public:
  Partition(const Automaton& automaton, const AskedNames& asked)
      : automaton_(automaton), predecessors_(automaton.states.size()) {
    std::map<Label, std::uint32_t> numbers;
    for (StateId s = 0; s < automaton.states.size(); ++s) {
      auto& labels = labels_.emplace_back();
      for (const Transition& t : automaton.states[s].transitions) {
        labels.push_back(
            numbers.try_emplace(label_of(t), static_cast<std::uint32_t>(numbers.size()))
                .first->second);
        predecessors_[t.target].push_back(s);
      }
    }
    std::map<std::tuple<bool, bool, std::set<std::string>>, std::uint32_t> first;
    for (StateId s = 0; s < automaton.states.size(); ++s) {
      const ControlState& state = automaton.states[s];
      const auto [found, fresh] =
          first.try_emplace({state.is_end, state.may_stop, asked_names_of(state, asked)},
                            static_cast<std::uint32_t>(first.size()));
      if (fresh) members_.emplace_back();
      classes_.push_back(found->second);
      members_[found->second].insert(s);
    }
  }

  // Refines until nothing changes; gives the class of each state, numbered by first member.
  std::vector<std::uint32_t> refine() {
    std::set<StateId> dirty;
    for (StateId s = 0; s < classes_.size(); ++s) dirty.insert(s);
    while (!dirty.empty()) {
      std::set<StateId> next;
      for (const StateId moved : split(dirty))
        next.insert(predecessors_[moved].begin(), predecessors_[moved].end());
      dirty = std::move(next);
    }
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> result;
    for (const std::uint32_t c : classes_)
      result.push_back(
          numbers.try_emplace(c, static_cast<std::uint32_t>(numbers.size())).first->second);
    return result;
  }

  std::uint32_t label(StateId state, std::size_t transition) const {
    return labels_[state][transition];
  }

 private:
  using Signature = std::set<std::pair<std::uint32_t, std::uint32_t>>;

  Signature signature(StateId s) const {
    Signature result;
    const auto& transitions = automaton_.states[s].transitions;
    for (std::size_t i = 0; i < transitions.size(); ++i)
      result.emplace(labels_[s][i], classes_[transitions[i].target]);
    return result;
  }

  // Splits classes whose dirty members differ from the others; gives the states that moved.
  std::vector<StateId> split(const std::set<StateId>& dirty) {
    std::map<std::uint32_t, std::map<Signature, std::vector<StateId>>> groups;
    std::map<std::uint32_t, std::size_t> dirty_count;
    for (const StateId s : dirty) {
      groups[classes_[s]][signature(s)].push_back(s);
      ++dirty_count[classes_[s]];
    }
    std::vector<std::pair<StateId, std::uint32_t>> moves;
    for (auto& [old_class, parts] : groups) {
      const std::size_t clean = members_[old_class].size() - dirty_count[old_class];
      const Signature* stays = largest(old_class, parts, clean, dirty);
      for (const auto& [part_signature, states] : parts) {
        if (&part_signature == stays) continue;
        members_.emplace_back();
        for (const StateId s : states)
          moves.emplace_back(s, static_cast<std::uint32_t>(members_.size() - 1));
      }
    }
    std::vector<StateId> moved;
    for (const auto& [s, to] : moves) {
      members_[classes_[s]].erase(s);
      members_[to].insert(s);
      classes_[s] = to;
      moved.push_back(s);
    }
    return moved;
  }

  // Which part keeps the number of the class. Members that are not dirty all have one signature,
  // and stay together with the dirty ones that have it too; they cannot be moved as a part, so it
  // is theirs if there are any.
  const Signature* largest(std::uint32_t old_class,
                           const std::map<Signature, std::vector<StateId>>& parts,
                           std::size_t clean, const std::set<StateId>& dirty) const {
    if (clean > 0) {
      for (const StateId s : members_[old_class])
        if (!dirty.contains(s)) {
          const auto same = parts.find(signature(s));
          return same == parts.end() ? nullptr : &same->first;
        }
    }
    return &std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
              return a.second.size() < b.second.size();
            })->first;
  }

  const Automaton& automaton_;
  std::vector<std::vector<std::uint32_t>> labels_;  // per state and transition
  std::vector<std::vector<StateId>> predecessors_;
  std::vector<std::uint32_t> classes_;
  std::vector<std::set<StateId>> members_;  // by class
};

// Each once.
template <typename Element>
void add_new(std::vector<Element>& to, const std::vector<Element>& from) {
  for (const Element& each : from)
    if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
}

// A state with a label is called by all the names it had, in the order of the text; others by the
// first place.
std::string name_of(const ControlState& state, const std::vector<ControlState>& before) {
  if (state.labels.empty()) return state.name;
  std::vector<std::pair<Place, std::string>> names;
  for (const StateId each : state.merged) names.emplace_back(before[each].place, before[each].name);
  std::stable_sort(names.begin(), names.end());
  std::vector<std::string> once;
  for (const auto& [place, name] : names) add_new(once, {name});
  return fmt::format("{}", fmt::join(once, "|"));
}

}  // namespace

bool AskedNames::contains_label(const std::string& label) const {
  return all_labels || label.starts_with("end") || label.starts_with("progress") ||
         label.starts_with("accept") || names.contains(label);
}

void minimise(Automaton& automaton, const AskedNames& asked) {
  Partition partition(automaton, asked);
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
      add_new(into.labels, state.labels);
    }
    for (std::size_t i = 0; i < state.transitions.size(); ++i) {
      Transition& t = state.transitions[i];
      t.target = classes[t.target];
      const auto [found, fresh] =
          known.try_emplace({partition.label(s, i), t.target}, into.transitions.size());
      if (fresh) {
        into.transitions.push_back(t);
        continue;
      }
      Transition& same = into.transitions[found->second];
      add_new(same.statements, t.statements);
      same.origins.insert(same.origins.end(), t.origins.begin(), t.origins.end());
    }
  }
  for (ControlState& state : merged) state.name = name_of(state, automaton.states);
  automaton.initial = classes[automaton.initial];
  automaton.end = classes[automaton.end];
  automaton.states = std::move(merged);
}

}  // namespace panoptes
