// SPDX-License-Identifier: Apache-2.0
// The second, simple program that checks every result: a trail is shown only if the interpreter can
// walk it from the initial state, and sees at its end the very error it was found for.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/turn.hpp"
#include "verdict/trail.hpp"

namespace panoptes {

std::string message_of(const Interpreter& interpreter, RuleId id, StateView state) {
  const Program& program = interpreter.program();
  const Rule& rule = program.rules[id];
  if (rule.tag == 0) return {};
  const Channel& channel = program.protocol.channels[rule.channel];
  if (rule.kind == ActionKind::send || rule.kind == ActionKind::lose) {
    const auto values = interpreter.values_sent(id, state);
    return values ? message_text(program.protocol, rule.channel, rule.tag, *values)
                  : channel.sort[rule.tag - 1].name;
  }
  const Message message = contents(program.layout.channels[rule.channel], state)[rule.position];
  return message_text(program.protocol, rule.channel, message.tag, message.values);
}

void match_sends(const Program& program, StateView start, std::vector<TrailStep>& steps) {
  std::vector<std::deque<std::optional<std::size_t>>> queues(program.protocol.channels.size());
  for (ChannelId c = 0; c < queues.size(); ++c)
    queues[c].resize(length(program.layout.channels[c], start));
  for (TrailStep& step : steps) step.taken_at = step.sent_at = std::nullopt;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Rule& rule = program.rules[steps[i].rule];
    if (rule.kind == ActionKind::send) {
      const Channel& channel = program.protocol.channels[rule.channel];
      if (channel.is_rendezvous())
        steps[i].taken_at = i;
      else if (!channel.is_sink)
        queues[rule.channel].push_back(i);
    }
    if (rule.kind == ActionKind::flush) queues[rule.channel].clear();
    if (rule.kind != ActionKind::receive && rule.kind != ActionKind::copy) continue;
    auto& queue = queues[rule.channel];
    if (queue.size() <= rule.position) continue;
    steps[i].sent_at = queue[rule.position];
    if (rule.kind == ActionKind::copy) continue;
    if (const auto sender = queue[rule.position]) steps[*sender].taken_at = i;
    queue.erase(queue.begin() + rule.position);
  }
}

namespace {

// Whether the process may take the rule where it moves alone (Stepper::expand_alone). If not it has
// waited before it, be it for nobody to move or for a partner, and the sequence is another step.
bool may_go_on(const Program& program, ProcessId alone, RuleId id) {
  for (const ProcessMove& move : program.rules[id].moves) {
    if (move.process != alone) continue;
    const ControlInfo& info = program.at(alone, move.from);
    for (std::size_t round = 0; round < program.rounds.size(); ++round)
      if (program.rounds[round].rule_class == 0 && id >= info.rules[round].first &&
          id < info.rules[round].end)
        return true;
  }
  return false;
}

}  // namespace

// Where the process that moves alone has to wait, a step is over.
std::uint64_t search_depth(const Program& program, const std::vector<RuleId>& rules,
                           bool ends_in_failure) {
  std::uint64_t steps = 0;
  ProcessId alone = none;
  for (const RuleId id : rules) {
    const Rule& rule = program.rules[id];
    steps += alone == none || !may_go_on(program, alone, id);
    alone = alone_after(rule);
  }
  return steps - (ends_in_failure && steps > 0 ? 1 : 0);
}

Place place_of(const Program& program, const TrailStep& step) {
  return step.statements.empty() ? place_of(program, program.rules[step.rule])
                                 : program.protocol.statements[step.statements.front()].place;
}

bool is_event(const Program& program, const TrailStep& step) {
  const Rule& rule = program.rules[step.rule];
  switch (rule.kind) {
    case ActionKind::send:
    case ActionKind::lose:
    case ActionKind::copy:
    case ActionKind::timeout: return true;
    case ActionKind::receive: return rule.position > 0;
    case ActionKind::flush:
      return head_tag(program.layout.channels[rule.channel], step.before) != 0;
    default: return false;
  }
}

std::size_t Trail::event_count(const Program& program) const {
  return static_cast<std::size_t>(std::count_if(
      steps.begin(), steps.end(), [&](const TrailStep& step) { return is_event(program, step); }));
}

