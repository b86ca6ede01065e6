// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "relational/relation_engine.hpp"
#include "relational/rows.hpp"

namespace panoptes {

DatabaseResult<> SqlEngine::load(const std::string& table, const algebra::Names& columns,
                                 const std::vector<NumberRow>& rows) {
  std::string definitions;
  for (const std::string& column : columns)
    definitions += fmt::format("{}{} INTEGER", definitions.empty() ? "" : ", ", column);
  if (auto made =
          database_.execute(fmt::format("CREATE TEMPORARY TABLE {} ({})", table, definitions));
      !made)
    return made;
  {
    auto appender =
        database_.append_to("", table, std::vector(columns.size(), ColumnType::integer));
    if (!appender) return appender.failure();
    for (const NumberRow& row : rows) {
      for (const std::int64_t value : row) (*appender)->integer(value);
      if (auto ended = (*appender)->end_row(); !ended) return ended;
    }
    if (auto finished = (*appender)->finish(); !finished) return finished;
  }
  // A planner that knows how few triggers there are does not join on them first.
  return database_.execute(fmt::format("ANALYZE {}", table));
}

DatabaseResult<std::uint64_t> SqlEngine::make(const std::string& table,
                                              const algebra::Relation& rows) {
  if (auto made =
          database_.execute(fmt::format("CREATE TEMPORARY TABLE {} AS\n{}", table, rows.sql));
      !made)
    return made.failure();
  return number_of(database_, fmt::format("SELECT count(*) FROM {}", table));
}

DatabaseResult<> SqlEngine::add(const std::string& table, const std::string& from) {
  return database_.execute(fmt::format("INSERT INTO {} SELECT * FROM {}", table, from));
}

DatabaseResult<> SqlEngine::drop(const std::string& table) {
  return database_.execute(fmt::format("DROP TABLE {}", table));
}

DatabaseResult<std::vector<NumberRow>> SqlEngine::first_rows(const std::string& table,
                                                             const algebra::Names& columns,
                                                             const algebra::Names& by,
                                                             std::uint64_t most) {
  return rows_of(database_,
                 fmt::format("SELECT {} FROM {} ORDER BY {} LIMIT {}", fmt::join(columns, ", "),
                             table, fmt::join(by, ", "), most));
}

}  // namespace panoptes
