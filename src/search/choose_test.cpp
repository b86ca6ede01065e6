// SPDX-License-Identifier: Apache-2.0
// Choices of successors: whatever is left out, what is found is true, and the same for the same
// seed.
#include "search/choose.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using test::model_names;
using test::model_text;

using Texts = std::vector<std::string>;

constexpr Preference preferences[] = {Preference::as_written, Preference::random,
                                      Preference::transit,    Preference::scatter,
                                      Preference::cost,       Preference::tags};

// The depth: a cost for any model, dynamic at that.
CostExpression depth_cost(const Compiled& compiled) {
  return *read_expression(front_end_of("m"), "--cost", "0 - depth", compiled.program.protocol);
}

CheckOptions choosing(const Compiled& compiled, Preference preference, std::uint64_t keep,
                      bool per_process = false, std::uint64_t seed = 1) {
  CheckOptions options;
  options.choice = {preference, keep, per_process, seed};
  options.cost = depth_cost(compiled);
  return options;
}

// Groups of errors, with how often each was seen.
Texts groups_of(const Verdict& verdict, bool with_counts) {
  Texts texts;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list) {
      // Of a family, which member is shown may differ.
      texts.push_back(
          fmt::format("{} [{}]", to_string(error.key.kind), fmt::join(error.key.parts, ",")));
      if (!with_counts) continue;
      texts.back() += fmt::format(" {} times in", error.count);
      for (const Member& member : error.members) texts.back() += fmt::format(" {}", member.number);
    }
  std::sort(texts.begin(), texts.end());
  return texts;
}

Texts findings_of(const Verdict& verdict) {
  Texts texts = groups_of(verdict, true);
  texts.push_back(fmt::format("{} states, {} transitions, {} dead: {}", verdict.states,
                              verdict.transitions, verdict.dead_code.size(),
                              to_string(verdict.outcome)));
  return texts;
}

// The rules of the successors of the initial state, in the order they are chosen.
Texts chosen(const std::string& text, const Choice& choice, const CostExpression* cost = nullptr) {
  const Compiled compiled = compile(text, {.minimise = false});
  Interpreter interpreter(compiled.program);
  const StateBatch batch{compiled.program.layout.words, compiled.program.initial};
  SuccessorBatch successors;
  std::vector<Finding> findings;
  interpreter.expand(batch, successors, findings);
  SelectorScratch scratch;
  const auto selector = make_selector(compiled.program, choice, cost);
  if (selector) selector->select(batch, successors, 0, scratch);
  Texts rules;
  for (const RuleId rule : successors.rules) rules.push_back(compiled.program.rules[rule].text);
  return rules;
}

// ---- order -------------------------------------------------------------------------------------

const std::string busy =
    "channel c[2] = { x }, d[2];\n"
    "proc p { if :: d!a :: skip :: c?x :: d!b fi }\n"
    "proc q { if :: [low] c!y :: c!z :: [high] skip fi; d?default }\n";

TEST(Choices, AreInTheOrderOfThePreference) {
  EXPECT_EQ(chosen(busy, {}), (Texts{"d!a", "skip", "c?x", "d!b", "c!y", "c!z", "skip"}));
  EXPECT_EQ(chosen(busy, {Preference::scatter}),
            (Texts{"c?x", "skip", "skip", "d!a", "d!b", "c!y", "c!z"}));
  EXPECT_EQ(chosen(busy, {Preference::transit}),
            (Texts{"d!a", "d!b", "c!y", "c!z", "skip", "skip", "c?x"}));
  EXPECT_EQ(chosen(busy, {Preference::tags}),
            (Texts{"d!a", "skip", "c?x", "d!b", "skip", "c!z", "c!y"}));
}

TEST(Choices, AreTheFirstOfTheStateOrOfEachProcess) {
  EXPECT_EQ(chosen(busy, {Preference::scatter, 1}), (Texts{"c?x"}));
  EXPECT_EQ(chosen(busy, {Preference::scatter, 1, true}), (Texts{"c?x", "skip"}));
  EXPECT_EQ(chosen(busy, {Preference::transit, 2, true}), (Texts{"d!a", "d!b", "c!y", "c!z"}));
  EXPECT_EQ(chosen(busy, {Preference::tags, 1}), (Texts{"d!a", "skip"}))
      << "tags decide within a process only";
}

TEST(Choices, ByChanceAreTheSameForTheSameSeedAndOthersForOthers) {
  std::set<Texts> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Texts order = chosen(busy, {Preference::random, 0, false, seed});
    EXPECT_EQ(order, chosen(busy, {Preference::random, 0, false, seed}));
    Texts sorted = order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (Texts{"c!y", "c!z", "c?x", "d!a", "d!b", "skip", "skip"}));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
}

TEST(Choices, OfAnOptionWithinAnOptionHaveTheLessLikelyTag) {
  const std::string text =
      "sink c;\n"
      "proc p { if :: [low] if :: [high] c!a :: c!b fi :: [high] if :: [low] c!c :: c!d fi :: c!e "
      "fi }";
  EXPECT_EQ(chosen(text, {Preference::tags}), (Texts{"c!d", "c!e", "c!a", "c!b", "c!c"}));
}

