// SPDX-License-Identifier: Apache-2.0
#include "rules/positions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace panoptes {
namespace {

template <typename Element>
void sort_out(std::vector<Element>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Calls `use` for each of `origins` that begins in one of `states`. Origins are in the order of
// where they begin.
template <typename Use>
void for_each_from(const std::vector<Origin>& origins, const std::vector<StateId>& states,
                   Use use) {
  for (const StateId state : states) {
    auto origin =
        std::lower_bound(origins.begin(), origins.end(), state,
                         [](const Origin& each, StateId from) { return each.from < from; });
    for (; origin != origins.end() && origin->from == state; ++origin) use(*origin);
  }
}

std::vector<Place> places_of(const Automaton& automaton, const std::vector<StateId>& states) {
  std::vector<Place> places;
  for (const StateId state : states) places.push_back(automaton.places[state]);
  sort_out(places);
  return places;
}

}  // namespace

Positions::Positions(const Program& program) : program_(&program) {
  for (const Process& process : program.protocol.processes) {
    state_.push_back(process.automaton.initial);
    made_.push_back({process.automaton.initial_origin});
  }
}

void Positions::take(RuleId id) {
  const Rule& rule = program_->rules[id];
  std::vector<StateId> next;
  for_each_from(rule.origins, made_[rule.process],
                [&](const Origin& origin) { next.push_back(origin.to); });
  sort_out(next);
  state_[rule.process] = rule.target;
  made_[rule.process] = std::move(next);
}

std::vector<StatementId> Positions::statements(RuleId id) const {
  const Rule& rule = program_->rules[id];
  std::vector<StatementId> result;
  for_each_from(rule.origins, made_[rule.process], [&](const Origin& origin) {
    result.insert(result.end(), origin.statements.begin(), origin.statements.end());
  });
  sort_out(result);
  return result;
}

std::vector<StatementId> Positions::ahead(ProcessId process) const {
  std::vector<StatementId> result;
  for (const Transition& t : program_->state(process, state_[process]).transitions)
    for_each_from(t.origins, made_[process], [&](const Origin& origin) {
      result.insert(result.end(), origin.statements.begin(), origin.statements.end());
    });
  sort_out(result);
  return result;
}

std::vector<Place> Positions::of(ProcessId process) const {
  return places_of(program_->protocol.processes[process].automaton, made_[process]);
}

Whereabouts Positions::of_all() const {
  Whereabouts result;
  for (ProcessId p = 0; p < made_.size(); ++p) result.push_back(of(p));
  return result;
}

bool has_name(const ControlState& state) { return state.is_end || !state.labels.empty(); }

std::string position_text(const Program& program, ProcessId process, StateId id,
                          const std::vector<Place>& places, const SourceSet& sources) {
  const ControlState& state = program.state(process, id);
  if (has_name(state)) return state.name;
  const Automaton& automaton = program.protocol.processes[process].automaton;
  std::vector<std::string> texts;
  for (const Place& place : places.empty() ? places_of(automaton, state.merged) : places)
    if (std::string text = sources.line_and_column(place);
        std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  return fmt::format("{}", fmt::join(texts, "|"));
}

std::vector<Place> places_of(const Whereabouts& whereabouts, ProcessId process) {
  return whereabouts.empty() ? std::vector<Place>{} : whereabouts[process];
}

Place place_of(const Program& program, const Rule& rule) {
  if (rule.statements.empty()) return {};
  return program.protocol.statements[rule.statements.front()].place;
}

std::vector<std::string> control_state_names(const Process& process) {
  std::vector<std::string> result;
  std::map<std::string, int> count;
  for (const ControlState& state : process.automaton.states) {
    const int number = ++count[state.name];
    result.push_back(number == 1 ? state.name : fmt::format("{}#{}", state.name, number));
  }
  return result;
}

}  // namespace panoptes