namespace {

// Fires `rules` from the state in `batch` on and leaves the last one there.
bool walk(Turn& turn, const std::vector<RuleId>& rules, StateBatch& batch, Positions& positions,
          Trail& trail, const Deadline& deadline, std::string& problem) {
  const Interpreter& interpreter = turn.interpreter();
  const Program& program = interpreter.program();
  SuccessorBatch successors;
  std::vector<Finding> findings;
  for (const RuleId rule : rules) {
    if (deadline.has_passed()) return false;
    findings.clear();
    turn.expand(batch, successors, findings);
    const auto found = std::find(successors.rules.begin(), successors.rules.end(), rule);
    if (found == successors.rules.end()) {
      problem = fmt::format("step {} ({}) cannot be replayed", trail.steps.size() + 1,
                            program.rules[rule].text);
      return false;
    }
    const StateView after =
        successors.states[static_cast<std::size_t>(found - successors.rules.begin())];
    const Rule& fired = program.rules[rule];
    std::vector<StatementId> statements = positions.statements(rule);
    positions.take(rule);
    trail.steps.push_back({rule,
                           batch.words,
                           message_of(interpreter, rule, batch[0]),
                           {},
                           std::move(statements),
                           positions.of(fired.owner().process)});
    trail.steps.back().begins_inside = !turn.is_outside();
    turn.take(rule, batch[0], after);
    batch.words.assign(after.begin(), after.end());
  }
  trail.last = batch.words;
  trail.whereabouts = positions.of_all();
  return true;
}

constexpr std::size_t most_states_behind = 10'000;

// Calls `look` for every state that can be reached from `state`, with its successors, as far as
// `most_states_behind` tell, until it finds what it looks for. False where it never does. A step
// that fails, or a state without any, is always found.
template <typename Look>
bool find_behind(const Program& program, const StateWords& state, Look look) {
  IndivisibleStepper stepper(std::make_unique<Interpreter>(program));
  SuccessorBatch successors;
  std::vector<Finding> findings;
  std::set<StateWords> seen{state};
  std::deque<StateWords> waiting{state};
  for (; !waiting.empty(); waiting.pop_front()) {
    const StateBatch batch{program.layout.words, waiting.front()};
    stepper.expand(batch, successors, findings);
    if (!findings.empty() || successors.size() == 0 || look(batch[0], successors)) return true;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const StateView next = successors.states[i];
      if (seen.size() < most_states_behind && seen.emplace(next.begin(), next.end()).second)
        waiting.emplace_back(next.begin(), next.end());
    }
  }
  return false;
}

// Whether some state that can be reached from `state` has a way out of a livelock. Who moves there,
// and where everybody is, goes to `shape`.
bool has_way_out(const Program& program, const StateWords& state, LivelockShape& shape) {
  const std::vector<bool> external = external_moves(program);
  shape.places.resize(program.control.size());
  return find_behind(program, state, [&](StateView at, const SuccessorBatch& successors) {
    if (may_end(program, at)) return true;
    for (ProcessId p = 0; p < program.control.size(); ++p)
      shape.places[p].insert(static_cast<StateId>(read(program.layout.control[p], at)));
    for (const RuleId rule : successors.rules) {
      if (external[rule]) return true;
      for (const ProcessMove& move : program.rules[rule].moves) shape.moving.insert(move.process);
    }
    return false;
  });
}

bool can_move_again(const Program& program, const StateWords& state, ProcessId process) {
  const auto moves = [&](RuleId rule) { return program.rules[rule].moves_process(process); };
  return find_behind(program, state, [&](StateView, const SuccessorBatch& successors) {
    return std::ranges::any_of(successors.rules, moves) ||
           std::ranges::any_of(successors.inside, moves);
  });
}

}  // namespace

std::optional<Trail> replay(const Program& program, const std::vector<RuleId>& rules,
                            const Finding& finding, const ErrorKey& key, ReceptionPolicy receptions,
                            std::string& problem, const Deadline& deadline) {
  Turn turn(program);
  StateBatch batch{program.layout.words, program.initial};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  Positions positions(program);
  Trail trail;
  if (!walk(turn, rules, batch, positions, trail, deadline, problem)) return {};
  turn.expand(batch, successors, findings);
  if (turn.is_outside()) examine(program, batch, successors, receptions, findings);
  const bool confirmed = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
    // The same member of a family: the key leaves that open.
    return f.rule == finding.rule && f.process == finding.process && f.channel == finding.channel &&
           f.assertion == finding.assertion && key_of(program, f, batch[0]) == key;
  });
  if (!confirmed) {
    problem = fmt::format("the {} at the end of a trail of {} steps does not show on replay",
                          to_string(finding.kind), rules.size());
    return {};
  }
  if (finding.rule != none) {
    trail.ends_in_failure = true;
    trail.steps.push_back({finding.rule,
                           batch.words,
                           message_of(turn.interpreter(), finding.rule, batch[0]),
                           {},
                           positions.statements(finding.rule),
                           {}});
  }
  match_sends(program, program.initial, trail.steps);
  return trail;
}

std::optional<Trail> follow(const Program& program, const std::vector<RuleId>& rules,
                            std::string& problem) {
  StateBatch batch{program.layout.words, program.initial};
  Turn turn(program);
  Positions positions(program);
  Trail trail;
  if (!walk(turn, rules, batch, positions, trail, {}, problem)) return {};
  match_sends(program, program.initial, trail.steps);
  return trail;
}

