// SPDX-License-Identifier: Apache-2.0
#include "relational/step_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/clock.hpp"
#include "relational/rows.hpp"

namespace panoptes {

using algebra::Relation;

bool StepTables::has(const std::string& table) const {
  return std::any_of(relations_.begin(), relations_.end(),
                     [&](const StepRelation& r) { return r.table == table; });
}

const StepRelation& StepTables::at(const std::string& table) const {
  const auto found = std::find_if(relations_.begin(), relations_.end(),
                                  [&](const StepRelation& r) { return r.table == table; });
  assert(found != relations_.end());
  return *found;
}

Relation StepTables::raw(const std::string& table) const {
  return algebra::table(raw_name(table), at(table).columns);
}

DatabaseResult<> StepTables::make(StepRelation relation, const Relation& rows) {
  const double start = steady_seconds();
  const std::string name = raw_name(relation.table);
  if (auto made =
          database_.execute(fmt::format("CREATE TEMPORARY TABLE {} AS\n{}", name, rows.sql));
      !made)
    return made;
  const auto counted = number_of(database_, fmt::format("SELECT count(*) FROM {}", name));
  if (!counted) return counted.failure();
  relation.columns = rows.columns;
  relation.rows = *counted;
  relation.seconds = steady_seconds() - start;
  relations_.push_back(std::move(relation));
  return {};
}

DatabaseResult<> StepTables::make_fixpoint(StepRelation relation, const Relation& start,
                                           const Next& next, const std::string& round) {
  const double begun = steady_seconds();
  const std::string table = relation.table;
  const auto numbered = [&](const Relation& rows, std::uint64_t number) {
    if (round.empty()) return rows;
    algebra::Names columns = {round};
    columns.insert(columns.end(), rows.columns.begin(), rows.columns.end());
    return arrange(append(rows, {{round, std::to_string(number)}}), columns);
  };
  if (auto made = make(std::move(relation), numbered(start, 0)); !made) return made;
  StepRelation& made = relations_.back();
  const Relation known = arrange(raw(table), start.columns);
  // What the round before has found, and what this one finds.
  std::string last = raw_name("last"), fresh = raw_name("fresh");
  if (auto begin = database_.execute(
          fmt::format("CREATE TEMPORARY TABLE {} AS SELECT * FROM {}", last, raw_name(table)));
      !begin)
    return begin;
  for (std::uint64_t found = made.rows; found > 0;) {
    ++made.rounds;
    const Relation rows = numbered(minus(next(last), known), made.rounds);
    if (auto joined = database_.execute(
            fmt::format("CREATE TEMPORARY TABLE {0} AS\n{1};\nINSERT INTO {2} SELECT * FROM {0};\n"
                        "DROP TABLE {3}",
                        fresh, rows.sql, raw_name(table), last));
        !joined)
      return joined;
    const auto counted = number_of(database_, fmt::format("SELECT count(*) FROM {}", fresh));
    if (!counted) return counted.failure();
    found = *counted;
    made.rows += found;
    std::swap(last, fresh);
  }
  made.seconds = steady_seconds() - begun;
  return database_.execute(fmt::format("DROP TABLE {}", last));
}

}  // namespace panoptes
