// SPDX-License-Identifier: Apache-2.0
#include "relational/named_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "relational/dialect.hpp"

namespace panoptes {
namespace {

using algebra::Names;

enum class Holds { process, state_a, state_b, state, message };

Holds holds(const std::string& column) {
  if (column == "process") return Holds::process;
  if (column.ends_with("state_a")) return Holds::state_a;
  if (column.ends_with("state_b")) return Holds::state_b;
  return column.ends_with("state") ? Holds::state : Holds::message;
}

// What was transmitted comes before what was received, and nothing before both, as in the paper.
std::string order_of(const Names& columns) {
  Names terms;
  for (const std::string& column : columns) {
    if (column.starts_with("trigger")) terms.push_back(fmt::format("abs({})", column));
    terms.push_back(column);
  }
  return fmt::format("{}", fmt::join(terms, ", "));
}

// A relation with names for numbers.
std::string named_query(const StepRelation& relation) {
  std::string columns, joins;
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    const std::string& column = relation.columns[i];
    if (i > 0) columns += ", ";
    if (holds(column) == Holds::process) {
      columns += "r.process";
      continue;
    }
    columns += fmt::format("n{}.name AS {}", i, column);
    const bool is_message = holds(column) == Holds::message;
    joins += fmt::format("\nLEFT JOIN {} AS n{} ON n{}.number = r.{}",
                         is_message ? "raw_messages" : "raw_states", i, i, column);
    if (!is_message)
      joins += fmt::format(" AND n{}.process = {}", i,
                           holds(column) == Holds::state_a   ? "'A'"
                           : holds(column) == Holds::state_b ? "'B'"
                                                             : "r.process");
  }
  return fmt::format("SELECT {}\nFROM {} AS r{}", columns, raw_name(relation.table), joins);
}

}  // namespace

std::string NamedSteps::message_name(std::int64_t number) const {
  if (number == 0) return "0";
  const std::string& name = protocol_.messages[static_cast<std::size_t>(std::abs(number)) - 1];
  return number < 0 ? "-" + name : name;
}

DatabaseResult<> NamedSteps::load() {
  if (auto made = database_.execute(
          "CREATE TEMPORARY TABLE raw_states (process VARCHAR, number INTEGER, name VARCHAR);\n"
          "CREATE TEMPORARY TABLE raw_messages (number INTEGER, name VARCHAR)");
      !made)
    return made;
  {
    auto states = database_.append_to("", "raw_states",
                                      {ColumnType::text, ColumnType::integer, ColumnType::text});
    if (!states) return states.failure();
    for (const auto& [process, side] : {std::pair("A", &protocol_.a), {"B", &protocol_.b}})
      for (std::size_t i = 0; i < side->states.size(); ++i) {
        (*states)->text(process);
        (*states)->integer(static_cast<std::int64_t>(i));
        (*states)->text(side->states[i]);
        if (auto ended = (*states)->end_row(); !ended) return ended;
      }
    if (auto finished = (*states)->finish(); !finished) return finished;
  }
  auto messages = database_.append_to("", "raw_messages", {ColumnType::integer, ColumnType::text});
  if (!messages) return messages.failure();
  const auto count = static_cast<std::int64_t>(protocol_.messages.size());
  for (std::int64_t number = -count; number <= count; ++number) {
    (*messages)->integer(number);
    (*messages)->text(message_name(number));
    if (auto ended = (*messages)->end_row(); !ended) return ended;
  }
  return (*messages)->finish();
}

DatabaseResult<std::vector<NamedRow>> NamedSteps::first_rows(const StepRelation& relation,
                                                             std::uint64_t most) const {
  std::vector<NamedRow> rows;
  if (!relation.is_built || most == 0) return rows;
  const Names& columns = relation.columns;
  auto answer = database_.query(fmt::format("SELECT {} FROM {} ORDER BY {} LIMIT {}",
                                            fmt::join(columns, ", "), raw_name(relation.table),
                                            order_of(columns), most));
  if (!answer) return answer.failure();
  Chunk chunk;
  while (true) {
    const auto more = (*answer)->next(chunk);
    if (!more) return more.failure();
    if (!*more) return rows;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      NamedRow row;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Holds what = holds(columns[c]);
        if (what == Holds::process) {
          row.push_back(chunk.columns[c].texts[r]);
          continue;
        }
        const std::int64_t number = chunk.columns[c].integers[r];
        const bool is_a = what == Holds::state_a || (what == Holds::state && row[0] == "A");
        const TwoProcess::Side& side = is_a ? protocol_.a : protocol_.b;
        row.push_back(what == Holds::message ? message_name(number)
                                             : side.states[static_cast<std::size_t>(number)]);
      }
      rows.push_back(std::move(row));
    }
  }
}

DatabaseResult<> NamedSteps::keep(const std::vector<StepRelation>& relations,
                                  const std::string& schema, const std::string& model) {
  const std::string prefix = quoted_name(schema) + ".";
  const std::string sizes = "panoptes_relations";
  std::string names;
  for (const StepRelation& relation : relations)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", quoted_text(relation.table));
  // Tables of these names that are not ours stay what they are.
  const auto others =
      number_of(database_, fmt::format("SELECT count(*) FROM information_schema.tables WHERE "
                                       "table_schema = {0} AND table_name IN "
                                       "({1}) AND NOT EXISTS (SELECT 1 FROM "
                                       "information_schema.tables WHERE table_schema = {0} AND "
                                       "table_name = {2})",
                                       quoted_text(schema), names, quoted_text(sizes)));
  if (!others) return others.failure();
  if (*others > 0)
    return DatabaseFailure{
        DatabaseFailure::Kind::privilege,
        fmt::format("{} has tables of these names already, and not from here: {}", schema, names)};
  if (auto loaded = load(); !loaded) return loaded;
  std::string sql = fmt::format("CREATE SCHEMA IF NOT EXISTS {};\n", quoted_name(schema));
  for (const StepRelation& relation : relations) {
    sql += fmt::format("DROP TABLE IF EXISTS {}{};\n", prefix, relation.table);
    if (relation.is_built)
      sql +=
          fmt::format("CREATE TABLE {}{} AS\n{};\n", prefix, relation.table, named_query(relation));
  }
  sql += fmt::format(
      "DROP TABLE IF EXISTS {0}{1};\nCREATE TABLE {0}{1} (model VARCHAR, step INTEGER, relation "
      "VARCHAR, table_name VARCHAR, meaning VARCHAR, row_count BIGINT, rounds BIGINT);\n",
      prefix, sizes);
  for (const StepRelation& relation : relations)
    sql += fmt::format("INSERT INTO {}{} VALUES ({}, {}, {}, {}, {}, {}, {});\n", prefix, sizes,
                       quoted_text(model), relation.step, quoted_text(relation.name),
                       relation.is_built ? quoted_text(relation.table) : "NULL",
                       quoted_text(relation.meaning), relation.rows,
                       relation.rounds == 0 ? "NULL" : std::to_string(relation.rounds));
  return database_.execute(sql);
}

}  // namespace panoptes
