// SPDX-License-Identifier: Apache-2.0
// The examples of Holzmann, Backward Symbolic Execution of Protocols, as both searches see them:
// how many potential deadlocks there are, and which can be reached.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "reversed/forwards.hpp"
#include "support/program.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;
using test::model_text;
using Candidates = std::vector<Targets::Candidate>;

// The rules lead from the initial state into a claim.
void expect_to_lead_into(ReversedProgram& reversed, const Targets::Candidate& candidate,
                         const std::vector<RuleId>& way) {
  const Interpreter interpreter(reversed.program);
  StateWords state = reversed.program.initial, next;
  std::vector<Finding> findings;
  for (const RuleId rule : way) {
    ASSERT_EQ(interpreter.fire(rule, state, next, findings), Interpreter::Firing::successor);
    state = next;
  }
  EXPECT_TRUE(
      std::any_of(candidate.claims.begin(), candidate.claims.end(),
                  [&](const Claim& claim) { return reversed.space.contains(claim, state); }))
      << to_text(reversed.program, candidate.target);
}

// The names of those that can be reached; both searches must know, and say the same.
std::vector<std::string> reachable_of(ReversedProgram& reversed, const Candidates& candidates) {
  ClaimSearch search(reversed);
  const PossibleTogether together(reversed, {});
  ReachableSample sample(reversed, 20, {});
  Induction induction(reversed, &together, sample);
  const std::vector<BackwardAnswer> induced = induction.search(candidates, {});
  std::vector<std::string> reachable;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const BackwardAnswer claimed = search.search(candidates[i], {});
    const std::string name = to_text(reversed.program, candidates[i].target);
    EXPECT_NE(claimed.reachability, Reachability::unknown) << name << ": " << claimed.reason;
    EXPECT_EQ(claimed.reachability, induced[i].reachability) << name << ": " << induced[i].reason;
    for (const BackwardAnswer* answer : {&claimed, &induced[i]})
      for (const auto& way : answer->ways) expect_to_lead_into(reversed, candidates[i], way);
    if (claimed.reachability == Reachability::reachable) reachable.push_back(name);
  }
  return reachable;
}

struct Settled {
  double count;
  std::size_t made;
  std::vector<std::string> reachable;
  friend bool operator==(const Settled&, const Settled&) = default;
};
void PrintTo(const Settled& settled, std::ostream* out) {
  *out << settled.count << ", " << settled.made << " made";
  for (const std::string& name : settled.reachable) *out << "; " << name;
}

Settled settled(const std::string& text, const test::Setup& setup = {}) {
  const Compiled compiled = compile(text, setup);
  ReversedProgram reversed(compiled.program);
  const auto candidates = reversed.potential_deadlocks({});
  EXPECT_TRUE(candidates);
  return {potential_deadlock_count(compiled.program), candidates->size(),
          reachable_of(reversed, *candidates)};
}

TEST(PotentialDeadlocks, AreAsManyAsThePaperSaysAndOneOfThemIsReal) {
  for (const bool minimise : {true, false}) {
    test::Setup setup;
    setup.minimise = minimise;
    EXPECT_EQ(
        settled(model_text("setup_handshake"), setup),
        (Settled{47, 47, {"potential deadlock at sender 25:25, receiver 50:27, channel 67:3"}}));
    EXPECT_EQ(settled(model_text("lost_message"), setup),
              (Settled{5, 5, {"potential deadlock at sender 22:3, receiver 30:3"}}));
  }
}

// One pair of wait states, and two in which one process is at its end.
TEST(PotentialDeadlocks, OfTheExchangeCannotBeReachedButItsUnspecifiedReceptionCan) {
  EXPECT_EQ(settled(model_text("exchange")), (Settled{3, 3, {}}));

  const Compiled compiled = compile(model_text("exchange"));
  ReversedProgram reversed(compiled.program);
  auto candidates = reversed.candidates(ReceptionPolicy::blocked, {});
  ASSERT_TRUE(candidates);
  std::erase_if(*candidates, [](const Targets::Candidate& candidate) {
    return candidate.target.kind != ErrorKind::unspecified_reception;
  });
  EXPECT_EQ(reachable_of(reversed, *candidates),
            std::vector<std::string>{"unspecified_reception in B at 24:9 of m2 from B"});
}

