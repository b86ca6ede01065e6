// SPDX-License-Identifier: Apache-2.0
// The part of a relation that lies at one node: rows of numbers, all equally wide.
//
// A relation over a cube is one of these at every node; which row is where has no meaning. Cost: 8
// bytes a number. Thread safety: plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace panoptes {

using Tuple = std::span<const std::int64_t>;

class Tuples {
 public:
  explicit Tuples(std::size_t width) : width_(width) {}

  std::size_t width() const { return width_; }
  std::size_t row_bytes() const { return width_ * sizeof(std::int64_t); }
  std::size_t size() const { return values_.size() / width_; }
  bool empty() const { return values_.empty(); }
  Tuple operator[](std::size_t row) const { return {values_.data() + row * width_, width_}; }
  const std::vector<std::int64_t>& values() const { return values_; }

  // REQUIRES: the same width.
  void add(Tuple row) { values_.insert(values_.end(), row.begin(), row.end()); }
  void add(const Tuples& rows) { add(Tuple(rows.values_)); }
  void clear() { values_.clear(); }

  // The last rows, which are here no more.
  Tuples split_off(std::size_t rows) {
    Tuples last(width_);
    const auto from = values_.end() - static_cast<std::ptrdiff_t>(rows * width_);
    last.values_.assign(from, values_.end());
    values_.erase(from, values_.end());
    return last;
  }

  // Only the rows that `keep` is true of, by number.
  template <typename Keep>
  void keep_if(Keep keep) {
    std::size_t kept = 0;
    for (std::size_t row = 0, count = size(); row < count; ++row) {
      if (!keep(row)) continue;
      if (kept != row)
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * width_), width_,
                    values_.begin() + static_cast<std::ptrdiff_t>(kept * width_));
      ++kept;
    }
    values_.resize(kept * width_);
  }

 private:
  std::size_t width_;  // 1 at least
  std::vector<std::int64_t> values_;
};

using ColumnNumbers = std::vector<std::size_t>;

// Finds the rows that have given values in given columns. The rows outlive it and do not change.
class TupleIndex {
 public:
  // With `of_equals_one`, only the first of rows that are equal in these columns is in it.
  TupleIndex(const Tuples& rows, ColumnNumbers columns, bool of_equals_one = false)
      : rows_(rows), columns_(std::move(columns)) {
    std::size_t size = 16;
    while (size < 2 * rows.size()) size *= 2;
    first_.assign(size, nothing);
    next_.resize(rows.size());
    is_in_.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      is_in_[row] = !of_equals_one || !has(rows[row], columns_);
      if (!is_in_[row]) continue;
      std::uint32_t& first = first_[hash(rows[row], columns_) & (size - 1)];
      next_[row] = first;
      first = static_cast<std::uint32_t>(row);
    }
  }

  bool has_row(std::size_t row) const { return is_in_[row]; }

  // Calls `each` with the number of every row that has in its columns what `tuple` has in
  // `columns`.
  template <typename Each>
  void for_each(Tuple tuple, const ColumnNumbers& columns, Each each) const {
    for (std::uint32_t row = chain(tuple, columns); row != nothing; row = next_[row])
      if (is_equal(tuple, columns, row)) each(row);
  }

  bool has(Tuple tuple, const ColumnNumbers& columns) const {
    std::uint32_t row = chain(tuple, columns);
    while (row != nothing && !is_equal(tuple, columns, row)) row = next_[row];
    return row != nothing;
  }

 private:
  static constexpr std::uint32_t nothing = UINT32_MAX;

  static std::uint64_t hash(Tuple tuple, const ColumnNumbers& columns) {
    std::uint64_t result = 0;
    for (const std::size_t column : columns)
      result = hash_word(result ^ static_cast<std::uint64_t>(tuple[column]));
    return result;
  }

  std::uint32_t chain(Tuple tuple, const ColumnNumbers& columns) const {
    return first_[hash(tuple, columns) & (first_.size() - 1)];
  }
  bool is_equal(Tuple tuple, const ColumnNumbers& columns, std::uint32_t row) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (tuple[columns[i]] != rows_[row][columns_[i]]) return false;
    return true;
  }

  const Tuples& rows_;
  ColumnNumbers columns_;
  std::vector<std::uint32_t> first_, next_;
  std::vector<bool> is_in_;
};

// All columns, in order.
inline ColumnNumbers all_columns(std::size_t width) {
  ColumnNumbers columns(width);
  for (std::size_t i = 0; i < width; ++i) columns[i] = i;
  return columns;
}

}  // namespace panoptes
