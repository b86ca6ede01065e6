// SPDX-License-Identifier: Apache-2.0
#include "differential/orbits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "search/arranged_steps.hpp"
#include "search/arrangement.hpp"
#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes::differential {
namespace {

using State = std::vector<Word>;
using Places = std::vector<std::uint32_t>;

struct Facts {
  std::multiset<State> successors;
  std::vector<RuleId> rules;  // of those, in order
  std::multiset<ErrorKind> errors;
};
using Graph = std::map<State, Facts>;

Facts facts_of(Stepper& stepper, const State& state) {
  StateBatch batch{state.size(), {}};
  batch.push_back(state);
  SuccessorBatch successors;
  std::vector<Finding> findings;
  stepper.expand(batch, successors, findings);
  examine(stepper.program(), batch, successors, ReceptionPolicy::reading, findings);
  Facts facts;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    const StateView next = successors.states[i];
    facts.successors.insert(State(next.begin(), next.end()));
  }
  facts.rules.assign(successors.rules.begin(), successors.rules.end());
  for (const Finding& finding : findings) facts.errors.insert(finding.kind);
  return facts;
}

bool explore(const Program& program, std::uint64_t most_states, Graph& graph) {
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program));
  std::vector<State> waiting{State(program.initial.begin(), program.initial.end())};
  graph[waiting.front()];
  while (!waiting.empty()) {
    const State state = waiting.back();
    waiting.pop_back();
    Facts facts = facts_of(*stepper, state);
    for (const State& next : facts.successors)
      if (graph.try_emplace(next).second) waiting.push_back(next);
    graph[state] = std::move(facts);
    if (graph.size() > most_states) return false;
  }
  return true;
}

// All arrangements of the members of one group, as places of all members.
std::vector<Places> arrangements(const Symmetry& symmetry) {
  std::vector<Places> result{Places{}};
  for (const MemberGroup& group : symmetry.groups) {
    std::vector<Places> longer;
    Places own(group.size());
    std::iota(own.begin(), own.end(), 0);
    const Places first = own;
    do {
      for (Places places : result) {
        places.insert(places.end(), own.begin(), own.end());
        longer.push_back(std::move(places));
      }
      if (group.is_ring)
        std::rotate(own.begin(), own.begin() + 1, own.end());
      else
        std::next_permutation(own.begin(), own.end());
    } while (own != first);
    result = std::move(longer);
  }
  return result;
}

class Counter {
 public:
  Counter(const Program& program, const Symmetry& symmetry)
      : arranger_(program, symmetry), steps_(program, symmetry), all_(arrangements(symmetry)) {
    if (symmetry.exchanged_rules.empty()) return;
    // As often as it takes to come back.
    const std::size_t times = symmetry.groups[0].is_ring ? symmetry.groups[0].size() : 2;
    for (RuleId id = 0; id < program.rules.size(); ++id) {
      stands_for_rule_.push_back(id);
      for (std::size_t i = 0; i < times; ++i)
        stands_for_rule_[id] = symmetry.exchanged_rules[0][stands_for_rule_[id]];
    }
  }

  State moved(const State& state, const Places& places) {
    State result(state.size());
    arranger_.rearrange(state, places, result, scratch_);
    return result;
  }

  // What is wrong with that state; "" where nothing is.
  std::string look_at(const Graph& graph, const State& state) {
    const Facts& facts = graph.at(state);
    State least = state, stands(state.size());
    arranger_.arrange(state, stands, scratch_);
    bool stands_for_it = false;
    for (const Places& places : all_) {
      const State image = moved(state, places);
      const auto there = graph.find(image);
      if (there == graph.end()) return "an arrangement of a reachable state is not reachable";
      std::multiset<State> successors;
      for (const State& next : facts.successors) successors.insert(moved(next, places));
      if (successors != there->second.successors)
        return "an arrangement has other successors than the arranged ones";
      if (facts.errors != there->second.errors) return "an arrangement has other errors";
      least = std::min(least, image);
      stands_for_it = stands_for_it || image == stands;
    }
    if (!stands_for_it) return "what stands for a state is no arrangement of it";
    if (!has_same_steps(state, facts, graph.at(stands)))
      return "what stands for a state has other steps than the arranged ones";
    orbits_.insert(least);
    arranged_.insert(stands);
    return {};
  }

  std::set<State> orbits_, arranged_;

 private:
  // All rules of a broadcast stand for its first.
  bool has_same_steps(const State& state, const Facts& facts, const Facts& there) {
    steps_.arrange(state, facts.rules, step_scratch_);
    std::vector<RuleId> rules;
    for (const RuleId rule : there.rules) rules.push_back(stands_for_rule_[rule]);
    std::ranges::sort(rules);
    std::vector<RuleId> arranged;
    for (const RuleId rule : step_scratch_.rules) arranged.push_back(stands_for_rule_[rule]);
    std::ranges::sort(arranged);
    return arranged == rules;
  }

  Arranger arranger_;
  ArrangedSteps steps_;
  ArrangedSteps::Scratch step_scratch_;
  std::vector<RuleId> stands_for_rule_;
  Arranger::Scratch scratch_;
  std::vector<Places> all_;
};

}  // namespace

Orbits count_orbits(const Program& program, const Symmetry& symmetry, std::uint64_t most_states) {
  Orbits result;
  Graph graph;
  result.is_too_large = !explore(program, most_states, graph);
  result.states = graph.size();
  if (result.is_too_large) return result;
  Counter counter(program, symmetry);
  try {
    for (const auto& [state, facts] : graph)
      if (result.complaint.empty()) result.complaint = counter.look_at(graph, state);
  } catch (const std::exception& fault) {
    result.complaint = fault.what();
  }
  result.orbits = counter.orbits_.size();
  result.arranged = counter.arranged_.size();
  return result;
}

std::uint64_t count_by_neighbours(const Program& program, const Symmetry& symmetry) {
  std::map<State, std::size_t> numbers;
  std::vector<const State*> states;
  const auto number_of = [&](const State& state) {
    const auto [known, is_new] = numbers.try_emplace(state, states.size());
    if (is_new) states.push_back(&known->first);
    return known->second;
  };
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program));
  number_of(State(program.initial.begin(), program.initial.end()));
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const State& next : facts_of(*stepper, *states[i]).successors) number_of(next);
  const std::size_t count = states.size();
  std::vector<std::size_t> parents(count);
  std::iota(parents.begin(), parents.end(), 0);
  const auto root = [&](std::size_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
  };
  const Arranger arranger(program, symmetry);
  Arranger::Scratch scratch;
  std::uint64_t orbits = count;
  for (std::size_t g = 0; g < symmetry.groups.size(); ++g)
    for (std::size_t m = 0; m + 1 < symmetry.groups[g].size(); ++m) {
      Places places;
      for (const MemberGroup& group : symmetry.groups)
        for (std::uint32_t k = 0; k < group.size(); ++k) places.push_back(k);
      std::swap(places[symmetry.first_member[g] + m], places[symmetry.first_member[g] + m + 1]);
      for (std::size_t i = 0; i < count; ++i) {
        State image(states[i]->size());
        arranger.rearrange(*states[i], places, image, scratch);
        const std::size_t one = root(i), other = root(numbers.at(image));
        if (one == other) continue;
        parents[one] = other;
        --orbits;
      }
    }
  return orbits;
}

}  // namespace panoptes::differential
