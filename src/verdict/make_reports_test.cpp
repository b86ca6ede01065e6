// SPDX-License-Identifier: Apache-2.0
#include "verdict/make_reports.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

// Two processes, each of which ends up at one of `places`: as many deadlocks as there are pairs.
std::string pairs(int places) {
  std::string options;
  for (int place = 0; place < places; ++place) options += fmt::format(" :: skip -> c?a{}", place);
  const auto process = [&](const char* name, const std::string& before) {
    std::string own = options;
    for (std::size_t at = 0; (at = own.find("c?", at)) != std::string::npos; at += 2)
      own[at] = name[0];
    return fmt::format("proc {} {{ {}if{} fi }}\n", name, before, own);
  };
  return "channel p[1], q[1];\n" + process("p", "q!go; p?on; ") + process("q", "q?go; p!on; ");
}

std::string text_of(const Program& program, const Trail& trail) {
  std::string text = fmt::format("{} {} ", trail.ends_in_failure, trail.event_count(program));
  for (const TrailStep& step : trail.steps)
    text += fmt::format("{} {} {};", step.rule, step.message, step.taken_at.value_or(0));
  for (const auto& at : trail.whereabouts) text += fmt::format("({})", fmt::join(at, " "));
  return text;
}

// Whoever asks for a trail of which the way was kept gets the one that was replayed before.
TEST(MakeReports, KeepsWaysOfWhichTrailsAreMadeAgain) {
  const test::Compiled compiled = test::compile(pairs(12));
  const Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 144u);
  for (std::size_t i = 0; i < verdict.errors.size(); ++i) {
    const ErrorReport& error = verdict.errors[i];
    EXPECT_EQ(error.gap, i < kept_trails ? TrailGap::no_gap : TrailGap::unasked) << i;
    EXPECT_EQ(error.step_count(), 6u);
    EXPECT_EQ(error.event_count(compiled.program), 2u);
    EXPECT_EQ(error.rules().size(), 6u);
    if (error.gap == TrailGap::no_gap) continue;
    EXPECT_TRUE(error.trail.steps.empty());
    const ErrorReport whole = with_trail(compiled.program, error, {});
    EXPECT_EQ(whole.gap, TrailGap::no_gap);
    EXPECT_EQ(whole.rules(), error.rules());
    EXPECT_EQ(whole.trail.last, error.trail.last);
    EXPECT_EQ(whole.trail.whereabouts, error.trail.whereabouts);
    EXPECT_EQ(whole.event_count(compiled.program), 2u);
    EXPECT_EQ(whole.description.text, error.description.text);
  }
}

// Of every kind: a step that fails, a reception that only a wide policy reports.
TEST(MakeReports, MakesTheSameTrailAgain) {
  std::size_t found = 0;
  for (const std::string name : {"mistakes", "hang_up", "exchange", "lease"})
    for (const ReceptionPolicy policy : {ReceptionPolicy::blocked, ReceptionPolicy::any}) {
      CheckOptions options;
      options.explore.receptions = policy;
      const test::Compiled compiled =
          test::compile("#define FAULT 1\n" + test::model_text(name), {.minimise = false});
      Verdict verdict = test::check(compiled, options);
      found += verdict.errors.size();
      for (ErrorReport& error : verdict.errors) {
        const std::string before = text_of(compiled.program, error.trail);
        keep_way(compiled.program, error);
        EXPECT_EQ(error.gap, TrailGap::unasked);
        const ErrorReport whole = with_trail(compiled.program, error, {});
        EXPECT_EQ(text_of(compiled.program, whole.trail), before) << name;
      }
    }
  EXPECT_GT(found, 8u);
}

TEST(MakeReports, SaysThatThereIsNoTimeToMakeATrailAgain) {
  const test::Compiled compiled = test::compile("channel c; proc p { c!a; c?b }");
  Verdict verdict = test::check(compiled);
  ASSERT_FALSE(verdict.errors.empty());
  keep_way(compiled.program, verdict.errors[0]);
  const Deadline over([] { return -1.0; });
  EXPECT_EQ(with_trail(compiled.program, verdict.errors[0], over).gap, TrailGap::time);
}

