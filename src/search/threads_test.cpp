// SPDX-License-Identifier: Apache-2.0
// Threads on levels of many chunks: there they take chunks from each other, fill one store, and
// find the same errors at the same time. The thread sanitizer runs these tests too, and sees into
// the interpreter but not into machine code.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/clock.hpp"
#include "search/breadth.hpp"
#include "search/check.hpp"
#include "search/explore.hpp"
#include "step/interpreter.hpp"
#include "store/exact_store.hpp"
#include "support/counters.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

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
    const test::Compiled compiled = test::independent_counters(wide);
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
  const test::Compiled compiled = test::independent_counters(true);
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

// Passes everything on, and counts what only a search with one worker may say.
class SharedStore final : public StateStore {
 public:
  explicit SharedStore(StateStore& store) : store_(store) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    store_.insert(batch, sources);
  }
  void expect(StateView state) const override {
    said.fetch_add(1, std::memory_order_relaxed);
    store_.expect(state);
  }
  void leave() override {
    said.fetch_add(1, std::memory_order_relaxed);
    store_.leave();
  }
  StorePromise promise() const override { return store_.promise(); }
  StoreStats stats() const override { return store_.stats(); }

  mutable std::atomic<std::uint64_t> said{0};

 private:
  StateStore& store_;
};

// Where no memory is left for a level, each follows paths of its own, and all fill one store. Here
// there is none at the beginning and enough soon after, so that the store grows meanwhile.
TEST(Threads, FollowPathsInOneStoreWhereMemoryIsShort) {
  const test::Compiled compiled = test::independent_counters(false);
  const Program& program = compiled.program;
  const Verdict wanted = test::check(compiled);
  constexpr std::uint64_t limit = 64 << 20;
  MemoryBudget budget(limit);
  std::vector<std::unique_ptr<Stepper>> steppers;
  for (int i = 0; i < 4; ++i) steppers.push_back(std::make_unique<Interpreter>(program));
  ExactStore store(program.layout.words, 4, &budget);
  const std::uint64_t bytes = store.stats().bytes;
  SharedStore shared(store);
  BreadthFrontier frontier(*steppers[0], 4, nullptr, nullptr, &budget);
  Monitor monitor({.memory_bytes = limit}, steady_seconds, {}, nullptr);
  ErrorLog errors(program);
  ExploreOptions options;
  options.budget = &budget;
  budget.take_anyway(limit);
  options.interlude = [&, has_given = false](double) mutable {
    if (!has_given && !frontier.is_shortest()) {
      budget.give_back(limit);
      has_given = true;
    }
    return true;
  };
  const Exploration found = explore(steppers, shared, frontier, monitor, errors, options);
  EXPECT_FALSE(frontier.is_shortest()) << "there was room for a level";
  EXPECT_GT(store.stats().bytes, bytes) << "it did not grow";
  EXPECT_EQ(shared.said, 0u);
  EXPECT_FALSE(store.promise().may_omit);
  EXPECT_EQ(found.states, wanted.states);
  EXPECT_EQ(found.stop(), Stop::finished);
}

}  // namespace
}  // namespace panoptes
