// SPDX-License-Identifier: Apache-2.0
#include "base/small_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace panoptes {
namespace {

using List = SmallList<int, 2>;

std::vector<int> elements(const List& list) { return {list.begin(), list.end()}; }

TEST(SmallLists, HoldWhatAVectorHolds) {
  List list;
  std::vector<int> model;
  for (int i = 0; i < 6; ++i) {
    list.push_back(i);
    model.push_back(i);
    EXPECT_EQ(elements(list), model);
    EXPECT_EQ(list.size(), model.size());
    EXPECT_EQ(list[list.size() - 1], i);
    EXPECT_EQ(list.front(), 0);
  }
  list.push_back(list[1]);
  EXPECT_EQ(elements(list), (std::vector{0, 1, 2, 3, 4, 5, 1}));
  for (const std::size_t size : {4u, 2u, 3u, 1u, 0u}) {
    list.resize(size);
    model.resize(std::min(size, model.size()));
    model.resize(size);
    EXPECT_EQ(elements(list), model) << size;
    EXPECT_EQ(list.empty(), size == 0);
  }
}

TEST(SmallLists, AreCopiedAndMoved) {
  for (const List& list : {List{}, List{7}, List{7, 8}, List{7, 8, 9}}) {
    List copy = list;
    EXPECT_EQ(elements(copy), elements(list));
    const List moved = std::move(copy);
    EXPECT_EQ(elements(moved), elements(list));
    List other{1, 2, 3, 4};
    other = list;
    EXPECT_EQ(elements(other), elements(list));
    other = List{5};
    EXPECT_EQ(elements(other), std::vector{5});
  }
}

}  // namespace
}  // namespace panoptes
