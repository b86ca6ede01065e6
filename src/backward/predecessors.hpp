// SPDX-License-Identifier: Apache-2.0
// Rules backwards: from which states does a rule lead into a claim?
//
// What a rule assigns is forgotten, and its value must be what was claimed of it; what it sends
// must be the last message of its channel, which is gone then; what it receives is put back where
// it was. What it asks of the state is claimed beside all that is claimed already. A conflict
// leaves nothing. No state is left out and none is added, so a way back from an error to the
// initial state is a way there.
//
// Thread safety: one thread.
#pragma once

#include <vector>

#include "backward/rule_conditions.hpp"
#include "backward/solve.hpp"

namespace panoptes {

class Predecessors {
 public:
  // All of them outlive it; the conditions are those of the program.
  Predecessors(const Program& program, const RuleConditions& conditions, ClaimSpace& space,
               Solver& solver);

  // The states with a successor by `rule` in the claim.
  std::vector<Claim> before(const Claim& claim, RuleId rule);
  // The states in which `process` moves alone and waits, so that anybody may move from there on:
  // the same states, in the claim.
  std::vector<Claim> before_waiting(const Claim& claim, ProcessId process);

  // Claims on what was before, and what expressions must be there.
  struct Draft {
    Claim claim;
    std::vector<Demand> demands;
  };
  // The same states where they may be too many to be claims: of what is asked of them, that is
  // solved which narrows a claim, and the rest is left as a demand.
  std::vector<Draft> drafts_before(const Claim& claim, RuleId rule);
  std::vector<Draft> drafts_before_waiting(const Claim& claim, ProcessId process);
  // Whether the moves of the rule lead into the claim; if not, before() has nothing.
  bool may_lead_into(const Claim& claim, RuleId rule) const;
  // Which places of a claim the rule changes, in order.
  const std::vector<std::size_t>& changes(RuleId rule) const { return changes_[rule]; }
  // Which places of a claim the rule changes or looks at.
  std::vector<std::size_t> touches(RuleId rule) const;
  // Whether before() could say nothing but what lies within the claim.
  bool is_beside(const Claim& claim, RuleId rule) const;

  // Those of `claims` in which no rule is enabled of which the process is the owner and for which
  // `counts`.
  template <typename Counts>
  std::vector<Claim> where_idle(const std::vector<Claim>& claims, ProcessId process, Counts counts);
  // The same for all processes.
  template <typename Counts>
  std::vector<Claim> where_all_idle(std::vector<Claim> claims, Counts counts);

  // The same left open: no such rule is enabled.
  template <typename Counts>
  void demand_idle(Draft& draft, ProcessId process, Counts counts);
  // Solves of what is demanded what narrows the claim; whether anything is left.
  bool narrow(Draft& draft);

  // The rules that lead to `to`, where their owner is then.
  const std::vector<RuleId>& leading_to(ProcessId owner, StateId to) const {
    return leading_to_[owner][to];
  }
  // Who can move alone.
  const std::vector<ProcessId>& loners() const { return loners_; }

 private:
  std::vector<Draft> effects_back(const Claim& claim, const Rule& rule);
  std::vector<Draft> narrowed(std::vector<Draft> drafts);
  bool moves_back(const Claim& claim, const Rule& rule, Draft& draft);
  bool assertions_back(const Claim& claim, const Rule& rule, Draft& draft);
  std::vector<Draft> channel_back(const Claim& claim, const Rule& rule, const Draft& draft);
  void send_back(const Claim& claim, const Rule& rule, const Draft& draft,
                 std::vector<Draft>& drafts);
  bool receive_back(const Claim& claim, const Rule& rule, Draft& draft);
  void assignments_back(const Claim& claim, const Rule& rule, std::size_t first, Draft draft,
                        std::vector<std::pair<VariableId, ExpressionId>>& assigned,
                        std::vector<Draft>& drafts);
  std::vector<Claim> solved(const Draft& draft, RuleId rule);

  const Program& program_;
  const RuleConditions& conditions_;
  ClaimSpace& space_;
  Solver& solver_;
  std::vector<std::vector<std::vector<RuleId>>> leading_to_;  // by owner and control state
  std::vector<ProcessId> loners_;
  std::vector<std::vector<std::size_t>> changes_;  // by rule
};

template <typename Counts>
std::vector<Claim> Predecessors::where_idle(const std::vector<Claim>& claims, ProcessId process,
                                            Counts counts) {
  const std::size_t place = space_.control(process);
  std::vector<Claim> found;
  for (const Claim& claim : claims) {
    // Control states in which it is idle for the same reason stay together.
    std::vector<std::pair<Claim, ValueSet>> answers;
    const ValueSet states = space_.number(claim, place);
    states.for_each([&](std::int64_t state) {
      Claim one = claim;
      space_.put(one, place, ValueSet::only(state));
      std::vector<Claim> idle{one};
      for_each_rule(program_.at(process, static_cast<StateId>(state)), [&](RuleId rule) {
        if (counts(rule)) idle = solver_.where(idle, conditions_.enabled(rule), false);
      });
      for (Claim& answer : idle) {
        answer[place] = claim[place];
        auto same = answers.begin();
        while (same != answers.end() && same->first != answer) ++same;
        if (same == answers.end()) same = answers.insert(same, {std::move(answer), ValueSet()});
        same->second.add(state);
      }
    });
    for (auto& [answer, at] : answers) {
      space_.put(answer, place, at);
      found.push_back(std::move(answer));
    }
  }
  leave_out_inner(space_, found);
  return found;
}

template <typename Counts>
void Predecessors::demand_idle(Draft& draft, ProcessId process, Counts counts) {
  space_.number(draft.claim, space_.control(process)).for_each([&](std::int64_t state) {
    for_each_rule(program_.at(process, static_cast<StateId>(state)), [&](RuleId rule) {
      if (counts(rule)) solver_.add_demands(conditions_.enabled(rule), false, draft.demands);
    });
  });
}

template <typename Counts>
std::vector<Claim> Predecessors::where_all_idle(std::vector<Claim> claims, Counts counts) {
  for (ProcessId p = 0; p < program_.control.size() && !claims.empty(); ++p)
    claims = where_idle(claims, p, counts);
  return claims;
}

}  // namespace panoptes
