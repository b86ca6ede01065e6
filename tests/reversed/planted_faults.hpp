// SPDX-License-Identifier: Apache-2.0
// Deliberate faults of what goes backwards, each of which a comparison must catch.
//
// Nothing in the program knows of them: a fault is a change of what is handed to it or of what it
// gives back, such that the whole does what an engine with that fault would do. Rules are changed
// for those who go backwards alone, and a claim before it is taken a step back or behind that.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "backward/reversed_program.hpp"

namespace panoptes::backward {

struct PlantedFault {
  // Whose fault it is, and with what it is compared.
  enum class Where {
    steps,    // rules backwards: with every step that there is
    facts,    // what is possible together: with all reachable states
    sums,     // what must balance: with the same
    claims,   // of a proof: with what a certificate must be
    checker,  // of proofs by a solver: with formulas that are no contradiction
  };
  std::string name;
  Where where;
  std::function<void(Program&)> in_rules = {};
  std::function<void(ReversedProgram&, RuleId, Claim&)> in_claim = {};
  std::function<void(ReversedProgram&, RuleId, std::vector<Claim>&)> in_answer = {};
};

// ---- faults -----------------------------------------------------------------------------------

// Says nothing any more of the variables that the rule looks at, or of those that it changes.
inline void forget_variables(ReversedProgram& reversed, RuleId rule, bool are_changed,
                             Claim& claim) {
  const std::vector<std::size_t>& changed = reversed.predecessors.changes(rule);
  for (const std::size_t place : reversed.predecessors.touches(rule)) {
    const bool is_variable =
        place >= reversed.space.variable(0) && place < reversed.space.subset(0);
    const bool is_changed = std::find(changed.begin(), changed.end(), place) != changed.end();
    if (is_variable && is_changed == are_changed) reversed.space.forget(claim, place);
  }
}

// The first message comes last, where all are known.
inline void turn_channel(ReversedProgram& reversed, ChannelId channel, Claim& claim) {
  ChannelClaim said = reversed.space.channel(claim, channel);
  if (said.most > 0 || said.known.size() < 2) return;
  std::rotate(said.known.begin(), said.known.begin() + 1, said.known.end());
  reversed.space.put(claim, channel, std::move(said));
}

inline void fill_holes(ReversedProgram& reversed, Claim& claim) {
  for (std::size_t place = 0; place < reversed.space.numbers(); ++place) {
    const ValueSet& set = reversed.space.number(claim, place);
    reversed.space.put(claim, place, ValueSet(set.low(), set.high()));
  }
}

// The first rule that sends is never enabled; or it does nothing.
inline Rule& first_send(Program& program) {
  return *std::find_if(program.rules.begin(), program.rules.end(),
                       [](const Rule& rule) { return rule.kind == ActionKind::send; });
}
inline void leave_out_a_send(Program& program) {
  first_send(program).conditions = {program.protocol.expressions.constant(0)};
}
inline void do_nothing(Program& program) {
  Rule& rule = first_send(program);
  rule.moves[0].to = rule.moves[0].from;
  rule.kind = ActionKind::internal;
  rule.channel = none;
}

inline std::vector<PlantedFault> all_planted_faults() {
  using Where = PlantedFault::Where;
  return {
      {.name = "a condition overwrites what was claimed of its variable",
       .where = Where::steps,
       .in_claim = [](ReversedProgram& reversed, RuleId rule,
                      Claim& claim) { forget_variables(reversed, rule, false, claim); }},
      {.name = "what was claimed of a variable that is assigned is forgotten",
       .where = Where::steps,
       .in_claim = [](ReversedProgram& reversed, RuleId rule,
                      Claim& claim) { forget_variables(reversed, rule, true, claim); }},
      {.name = "an assignment is reversed without its condition",
       .where = Where::steps,
       .in_rules =
           [](Program& program) {
             for (Rule& rule : program.rules)
               if (!rule.assignments.empty()) rule.conditions.clear();
           }},
      {.name = "a send is undone at the head of its channel",
       .where = Where::steps,
       .in_claim =
           [](ReversedProgram& reversed, RuleId id, Claim& claim) {
             const Rule& rule = reversed.program.rules[id];
             if (rule.kind == ActionKind::send) turn_channel(reversed, rule.channel, claim);
           }},
      {.name = "what was received is put back at the end of its channel",
       .where = Where::steps,
       .in_answer =
           [](ReversedProgram& reversed, RuleId id, std::vector<Claim>& answer) {
             const Rule& rule = reversed.program.rules[id];
             if (rule.kind != ActionKind::receive) return;
             for (Claim& claim : answer) turn_channel(reversed, rule.channel, claim);
           }},
      {.name = "sets of values lose their holes",
       .where = Where::steps,
       .in_answer =
           [](ReversedProgram& reversed, RuleId, std::vector<Claim>& answer) {
             for (Claim& claim : answer) fill_holes(reversed, claim);
           }},
      {.name = "facts that a rule brings together are dropped",
       .where = Where::facts,
       .in_rules = leave_out_a_send},
      {.name = "a rule is not added up in what must balance",
       .where = Where::sums,
       .in_rules = do_nothing},
      {.name = "a claim of a proof is generalised too far",
       .where = Where::claims,
       .in_claim =
           [](ReversedProgram& reversed, RuleId, Claim& claim) {
             for (std::size_t place = 0; place < claim.size() / 2; ++place)
               reversed.space.forget(claim, place);
           }},
      {.name = "a step of a solver's proof is believed", .where = Where::checker},
  };
}

}  // namespace panoptes::backward
