// SPDX-License-Identifier: Apache-2.0
#include "query/create_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "query/readable_sql.hpp"

namespace panoptes {
namespace {

std::string create_table(const Relation& relation) {
  std::vector<std::string> columns;
  for (const RelationColumn& column : relation.columns)
    columns.push_back(fmt::format("{} {}", quoted_name(column.name), column.type));
  return fmt::format("CREATE TABLE panoptes.{} ({});\n", relation.name, fmt::join(columns, ", "));
}

std::string create_view(const Relation& relation) {
  std::vector<std::string> names;
  for (const RelationColumn& column : relation.columns) names.push_back(quoted_name(column.name));
  return fmt::format("CREATE VIEW panoptes.{} ({}) AS\n{};\n", relation.name,
                     fmt::join(names, ", "), relation.query);
}

// The steps of a shortest way to a state: back from parent to parent, then every step beside the
// state before it, for what it receives.
std::string path_query(const Program& program, const Dialect& dialect) {
  const ReadableSql parts(program, dialect);
  const std::string words = parts.sql().words();
  std::string heads, tails, received, sent;
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    if (program.layout.channels[c].pieces.empty()) continue;
    heads += fmt::format(", {} AS head_{}", parts.head(c), c);
    tails += fmt::format(", {} AS tail_{}", parts.tail(c), c);
    const std::string name = quoted_text(program.protocol.channels[c].name);
    received += fmt::format(" WHEN {} THEN before.head_{}", name, c);
    sent += fmt::format(" WHEN {} THEN after.tail_{}", name, c);
  }
  const auto by_channel = [](const std::string& cases) {
    return cases.empty() ? std::string("NULL::TEXT")
                         : fmt::format("CASE rules.channel{} END", cases);
  };
  return fmt::format(
      "WITH RECURSIVE back(state, depth, parent, rule, {0}) AS (\n"
      "  SELECT state, depth, parent, rule, {0} FROM panoptes.packed_states WHERE state = goal\n"
      "  UNION ALL\n"
      "  SELECT packed.state, packed.depth, packed.parent, packed.rule, {1}\n"
      "  FROM back JOIN panoptes.packed_states AS packed ON packed.state = back.parent\n"
      "), steps AS (SELECT state, depth, parent, rule{2}{3} FROM back)\n"
      "SELECT after.depth AS step, after.parent AS source, after.rule, rules.process, "
      "rules.action, rules.channel,\n"
      "  COALESCE(CASE rules.action WHEN 'receive' THEN {4} WHEN 'send' THEN {5} END, "
      "rules.message) AS message,\n"
      "  rules.text, after.state AS target\n"
      "FROM steps AS after JOIN steps AS before ON before.state = after.parent JOIN panoptes.rules "
      "ON rules.rule = after.rule ORDER BY after.depth",
      words, parts.sql().words("packed."), heads, tails, by_channel(received), by_channel(sent));
}

}  // namespace

std::string create_space_tables(const Program& program, const Dialect& dialect) {
  std::string words;
  for (std::uint32_t i = 0; i < program.layout.words; ++i)
    words += fmt::format(", {} {}", StateSql::word(i), dialect.word_type());
  return fmt::format(
      "CREATE TABLE panoptes.packed_states (state BIGINT, depth BIGINT, parent BIGINT, rule "
      "BIGINT{});\n"
      "CREATE TABLE panoptes.plain_transitions (source BIGINT, rule BIGINT, target BIGINT);\n"
      "CREATE TABLE panoptes.error_groups (number BIGINT, error BIGINT, kind TEXT, process "
      "TEXT, control_state TEXT, place TEXT, message TEXT, statement TEXT, text TEXT, is_warning "
      "BOOLEAN);\n"
      "CREATE TABLE panoptes.findings (number BIGINT, state BIGINT, rule BIGINT);\n",
      words);
}

std::string create_space_views(const Program& program, const std::vector<Relation>& relations,
                               const Dialect& dialect) {
  std::string sql;
  for (const Relation& relation : relations)
    if (relation.query.empty()) sql += create_table(relation);
  for (const Relation& relation : relations)
    if (!relation.query.empty()) sql += create_view(relation);
  return sql +
         dialect.table_function(
             "panoptes.path_to", "goal",
             "step BIGINT, source BIGINT, rule BIGINT, process TEXT, action TEXT, channel "
             "TEXT, message TEXT, text TEXT, target BIGINT",
             path_query(program, dialect)) +
         ";\n";
}

}  // namespace panoptes
