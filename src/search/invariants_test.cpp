// SPDX-License-Identifier: Apache-2.0
// What must hold in every state, and what is asked of the states.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "load/load.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using Texts = std::vector<std::string>;

// `name after N steps, M times`, of every broken invariant.
Texts broken(const std::string& text, const test::Setup& setup = {},
             const CheckOptions& options = {}) {
  Texts result;
  for (const ErrorReport& error : test::check(compile(text, setup), options).errors)
    if (error.description.kind == ErrorKind::invariant)
      result.push_back(fmt::format("{} after {} steps, {} times", error.description.message,
                                   error.trail.steps.size(), error.count));
  return result;
}

const std::string counting =
    "var x : 0..3; proc p var y : 0..3; { do :: x < 3 -> x = x + 1; y = x od }\n";

TEST(Invariants, AreLookedAtInEveryState) {
  EXPECT_EQ(broken(counting + "always (x < 2);"), Texts{"always (x < 2) after 5 steps, 5 times"});
  EXPECT_EQ(broken(counting + "never (p.y == 3);"),
            Texts{"never (p.y == 3) after 9 steps, 1 times"});
  EXPECT_EQ(broken(counting + "always small (y <= x); never big (x > 3);"), Texts{});
}

TEST(Invariants, AreLookedAtInTheInitialState) {
  EXPECT_EQ(broken(counting + "never start (x == 0 && y == 0);"),
            Texts{"start after 0 steps, 2 times"});
  EXPECT_EQ(broken("proc p { skip } always (0);"), Texts{"always (0) after 0 steps, 1 times"});
}

TEST(Invariants, WithoutAValueAreBroken) {
  EXPECT_EQ(broken(counting + "always (6 / x > 1);"),
            Texts{"always (6 / x > 1) after 0 steps, 2 times"});
  EXPECT_EQ(broken(counting + "never (6 / x == 7);"),
            Texts{"never (6 / x == 7) after 0 steps, 2 times"});
  EXPECT_EQ(broken("var i : 0..2; proc n[k : 0..1] var v; { i = 2; v = k } always (n[i].v < 2);"),
            Texts{"always (n[i].v < 2) after 1 steps, 8 times"});
}

const std::string two =
    "channel c[2]; proc s { c!a; c!b; wait: c!a }\n"
    "proc r { do :: c?a; got: skip; (len(c) >= 0) :: c?b od }\n";

TEST(Invariants, SpeakOfPlacesAndOfMessages) {
  EXPECT_EQ(broken(two + "never (s@wait && r@got);"),
            Texts{"never (s@wait && r@got) after 3 steps, 1 times"});
  EXPECT_EQ(broken(two + "always (head(c) != b);"),
            Texts{"always (head(c) != b) after 3 steps, 4 times"});
  EXPECT_EQ(broken(two + "never (head(c) == nothing);"), Texts{});
}

// Members of a family are one error.
TEST(Invariants, OfAFamilyAreOneGroup) {
  const std::string text =
      "proc n[i : 0..2] var v : 0..3; { v = i; here: v = 0 }\n"
      "always low[i : 0..2] (n[i].v < 1 && !n[i]@here);";
  const Compiled compiled = compile(text);
  const Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0].members.size(), 3u);
  EXPECT_EQ(verdict.errors[0].description.message, "low[0]");
  EXPECT_EQ(verdict.errors[0].description.text,
            "low[0] does not hold: always (n[i].v < 1 && !n[i]@here), where n[0].v = 0");
}

TEST(Invariants, MayGoOverAllMembersAndElements) {
  const std::string text = "proc n[i : 0..2] var v[2] : 0..3; { v[1] = i; here: v[0] = 1 }\n";
  EXPECT_EQ(broken(text + "never (forall (i : 0..2) n[i]@here && n[i].v[1] == i);"),
            Texts{"never (forall (i : 0..2) n[i]@here && n[i].v[1] == i) after 3 steps, 1 times"});
  EXPECT_EQ(broken(text + "always ((count (i : 0..2) n[i]@here) < 3);").size(), 1u);
}

