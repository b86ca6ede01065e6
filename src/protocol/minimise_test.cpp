// SPDX-License-Identifier: Apache-2.0
#include "protocol/minimise.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::protocol_of;
using test::shape;

// The shape of a process with this body, minimised; it has channels a, b, c and a variable x.
std::string minimised(const std::string& text, const AskedNames& asked = {}) {
  const Protocol protocol =
      protocol_of("channel a, b, c;\nproc p var x; { " + text + " }", {.asked = asked});
  return shape(protocol, protocol.processes[0].automaton);
}

TEST(Minimisation, MergesStatesWithTheSameFuture) {
  EXPECT_EQ(minimised("if :: a?m -> b!n; c!k :: a?k -> b!n; c!k :: a?j -> c!k fi"),
            "0 a?m -> 1 | a?k -> 1 | a?j -> 2\n"
            "1 b!n -> 2\n"
            "2 c!k -> 3\n"
            "3 end\n");
}

TEST(Minimisation, UnrollsNoLoopButFoldsOne) {
  EXPECT_EQ(minimised("do :: a?m -> b!n -> a?m -> b!n od"), "0 a?m -> 1\n1 b!n -> 0\n2 end\n");
}

TEST(Minimisation, OfThePapersExampleLeavesFourStates) {
  const Protocol protocol = protocol_of(test::model_text("minimisation"));
  EXPECT_EQ(shape(protocol, protocol.processes[1].automaton),
            "0 receiver?msg1 -> 1 | receiver?msg0 -> 2\n"
            "1 channel!ack1 -> 0\n"
            "2 channel!ack0 -> 0\n"
            "3 end\n");
}

// Language equivalence would make the choice later and lose a deadlock.
TEST(Minimisation, NeverMovesAChoice) {
  const std::string chooser = "if :: a?m -> b?m :: a?m -> skip fi";
  EXPECT_EQ(minimised(chooser), "0 a?m -> 1 | a?m -> 2\n1 b?m -> 2\n2 end\n");
  EXPECT_EQ(minimised(chooser),
            test::first_shape("channel a, b, c; proc p var x; {" + chooser + "}"));
}

TEST(Minimisation, ComparesSuccessorsPerAction) {
  // As sets of successors the two states after a?m and a?n are the same: {b-state, c-state}.
  EXPECT_EQ(minimised("if :: a?m -> if :: b!m -> c!m :: b!n -> c!n fi"
                      " :: a?n -> if :: b!m -> c!n :: b!n -> c!m fi fi"),
            "0 a?m -> 1 | a?n -> 4\n"
            "1 b!m -> 2 | b!n -> 3\n"
            "2 c!m -> 5\n"
            "3 c!n -> 5\n"
            "4 b!m -> 3 | b!n -> 2\n"
            "5 end\n");
}

TEST(Minimisation, MakesOneOfOptionsThatAreAlike) {
  EXPECT_EQ(minimised("if :: a?m -> b!n :: a?m -> b!n fi"), "0 a?m -> 1\n1 b!n -> 2\n2 end\n");
}

TEST(Minimisation, KeepsWhatValuesTellApart) {
  EXPECT_EQ(minimised("if :: a?m -> b!n(1) :: a?k -> b!n(2) :: a?j -> b!n(1) fi"),
            "0 a?m -> 1 | a?k -> 2 | a?j -> 1\n"
            "1 b!n(1) -> 3\n"
            "2 b!n(2) -> 3\n"
            "3 end\n");
  EXPECT_EQ(minimised("if :: a?m -> x = 1 :: a?k -> x = 2 fi"),
            "0 a?m -> 1 | a?k -> 2\n"
            "1 x = 1 {x = 1} -> 3\n"
            "2 x = 2 {x = 2} -> 3\n"
            "3 end\n");
}

