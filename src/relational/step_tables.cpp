// SPDX-License-Identifier: Apache-2.0
#include "relational/step_tables.hpp"

#include <algorithm>
#include <cassert>

#include "base/clock.hpp"

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
  const auto made = engine_.make(raw_name(relation.table), rows);
  if (!made) return made.failure();
  relation.columns = rows.columns;
  relation.rows = *made;
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
  if (auto begin = engine_.make(last, raw(table)); !begin) return begin.failure();
  for (std::uint64_t found = made.rows; found > 0;) {
    ++made.rounds;
    const auto joined = engine_.make(fresh, numbered(minus(next(last), known), made.rounds));
    if (!joined) return joined.failure();
    if (auto added = engine_.add(raw_name(table), fresh); !added) return added;
    if (auto dropped = engine_.drop(last); !dropped) return dropped;
    found = *joined;
    made.rows += found;
    std::swap(last, fresh);
  }
  made.seconds = steady_seconds() - begun;
  return engine_.drop(last);
}

}  // namespace panoptes
