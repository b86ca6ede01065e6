// SPDX-License-Identifier: Apache-2.0
#include "backward/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rules/positions.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_deadlocks = 5'000;  // to be looked at one by one
// What it may take to find the states of one target as claims, and of all deadlocks one by one; and
// what it may, of those that are one target, to find where a rule is enabled. Beyond that it is
// left open.
constexpr std::uint64_t work_for_claims = 100'000;
constexpr std::uint64_t work_for_deadlocks = 4'000'000;
constexpr std::uint64_t work_for_rule = 5'000;

// Where a process waits for messages, or has ended.
std::vector<StateId> waiting_states(const Program& program, ProcessId process) {
  std::vector<StateId> states;
  for (StateId state = 0; state < program.control[process].size(); ++state)
    if (const ControlInfo& info = program.at(process, state); info.receives_only || info.is_end)
      states.push_back(state);
  return states;
}

bool all_of_control(const Program& program, const std::vector<StateId>& control,
                    bool ControlInfo::*is_so) {
  for (ProcessId p = 0; p < control.size(); ++p)
    if (!(program.at(p, control[p]).*is_so)) return false;
  return true;
}

}  // namespace

double potential_deadlock_count(const Program& program) {
  double count = 1, ends = 1;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const std::vector<StateId> states = waiting_states(program, p);
    count *= static_cast<double>(states.size());
    ends *= static_cast<double>(std::count_if(
        states.begin(), states.end(), [&](StateId state) { return program.at(p, state).is_end; }));
  }
  return count - ends;
}

std::string to_text(const Program& program, const Target& target) {
  const Protocol& protocol = program.protocol;
  std::string text(target.is_potential ? "potential " : "");
  text += to_string(target.kind);
  if (target.has_no_value) text = "no value";
  if (!target.control.empty()) {
    text += " at";
    for (ProcessId p = 0; p < target.control.size(); ++p)
      text += fmt::format("{} {} {}", p == 0 ? "" : ",", protocol.processes[p].name,
                          program.state(p, target.control[p]).name);
  }
  if (target.process != none)
    text += fmt::format(" in {} at {}", protocol.processes[target.process].name,
                        program.state(target.process, target.state).name);
  if (target.tag != 0)
    text += fmt::format(" of {}", protocol.channels[target.channel].sort[target.tag - 1].name);
  if (target.channel != none)
    text += fmt::format(" from {}", protocol.channels[target.channel].name);
  if (target.rule != none)
    text += fmt::format(" of {} in {}", program.rules[target.rule].text,
                        protocol.processes[program.rules[target.rule].owner().process].name);
  if (target.assertion != none) text += ": " + words_of(program, target).back();
  return text;
}

Place place_of(const Program& program, const Target& target) {
  if (target.rule != none) return place_of(program, program.rules[target.rule]);
  if (target.process != none) return program.state(target.process, target.state).place;
  if (target.assertion == none) return {};
  return has_invariant(target.kind) ? program.protocol.invariants[target.assertion].place
                                    : program.protocol.assertions[target.assertion].place;
}

std::vector<std::string> words_of(const Program& program, const Target& target) {
  const Protocol& protocol = program.protocol;
  std::vector<std::string> words{std::string(to_string(target.kind))};
  if (target.has_no_value)
    words = {"no value", "no_value", "division_by_zero", "index_out_of_range", "out_of_range"};
  if (target.is_potential) words.insert(words.end(), {"potential", "potential deadlock"});
  const auto add_state = [&](ProcessId process, StateId state) {
    const std::string& name = protocol.processes[process].name;
    words.push_back(name);
    if (const std::size_t index = name.find('['); index != std::string::npos)
      words.push_back(name.substr(0, index));  // its family
    words.push_back(program.state(process, state).name);
  };
  for (ProcessId p = 0; p < target.control.size(); ++p) add_state(p, target.control[p]);
  if (target.process != none) add_state(target.process, target.state);
  if (target.channel != none) words.push_back(protocol.channels[target.channel].name);
  if (target.tag != 0) words.push_back(protocol.channels[target.channel].sort[target.tag - 1].name);
  if (target.rule != none) {
    const ProcessMove& owner = program.rules[target.rule].owner();
    add_state(owner.process, owner.from);
    words.push_back(program.rules[target.rule].text);
  }
  if (target.assertion == none) return words;
  if (has_invariant(target.kind))
    words.push_back(protocol.invariants[target.assertion].name);
  else
    words.push_back(protocol.assertions[target.assertion].name);
  return words;
}

