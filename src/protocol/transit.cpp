// SPDX-License-Identifier: Apache-2.0
// A transit state has one way out, and that does nothing: `skip`, a jump, entering or leaving a
// procedure. Every transition into one is led on to the first real state behind it, taking along
// what a call assigns on the way. A cycle of nothing but transit states is a process that spins: it
// becomes one state with one internal step to itself. States with a label that begins with
// `progress` or `accept` stay.
#include "protocol/transit.hpp"

#include <algorithm>
#include <optional>

#include "protocol/compose.hpp"

namespace panoptes {
namespace {

std::vector<bool> reachable_states(const RawAutomaton& raw) {
  std::vector<bool> reached(raw.states.size());
  std::vector<StateId> waiting{raw.initial};
  reached[raw.initial] = true;
  while (!waiting.empty()) {
    const StateId state = waiting.back();
    waiting.pop_back();
    for (const Transition& t : raw.states[state].state.transitions)
      if (!reached[t.target]) {
        reached[t.target] = true;
        waiting.push_back(t.target);
      }
  }
  return reached;
}

// A label that says something of runs is passed in a step of its own: where its `skip` leads to,
// other ways may lead as well. What stands for no statement, as where something indivisible begins,
// is none, and hands its label on; inside of that no moment sees one. A label right before the end
// of a process is that of its end, at which it rests.
void keep_labels_of_runs(RawAutomaton& raw, const Protocol& protocol) {
  const auto is_of_runs = [](const std::string& label) {
    return label.starts_with("progress") || label.starts_with("accept");
  };
  for (RawState& state : raw.states) {
    if (!state.is_transit() || state.is_inside) continue;
    Transition& step = state.state.transitions[0];
    if (step.statements.empty() || std::ranges::none_of(state.state.labels, is_of_runs)) continue;
    if (state.is_bare_label && step.target == raw.end) continue;
    step.text = protocol.statements[step.statements.front()].text;
    state.is_jump = {false};
  }
}

// Turns each cycle of transit states into a state with a step to itself, which assigns what those
// on the way do, and stands for their statements, the first in the text first. There is at least
// one: a cycle has a `skip`, a `goto`, a `break` or the call of an empty procedure.
void break_cycles(RawAutomaton& raw, Protocol& protocol) {
  std::vector<std::uint32_t> walk_of(raw.states.size());
  for (StateId start = 0; start < raw.states.size(); ++start) {
    StateId at = start;
    while (raw.states[at].is_transit() && walk_of[at] == 0) {
      walk_of[at] = start + 1;
      at = raw.states[at].state.transitions[0].target;
    }
    if (!raw.states[at].is_transit() || walk_of[at] != start + 1) continue;
    StateId first = at;
    bool is_inside = true;
    std::vector<StatementId> statements;
    for (StateId s = raw.states[at].state.transitions[0].target;;
         s = raw.states[s].state.transitions[0].target) {
      if (raw.states[s].source_order < raw.states[first].source_order) first = s;
      is_inside = is_inside && raw.states[s].is_inside;
      const auto& own = raw.states[s].state.transitions[0].statements;
      statements.insert(statements.end(), own.begin(), own.end());
      if (s == at) break;
    }
    Transition spin;
    spin.target = first;
    spin.ends_inside = is_inside;
    std::stable_sort(statements.begin(), statements.end(), [&](StatementId a, StatementId b) {
      return protocol.statements[a].place < protocol.statements[b].place;
    });
    spin.text = protocol.statements[statements.front()].text;
    spin.statements = std::move(statements);
    StateId on_the_way = first;
    do {
      const Transition& step = raw.states[on_the_way].state.transitions[0];
      spin.assignments = compose(spin.assignments, step.assignments, protocol);
      on_the_way = step.target;
    } while (on_the_way != first);
    raw.states[first].state.transitions = {spin};
    raw.states[first].is_jump = {false};
  }
}

struct Landing {
  StateId state;
  bool is_inside;  // an indivisible sequence, all the way
  std::vector<Assignment> assignments;
};

// Where control gets to from a state, for all states at once: a chain is walked only once.
class Landings {
 public:
  Landings(const RawAutomaton& raw, Protocol& protocol)
      : raw_(raw), protocol_(protocol), known_(raw.states.size()) {}

