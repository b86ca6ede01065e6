// SPDX-License-Identifier: Apache-2.0
#include "relational/named_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "base/utf8.hpp"
#include "relational/dialect.hpp"
#include "relational/rows.hpp"
#include "relational/step_columns.hpp"
#include "rules/finding.hpp"

namespace panoptes {
namespace {

using algebra::Names;

constexpr char sizes[] = "panoptes_relations";
constexpr char size_columns[] = "model, step, relation, table_name, meaning, row_count, rounds";

// What the numbers of a column are.
enum class Holds { process, state_a, state_b, state, message, procedure, error, number };

Holds holds(std::string column) {
  for (const std::string prefix : {at_present, in_future})
    if (column.starts_with(prefix)) column.erase(0, prefix.size());
  if (column.find("value_") != std::string::npos) return Holds::number;
  if (column == "path" || column == "step" || column == "steps_back") return Holds::number;
  if (column == "process") return Holds::process;
  if (column == "error") return Holds::error;
  if (column.starts_with("procedure")) return Holds::procedure;
  if (column.ends_with("state_a")) return Holds::state_a;
  if (column.ends_with("state_b")) return Holds::state_b;
  return column.ends_with("state") ? Holds::state : Holds::message;
}

// Which names those are, as SQL.
std::string kind_of(Holds what) {
  switch (what) {
    case Holds::state_a: return "'A'";
    case Holds::state_b: return "'B'";
    case Holds::state: return "CASE r.process WHEN 1 THEN 'A' ELSE 'B' END";
    case Holds::process: return "'process'";
    case Holds::procedure: return "'procedure'";
    case Holds::error: return "'error'";
    default: return "'message'";
  }
}

// What was transmitted comes before what was received, and nothing before both, as in the paper.
Names order_of(const Names& columns) {
  Names terms;
  for (const std::string& column : columns) {
    if (column.starts_with("trigger")) terms.push_back(fmt::format("abs({})", column));
    terms.push_back(column);
  }
  return terms;
}

std::string process_name(std::int64_t number) {
  return number == 1 ? "A" : number == 2 ? "B" : "both";
}

// A relation with names for numbers.
std::string named_query(const StepRelation& relation) {
  std::string columns, joins;
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    const std::string& column = relation.columns[i];
    const Holds what = holds(column);
    if (i > 0) columns += ", ";
    if (what == Holds::number) {
      columns += "r." + column;
      continue;
    }
    columns += fmt::format("n{}.name AS {}", i, column);
    joins += fmt::format("\nLEFT JOIN raw_names AS n{0} ON n{0}.number = r.{1} AND n{0}.kind = {2}",
                         i, column, kind_of(what));
  }
  return fmt::format("SELECT {}\nFROM {} AS r{}", columns, raw_name(relation.table), joins);
}

}  // namespace

std::string NamedSteps::message_name(std::int64_t number) const {
  if (number == 0) return "0";
  const std::string& name = protocol_.messages[static_cast<std::size_t>(std::abs(number)) - 1];
  return number < 0 ? "-" + name : name;
}

std::string NamedSteps::procedure_name(std::int64_t number) const {
  return number == 0 ? "0" : protocol_.procedures[static_cast<std::size_t>(number) - 1].text;
}

std::string NamedSteps::error_name(std::int64_t number) {
  return std::string(to_string(static_cast<ErrorKind>(number - 1)));
}

DatabaseResult<> NamedSteps::load(Database& database) const {
  if (auto made = database.execute(
          "CREATE TEMPORARY TABLE raw_names (kind VARCHAR, number INTEGER, name VARCHAR)");
      !made)
    return made;
  auto names = database.append_to("", "raw_names",
                                  {ColumnType::text, ColumnType::integer, ColumnType::text});
  if (!names) return names.failure();
  DatabaseResult<> done;
  const auto add = [&](std::string_view kind, std::int64_t number, const std::string& name) {
    if (!done) return;
    (*names)->text(kind);
    (*names)->integer(number);
    (*names)->text(name);
    done = (*names)->end_row();
  };
  for (const auto& [process, side] : {std::pair("A", &protocol_.a), {"B", &protocol_.b}})
    for (std::size_t i = 0; i < side->states.size(); ++i)
      add(process, static_cast<std::int64_t>(i), side->states[i]);
  const auto count = static_cast<std::int64_t>(protocol_.messages.size());
  for (std::int64_t number = -count; number <= count; ++number)
    add("message", number, message_name(number));
  for (std::size_t number = 0; number <= protocol_.procedures.size(); ++number)
    add("procedure", static_cast<std::int64_t>(number),
        procedure_name(static_cast<std::int64_t>(number)));
  for (std::int64_t number = 1; number <= 3; ++number) add("process", number, process_name(number));
  for (int kind = 0; kind <= static_cast<int>(last_error_kind); ++kind)
    add("error", kind + 1, error_name(kind + 1));
  return done ? (*names)->finish() : done;
}