TEST(MakeReports, LeavesALivelockWhatItHas) {
  const test::Compiled compiled = test::compile("proc p var x : 0..1; { do :: x = 1 - x od }");
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  Verdict verdict = test::check(compiled, options);
  ASSERT_EQ(verdict.errors.size(), 1u);
  keep_way(compiled.program, verdict.errors[0]);
  EXPECT_EQ(verdict.errors[0].gap, TrailGap::no_gap);
}

// A thousand assertions that fail behind 3,000 steps: a million steps are replayed, not three.
TEST(MakeReports, ReplaysAMillionStepsAndNoMore) {
  std::string asserts;
  for (int i = 0; i < 1000; ++i) asserts += fmt::format(" :: assert(x == {})", i);
  const test::Compiled compiled = test::compile(
      "proc p var x; { do :: (x < 3000) -> x++ :: (x == 3000) -> break od; if" + asserts + " fi }");
  const Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1000u);
  std::uint64_t replayed = 0, left_out = 0;
  for (const ErrorReport& error : verdict.errors) {
    if (error.gap <= TrailGap::unasked) replayed += error.step_count();
    left_out += error.gap == TrailGap::steps;
    EXPECT_EQ(error.step_count(), verdict.errors[0].step_count());
  }
  EXPECT_LE(replayed, 1'000'000u);
  EXPECT_GT(replayed, 900'000u);
  EXPECT_GT(left_out, 600u);
  EXPECT_EQ(verdict.errors.back().event_count(compiled.program), std::nullopt);
}

// What a search makes as few as possible is no matter of statements.
TEST(MakeReports, AreInTheOrderOfStepsToWhichAnIndivisibleSequenceIsOne) {
  const test::Compiled compiled = test::compile(
      "channel c[1], d[1];\n"
      "proc p var x : 0..9; {\n"
      "  if\n"
      "  :: atomic { x = 1; x = 2; x = 3; c!many; x = 4 }; x = 5; d?never\n"
      "  :: c!few; x = 6; x = 7; d?no\n"
      "  :: atomic { x = 8; (len(c) == 1); assert(0) }\n"
      "  fi\n"
      "}\n"
      "proc q { c!late; if :: c?many :: c?few :: c?late fi }\n");
  for (const unsigned threads : {1u, 3u}) {
    CheckOptions options;
    options.threads = threads;
    const Verdict verdict = test::check(compiled, options);
    ASSERT_GT(verdict.errors.size(), 3u);
    std::uint64_t before = 0;
    bool has_fewer_behind = false;
    std::uint64_t most = 0;
    for (const ErrorReport& error : verdict.errors) {
      EXPECT_EQ(error.depth,
                search_depth(compiled.program, error.rules(), error.trail.ends_in_failure))
          << error.description.text;
      EXPECT_GE(error.search_step_count(), before);
      before = error.search_step_count();
      has_fewer_behind = has_fewer_behind || error.step_count() < most;
      most = std::max(most, error.step_count());
    }
    EXPECT_TRUE(has_fewer_behind) << "else this says nothing";
  }
}

// What waits inside of a sequence, for nobody to move or for a partner, goes on by another step.
TEST(MakeReports, CountStepsOfSequencesThatWait) {
  for (const char* const text :
       {"channel c[1];\n"
        "proc p var x : 0..2; { atomic { x = 1; c?timeout(lock) -> x = 2 }; assert(x == 1) }\n",
        "channel c[0];\n"
        "proc p var x : 0..2; { atomic { x = 1; c?m; x = 2 }; assert(x == 1) }\n"
        "proc q { c!m }\n",
        "channel c[0];\n"
        "proc p var x : 0..2; { atomic { x = 1; c!m; x = 2 }; assert(x == 1) }\n"
        "proc q { skip; c?m }\n"}) {
    const test::Compiled compiled = test::compile(text);
    const Verdict verdict = test::check(compiled);
    ASSERT_EQ(verdict.errors.size(), 1u) << text;
    const ErrorReport& error = verdict.errors[0];
    EXPECT_EQ(error.depth,
              search_depth(compiled.program, error.rules(), error.trail.ends_in_failure))
        << text;
  }
}

}  // namespace
}  // namespace panoptes
