// SPDX-License-Identifier: Apache-2.0
// A shrunk protocol still fails, is small, and was found within the budget.
#include "differential/shrink.hpp"

#include <gtest/gtest.h>

#include <string>

#include "argos/parse.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "differential/generator.hpp"
#include "differential/plain_checker.hpp"

namespace panoptes::differential {
namespace {

TEST(Shrink, LeavesOutWhatTheFailureDoesNotNeed) {
  const std::string text = R"(
channel c[3] = { m(7) }, d;
var shared : 0..9 = 4;
procedure unused(n) { d!m(n) }
proc p { var x; x = shared + 1; if :: c?m(x); x = x / (shared - 4) :: c!m(1) fi }
proc q { do :: d?timeout :: c!other od }
assert { c!m }
)";
  const auto divides = [](const std::string& candidate) {
    return candidate.find('/') != std::string::npos;
  };
  const std::string small = shrink(text, divides);
  EXPECT_TRUE(divides(small));
  EXPECT_LT(small.size(), 40u) << small;
}

TEST(Shrink, GivesBackATextThatDoesNotFail) {
  const std::string text = "proc p { skip }";
  EXPECT_EQ(shrink(text, [](const std::string&) { return false; }), text);
  EXPECT_EQ(shrink("proc {", [](const std::string&) { return true; }), "proc {");
}

TEST(Shrink, KeepsToItsBudget) {
  std::size_t calls = 0;
  ShrinkBudget budget;
  budget.attempts = 10;
  shrink(
      random_protocol(1), [&](const std::string&) { return ++calls > 0; }, budget);
  EXPECT_LE(calls, 11u);
}

// The shrinker at its real work: a protocol with a deadlock, where leaving something out may leave
// a name undefined. The plain checker then throws, which is a model to turn away.
TEST(Shrink, FindsASmallProtocolWithADeadlock) {
  const auto has_deadlock = [](const std::string& candidate) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model = argos::parse_text("c.argos", candidate, sources, diagnostics);
    if (diagnostics.has_errors()) return false;
    PlainOptions options;
    options.state_limit = 3'000;
    try {
      for (const PlainError& error : plain_check(model, sources, options).errors)
        if (error.kind == "deadlock") return true;
    } catch (const std::exception&) {
    }
    return false;
  };
  int shrunk = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string text = random_protocol(seed);
    if (!has_deadlock(text)) continue;
    const std::string small = shrink(text, has_deadlock);
    EXPECT_TRUE(has_deadlock(small));
    EXPECT_LT(small.size(), 100u) << small;
    ++shrunk;
  }
  EXPECT_GT(shrunk, 2);
}

}  // namespace
}  // namespace panoptes::differential
