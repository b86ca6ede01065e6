// SPDX-License-Identifier: Apache-2.0
#include "relational/algebra.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace panoptes::algebra {
namespace {

bool has(const Names& columns, const std::string& name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

std::string list(const Names& columns) { return fmt::format("{}", fmt::join(columns, ", ")); }

// `name`, or what `terms` says it stands for.
std::string term(const Terms& terms, const std::string& name) {
  for (const auto& [given, expression] : terms)
    if (given == name) return fmt::format("{} AS {}", expression, name);
  return name;
}

std::shared_ptr<const Operation> operation(Operation::Kind kind, std::vector<Relation> of,
                                           std::string text = {}, Terms terms = {}) {
  return std::make_shared<Operation>(
      Operation{kind, std::move(of), std::move(text), std::move(terms)});
}

}  // namespace

Relation table(const std::string& name, Names columns) {
  std::string sql = fmt::format("SELECT {} FROM {}", list(columns), name);
  return {std::move(columns), std::move(sql), operation(Operation::Kind::table, {}, name)};
}

Relation row(const Terms& values) {
  Relation result{{}, "SELECT", operation(Operation::Kind::row, {}, {}, values)};
  for (const auto& [column, value] : values) {
    result.sql += fmt::format("{} {} AS {}", result.columns.empty() ? "" : ",", value, column);
    result.columns.push_back(column);
  }
  return result;
}

Relation select(const Relation& r, const std::string& condition) {
  return {r.columns,
          fmt::format("SELECT {} FROM ({}) AS r WHERE {}", list(r.columns), r.sql, condition),
          operation(Operation::Kind::select, {r}, condition)};
}

Relation rename(const Relation& r, const Terms& names) {
  Names columns, selected;
  for (const std::string& column : r.columns) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const auto& pair) { return pair.first == column; });
    columns.push_back(found == names.end() ? column : found->second);
    selected.push_back(found == names.end() ? column
                                            : fmt::format("{} AS {}", column, found->second));
  }
  return {columns, fmt::format("SELECT {} FROM ({}) AS r", list(selected), r.sql),
          operation(Operation::Kind::rename, {r})};
}

Relation substitute(const Relation& r, const Terms& values) {
  Names selected;
  for (const std::string& column : r.columns) selected.push_back(term(values, column));
  return {r.columns, fmt::format("SELECT {} FROM ({}) AS r", list(selected), r.sql),
          operation(Operation::Kind::substitute, {r}, {}, values)};
}

Relation append(const Relation& r, const Terms& values) {
  Relation result{r.columns, {}, operation(Operation::Kind::append, {r}, {}, values)};
  Names selected = r.columns;
  for (const auto& [name, expression] : values) {
    result.columns.push_back(name);
    selected.push_back(fmt::format("{} AS {}", expression, name));
  }
  result.sql = fmt::format("SELECT {} FROM ({}) AS r", list(selected), r.sql);
  return result;
}

Relation arrange(const Relation& r, const Names& columns) {
  return {columns, fmt::format("SELECT {} FROM ({}) AS r", list(columns), r.sql),
          operation(Operation::Kind::arrange, {r})};
}

Relation project(const Relation& r, const Names& columns) {
  return {columns, fmt::format("SELECT DISTINCT {} FROM ({}) AS r", list(columns), r.sql),
          operation(Operation::Kind::project, {r})};
}

Relation times(const Relation& r, const Relation& s) {
  Names columns = r.columns;
  columns.insert(columns.end(), s.columns.begin(), s.columns.end());
  return {columns,
          fmt::format("SELECT {} FROM ({}) AS r CROSS JOIN ({}) AS s", list(columns), r.sql, s.sql),
          operation(Operation::Kind::join, {r, s})};
}

Relation join(const Relation& r, const Relation& s, const std::string& condition) {
  Names columns = r.columns, shared;
  for (const std::string& column : s.columns)
    (has(r.columns, column) ? shared : columns).push_back(column);
  const std::string where = condition.empty() ? "" : fmt::format(" WHERE {}", condition);
  auto made_by = operation(Operation::Kind::join, {r, s}, condition);
  if (shared.empty()) {
    const Relation all = times(r, s);
    return {all.columns, all.sql + where, std::move(made_by)};
  }
  return {columns,
          fmt::format("SELECT {} FROM ({}) AS r JOIN ({}) AS s USING ({}){}", list(columns), r.sql,
                      s.sql, list(shared), where),
          std::move(made_by)};
}

Relation unite(const Relation& r, const Relation& s) {
  return {r.columns, fmt::format("({}) UNION ({})", r.sql, s.sql),
          operation(Operation::Kind::unite, {r, s})};
}

Relation unite_disjoint(const Relation& r, const Relation& s) {
  return {r.columns, fmt::format("({}) UNION ALL ({})", r.sql, s.sql),
          operation(Operation::Kind::unite_disjoint, {r, s})};
}

Relation minus(const Relation& r, const Relation& s) {
  return {r.columns, fmt::format("({}) EXCEPT ({})", r.sql, s.sql),
          operation(Operation::Kind::minus, {r, s})};
}

}  // namespace panoptes::algebra
