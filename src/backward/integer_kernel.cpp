// SPDX-License-Identifier: Apache-2.0
#include "backward/integer_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace panoptes {
namespace {

constexpr std::uint64_t most_entries = 100'000'000;  // to be looked at
constexpr std::int64_t largest_weight = std::int64_t{1} << 31;

__extension__ using WideEntry = __int128;

class Elimination {
 public:
  Elimination(const std::vector<SparseRow>& rows, std::uint32_t columns)
      : waiting_(columns), pivots_(columns) {
    for (const SparseRow& row : rows)
      if (!row.empty()) waiting_[row.front().first].push_back(row);
  }

  bool run() {
    for (std::uint32_t column = 0; column < pivots_.size() && !is_too_much_; ++column)
      eliminate(column);
    for (std::size_t column = pivots_.size(); column-- > 0 && !is_too_much_;)
      reduce(pivots_[column]);
    return !is_too_much_;
  }

  std::vector<SparseRow> kernel() const {
    std::vector<SparseRow> entries(pivots_.size());  // by column without a pivot: rows with it
    for (std::uint32_t column = 0; column < pivots_.size(); ++column)
      for (std::size_t i = 1; i < pivots_[column].size(); ++i)
        entries[pivots_[column][i].first].emplace_back(column, pivots_[column][i].second);
    std::vector<SparseRow> found;
    for (std::uint32_t column = 0; column < pivots_.size(); ++column)
      if (pivots_[column].empty())
        if (auto vector = solution(column, entries[column])) found.push_back(std::move(*vector));
    return found;
  }

 private:
  // The fewest entries are those of the pivot.
  void eliminate(std::uint32_t column) {
    std::vector<SparseRow>& rows = waiting_[column];
    if (rows.empty()) return;
    std::iter_swap(rows.begin(), std::min_element(rows.begin(), rows.end(),
                                                  [](const SparseRow& a, const SparseRow& b) {
                                                    return a.size() < b.size();
                                                  }));
    for (std::size_t i = 1; i < rows.size() && !is_too_much_; ++i) {
      SparseRow row = without(rows[i], 0, rows[0]);
      if (!row.empty()) waiting_[row.front().first].push_back(std::move(row));
    }
    pivots_[column] = std::move(rows[0]);
    rows.clear();
  }

  // Leaves no pivots behind the first.
  void reduce(SparseRow& row) {
    for (std::size_t i = 1; i < row.size() && !is_too_much_;) {
      const SparseRow& pivot = pivots_[row[i].first];
      if (pivot.empty())
        ++i;
      else
        row = without(row, i, pivot);
    }
  }

  // Multiples of both, added so that entry `at` of the row, where the pivot begins, is none.
  SparseRow without(const SparseRow& row, std::size_t at, const SparseRow& pivot) {
    const std::int64_t common = std::gcd(row[at].second, pivot.front().second);
    const WideEntry of_row = pivot.front().second / common, of_pivot = -(row[at].second / common);
    std::vector<std::pair<std::uint32_t, WideEntry>> sum;
    std::size_t r = 0, p = 0;
    while (r < row.size() || p < pivot.size()) {
      const bool takes_row =
          p == pivot.size() || (r < row.size() && row[r].first <= pivot[p].first);
      const bool takes_pivot =
          r == row.size() || (p < pivot.size() && pivot[p].first <= row[r].first);
      const std::uint32_t column = takes_row ? row[r].first : pivot[p].first;
      WideEntry value = 0;
      if (takes_row) value += of_row * row[r++].second;
      if (takes_pivot) value += of_pivot * pivot[p++].second;
      if (value != 0) sum.emplace_back(column, value);
    }
    entries_ += row.size() + pivot.size();
    if (entries_ > most_entries) is_too_much_ = true;
    return narrow(sum);
  }

  SparseRow narrow(const std::vector<std::pair<std::uint32_t, WideEntry>>& wide) {
    WideEntry common = 0;
    for (const auto& [column, value] : wide) {
      WideEntry other = value < 0 ? -value : value;
      while (other != 0) common = std::exchange(other, common % other);
      if (common == 1) break;
    }
    SparseRow row;
    for (const auto& [column, value] : wide) {
      const WideEntry one = value / common;
      if (one > INT64_MAX || one < -INT64_MAX) is_too_much_ = true;
      row.emplace_back(column, static_cast<std::int64_t>(one));
    }
    return row;
  }

  // The vector with that column, of all without a pivot.
  std::optional<SparseRow> solution(std::uint32_t column, const SparseRow& entries) const {
    std::int64_t multiple = 1;
    for (const auto& [pivot, value] : entries) {
      const std::int64_t first = pivots_[pivot].front().second;
      const std::int64_t needed = std::abs(first / std::gcd(first, value));
      const std::int64_t more = needed / std::gcd(multiple, needed);
      if (__builtin_mul_overflow(multiple, more, &multiple) || multiple > largest_weight) return {};
    }
    SparseRow vector;
    for (const auto& [pivot, value] : entries) {
      const WideEntry weight = -WideEntry{value} * multiple / pivots_[pivot].front().second;
      if (weight > largest_weight || weight < -largest_weight) return {};
      vector.emplace_back(pivot, static_cast<std::int64_t>(weight));
    }
    vector.emplace_back(column, multiple);
    return vector;
  }

  std::vector<std::vector<SparseRow>> waiting_;  // by first column
  std::vector<SparseRow> pivots_;                // by first column; empty: none
  std::uint64_t entries_ = 0;
  bool is_too_much_ = false;
};

}  // namespace

std::vector<SparseRow> integer_kernel(const std::vector<SparseRow>& rows, std::uint32_t columns) {
  Elimination elimination(rows, columns);
  if (!elimination.run()) return {};
  return elimination.kernel();
}

}  // namespace panoptes
