// SPDX-License-Identifier: Apache-2.0
#include "store/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace panoptes {
namespace {

TEST(Pages, AreZeroAndOfTheSizeAskedFor) {
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{4096}, std::size_t{40'008},
                                  Pages::huge - 8, Pages::huge, 3 * Pages::huge + 8}) {
    const Pages pages(bytes);
    EXPECT_EQ(pages.bytes(), bytes);
    Word* const end = pages.words() + bytes / sizeof(Word);
    EXPECT_EQ(std::count(pages.words(), end, Word{0}), end - pages.words());
    std::fill(pages.words(), end, ~Word{0});
  }
}

TEST(Pages, BeginWhereHugePagesDo) {
  const Pages pages(5 * Pages::huge + 64);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.words()) % Pages::huge, 0u);
}

TEST(Pages, Move) {
  Pages first(64);
  first.words()[3] = 42;
  Pages second = std::move(first);
  EXPECT_EQ(second.words()[3], 42u);
  EXPECT_EQ(second.bytes(), 64u);
  Pages third(8);
  third = std::move(second);
  EXPECT_EQ(third.words()[3], 42u);
  EXPECT_EQ(Pages().words(), nullptr);
}

TEST(Pages, ThatDoNotFitThrow) {
  EXPECT_THROW(Pages(std::size_t{1} << 60), std::bad_alloc);
  EXPECT_THROW(Pages(~std::size_t{0}), std::bad_alloc);
}

}  // namespace
}  // namespace panoptes