std::string NamedSteps::name(const std::string& column, std::int64_t number, bool is_of_a) const {
  switch (holds(column)) {
    case Holds::number: return std::to_string(number);
    case Holds::process: return process_name(number);
    case Holds::message: return message_name(number);
    case Holds::procedure: return procedure_name(number);
    case Holds::error: return error_name(number);
    case Holds::state_a: return protocol_.a.states[static_cast<std::size_t>(number)];
    case Holds::state_b: return protocol_.b.states[static_cast<std::size_t>(number)];
    case Holds::state: break;
  }
  return (is_of_a ? protocol_.a : protocol_.b).states[static_cast<std::size_t>(number)];
}

DatabaseResult<std::vector<NamedRow>> NamedSteps::first_rows(const StepRelation& relation,
                                                             RelationEngine& engine,
                                                             std::uint64_t most) const {
  std::vector<NamedRow> named;
  if (!relation.is_built || most == 0) return named;
  const Names& columns = relation.columns;
  const auto rows = engine.first_rows(raw_name(relation.table), columns, order_of(columns), most);
  if (!rows) return rows.failure();
  for (const NumberRow& row : *rows) {
    NamedRow& names = named.emplace_back();
    for (std::size_t c = 0; c < columns.size(); ++c)
      names.push_back(name(columns[c], row[c], row[0] == 1));
  }
  return named;
}

// The tables of these names that are in the schema and were kept by an earlier run; a failure where
// there are others.
DatabaseResult<algebra::Names> NamedSteps::own_tables(Database& database, const Names& names,
                                                      const std::string& schema) {
  // No catalog of DuckDB's but the one in use.
  const std::string in_schema =
      fmt::format("table_catalog = current_database() AND table_schema = {}", quoted_text(schema));
  std::string list;
  for (const std::string& name : names)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", quoted_text(name));
  auto there = texts_of(database, fmt::format("SELECT table_name FROM information_schema.tables "
                                              "WHERE {} AND table_name IN ({}) ORDER BY 1",
                                              in_schema, list));
  if (!there || there->empty()) return there;
  // Only a table of sizes with the columns it has here says what was kept.
  const auto columns = texts_of(
      database, fmt::format("SELECT column_name FROM information_schema.columns WHERE {} AND "
                            "table_name = '{}' ORDER BY ordinal_position",
                            in_schema, sizes));
  if (!columns) return columns.failure();
  Names own;
  if (fmt::format("{}", fmt::join(*columns, ", ")) == size_columns) {
    auto kept =
        texts_of(database, fmt::format("SELECT table_name FROM {}.{}", quoted_name(schema), sizes));
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
DatabaseResult<std::string> NamedSteps::schema_statement(Database& database,
                                                         const std::string& schema) {
  const auto there =
      number_of(database, fmt::format("SELECT count(*) FROM information_schema.schemata WHERE "
                                      "catalog_name = current_database() AND schema_name = {}",
                                      quoted_text(schema)));
  if (!there) return there.failure();
  return *there > 0 ? std::string{} : fmt::format("CREATE SCHEMA {};\n", quoted_name(schema));
}

DatabaseResult<> NamedSteps::keep(Database& database, const std::vector<StepRelation>& relations,
                                  const std::string& schema, const std::string& model) const {
  const std::string prefix = quoted_name(schema) + ".";
  Names names = {sizes};
  for (const StepRelation& relation : relations) names.push_back(relation.table);
  const auto old = own_tables(database, names, schema);
  if (!old) return old.failure();
  auto made = schema_statement(database, schema);
  if (!made) return made.failure();
  if (auto loaded = load(database); !loaded) return loaded;
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
                       quoted_text(as_utf8(model)), relation.step, quoted_text(relation.name),
                       relation.is_built ? quoted_text(relation.table) : "NULL",
                       quoted_text(relation.meaning), relation.rows,
                       relation.rounds == 0 ? "NULL" : std::to_string(relation.rounds));
  return database.execute(sql);
}

}  // namespace panoptes
