// SPDX-License-Identifier: Apache-2.0
// What is private, and that nothing is lost by not interleaving it.
#include "search/reduce_internal.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/model.hpp"
#include "support/table.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using test::model_text;

// The private states of the first process by number, e.g. "0 2".
std::string private_of(const std::string& text,
                       ReceptionPolicy receptions = ReceptionPolicy::blocked) {
  const Compiled compiled = compile(text, {.minimise = false});
  std::string result;
  const auto states = private_states(compiled.program, receptions)[0];
  for (std::size_t s = 0; s < states.size(); ++s)
    if (states[s]) result += (result.empty() ? "" : " ") + std::to_string(s);
  return result;
}

TEST(Private, AreStatesWithInternalStepsOnVariablesOfTheProcessAlone) {
  const std::string others = " channel c[1]; sink d; var s, own; proc q { s = s; c!m; d!m(s) }";
  EXPECT_EQ(private_of("proc p var x; { x = 1; x = 2 }" + others), "0 1");
  EXPECT_EQ(private_of("proc p { own = 1; own = 2 }" + others), "0 1") << "shared by name only";
  EXPECT_EQ(private_of("proc p var x; { x = s; s = 1 }" + others), "") << "shared";
  EXPECT_EQ(private_of("proc p var x; { x = 1; c?m; x = 2 }" + others), "0 2");
  EXPECT_EQ(private_of("proc p var x; { if :: x = 1 :: c?m fi; x = 2 }" + others), "1");
  EXPECT_EQ(private_of("proc p var x; { if :: x = 1 :: d!m(x) fi; x = 2 }" + others), "1");
  EXPECT_EQ(private_of("proc p var x; { if :: x = 1 :: c?timeout fi; x = 2 }" + others), "1");
  EXPECT_EQ(private_of("proc p var x; { x = len(c); (empty(c)); x = 2 }" + others), "2");
  EXPECT_EQ(private_of("proc p var x; { x = 8 / x; assert(x > 0); x = 8 / 2 }" + others), "2")
      << "can fail";
}

TEST(Private, AreNotAllStatesOfACircle) {
  EXPECT_EQ(private_of("proc p var x; { do :: x = 1; x = 2; x = 3 od }"), "1 2");
  EXPECT_EQ(private_of("proc p var x; { do :: x = 1 od }"), "");
  EXPECT_EQ(private_of("sink c; proc p var x; { do :: x = 1; c!m; x = 2 od }"), "0 2")
      << "a send breaks it";
}

TEST(Private, AreNoneOfAReaderWhereAnyReceptionIsLookedAt) {
  const std::string text = "channel c[1]; proc p var x; { x = 1; c?m } proc q { c!m }";
  EXPECT_EQ(private_of(text), "0");
  EXPECT_EQ(private_of(text, ReceptionPolicy::reading), "0");
  EXPECT_EQ(private_of(text, ReceptionPolicy::any), "");
}

// A row that somebody has added to the table of errors.
TEST(Private, AreNoStatesThatAnErrorLooksAt) {
  const std::string text = "proc p var x; { x = 1; x = 2 } proc q var y; { y = 1 }";
  const auto private_with = [&](auto predicate) {
    Compiled compiled = compile(text, {.minimise = false});
    StateError row;
    row.kind = ErrorKind::assertion;
    row.predicate = predicate(compiled.program.protocol.expressions);
    compiled.program.errors.states.push_back(row);
    std::size_t count = 0;
    for (const auto& states : private_states(compiled.program, ReceptionPolicy::blocked))
      count += static_cast<std::size_t>(std::count(states.begin(), states.end(), true));
    return count;
  };
  EXPECT_EQ(private_with([](Expressions& pool) { return pool.constant(0); }), 3u);
  EXPECT_EQ(private_with([](Expressions& pool) { return pool.variable(1); }), 2u) << "y of q";
  EXPECT_EQ(private_with([](Expressions& pool) { return pool.ask(Op::control, 0); }), 1u)
      << "where p is";
}

// A table in which the first process makes three steps of its own.
Program three_steps(const ProcessMoves& moves_of_another) {
  test::Table table;
  table.process("p", 4);
  table.process("q", 2);
  const VariableId x = table.variable("x", {0, 3}), a = table.array("a", 2, {0, 3});
  Expressions& pool = table.pool();
  for (StateId s = 0; s < 3; ++s)
    table.rule({{0, s, s + 1}}, "step").assignments = {{x, pool.constant(s)}};
  Rule& other = table.rule(moves_of_another, "another");
  other.assignments = {{a, pool.constant(1), pool.variable(a), 2}};
  return table.make();
}

TEST(Private, AreNoStatesThatAStepOfAnotherProcessLeadsOutOf) {
  using States = std::vector<std::vector<bool>>;
  const auto states = [](const ProcessMoves& moves_of_another) {
    return private_states(three_steps(moves_of_another), ReceptionPolicy::blocked);
  };
  EXPECT_EQ(states({{1, 0, 1}}), (States{{true, true, true, false}, {false, false}}));
  EXPECT_EQ(states({{1, 0, 1}, {0, 1, 1}}), (States{{true, false, true, false}, {false, false}}));
  EXPECT_EQ(states({{0, 2, 3}, {1, 0, 1}}), (States{{true, true, false, false}, {false, false}}));
}

