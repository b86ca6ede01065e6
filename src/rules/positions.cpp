// SPDX-License-Identifier: Apache-2.0
#include "rules/positions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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
  for_each_from(rule.origins, made_[rule.owner().process],
                [&](const Origin& origin) { next.push_back(origin.to); });
  sort_out(next);
  for (const ProcessMove& move : rule.moves) state_[move.process] = move.to;
  made_[rule.owner().process] = std::move(next);
  if (!rule.partner) return move_others(*program_, rule, made_);
  std::vector<StateId>& partner = made_[rule.moves[1].process];
  next.clear();
  for_each_from(rule.partner->origins, partner,
                [&](const Origin& origin) { next.push_back(origin.to); });
  sort_out(next);
  partner = std::move(next);
}

std::vector<StatementId> Positions::statements(RuleId id) const {
  const Rule& rule = program_->rules[id];
  std::vector<StatementId> result;
  for_each_from(rule.origins, made_[rule.owner().process], [&](const Origin& origin) {
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

void move_others(const Program& program, const Rule& rule, Whereabouts& whereabouts) {
  for (std::size_t i = 1; i < rule.moves.size(); ++i) {
    auto& at = whereabouts[rule.moves[i].process];
    at = program.state(rule.moves[i].process, rule.moves[i].to).merged;
    sort_out(at);
  }
}

bool has_name(const Program& program, ProcessId process, const std::vector<StateId>& at) {
  const Automaton& automaton = program.protocol.processes[process].automaton;
  return std::any_of(at.begin(), at.end(),
                     [&](StateId each) { return !automaton.labels[each].empty(); });
}

namespace {

// Where a process is by each of the states it can be at, `text_of` each, joined.
template <typename TextOf>
std::string joined_positions(const Program& program, ProcessId process, StateId id,
                             const std::vector<StateId>& at, TextOf text_of) {
  const Automaton& automaton = program.protocol.processes[process].automaton;
  std::vector<StateId> order = at.empty() ? program.state(process, id).merged : at;
  std::stable_sort(order.begin(), order.end(),
                   [&](StateId a, StateId b) { return automaton.places[a] < automaton.places[b]; });
  std::vector<std::string> texts;
  for (const StateId each : order) {
    std::string text = text_of(automaton, each);
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, "|"));
}

}  // namespace

std::string position_text(const Program& program, ProcessId process, StateId id,
                          const std::vector<StateId>& at, const SourceSet& sources) {
  return joined_positions(program, process, id, at, [&](const Automaton& automaton, StateId each) {
    const std::string& label = automaton.labels[each];
    return label.empty() ? sources.line_and_column(automaton.places[each]) : label;
  });
}

std::string position_words(const Program& program, ProcessId process, StateId id,
                           const std::vector<StateId>& at, const SourceSet& sources) {
  // The end is merged with no other state.
  const bool has_ended = program.state(process, id).is_end;
  return joined_positions(program, process, id, at, [&](const Automaton& automaton, StateId each) {
    const std::string& label = automaton.labels[each];
    const std::string place = sources.line_and_column(automaton.places[each]);
    if (label == "end" && !has_ended) return place + " (end:)";
    return label.empty() ? place : label;
  });
}

std::vector<StateId> places_of(const Whereabouts& whereabouts, ProcessId process) {
  return whereabouts.empty() ? std::vector<StateId>{} : whereabouts[process];
}

std::vector<Place> text_places(const Program& program, ProcessId process,
                               const std::vector<StateId>& at) {
  std::vector<Place> places;
  for (const StateId each : at)
    places.push_back(program.protocol.processes[process].automaton.places[each]);
  sort_out(places);
  return places;
}

std::string OwnNames::next(const std::string& name) {
  const std::size_t copy = ++copies_[name];
  return copy == 1 ? name : fmt::format("{}#{}", name, copy);
}

std::vector<std::string> control_state_names(const Process& process) {
  std::vector<std::string> result;
  OwnNames own;
  for (const ControlState& state : process.automaton.states) result.push_back(own.next(state.name));
  return result;
}

Place place_of(const Program& program, const Rule& rule) {
  if (rule.statements.empty()) return {};
  return program.protocol.statements[rule.statements.front()].place;
}

}  // namespace panoptes
