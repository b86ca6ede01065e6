// SPDX-License-Identifier: Apache-2.0
#include "relational/dialect.hpp"

#include <fmt/format.h>

#include <set>

namespace panoptes {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result += quote;
}

}  // namespace

std::string_view to_string(Engine engine) {
  return engine == Engine::duckdb ? "DuckDB" : "PostgreSQL";
}

std::string quoted_name(std::string_view name) { return doubled(name, '"'); }
std::string quoted_text(std::string_view text) { return doubled(text, '\''); }

std::string Dialect::word_type() const { return engine_ == Engine::duckdb ? "UBIGINT" : "BIGINT"; }

std::string Dialect::wide_type() const { return engine_ == Engine::duckdb ? "HUGEINT" : "NUMERIC"; }

std::string Dialect::word(std::uint64_t value) const {
  if (engine_ == Engine::duckdb) return fmt::format("{}::UBIGINT", value);
  return fmt::format("'{}'::BIGINT", static_cast<std::int64_t>(value));
}

std::string Dialect::shift_left(const std::string& word, std::uint32_t by) const {
  return by == 0 ? word : fmt::format("({} << {})", word, by);
}

std::string Dialect::shift_right(const std::string& word, std::uint32_t by) const {
  return by == 0 ? word : fmt::format("({} >> {})", word, by);
}

std::string Dialect::to_integer(const std::string& word) const {
  return engine_ == Engine::duckdb ? fmt::format("({})::BIGINT", word) : word;
}

std::string Dialect::to_word(const std::string& integer) const {
  return engine_ == Engine::duckdb ? fmt::format("({})::UBIGINT", integer) : integer;
}

std::string Dialect::temporary_schema() const {
  return engine_ == Engine::duckdb ? "temp" : "pg_temp";
}

std::string Dialect::divide(const std::string& left, const std::string& right) const {
  return fmt::format("({} {} {})", left, engine_ == Engine::duckdb ? "//" : "/", right);
}

std::string Dialect::remainder(const std::string& left, const std::string& right) const {
  return fmt::format("({} % {})", left, right);
}

// What is divided by 0 is NULL in DuckDB anyway, and its NULLIF writes out its operand twice.
std::string Dialect::unless_zero(const std::string& divisor) const {
  return engine_ == Engine::duckdb ? divisor : fmt::format("NULLIF({}, 0)", divisor);
}

std::string Dialect::divide_wide(const std::string& left, const std::string& right) const {
  if (engine_ == Engine::duckdb) return divide(left, right);
  return fmt::format("div({}, {})", left, right);
}

std::string Dialect::branches(const std::string& table, const std::vector<Branch>& branches,
                              const std::vector<std::string>& busy) const {
  const bool is_duckdb = engine_ == Engine::duckdb;
  std::set<std::uint32_t> waiting;  // classes
  const auto named = [](const char* name, std::uint32_t rule_class) {
    return rule_class == 1 ? std::string(name) : fmt::format("{}_{}", name, rule_class);
  };
  std::string text;
  for (const Branch& branch : branches) {
    const bool waits = branch.rule_class > 0;
    if (waits) waiting.insert(branch.rule_class);
    text += fmt::format("{}SELECT {}", text.empty() ? "" : "\nUNION ALL ", branch.columns);
    if (is_duckdb)
      text += fmt::format(" FROM {}", waits ? named("idle", branch.rule_class) : table);
    if (!branch.table.empty())
      text += is_duckdb ? fmt::format(" JOIN {} ON {}", branch.table, branch.join)
                        : fmt::format(" FROM {}", branch.table);
    text += fmt::format(" WHERE {}", branch.condition);
    if (!is_duckdb && !branch.table.empty()) text += fmt::format(" AND {}", branch.join);
    if (!is_duckdb && waits) text += " AND NOT " + named("is_busy", branch.rule_class);
  }
  std::string marks;
  for (const std::uint32_t rule_class : waiting)
    marks += is_duckdb
                 ? fmt::format("{}{} AS MATERIALIZED (SELECT * FROM {} WHERE NOT ({}))",
                               marks.empty() ? "WITH " : ", ", named("idle", rule_class), table,
                               busy[rule_class])
                 : fmt::format(", ({}) AS {}", busy[rule_class], named("is_busy", rule_class));
  if (is_duckdb) return marks.empty() ? text : marks + "\n" + text;
  // OFFSET 0 keeps it from being computed again in every branch.
  const std::string source =
      marks.empty() ? table
                    : fmt::format("(SELECT *{} FROM {} OFFSET 0) AS {}", marks, table, table);
  return fmt::format("SELECT branch.* FROM {} CROSS JOIN LATERAL (\n{}\n) AS branch", source, text);
}

std::string Dialect::shift_right_by(const std::string& word, const std::string& by) const {
  return fmt::format("({} >> {}::{})", word, by, engine_ == Engine::duckdb ? "UBIGINT" : "INTEGER");
}

std::string Dialect::table_function(const std::string& name, const std::string& parameter,
                                    const std::string& columns, const std::string& query) const {
  if (engine_ == Engine::duckdb)
    return fmt::format("CREATE MACRO {}({}) AS TABLE\n{}", name, parameter, query);
  return fmt::format(
      "CREATE FUNCTION {}({} BIGINT) RETURNS TABLE({}) LANGUAGE sql STABLE AS $$\n"
      "{}\n$$",
      name, parameter, columns, query);
}

std::string Dialect::row_as_json(const std::string& alias) const {
  return fmt::format("{}({})::TEXT", engine_ == Engine::duckdb ? "to_json" : "row_to_json", alias);
}

}  // namespace panoptes
