// SPDX-License-Identifier: Apache-2.0
#include "relational/named_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "relational/dialect.hpp"
#include "relational/rows.hpp"

namespace panoptes {
namespace {

using algebra::Names;

constexpr char sizes[] = "panoptes_relations";
constexpr char size_columns[] = "model, step, relation, table_name, meaning, row_count, rounds";

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
  const std::string sql =
      fmt::format("SELECT {} FROM {} ORDER BY {} LIMIT {}", fmt::join(columns, ", "),
                  raw_name(relation.table), order_of(columns), most);
  const auto done = for_each_row(database_, sql, [&](const Chunk& chunk, std::size_t r) {
    NamedRow& row = rows.emplace_back();
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
  });
  if (!done) return done.failure();
  return rows;
}

// The tables of these names that are in the schema and were kept by an earlier run; a failure where
// there are others.
DatabaseResult<algebra::Names> NamedSteps::own_tables(const Names& names,
                                                      const std::string& schema) const {
  // No catalog of DuckDB's but the one in use.
  const std::string in_schema =
      fmt::format("table_catalog = current_database() AND table_schema = {}", quoted_text(schema));
  std::string list;
  for (const std::string& name : names)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", quoted_text(name));
  auto there = texts_of(database_, fmt::format("SELECT table_name FROM information_schema.tables "
                                               "WHERE {} AND table_name IN ({}) ORDER BY 1",
                                               in_schema, list));
  if (!there || there->empty()) return there;
  // Only a table of sizes with the columns it has here says what was kept.
  const auto columns = texts_of(
      database_, fmt::format("SELECT column_name FROM information_schema.columns WHERE {} AND "
                             "table_name = '{}' ORDER BY ordinal_position",
                             in_schema, sizes));
  if (!columns) return columns.failure();
  Names own;
  if (fmt::format("{}", fmt::join(*columns, ", ")) == size_columns) {
    auto kept = texts_of(database_,
                         fmt::format("SELECT table_name FROM {}.{}", quoted_name(schema), sizes));
    if (!kept) return kept;
    own = std::move(*kept);
    own.emplace_back(sizes);
  }
  Names others;
  for (const std::string& table : *there)
    if (std::find(own.begin(), own.end(), table) == own.end()) others.push_back(table);
  if (others.empty()) return there;
  return DatabaseFailure{DatabaseFailure::Kind::privilege,
                         fmt::format("{} has tables of these names already, and not from here: {}",
                                     schema, fmt::join(others, ", "))};
}

// One who owns a schema may not be allowed to make one, even if it is there.
DatabaseResult<std::string> NamedSteps::schema_statement(const std::string& schema) const {
  const auto there =
      number_of(database_, fmt::format("SELECT count(*) FROM information_schema.schemata WHERE "
                                       "catalog_name = current_database() AND schema_name = {}",
                                       quoted_text(schema)));
  if (!there) return there.failure();
  return *there > 0 ? std::string{} : fmt::format("CREATE SCHEMA {};\n", quoted_name(schema));
}

DatabaseResult<> NamedSteps::keep(const std::vector<StepRelation>& relations,
                                  const std::string& schema, const std::string& model) {
  const std::string prefix = quoted_name(schema) + ".";
  Names names = {sizes};
  for (const StepRelation& relation : relations) names.push_back(relation.table);
  const auto old = own_tables(names, schema);
  if (!old) return old.failure();
  auto made = schema_statement(schema);
  if (!made) return made.failure();
  if (auto loaded = load(); !loaded) return loaded;
  std::string sql = std::move(*made);
  for (const std::string& table : *old) sql += fmt::format("DROP TABLE {}{};\n", prefix, table);
  for (const StepRelation& relation : relations)
    if (relation.is_built)
      sql +=
          fmt::format("CREATE TABLE {}{} AS\n{};\n", prefix, relation.table, named_query(relation));
  sql += fmt::format(
      "CREATE TABLE {}{} (model VARCHAR, step INTEGER, relation VARCHAR, table_name VARCHAR, "
      "meaning VARCHAR, row_count BIGINT, rounds BIGINT);\n",
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
