// SPDX-License-Identifier: Apache-2.0
// The rows of an answer, all of them.
//
// Idea: one loop takes chunk after chunk to the end, so that the database is free for the next
// call; what is taken from a row is the caller's. How it can fail: as the database does, and then
// what was taken so far does not count. Thread safety: that of the database.
#pragma once

#include <string>
#include <vector>

#include "relational/database.hpp"

namespace panoptes {

// Calls `each(chunk, row)` for every row.
template <typename Each>
DatabaseResult<> for_each_row(Database& database, const std::string& sql, Each each) {
  auto answer = database.query(sql);
  if (!answer) return answer.failure();
  Chunk chunk;
  while (true) {
    const auto more = (*answer)->next(chunk);
    if (!more) return more.failure();
    if (!*more) return {};
    for (std::size_t row = 0; row < chunk.rows; ++row) each(chunk, row);
  }
}

// Rows of whole numbers; NULL is 0.
inline DatabaseResult<std::vector<std::vector<std::int64_t>>> rows_of(Database& database,
                                                                      const std::string& sql) {
  std::vector<std::vector<std::int64_t>> rows;
  const auto done = for_each_row(database, sql, [&](const Chunk& chunk, std::size_t r) {
    std::vector<std::int64_t>& row = rows.emplace_back();
    for (const Chunk::Values& values : chunk.columns)
      row.push_back(values.is_null[r] ? 0 : values.integers.at(r));
  });
  if (!done) return done.failure();
  return rows;
}

// The first whole number of the first row; 0 for NULL, and where there is no row.
inline DatabaseResult<std::uint64_t> number_of(Database& database, const std::string& sql) {
  const auto rows = rows_of(database, sql);
  if (!rows) return rows.failure();
  return rows->empty() ? 0 : static_cast<std::uint64_t>(rows->front().at(0));
}

// The texts of the first column; NULL is left out.
inline DatabaseResult<std::vector<std::string>> texts_of(Database& database,
                                                         const std::string& sql) {
  std::vector<std::string> texts;
  const auto done = for_each_row(database, sql, [&](const Chunk& chunk, std::size_t r) {
    if (!chunk.columns[0].is_null[r]) texts.push_back(chunk.columns[0].texts.at(r));
  });
  if (!done) return done.failure();
  return texts;
}

}  // namespace panoptes
