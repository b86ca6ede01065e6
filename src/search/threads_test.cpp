// SPDX-License-Identifier: Apache-2.0
// Threads on levels of many chunks: there they take chunks from each other, fill one store, and
// find the same errors at the same time. The thread sanitizer runs these tests too, and sees into
// the interpreter but not into machine code.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "search/check.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// Three counters that nothing connects, so that levels are wide; two of them fail in many states.
test::Compiled independent_counters(bool wide) {
  return test::compile(fmt::format(R"(
proc counter[i : 0..2]
  var n : 0..{0}, value : 0..{1}, other : 0..{1};
{{
  do
  :: (n < {0}) -> value = n * {2}; other = value; n++
  :: (n == {0}) -> break
  od;
  assert(i == 1)
}})",
                                   wide ? 10 : 12, wide ? 24'000 : 12, wide ? 2'400 : 1),
                       {.minimise = false});
}

std::vector<std::string> counts_of(const Verdict& verdict) {
  std::vector<std::string> texts;
  for (const ErrorReport& error : verdict.errors)
    texts.push_back(fmt::format("{} {}: {} steps, {} times", to_string(error.description.kind),
                                error.description.process, error.trail.steps.size(), error.count));
  std::sort(texts.begin(), texts.end());
  texts.push_back(fmt::format("{} states, {} transitions, depth {}: {}", verdict.states,
                              verdict.transitions, verdict.depth, to_string(verdict.stop)));
  return texts;
}

TEST(Threads, FindTheSameOnLevelsOfManyChunks) {
  for (const bool wide : {false, true}) {
    const test::Compiled compiled = independent_counters(wide);
    EXPECT_EQ(compiled.program.layout.words > 1, wide);
    for (const bool first_error_only : {false, true}) {
      CheckOptions options;
      options.stepper = StepperKind::interpreter;
      options.explore.first_error_only = first_error_only;
      const Verdict alone = test::check(compiled, options);
      EXPECT_GT(alone.states / alone.depth, 2 * 128u);  // a chunk has 128
      for (const unsigned threads : {2u, 4u}) {
        options.threads = threads;
        EXPECT_EQ(counts_of(test::check(compiled, options)), counts_of(alone))
            << threads << " threads, " << compiled.program.layout.words << " words";
      }
    }
  }
}

// One of them sees the limit, and all stop.
TEST(Threads, EndTogetherAtALimit) {
  const test::Compiled compiled = independent_counters(true);
  CheckOptions options;
  options.stepper = StepperKind::interpreter;
  options.threads = 4;
  options.limits.depth = 20;
  EXPECT_EQ(test::check(compiled, options).stop, Stop::depth);
  options.limits = {.memory_bytes = 100'000};
  EXPECT_EQ(test::check(compiled, options).stop, Stop::memory);
  const std::atomic<bool> interrupted = true;
  options.limits = {};
  options.interrupted = &interrupted;
  EXPECT_EQ(test::check(compiled, options).stop, Stop::interrupted);
}

}  // namespace
}  // namespace panoptes
