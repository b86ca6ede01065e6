// SPDX-License-Identifier: Apache-2.0
#include "search/by_level.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "search/check.hpp"
#include "support/late_choices.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// Leaves out everything.
class Emptying final : public Selector {
 public:
  std::uint64_t select(const StateBatch&, SuccessorBatch& successors, std::uint64_t,
                       SelectorScratch&) const override {
    successors.clear(1);
    return 1;
  }
};

std::unique_ptr<SelectByLevel> emptying() {
  return std::make_unique<SelectByLevel>(std::make_unique<Emptying>());
}

bool is_asked(const SelectByLevel& selector, std::uint64_t depth) {
  StateBatch batch;
  SuccessorBatch successors;
  SelectorScratch scratch;
  successors.clear(1);
  const bool is_empty = selector.select(batch, successors, depth, scratch) == 1;
  EXPECT_EQ(is_empty, selector.is_asked_at(depth));
  return is_empty;
}

constexpr std::uint64_t many = 100'000;

TEST(ByLevel, HasLongerAndLongerBreaksWhereItIsOfNoUse) {
  const auto selector = emptying();
  EXPECT_TRUE(is_asked(*selector, 0));
  selector->begin_level(1, {1'000, 0});
  EXPECT_TRUE(is_asked(*selector, 1)) << "it was too little to tell";
  std::vector<std::uint64_t> asked;
  for (std::uint64_t depth = 2; depth < 300; ++depth) {
    selector->begin_level(depth, {depth * many, depth});
    if (is_asked(*selector, depth)) asked.push_back(depth);
  }
  // Fifteen times the first two levels, then twice and four times as many.
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{32, 93, 214}));
}

TEST(ByLevel, GoesOnWhereItLeavesOutSomething) {
  const auto selector = emptying();
  for (std::uint64_t depth = 1; depth < 50; ++depth) {
    selector->begin_level(depth, {depth * many, depth * many / 50});
    EXPECT_TRUE(is_asked(*selector, depth));
  }
  // And when it does no longer, the first break is as short as ever.
  for (std::uint64_t depth = 50; depth < 70; ++depth) {
    selector->begin_level(depth, {depth * many, 49 * many / 50});
    EXPECT_EQ(is_asked(*selector, depth), depth == 65) << depth;
  }
}

// Who makes a trail again comes to every level once more.
TEST(ByLevel, KnowsWhatWasDecidedForEveryLevel) {
  const auto selector = emptying();
  std::vector<bool> asked{true};
  for (std::uint64_t depth = 1; depth < 200; ++depth) {
    selector->begin_level(depth, {depth * many, depth > 100 ? depth * 5'000 : 0});
    asked.push_back(is_asked(*selector, depth));
  }
  RecordWriter record;
  selector->save(record);
  const auto again = emptying();
  RecordReader reader(record.bytes());
  again->load(reader);
  EXPECT_TRUE(reader.is_done());
  for (std::uint64_t depth = 0; depth < asked.size(); ++depth) {
    EXPECT_EQ(is_asked(*selector, depth), asked[depth]) << depth;
    EXPECT_EQ(is_asked(*again, depth), asked[depth]) << depth;
  }
  for (std::uint64_t depth = 200; depth < 300; ++depth) {
    for (SelectByLevel* each : {selector.get(), again.get()})
      each->begin_level(depth, {depth * many, 0});
    EXPECT_EQ(is_asked(*selector, depth), is_asked(*again, depth));
  }
}

TEST(ByLevel, StaysAsItIsAfterMoreChangesThanThereIsRoomFor) {
  const auto selector = emptying();
  std::uint64_t seen = 0, left_out = 0;
  bool is_of_use = false;
  for (std::uint64_t depth = 1; depth < 500; ++depth) {
    // Where it is asked, it leaves out much every other time, so that breaks are short.
    const bool was_asked = selector->is_asked_at(depth - 1);
    seen += was_asked ? many : 40 * many;
    if (was_asked && !std::exchange(is_of_use, !is_of_use)) left_out += many / 2;
    selector->begin_level(depth, {seen, left_out});
  }
  const bool last = is_asked(*selector, 499);
  for (std::uint64_t depth = 500; depth < 600; ++depth) {
    selector->begin_level(depth, {seen += 1'000 * many, left_out});
    EXPECT_EQ(is_asked(*selector, depth), last);
  }
}

CheckOptions options_for(bool has_breaks, unsigned threads) {
  CheckOptions options;
  options.reduce.order = true;
  options.steps_that_tell = has_breaks ? SelectByLevel::usual_steps : 0;
  options.threads = threads;
  return options;
}

TEST(ByLevel, IsTheSameForThreads) {
  const test::Compiled compiled = test::late_choices();
  const Verdict plain = test::check(compiled);
  const Verdict reduced = test::check(compiled, options_for(false, 1));
  const Verdict alone = test::check(compiled, options_for(true, 1));
  EXPECT_GT(alone.states, reduced.states) << "it has had no break";
  EXPECT_LT(alone.states, plain.states) << "it was never asked";
  for (const unsigned threads : {2u, 4u}) {
    const Verdict together = test::check(compiled, options_for(true, threads));
    EXPECT_EQ(together.states, alone.states);
    EXPECT_EQ(together.transitions, alone.transitions);
    EXPECT_EQ(together.reductions.steps_left_out, alone.reductions.steps_left_out);
  }
}

}  // namespace
}  // namespace panoptes
