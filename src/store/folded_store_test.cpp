// SPDX-License-Identifier: Apache-2.0
#include "store/folded_store.hpp"

#include <gtest/gtest.h>

#include "store/exact_store.hpp"
#include "store/path_store.hpp"

namespace panoptes {
namespace {

TEST(FoldedStores, TakeStatesForOneThatDifferInIgnoredBitsOnly) {
  ExactStore exact(2);
  FoldedStore store(exact, {0xf0, 0});
  EXPECT_TRUE(store.insert_one(StateWords{0x12, 1}));
  EXPECT_FALSE(store.insert_one(StateWords{0x32, 1}));
  EXPECT_TRUE(store.insert_one(StateWords{0x33, 1}));
  EXPECT_TRUE(store.insert_one(StateWords{0x12, 0x11}));
  EXPECT_EQ(store.stats().states, 3u);
  EXPECT_TRUE(store.promise().may_omit);
}

TEST(FoldedStores, LeaveTheStatesOfABatchAsTheyWere) {
  ExactStore exact(1);
  FoldedStore store(exact, {0xff});
  SuccessorBatch batch;
  batch.clear(1);
  batch.states.words = {0x101, 0x102, 0x201};
  batch.rules.assign(3, 0);
  batch.close_state(0);
  store.insert(batch, {1, {}});
  EXPECT_EQ(batch.states.words, (Buffer<Word>{0x101, 0x102, 0x201}));
  EXPECT_EQ(batch.fresh, (Buffer<std::uint8_t>{1, 0, 1}));
}

// On a path, too: what is left is forgotten together with its class.
TEST(FoldedStores, ForgetWhatLeavesAPath) {
  PathStore path(1);
  FoldedStore store(path, {0xf0});
  EXPECT_TRUE(store.insert_one(StateWords{0x01}));
  EXPECT_TRUE(store.insert_one(StateWords{0x12}));
  EXPECT_FALSE(store.insert_one(StateWords{0x22}));
  store.leave();
  EXPECT_TRUE(store.insert_one(StateWords{0x22}));
  EXPECT_FALSE(store.insert_one(StateWords{0x12}));
}

}  // namespace
}  // namespace panoptes