  const Landing& of(StateId state) {
    std::vector<StateId> chain;
    while (!known_[state]) {
      chain.push_back(state);
      if (!raw_.states[state].is_transit()) {
        known_[state] = Landing{state, raw_.states[state].is_inside, {}};
        break;
      }
      state = raw_.states[state].state.transitions[0].target;
    }
    for (auto s = chain.rbegin(); s != chain.rend(); ++s) {
      if (known_[*s]) continue;
      const Transition& t = raw_.states[*s].state.transitions[0];
      const Landing& after = *known_[t.target];
      known_[*s] = Landing{after.state, after.is_inside && raw_.states[*s].is_inside,
                           after.assignments.empty() && t.assignments.empty()
                               ? std::vector<Assignment>{}
                               : compose(t.assignments, after.assignments, protocol_)};
    }
    return *known_[chain.empty() ? state : chain.front()];
  }

 private:
  const RawAutomaton& raw_;
  Protocol& protocol_;
  std::vector<std::optional<Landing>> known_;
};

// Labels say something about a place in the text; where its state vanishes they pass on.
void pass_on_labels(RawAutomaton& raw, Landings& landings) {
  std::vector<StateId> order(raw.states.size());
  for (StateId s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(), [&](StateId a, StateId b) {
    return raw.states[a].source_order < raw.states[b].source_order;
  });
  for (const StateId s : order) {
    if (!raw.states[s].is_transit()) continue;
    const ControlState& from = raw.states[s].state;
    ControlState& to = raw.states[landings.of(s).state].state;
    to.labels.insert(to.labels.end(), from.labels.begin(), from.labels.end());
    to.may_stop = to.may_stop || from.may_stop;
    to.is_labelled = to.is_labelled || from.is_labelled;
  }
}

// "" for a state that goes by its place.
std::string label_of(const ControlState& state) {
  if (!state.labels.empty()) return state.labels.front();
  return state.is_end ? "end" : "";
}

}  // namespace

void collect_reachability(const RawAutomaton& raw, Reachability& into) {
  const std::vector<bool> reached = reachable_states(raw);
  for (StateId s = 0; s < raw.states.size(); ++s) {
    const RawState& state = raw.states[s];
    if (!state.is_statement || state.state.is_end) continue;
    if (reached[s])
      into.reached.push_back(state.state.place);
    else if (state.preceded_by == none || reached[state.preceded_by])
      into.unreached.push_back(state.state.place);
  }
}

Automaton remove_transit_states(RawAutomaton raw, Protocol& protocol, const SourceSet& sources) {
  Automaton result;
  result.raw_size = raw.states.size();
  keep_labels_of_runs(raw, protocol);
  break_cycles(raw, protocol);
  Landings landings(raw, protocol);
  pass_on_labels(raw, landings);

  const Landing start = landings.of(raw.initial);
  result.initial_assignments = start.assignments;
  std::vector<bool> kept(raw.states.size());
  std::vector<StateId> waiting{start.state}, order{start.state};
  kept[start.state] = true;
  while (!waiting.empty()) {
    const StateId s = waiting.back();
    waiting.pop_back();
    for (Transition& t : raw.states[s].state.transitions) {
      const Landing& landing = landings.of(t.target);
      t = compose_after(std::move(t), landing.assignments, protocol);
      t.target = landing.state;
      t.ends_inside = t.ends_inside && landing.is_inside;
      if (kept[t.target]) continue;
      kept[t.target] = true;
      waiting.push_back(t.target);
      order.push_back(t.target);
    }
  }
  if (!kept[raw.end]) order.push_back(raw.end);
  // The initial state is number 0, the others follow in the order of the text, the end comes last.
  std::sort(order.begin() + 1, order.end(), [&](StateId a, StateId b) {
    return std::pair(raw.states[a].source_order, a) < std::pair(raw.states[b].source_order, b);
  });
  std::vector<StateId> number(raw.states.size(), none);
  for (StateId i = 0; i < order.size(); ++i) number[order[i]] = i;
  for (StateId s = 0; s < raw.states.size(); ++s) {
    const auto& labels = raw.states[s].state.labels;
    if (number[s] == none && !raw.states[s].is_transit())
      result.lost_labels.insert(result.lost_labels.end(), labels.begin(), labels.end());
  }
  for (const StateId s : order) {
    ControlState& state = result.states.emplace_back(std::move(raw.states[s].state));
    for (Transition& t : state.transitions) {
      t.target = number[t.target];
      t.origins = {{number[s], t.target, t.statements}};
    }
    result.labels.push_back(label_of(state));
    result.places.push_back(state.place);
    state.name =
        result.labels.back().empty() ? sources.line_and_column(state.place) : result.labels.back();
    state.merged = {number[s]};
  }
  result.initial = result.initial_origin = 0;
  result.end = number[raw.end];
  result.transit_free_size = result.states.size();
  return result;
}

}  // namespace panoptes