// Two states that are alike are told apart where an invariant names one of them.
TEST(Invariants, DoNotDependOnMinimisation) {
  const std::string text =
      "channel a[1]; proc p { if :: skip; idle: a!x :: a!y; waiting: a!x fi } proc q { do :: a?x "
      ":: a?y od }\n";
  for (const bool minimise : {false, true}) {
    const test::Setup setup{.minimise = minimise};
    EXPECT_EQ(broken(text + "never (p@waiting);", setup).size(), 1u);
    EXPECT_EQ(broken(text + "never (p@waiting && p@idle);", setup).size(), 0u);
  }
}

// A label of what vanishes is where it leads to; one that no way leads to is nowhere.
TEST(Invariants, MayNameLabelsWithoutAState) {
  EXPECT_EQ(broken("var x; proc p { here: skip; x = 1 } never (p@here);"),
            Texts{"never (p@here) after 0 steps, 1 times"});
  EXPECT_EQ(broken("var x; proc p { x = 1; goto out; here: x = 2; out: skip } never (p@here);"),
            Texts{});
}

// What an invariant looks at is not put off.
TEST(Invariants, AreFoundBrokenByAReducedSearch) {
  const std::string text =
      "proc p var x : 0..3; { x = 1; x = 2; here: x = 3 } proc q var y : 0..3; { y = 1; y = 2 }\n";
  CheckOptions reduced;
  reduced.reduce.internal = true;
  EXPECT_EQ(broken(text + "never (p.x == 1 && q.y == 1);", {}, reduced).size(), 1u);
  EXPECT_EQ(broken(text + "never (p@here && q.y == 1);", {}, reduced).size(), 1u);
}

Loaded asked(const std::string& text, const std::vector<std::string>& never,
             const std::string& reach) {
  ModelRequest request;
  request.never = never;
  request.reach = reach;
  return load("m", request, [&](const std::string&) { return std::optional(text); });
}

TEST(Questions, AreAnsweredAndNothingElseIsLookedFor) {
  const std::string text = counting + "proc q { (0) } always (x < 1); proc r { assert(x == 0) }";
  const Loaded loaded = asked(text, {}, "x == 2");
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  CheckOptions options;
  options.explore.first_error_only = true;
  const auto verdict = check_program(*loaded.program, loaded.sources, options);
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->errors.size(), 1u);
  EXPECT_EQ(verdict->errors[0].description.kind, ErrorKind::reached);
  EXPECT_EQ(verdict->errors[0].description.text, "x == 2 holds, where x = 2");
  EXPECT_EQ(verdict->errors[0].trail.steps.size(), 5u);
  EXPECT_TRUE(verdict->errors[0].is_shortest);

  const Loaded impossible = asked(text, {}, "x == 2 && y == 3");
  const auto proof = check_program(*impossible.program, impossible.sources, options);
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->outcome, Outcome::holds);
  EXPECT_EQ(proof->promise, Promise::exhaustive);
}

TEST(Questions, BesideThoseOfTheModelAreInvariants) {
  const Loaded loaded = asked(counting + "always (x < 3);", {"x == 1", "p.y == 2"}, "");
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const auto verdict = check_program(*loaded.program, loaded.sources, {});
  ASSERT_TRUE(verdict);
  Texts names;
  for (const ErrorReport& error : verdict->errors)
    if (error.description.kind == ErrorKind::invariant) names.push_back(error.description.message);
  EXPECT_EQ(names, (Texts{"never (x == 1)", "never (p.y == 2)", "always (x < 3)"}));
  EXPECT_EQ(asked(counting, {"z == 1"}, "").diagnostics.error_count(), 1u);
  EXPECT_EQ(asked(counting, {"x =="}, "x +").diagnostics.error_count(), 2u);
}

}  // namespace
}  // namespace panoptes
