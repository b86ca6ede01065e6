// SPDX-License-Identifier: Apache-2.0
// What is a livelock and what is not, how it is reached and what repeats.
#include "search/livelock.hpp"

#include <gtest/gtest.h>

#include "search/numbered_search.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

CheckOptions keeping_graph(Order order = Order::breadth) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = order, .storage = WholeGraph{}};
  return options;
}

// Every livelock as "processes places: count times, steps + steps of the cycle".
Texts livelocks_of(const std::string& text, const CheckOptions& options = keeping_graph(),
                   const test::Setup& setup = {}) {
  Texts texts;
  for (const ErrorReport& error : test::check(test::compile(text, setup), options).errors)
    if (error.description.kind == ErrorKind::livelock)
      texts.push_back(fmt::format("{} {}: {} times, {} + {}", error.description.process,
                                  error.description.place, error.count, error.trail.steps.size(),
                                  error.cycle.steps.size()));
  return texts;
}

TEST(Livelocks, AreEndlessInternalSteps) {
  EXPECT_EQ(livelocks_of("proc p { do :: skip od }"), Texts{"p 1:10: 1 times, 0 + 1"});
  EXPECT_EQ(livelocks_of("proc p var x : 0..4; { do :: x = (x + 1) % 5 od }"),
            Texts{"p 1:24: 5 times, 0 + 5"});
  EXPECT_EQ(livelocks_of("proc p { skip; skip; round: skip; goto round }"),
            Texts{"p 1:29: 1 times, 0 + 1"});
}

TEST(Livelocks, HaveNoMessageBehindThem) {
  EXPECT_EQ(livelocks_of("sink c; proc p { do :: skip :: c!m od }"), Texts{});
  EXPECT_EQ(livelocks_of("channel c[1]; proc p { do :: c!m -> c?m od }"), Texts{});
  EXPECT_EQ(livelocks_of("channel c[2] = { m }; proc p { do :: skip od } proc q { c?m }"),
            Texts{"p 1:32,end: 1 times, 1 + 1"});
}

TEST(Livelocks, DoNotTellOthersAnything) {
  EXPECT_EQ(livelocks_of("var x : 0..1; proc p { do :: x = 1 - x od } proc q { (x == 2) }"),
            Texts{});
  EXPECT_EQ(livelocks_of("proc p var x : 0..1; { do :: x = 1 - x od } proc q { (0 == 1) }"),
            Texts{"p 1:24,1:54: 2 times, 0 + 2"});
}

// A timeout takes nothing and tells nobody.
TEST(Livelocks, MayHaveTimeouts) {
  const std::string text = "channel c[1]; proc p { do :: c?timeout :: c?m od } proc q { c!m }";
  for (const TimeoutPolicy timeouts : {TimeoutPolicy::empty, TimeoutPolicy::lock})
    EXPECT_EQ(livelocks_of(text, keeping_graph(), {.timeouts = timeouts}),
              Texts{"p 1:24,end: 1 times, 2 + 1"});
}

TEST(Livelocks, AreNoneWhereTheProtocolMayEnd) {
  EXPECT_EQ(livelocks_of("proc p { end: do :: skip od }"), Texts{});
  EXPECT_EQ(livelocks_of("proc p { do :: skip :: break od }"), Texts{});
  EXPECT_EQ(livelocks_of("proc p { end: do :: skip od } proc q { do :: skip od }").size(), 1u);
}

// Deadlocks and failing steps are reported for themselves.
TEST(Livelocks, AreNoneWhereSomethingElseIsWrong) {
  EXPECT_EQ(livelocks_of("proc p { do :: skip :: break od; (0 == 1) }"), Texts{});
  EXPECT_EQ(livelocks_of("proc p { do :: skip :: assert(0 == 1) od }"), Texts{});
  EXPECT_EQ(livelocks_of("proc p var x : 0..1; { do :: skip :: (x == 1) -> assert(0 == 1) od }"),
            Texts{"p 1:24: 1 times, 0 + 1"});
}

// Who has not yet come to rest is on the way to one, and no livelock of its own.
TEST(Livelocks, AreWhereRunsEndUp) {
  EXPECT_EQ(livelocks_of("proc p { do :: skip od } proc q var x : 0..1; { x = 1; (x == 0) }"),
            Texts{"p 1:10,1:56: 1 times, 1 + 1"});
}