bool goes_by(const Program& program, const Target& target, const std::vector<std::string>& words) {
  const std::vector<std::string> own = words_of(program, target);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(own.begin(), own.end(), word) != own.end();
  });
}

namespace {

Target target_of(const StateError& row) {
  Target target{.kind = row.kind};
  target.channel = row.channel;
  target.assertion = row.assertion;
  target.policies = row.policies;
  return target;
}

Target reception_of(const StateError& row, StateId state, std::uint32_t tag) {
  Target target = target_of(row);
  target.process = row.process;
  target.state = state;
  target.tag = tag;
  return target;
}

Target failure_of(RuleId rule, const RuleConditions::Failure& failure) {
  Target target;
  target.rule = rule;
  target.has_no_value = failure.check == nullptr;
  if (failure.check != nullptr) {
    target.kind = failure.check->kind;
    target.assertion = failure.check->assertion;
  }
  return target;
}

// Calls use(state, tag) for every message that a row is about, and where.
template <typename Use>
void for_each_reception(const Program& program, const StateError& row, const Use& use) {
  const auto tags = static_cast<std::uint32_t>(program.layout.channels[row.channel].tags.size());
  for (StateId state = 0; state < program.control[row.process].size(); ++state)
    for (std::uint32_t tag = 1; tag <= tags && row.predicate_at(state) != none; ++tag)
      use(state, tag);
}

}  // namespace

std::vector<Target> every_target(const Program& program, const RuleConditions& conditions,
                                 ReceptionPolicy receptions) {
  std::vector<Target> found;
  for (const StateError& row : program.errors.states) {
    if (!row.counts_under(receptions)) continue;
    if (row.kind == ErrorKind::unspecified_reception)
      for_each_reception(program, row, [&](StateId state, std::uint32_t tag) {
        found.push_back(reception_of(row, state, tag));
      });
    else if (row.predicate != none)
      found.push_back(target_of(row));
  }
  for (RuleId rule = 0; rule < program.rules.size() && !program.errors.is_question; ++rule) {
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    for (const RuleConditions::Failure& failure : conditions.failures(rule))
      if (Target target = failure_of(rule, failure);
          std::find(found.begin() + first, found.end(), target) == found.end())
        found.push_back(std::move(target));
  }
  return found;
}

// Nobody moves alone in a state that a search looks at.
Claim Targets::outside() const {
  Claim claim = space_.everything();
  if (space_.has_alone()) space_.put(claim, space_.alone(), ValueSet::only(0));
  return claim;
}

void Targets::add(Target target, std::vector<Claim> claims) {
  if (!claims.empty()) found_.push_back({std::move(target), std::move(claims)});
}

void Targets::add(Target target, Predecessors::Draft draft) {
  if (predecessors_.narrow(draft))
    found_.push_back({std::move(target), {std::move(draft.claim)}, {}, std::move(draft.demands)});
}

std::vector<Targets::Candidate> Targets::all(ReceptionPolicy receptions) {
  found_.clear();
  for (const StateError& row : program_.errors.states)
    if (row.counts_under(receptions)) add_row(row);
  if (!program_.errors.is_question)
    for (RuleId rule = 0; rule < program_.rules.size(); ++rule) add_failures(rule);
  return std::move(found_);
}

void Targets::add_row(const StateError& row) {
  if (row.kind == ErrorKind::unspecified_reception) return add_receptions(row);
  if (row.concerns_all) return add_deadlocks(row);
  if (row.predicate == none) return;
  std::vector<Claim> claims = solver_.where(outside(), row.predicate);
  if (row.channel != none) {
    std::vector<Claim> filled;
    for (Claim& claim : claims) {
      ChannelClaim some = space_.channel(claim, row.channel);
      if (some.longest() == 0) continue;
      if (some.shortest() == 0) some.least = 1;
      space_.put(claim, row.channel, std::move(some));
      filled.push_back(std::move(claim));
    }
    claims = std::move(filled);
  }
  if (row.idle == Idle::everybody)
    claims = predecessors_.where_all_idle(std::move(claims), [](RuleId) { return true; });
  add(target_of(row), std::move(claims));
}