// The state that the paper calls a deadlock, with both processes in row 2 of their tables.
// Reversing a condition into an assignment would lose that N is 2, and reach it. Forwards it is
// reached, but only where both are at the beginning of their loops and can go on.
TEST(PotentialDeadlocks, WhatTheFlowControlIsSaidToReachCannotBeReachedThere) {
  const Compiled compiled = compile(model_text("flow_control"));
  ReversedProgram reversed(compiled.program);
  ClaimSpace& space = reversed.space;
  Claim anywhere = space.everything();
  for (VariableId v = 0; v < 2; ++v) space.put(anywhere, space.variable(v), ValueSet::only(2));
  for (ChannelId c = 0; c < 4; ++c) {
    const std::string& name = compiled.program.protocol.channels[c].name;
    const std::uint32_t messages = name == "A" || name == "B" ? 2 : 0;
    space.put(anywhere, c, {.least = messages, .most = messages});
  }
  const auto at_row = [&](StateId row) {
    Claim claim = anywhere;
    for (ProcessId p = 0; p < 2; ++p) space.put(claim, space.control(p), ValueSet::only(row));
    return claim;
  };
  const Candidates candidates{{{.control = {2, 2}}, {at_row(2)}}};
  EXPECT_EQ(to_text(compiled.program, candidates[0].target), "deadlock at A 37:6, B 52:6");
  EXPECT_EQ(reachable_of(reversed, candidates), std::vector<std::string>{});

  std::size_t reached = 0, reached_in_row_0 = 0;
  for_each_reachable(compiled.program, ReceptionPolicy::blocked, 1'000,
                     [&](const StateBatch& batch, const std::vector<Finding>&) {
                       reached += space.contains(anywhere, batch[0]);
                       reached_in_row_0 += space.contains(at_row(0), batch[0]);
                     });
  EXPECT_EQ(reached, 1u);
  EXPECT_EQ(reached_in_row_0, 1u);
}

// Nobody waits for ever who may time out: only where its guard does not hold.
TEST(PotentialDeadlocks, CannotBeReachedWhereSomebodyMayTimeOutOrAllMayStop) {
  const auto settled_with = [](const std::string& body) {
    return settled("queue a = { };\nproc q { a!m }\nvar n = 0;\nproc p {\n" + body + "\n}\n");
  };
  EXPECT_EQ(settled_with("do :: a?m :: when (n < 2) a?timeout -> n++ od").reachable,
            std::vector<std::string>{"potential deadlock at q end, p 5:1"});
  EXPECT_EQ(settled_with("do :: a?m :: a?timeout od"), (Settled{1, 1, {}}));
  EXPECT_EQ(settled_with("end: do :: a?m od"), (Settled{1, 1, {}}));
}

TEST(PotentialDeadlocks, MayBeTooManyToBeMadeAndAreCountedThen) {
  const Compiled compiled = compile(
      "channel a[1..20][1];\n"
      "proc p[i : 1..20] { a[i]?m; a[i]?m; a[i]?m; a[i]?m; a[i]?m; a[i]?m; a[i]?m; a[i]?m; a[i]?m "
      "}\n"
      "proc q { a[1]!m; a[2]!m }\n");
  EXPECT_EQ(potential_deadlock_count(compiled.program), 1e20 - 1);
  ReversedProgram reversed(compiled.program);
  const auto candidates = reversed.potential_deadlocks({});
  ASSERT_FALSE(candidates);
  EXPECT_EQ(candidates.failure(), "work");
}

}  // namespace
}  // namespace panoptes::backward
