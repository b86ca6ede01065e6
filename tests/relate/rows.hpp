// SPDX-License-Identifier: Apache-2.0
// A database and its rows, as a test compares them.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "relational/open.hpp"

namespace panoptes::test {

inline std::unique_ptr<Database> open(const std::string& address) {
  auto database = open_database(*parse_database_address(address));
  if (!database) throw std::runtime_error(database.failure().message);
  return std::move(*database);
}

using Rows = std::vector<std::string>;

// All rows as text, values separated by |, NULL as -.
inline Rows rows(Database& database, const std::string& sql) {
  auto answer = database.query(sql);
  if (!answer) return {"failed: " + answer.failure().message};
  Rows result;
  Chunk chunk;
  while (true) {
    const auto more = (*answer)->next(chunk);
    if (!more) return {"failed: " + more.failure().message};
    if (!*more) return result;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      std::string row;
      for (std::size_t c = 0; c < chunk.columns.size(); ++c) {
        const Chunk::Values& values = chunk.columns[c];
        if (c > 0) row += "|";
        if (values.is_null[r])
          row += "-";
        else if (!values.integers.empty())
          row += std::to_string(values.integers[r]);
        else if (!values.reals.empty())
          row += std::to_string(values.reals[r]);
        else
          row += values.texts[r];
      }
      result.push_back(row);
    }
  }
}

}  // namespace panoptes::test