// ---- searches ----------------------------------------------------------------------------------

TEST(Choosing, WithoutDroppingIsExhaustiveInEveryOrder) {
  for (const std::string& name : test::sample_of(model_names(), 3)) {
    const Compiled compiled = compile(model_text(name));
    const Texts expected = findings_of(test::check(compiled));
    for (const Preference preference : preferences)
      for (const Order order : {Order::breadth, Order::depth, Order::scatter}) {
        CheckOptions options = choosing(compiled, preference, 0);
        options.search = ExhaustiveSearch{.order = order};
        const Verdict verdict = test::check(compiled, options);
        EXPECT_EQ(findings_of(verdict), expected) << name << " " << static_cast<int>(preference);
        EXPECT_EQ(verdict.promise, Promise::exhaustive);
      }
  }
}

TEST(Choosing, FindsNothingThatIsNotThereAndNeverClaimsMore) {
  for (const std::string& name : test::sample_of(model_names(), 3)) {
    const Compiled compiled = compile(model_text(name));
    const Verdict whole = test::check(compiled);
    const Texts expected = groups_of(whole, false);
    for (const Preference preference : preferences)
      for (const Order order : {Order::breadth, Order::depth, Order::scatter})
        for (const std::uint64_t keep : {1, 2}) {
          CheckOptions options = choosing(compiled, preference, keep, keep == 1);
          options.search = ExhaustiveSearch{.order = order};
          const Verdict verdict = test::check(compiled, options);  // throws where a trail is wrong
          const Texts found = groups_of(verdict, false);
          EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()))
              << name << " " << static_cast<int>(preference);
          EXPECT_LE(verdict.states, whole.states);
          if (verdict.states < whole.states) {
            EXPECT_EQ(verdict.promise, Promise::partial);
            EXPECT_EQ(verdict.stop, Stop::selection);
            EXPECT_NE(verdict.outcome, Outcome::holds);
          }
        }
  }
}

TEST(Choosing, IsTheSameForAnyNumberOfThreads) {
  for (const std::string& name : test::sample_of(model_names())) {
    const Compiled compiled = compile(model_text(name));
    for (const Preference preference : preferences) {
      CheckOptions options = choosing(compiled, preference, 2, false, 7);
      const Texts alone = findings_of(test::check(compiled, options));
      options.threads = 3;
      EXPECT_EQ(findings_of(test::check(compiled, options)), alone) << name;
    }
  }
}

TEST(Choosing, OneOfAllIsASingleRun) {
  const Compiled compiled = compile(model_text("sliding_window"));
  const Verdict verdict = test::check(compiled, choosing(compiled, Preference::random, 1));
  EXPECT_EQ(verdict.transitions, verdict.states);  // it ends where it has been before
  EXPECT_EQ(verdict.depth + 1, verdict.states);
}

TEST(Choosing, SaysThatATrailMayNotBeTheShortest) {
  const Compiled compiled = compile(model_text("dining_philosophers"));
  CheckOptions options = choosing(compiled, Preference::scatter, 0);
  ASSERT_EQ(test::check(compiled, options).errors.size(), 1u);
  EXPECT_TRUE(test::check(compiled, options).errors[0].is_shortest);
  options.choice.keep = 3;
  ASSERT_EQ(test::check(compiled, options).errors.size(), 1u);
  EXPECT_FALSE(test::check(compiled, options).errors[0].is_shortest);
}

TEST(Choosing, CountsWhatItLeftOutAsAlive) {
  const Compiled compiled = compile("sink c; proc p { if :: c!a :: c!b fi }");
  CheckOptions options = choosing(compiled, Preference::as_written, 1);
  EXPECT_TRUE(test::check(compiled, options).dead_code.empty());
}

// ---- best first --------------------------------------------------------------------------------

TEST(BestFirst, FindsADeadlockAmongFarFewerStates) {
  const Compiled compiled = compile(model_text("dining_philosophers", "#define N 4\n"));
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::scatter};
  options.explore.first_error_only = true;
  const Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_FALSE(verdict.errors[0].is_shortest);
  EXPECT_LT(verdict.first_error_states, 172'103u / 50);
  EXPECT_EQ(verdict.stop, Stop::first_error);
}

TEST(BestFirst, FollowsTheUsersCost) {
  // Two counters; only the second one leads to the error, and the cost says so.
  const Compiled compiled = compile(
      "var x, y;\n"
      "proc p { do :: (x < 300) -> x++ od }\n"
      "proc q { do :: (y < 300) -> y++ :: (y == 300) -> assert(0) od }\n");
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::cost};
  options.cost = *read_expression(front_end_of("m"), "--cost", "x - y", compiled.program.protocol);
  options.explore.first_error_only = true;
  const Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_LT(verdict.states, 2000u);
}

TEST(BestFirst, IsPartialBeyondADepth) {
  const Compiled compiled = compile(model_text("sliding_window"));
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::scatter};
  options.limits.depth = 10;
  const Verdict verdict = test::check(compiled, options);
  EXPECT_EQ(verdict.depth, 10u);
  EXPECT_EQ(verdict.stop, Stop::depth);
  EXPECT_EQ(verdict.outcome, Outcome::unknown);
}

}  // namespace
}  // namespace panoptes