// ---- messages that are not accepted -----------------------------------------------------------

void Targets::add_receptions(const StateError& row) {
  for_each_reception(program_, row, [&](StateId state, std::uint32_t tag) {
    Claim claim = outside();
    space_.put(claim, space_.control(row.process), ValueSet::only(state));
    space_.put(
        claim, row.channel,
        {.known = {space_.message(row.channel, tag)}, .most = space_.capacity(row.channel) - 1});
    add_reception(row, claim, reception_of(row, state, tag));
  });
}

// `claim`: it is there and has the message.
void Targets::add_reception(const StateError& row, const Claim& claim, Target target) {
  const ExpressionId predicate = row.predicate_at(target.state);
  auto claims = solver_.within(work_for_claims, [&] {
    std::vector<Claim> found = solver_.where(claim, predicate);
    if (row.idle == Idle::process) found = where_process_idle(std::move(found), row.process);
    return found;
  });
  if (claims) return add(std::move(target), std::move(*claims));
  Predecessors::Draft draft{claim, {}};
  solver_.add_demands(predicate, true, draft.demands);
  for (RuleId rule = 0; rule < program_.rules.size() && row.idle == Idle::process; ++rule) {
    if (!program_.rules[rule].moves_process(row.process)) continue;
    // Of such a rule it is one demand or another.
    if (program_.class_of(rule) > 0) throw TooMuchWork("work");
    solver_.add_demands(conditions_.enabled(rule), false, draft.demands);
  }
  add(std::move(target), std::move(draft));
}

// No rule that moves the process is enabled: it is not, or it waits for one that is.
std::vector<Claim> Targets::where_process_idle(std::vector<Claim> claims, ProcessId process) {
  for (RuleId rule = 0; rule < program_.rules.size() && !claims.empty(); ++rule) {
    if (!program_.rules[rule].moves_process(process)) continue;
    std::vector<Claim> idle = solver_.where(claims, conditions_.enabled(rule), false);
    if (program_.class_of(rule) > 0)
      for (RuleId other = 0; other < program_.rules.size(); ++other)
        if (waits_for(program_, rule, other))
          for (Claim& waits : solver_.where(claims, conditions_.enabled(other)))
            idle.push_back(std::move(waits));
    leave_out_inner(space_, idle);
    claims = std::move(idle);
  }
  return claims;
}

// ---- nobody moves -----------------------------------------------------------------------------

// Rows about everybody: one target for every place where everybody may be, or one for all.
void Targets::add_deadlocks(const StateError& row) {
  const std::size_t others = found_.size();
  const auto found = solver_.within(work_for_deadlocks, [&]() -> std::vector<Claim> {
    if (!add_deadlocks_by_control(row)) throw TooMuchWork("work");
    return {};
  });
  if (found) return;
  found_.resize(others);
  add_deadlocks_as_one(row);
}

void Targets::add_deadlocks_as_one(const StateError& row) {
  Candidate all{target_of(row), solver_.where(outside(), row.predicate), {}, {}};
  for (RuleId rule = 0; rule < program_.rules.size(); ++rule) {
    const ExpressionId enabled = conditions_.enabled(rule);
    auto moves = solver_.within(work_for_rule, [&] { return solver_.where(outside(), enabled); });
    if (moves)
      std::move(moves->begin(), moves->end(), std::back_inserter(all.unless));
    else
      solver_.add_demands(enabled, false, all.open);
  }
  all.is_one_of_many = true;
  found_.push_back(std::move(all));
}