namespace {

// Whether the run stays where it is: nobody can move, and no step fails.
bool is_end(Turn& turn, const StateBatch& state) {
  SuccessorBatch successors;
  std::vector<Finding> findings;
  turn.expand(state, successors, findings);
  return successors.size() == 0 && findings.empty();
}

}  // namespace

std::optional<LassoTrail> replay_lasso(const Program& program, const Lasso& lasso,
                                       std::string& problem, const Deadline& deadline) {
  LassoTrail trail;
  StateBatch batch{program.layout.words, program.initial};
  Turn turn(program);
  Positions positions(program);
  if (!walk(turn, lasso.way, batch, positions, trail.way, deadline, problem)) return {};
  Trail again;
  for (Trail* const round : {&trail.cycle, &again}) {
    if (!walk(turn, lasso.cycle, batch, positions, *round, deadline, problem)) return {};
    if (round->last == trail.way.last) continue;
    problem = fmt::format("a cycle of {} steps does not lead back on replay", lasso.cycle.size());
    return {};
  }
  if (lasso.cycle.empty() && !is_end(turn, batch)) {
    problem = fmt::format("a run of {} steps does not end there on replay", lasso.way.size());
    return {};
  }
  match_sends(program, program.initial, trail.way.steps);
  match_sends(program, trail.way.last, trail.cycle.steps);
  return trail;
}

std::optional<LassoTrail> replay_livelock(const Program& program, const Lasso& lasso,
                                          LivelockShape& shape, std::string& problem,
                                          const Deadline& deadline) {
  auto trail = replay_lasso(program, lasso, problem, deadline);
  if (!trail) return {};
  if (lasso.cycle.empty() || has_way_out(program, trail->way.last, shape)) {
    problem = fmt::format("there is a way out of a cycle of {} steps", lasso.cycle.size());
    return {};
  }
  return trail;
}

std::optional<Trail> replay_stuck(const Program& program, const std::vector<RuleId>& way,
                                  ProcessId process, std::string& problem,
                                  const Deadline& deadline) {
  StateBatch batch{program.layout.words, program.initial};
  Turn turn(program);
  Positions positions(program);
  Trail trail;
  if (!walk(turn, way, batch, positions, trail, deadline, problem)) return {};
  const auto at = static_cast<StateId>(read(program.layout.control[process], trail.last));
  if (program.at(process, at).may_stop || can_move_again(program, trail.last, process)) {
    problem = fmt::format("{} is not stuck behind a trail of {} steps",
                          program.protocol.processes[process].name, way.size());
    return {};
  }
  match_sends(program, program.initial, trail.steps);
  return trail;
}

namespace {

bool assigns_shared(const Program& program, const std::vector<Assignment>& assignments) {
  return std::any_of(assignments.begin(), assignments.end(), [&](const Assignment& a) {
    return program.protocol.variables[a.variable].process == none;
  });
}

// By control state: whether something external may be done from there on without leaving the
// indivisible sequence that it lies in.
std::vector<bool> external_inside(const Program& program, const Automaton& automaton) {
  std::vector<bool> result(automaton.states.size());
  for (bool changes = true; changes;) {
    changes = false;
    for (StateId s = 0; s < result.size(); ++s)
      for (const Transition& t : automaton.states[s].transitions) {
        if (result[s]) break;
        result[s] = t.kind == ActionKind::send || t.kind == ActionKind::receive ||
                    t.kind == ActionKind::receive_default || t.kind == ActionKind::flush ||
                    assigns_shared(program, t.assignments) || (t.ends_inside && result[t.target]);
        changes = changes || result[s];
      }
  }
  return result;
}

}  // namespace

bool is_external(const Program& program, const Rule& rule) {
  switch (rule.kind) {
    case ActionKind::send:
    case ActionKind::lose:
    case ActionKind::receive:
    case ActionKind::copy:
    case ActionKind::flush: return true;
    default: break;
  }
  return rule.moves.size() > 1 || assigns_shared(program, rule.assignments);
}

std::vector<bool> external_moves(const Program& program) {
  std::vector<std::vector<bool>> inside;
  if (has_indivisible(program))
    for (const Process& process : program.protocol.processes)
      inside.push_back(external_inside(program, process.automaton));
  std::vector<bool> result;
  for (const Rule& rule : program.rules) {
    const ProcessMove& last = rule.moves[rule.moves.size() - 1];
    result.push_back(is_external(program, rule) ||
                     (rule.ends_inside && inside[last.process][last.to]));
  }
  return result;
}

bool may_end(const Program& program, StateView state) {
  for (ProcessId p = 0; p < program.control.size(); ++p)
    if (!program.at(p, static_cast<StateId>(read(program.layout.control[p], state))).may_stop)
      return false;
  return true;
}

}  // namespace panoptes
