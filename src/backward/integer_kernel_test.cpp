// SPDX-License-Identifier: Apache-2.0
#include "backward/integer_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace panoptes {
namespace {

using Rows = std::vector<SparseRow>;

TEST(IntegerKernels, AreOrthogonalToAllRowsAndComplete) {
  EXPECT_EQ(integer_kernel({}, 2), (Rows{{{0, 1}}, {{1, 1}}}));
  EXPECT_EQ(integer_kernel({{{0, 2}, {1, 3}}}, 2), (Rows{{{0, -3}, {1, 2}}}));
  EXPECT_EQ(integer_kernel({{{0, 1}, {2, -1}}, {{1, 1}, {2, -2}}}, 3),
            (Rows{{{0, 1}, {1, 2}, {2, 1}}}));
  EXPECT_EQ(integer_kernel({{{0, 1}, {1, 1}}, {{0, 1}, {1, 2}}}, 2), Rows{});
}

// Rows of small numbers: each vector must fit, and those of the basis with the rank make up the
// columns. The rank is found again modulo a prime.
std::size_t rank_of(const Rows& rows, std::uint32_t columns) {
  constexpr std::int64_t prime = 1'000'003;
  const auto power = [](std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % prime)
      if (exponent % 2 == 1) result = result * base % prime;
    return result;
  };
  std::vector<std::vector<std::int64_t>> dense;
  for (const SparseRow& row : rows) {
    auto& line = dense.emplace_back(columns);
    for (const auto& [column, value] : row) line[column] = (value % prime + prime) % prime;
  }
  std::size_t rank = 0;
  for (std::uint32_t column = 0; column < columns; ++column) {
    const auto from = dense.begin() + static_cast<std::ptrdiff_t>(rank);
    const auto pivot =
        std::find_if(from, dense.end(), [&](const auto& line) { return line[column] != 0; });
    if (pivot == dense.end()) continue;
    std::iter_swap(from, pivot);
    const std::int64_t inverse = power((*from)[column], prime - 2);
    for (auto line = from + 1; line != dense.end(); ++line) {
      const std::int64_t times = (*line)[column] * inverse % prime;
      for (std::uint32_t c = 0; c < columns; ++c)
        (*line)[c] = ((*line)[c] + (prime - times) * (*from)[c]) % prime;
    }
    ++rank;
  }
  return rank;
}

TEST(IntegerKernels, OfRandomRowsAreBasesThatEndWhereTheyCan) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 300; ++i) {
    const auto columns = static_cast<std::uint32_t>(1 + random() % 12);
    Rows rows(random() % 12);
    for (SparseRow& row : rows)
      for (std::uint32_t column = 0; column < columns; ++column)
        if (const auto value = static_cast<std::int64_t>(random() % 9) - 6;
            value >= -1 && value != 0)
          row.emplace_back(column, value);
    const Rows kernel = integer_kernel(rows, columns);
    for (const SparseRow& vector : kernel)
      for (const SparseRow& row : rows) {
        std::int64_t product = 0;
        for (const auto& [column, value] : row)
          for (const auto& [other, weight] : vector)
            if (column == other) product += value * weight;
        ASSERT_EQ(product, 0);
      }
    ASSERT_EQ(kernel.size() + rank_of(rows, columns), columns);
    ASSERT_EQ(rank_of(kernel, columns), kernel.size());
    // Vectors end in different columns, and each such column is in that vector alone.
    for (const SparseRow& vector : kernel) {
      const auto has_last = [&](const SparseRow& other) {
        return std::any_of(other.begin(), other.end(),
                           [&](const auto& entry) { return entry.first == vector.back().first; });
      };
      ASSERT_EQ(std::count_if(kernel.begin(), kernel.end(), has_last), 1);
    }
  }
}

}  // namespace
}  // namespace panoptes