TEST(Livelocks, AreOneErrorWhereTheSameMoveAtTheSamePlaces) {
  const std::string text =
      "channel c[1]; proc p var x : 0..3; { c!m; do :: (x < 3) -> x++ :: goto spin od;"
      "spin: skip; do :: skip od } proc q { c?m }";
  const Texts found = livelocks_of(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("p ")) << found[0];
  EXPECT_NE(found[0].find(": 4 times, 3 + 1"), std::string::npos) << found[0];
}

TEST(Livelocks, AreTheSameInEveryOrder) {
  for (const std::string model : {"flow_control", "polling"}) {
    const std::string text = test::model_text(model, "#define THREE\n");
    const Texts expected = livelocks_of(text);
    ASSERT_EQ(expected.size(), 1u);
    for (const Order order : {Order::depth, Order::scatter})
      EXPECT_EQ(livelocks_of(text, keeping_graph(order)), expected);
  }
}

TEST(Livelocks, SayWhichMessageStandsInTheWay) {
  const std::string text = "channel c[1]; proc p { c!b; do :: skip od } proc q { c?a }";
  const Verdict verdict = test::check(test::compile(text), keeping_graph());
  ASSERT_EQ(verdict.errors.size(), 2u);
  EXPECT_EQ(verdict.errors[1].description.kind, ErrorKind::livelock);
  EXPECT_EQ(verdict.errors[1].cause, "q at 1:54 cannot receive c?b");
}

TEST(KeptGraphs, ChangeNothingElse) {
  for (const std::string model : {"alternating_bit_link", "two_phase_commit", "hang_up"}) {
    const test::Compiled compiled = test::compile(test::model_text(model));
    const Verdict without = test::check(compiled), with = test::check(compiled, keeping_graph());
    EXPECT_FALSE(without.graph);
    ASSERT_TRUE(with.graph);
    EXPECT_TRUE(with.graph->is_complete);
    EXPECT_EQ(with.states, without.states);
    EXPECT_EQ(with.transitions, without.transitions);
    EXPECT_EQ(with.graph->links, without.transitions);
    EXPECT_EQ(with.outcome, without.outcome);
    EXPECT_EQ(with.errors.size(), without.errors.size());
  }
}

TEST(KeptGraphs, OfAPartOfTheStatesTellNothing) {
  const test::Compiled compiled =
      test::compile(test::model_text("flow_control", "#define THREE\n"));
  std::vector<CheckOptions> partial(5, keeping_graph());
  partial[0].limits.depth = 30;
  partial[1].limits.memory_bytes = 30'000;
  partial[2].choice = {Preference::random, 1, true, 1};
  partial[3].folded.assign(compiled.program.layout.words, 1);
  partial[4].reduce.internal = true;
  for (const CheckOptions& options : partial) {
    const Verdict verdict = test::check(compiled, options);
    ASSERT_TRUE(verdict.graph);
    EXPECT_FALSE(verdict.graph->is_complete);
    for (const ErrorReport& error : verdict.errors)
      EXPECT_NE(error.description.kind, ErrorKind::livelock);
  }
}

struct DeafSink final : GraphSink {
  void transition(std::uint64_t, RuleId, std::uint64_t, bool) override {}
};

// The limit has room for states by their numbers, but not for their transitions too.
TEST(KeptGraphs, CountAsMemory) {
  const test::Compiled compiled = test::compile(test::model_text("alternating_bit_link"));
  DeafSink deaf;
  CheckOptions options = keeping_graph();
  options.limits.memory_bytes = 300'000;
  Monitor monitor(options.limits, options.clock, {}, nullptr);
  NumberedSearch numbers(std::make_unique<Interpreter>(compiled.program));
  EXPECT_EQ(numbers.run(deaf, monitor, {}, options.limits.memory_bytes).stop(), Stop::finished);
  EXPECT_EQ(test::check(compiled, options).stop, Stop::memory);

  const Verdict whole = test::check(compiled, keeping_graph());
  EXPECT_GE(whole.graph->bytes, whole.transitions * 8 + whole.states * 8);
  EXPECT_GE(whole.parameters.bytes_per_state * static_cast<double>(whole.states),
            static_cast<double>(whole.store_bytes + whole.graph->bytes));
}

}  // namespace
}  // namespace panoptes