TEST(Private, AreNoStatesWithElementsThatMayNotBeThere) {
  test::Table table;
  table.process("p", 3);
  const VariableId a = table.array("a", 2, {0, 3});
  Expressions& pool = table.pool();
  table.rule({{0, 0, 1}}, "plain").assignments = {{a, pool.constant(1)}};
  table.rule({{0, 1, 2}}, "element").assignments = {{a, pool.constant(1), pool.variable(a), 2}};
  EXPECT_EQ(private_states(table.make(), ReceptionPolicy::blocked)[0],
            (std::vector<bool>{true, false, false}));
}

TEST(Private, AreNoneOfTheReadersOfAChannelWhereAnyReceptionIsLookedAt) {
  test::Table table;
  for (const char* name : {"p", "q"}) table.process(name, 2);
  const ChannelId c = table.channel("c", 1, {{"m", {}}});
  for (ProcessId p = 0; p < 2; ++p) {
    table.rule({{p, 0, 1}}, "step");
    table.receive({{p, 1, 0}}, c, 1);
  }
  const Program program = table.make();
  for (ProcessId p = 0; p < 2; ++p) {
    EXPECT_TRUE(private_states(program, ReceptionPolicy::blocked)[p][0]);
    EXPECT_FALSE(private_states(program, ReceptionPolicy::any)[p][0]);
    EXPECT_FALSE(private_states(program, ReceptionPolicy::blocked)[p][1]);
  }
}

TEST(Reduction, LeavesAloneWhatIsIndivisibleAnyway) {
  const auto has_work = [](const std::string& text) {
    const Program program = compile(text, {.minimise = false}).program;
    return std::pair(make_internal_reduction(program, ReceptionPolicy::blocked) != nullptr,
                     with_internal_steps_joined(program, ReceptionPolicy::blocked).has_value());
  };
  const std::string other = " sink c; proc q { c!m }";
  EXPECT_EQ(has_work("proc p var x; { c!m; atomic { x = 1; x = 2 } }" + other),
            std::pair(false, false));
  EXPECT_EQ(has_work("proc p var x; { x = 1; c!m }" + other), std::pair(true, false))
      << "it begins there, and no step leads there";
  EXPECT_EQ(has_work("proc p var x; { c!m; x = 1; c!m }" + other), std::pair(true, true));
}

std::vector<std::string> groups_of(const Verdict& verdict) {
  std::vector<std::string> texts;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list) {
      // Of a family, which member is shown may differ, but not which there are.
      std::string members;
      for (const Member& member : error.members) members += fmt::format(" {}", member.number);
      texts.push_back(fmt::format("{} [{}] in{}", to_string(error.key.kind),
                                  fmt::join(error.key.parts, ","), members));
      EXPECT_FALSE(error.is_shortest && verdict.reductions.leaves_out_steps);
    }
  std::sort(texts.begin(), texts.end());
  texts.push_back(fmt::format("{}, {} dead", to_string(verdict.promise), verdict.dead_code.size()));
  return texts;
}

TEST(Reduction, KeepsReceptionsOfStatesThatReadWhatNobodySends) {
  const std::string text =
      "channel c[1];\n"
      "proc p var x; { if :: x = 1 :: c?never fi; c?m }\n"
      "proc q { c!m }\n";
  EXPECT_EQ(private_of(text, ReceptionPolicy::reading), "");
  CheckOptions options;
  options.reduce.internal = true;
  options.explore.receptions = ReceptionPolicy::reading;
  EXPECT_EQ(test::check(compile(text), options).errors.size(), 1u);
}

TEST(Reduction, KeepsRacesOnSharedVariables) {
  const Compiled compiled = compile(
      "var s;\n"
      "proc p var x; { x = 1; s = 1; s = 2; x = 2 }\n"
      "proc q var y; { y = 1; if :: (s == 1) -> assert(0) :: (s == 2) -> y = 2 fi }\n");
  CheckOptions options;
  options.reduce.internal = true;
  const Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0].description.kind, ErrorKind::assertion);
  EXPECT_LT(verdict.states, test::check(compiled).states);
}

TEST(Reduction, KeepsEveryGroupOfErrorsOfEveryModel) {
  std::uint64_t states = 0, reduced_states = 0;
  for (const std::string& name : test::model_names()) {
    for (const TimeoutPolicy timeouts : {TimeoutPolicy::empty, TimeoutPolicy::lock}) {
      const Compiled compiled = compile(model_text(name), {.timeouts = timeouts});
      CheckOptions options;
      options.search = ExhaustiveSearch{
          .order = Order::depth};  // where trails are never said to be the shortest
      const Verdict whole = test::check(compiled, options);
      for (const Order order : {Order::breadth, Order::depth, Order::scatter}) {
        options.search = ExhaustiveSearch{.order = order};
        options.reduce.internal = true;
        const Verdict reduced = test::check(compiled, options);
        EXPECT_EQ(groups_of(reduced), groups_of(whole)) << name;
        EXPECT_LE(reduced.states, whole.states) << name;
        if (has_indivisible(compiled.program)) continue;  // steps are together there already
        states += whole.states;
        reduced_states += reduced.states;
      }
    }
  }
  EXPECT_LT(reduced_states * 10, states * 7) << "it should be worth something";
}

}  // namespace
}  // namespace panoptes
