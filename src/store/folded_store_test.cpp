// SPDX-License-Identifier: Apache-2.0
#include "store/folded_store.hpp"

#include <gtest/gtest.h>

#include "store/exact_store.hpp"

namespace panoptes {
namespace {

TEST(FoldedStores, TakeStatesForOneThatDifferInIgnoredBitsOnly) {
  FoldedStore store(std::make_unique<ExactStore>(2), {0xf0, 0});
  EXPECT_TRUE(store.insert_one(StateWords{0x12, 1}));
  EXPECT_FALSE(store.insert_one(StateWords{0x32, 1}));
  EXPECT_TRUE(store.insert_one(StateWords{0x33, 1}));
  EXPECT_TRUE(store.insert_one(StateWords{0x12, 0x11}));
  EXPECT_EQ(store.stats().states, 3u);
  EXPECT_TRUE(store.promise().may_omit);
}

TEST(FoldedStores, LeaveTheStatesOfABatchAsTheyWere) {
  FoldedStore store(std::make_unique<ExactStore>(1), {0xff});
  SuccessorBatch batch;
  batch.clear(1);
  batch.states.words = {0x101, 0x102, 0x201};
  batch.rules.assign(3, 0);
  batch.close_state(0);
  store.insert(batch, {1, {}});
  EXPECT_EQ(batch.states.words, (Buffer<Word>{0x101, 0x102, 0x201}));
  EXPECT_EQ(batch.fresh, (Buffer<std::uint8_t>{1, 0, 1}));
}

}  // namespace
}  // namespace panoptes