TEST(Minimisation, KeepsEndStatesAndTheRealEndApart) {
  EXPECT_EQ(minimised("do :: a?m -> b?m :: a?k -> end: b?m :: a?j -> end_j: b?m od"),
            "0 a?m -> 1 | a?k -> 2 | a?j -> 3\n"
            "1 b?m -> 0\n"
            "2* end: b?m -> 0\n"
            "3* end_j: b?m -> 0\n"
            "4 end\n");
  // A process that can do nothing is not one that has ended.
  EXPECT_EQ(minimised("if :: a?m -> (0) :: a?k fi"), "0 a?m -> 1 | a?k -> 2\n1 (0) -> 2\n2 end\n");
}

// In three states a process waits for the same and goes on alike; two of them have labels.
const char* const waiting = "do :: a?m -> idle: b?m :: a?k -> waiting: b?m :: a?j -> b?m od";

TEST(Minimisation, MergesStatesWithLabelsNobodyAsksFor) {
  EXPECT_EQ(minimised(waiting),
            "0 a?m -> 1 | a?k -> 1 | a?j -> 1\n"
            "1 idle: waiting: b?m -> 0\n"
            "2 end\n");
}

TEST(Minimisation, KeepsStatesApartThatAreAskedFor) {
  EXPECT_EQ(minimised(waiting, {false, {"waiting"}}),
            "0 a?m -> 1 | a?k -> 2 | a?j -> 1\n"
            "1 idle: b?m -> 0\n"
            "2 waiting: b?m -> 0\n"
            "3 end\n");
  const std::string all = minimised(waiting, {true, {}});
  EXPECT_EQ(all,
            "0 a?m -> 1 | a?k -> 2 | a?j -> 3\n"
            "1 idle: b?m -> 0\n"
            "2 waiting: b?m -> 0\n"
            "3 b?m -> 0\n"
            "4 end\n");
  EXPECT_EQ(minimised(waiting, {false, {"waiting", "idle"}}), all);
  // A state without a label is asked for by its place.
  EXPECT_EQ(minimised(waiting, {false, {"2:73"}}),
            "0 a?m -> 1 | a?k -> 1 | a?j -> 2\n"
            "1 idle: waiting: b?m -> 0\n"
            "2 b?m -> 0\n"
            "3 end\n");
}

TEST(Minimisation, KeepsLabelsApartThatMeanSomething) {
  for (const std::string word : {"progress", "progress_made", "accept", "accepting", "endless"})
    EXPECT_NE(minimised("do :: a?m -> b?m :: a?k -> " + word + ": b?m od").find("a?k -> 2"),
              std::string::npos)
        << word;
}

TEST(Minimisation, CallsAMergedStateByAllItsNames) {
  const Protocol protocol = protocol_of(std::string("channel a, b;\nproc p { ") + waiting + " }");
  const Automaton& automaton = protocol.processes[0].automaton;
  EXPECT_EQ(automaton.states[1].name, "idle|waiting|2:66");
  EXPECT_EQ(automaton.labels, (std::vector<std::string>{"", "idle", "waiting", "", "end"}));
}

TEST(Minimisation, KeepsAssertStatementsApart) {
  EXPECT_EQ(minimised("if :: a?m -> assert(x) :: a?k -> assert(x) fi"),
            "0 a?m -> 1 | a?k -> 2\n"
            "1 assert(x) -> 3\n"
            "2 assert(x) -> 3\n"
            "3 end\n");
}

TEST(Minimisation, RemembersWhichStatementsItMerged) {
  const Protocol protocol = protocol_of(
      "channel a, b;\n"
      "proc p { if\n"
      ":: a?m -> b!n\n"
      ":: a?k -> b!n\n"
      "fi }");
  const Automaton& automaton = protocol.processes[0].automaton;
  ASSERT_EQ(automaton.states.size(), 3u);
  EXPECT_EQ(automaton.states[1].merged, (std::vector<StateId>{1, 2}));
  EXPECT_EQ(automaton.places[1], automaton.states[1].place);
  EXPECT_GT(automaton.places[2], automaton.places[1]);
  EXPECT_EQ(automaton.states[1].transitions[0].statements.size(), 2u);
}

}  // namespace
}  // namespace panoptes