// False, with nothing added, where there are too many.
bool Targets::add_deadlocks_by_control(const StateError& row) {
  std::map<std::vector<StateId>, std::vector<Claim>> by_control;
  std::vector<StateId> control(program_.control.size());
  std::size_t left = most_deadlocks;
  const auto spread = [&](const auto& self, const Claim& claim, ProcessId p) -> void {
    if (left == 0) return;
    if (p == control.size()) {
      by_control[control].push_back(claim);
      --left;
      return;
    }
    const ValueSet states = space_.number(claim, space_.control(p));
    states.for_each([&](std::int64_t state) {
      control[p] = static_cast<StateId>(state);
      Claim one = claim;
      space_.put(one, space_.control(p), ValueSet::only(state));
      self(self, one, p + 1);
    });
  };
  std::vector<Claim> claims{outside()};
  const auto any = [](RuleId) { return true; };
  for (ProcessId p = 0; p < control.size() && claims.size() <= most_deadlocks; ++p)
    claims = predecessors_.where_idle(claims, p, any);
  if (claims.size() > most_deadlocks) return false;
  for (const Claim& claim : solver_.where(claims, row.predicate)) spread(spread, claim, 0);
  if (left == 0) return false;
  for (auto& [where, states] : by_control) {
    Target target = target_of(row);
    target.control = where;
    leave_out_inner(space_, states);
    add(std::move(target), std::move(states));
  }
  return true;
}

// ---- everybody waits --------------------------------------------------------------------------

std::optional<std::vector<Targets::Candidate>> Targets::potential_deadlocks() {
  found_.clear();
  if (potential_deadlock_count(program_) > double{most_potential_deadlocks}) return {};
  Claim claim = outside();
  for (ChannelId c = 0; c < program_.layout.channels.size(); ++c) space_.put(claim, c, {});
  std::vector<StateId> control;
  add_potential_deadlocks(control, {claim});
  return std::move(found_);
}

// Those in which the first processes are at `control`, and then none of them moves in `claims`.
void Targets::add_potential_deadlocks(std::vector<StateId>& control,
                                      const std::vector<Claim>& claims) {
  const auto process = static_cast<ProcessId>(control.size());
  if (process == program_.control.size()) {
    solver_.spend();
    if (all_of_control(program_, control, &ControlInfo::is_end)) return;
    const bool may_stop = all_of_control(program_, control, &ControlInfo::may_stop);
    Target target;
    target.control = control;
    target.is_potential = true;
    found_.push_back({std::move(target), may_stop ? std::vector<Claim>{} : claims});
    return;
  }
  for (const StateId state : waiting_states(program_, process)) {
    control.push_back(state);
    add_potential_deadlocks(control, where_waiting(claims, process, state));
    control.pop_back();
  }
}

// Those in which the process is there and cannot move. Nothing can be received.
std::vector<Claim> Targets::where_waiting(const std::vector<Claim>& claims, ProcessId process,
                                          StateId state) {
  std::vector<Claim> waiting = claims;
  for (Claim& claim : waiting) space_.put(claim, space_.control(process), ValueSet::only(state));
  for_each_rule(program_.at(process, state), [&](RuleId rule) {
    if (program_.rules[rule].kind != ActionKind::receive)
      waiting = solver_.where(waiting, conditions_.enabled(rule), false);
  });
  return waiting;
}

// ---- steps ------------------------------------------------------------------------------------

void Targets::add_failures(RuleId rule) {
  Claim claim = space_.everything();
  if (space_.has_alone()) {
    ValueSet alone = ValueSet::only(0);
    if (program_.class_of(rule) == 0)
      alone.add(number_of_loner(program_.rules[rule].owner().process));
    space_.put(claim, space_.alone(), alone);
  }
  for (const RuleConditions::Failure& failure : conditions_.failures(rule))
    add_failure(rule, claim, failure.condition, failure_of(rule, failure));
}

void Targets::add_failure(RuleId rule, const Claim& claim, ExpressionId condition, Target target) {
  const bool does_wait = program_.class_of(rule) > 0;
  const auto is_earlier = [&](RuleId other) { return waits_for(program_, rule, other); };
  auto claims = solver_.within(work_for_claims, [&] {
    std::vector<Claim> found = solver_.where(claim, condition);
    return does_wait ? predecessors_.where_all_idle(std::move(found), is_earlier) : found;
  });
  if (claims) return add(std::move(target), std::move(*claims));
  Predecessors::Draft draft{claim, {}};
  solver_.add_demands(condition, true, draft.demands);
  for (ProcessId p = 0; p < program_.control.size() && does_wait; ++p)
    predecessors_.demand_idle(draft, p, is_earlier);
  add(std::move(target), std::move(draft));
}

}  // namespace panoptes
