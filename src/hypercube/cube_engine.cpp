// SPDX-License-Identifier: Apache-2.0
#include "hypercube/cube_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hypercube/scalar.hpp"

namespace panoptes {
namespace {

using algebra::Names;
using algebra::Operation;
using algebra::Relation;

DatabaseFailure statement_failure(std::string message) {
  return {DatabaseFailure::Kind::statement, std::move(message)};
}

std::size_t number_in(const Names& columns, const std::string& name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                  columns.begin());
}

// Where the columns of one list are in another.
DatabaseResult<ColumnNumbers> numbers_in(const Names& columns, const Names& names) {
  ColumnNumbers numbers;
  for (const std::string& name : names) {
    numbers.push_back(number_in(columns, name));
    if (numbers.back() == columns.size())
      return statement_failure(fmt::format("there is no column {}", name));
  }
  return numbers;
}

// The terms of an operator, by the columns of its operand.
DatabaseResult<std::vector<Scalar>> read_terms(const algebra::Terms& terms, const Names& columns) {
  std::vector<Scalar> scalars;
  for (const auto& [name, sql] : terms) {
    auto scalar = Scalar::read(sql, columns);
    if (!scalar) return statement_failure(scalar.failure());
    scalars.push_back(std::move(*scalar));
  }
  return scalars;
}

// A value of a column always is one.
std::int64_t column_value(const Scalar& scalar, Tuple row) {
  return static_cast<std::int64_t>(scalar.evaluate(row).value_or(0));
}

}  // namespace

// ---- tables --------------------------------------------------------------------------------

DatabaseResult<> CubeEngine::outcome() const {
  if (cube_.failed()) return DatabaseFailure{DatabaseFailure::Kind::connection, *cube_.failure()};
  return {};
}

DatabaseResult<> CubeEngine::load(const std::string& table, const Names& columns,
                                  const std::vector<NumberRow>& rows) {
  Tuples tuples(columns.size());
  if (cube_.node() == 0)
    for (const NumberRow& row : rows) tuples.add(Tuple(row));
  tables_.insert_or_assign(table, Table{columns, std::move(tuples)});
  return outcome();
}

DatabaseResult<std::uint64_t> CubeEngine::make(const std::string& table, const Relation& rows) {
  if (cube_.line(is_over_ && is_over_()))
    return DatabaseFailure{DatabaseFailure::Kind::interrupted, "interrupted"};
  auto tuples = evaluate(rows);
  if (!tuples) return tuples.failure();
  const std::uint64_t count = cube_.total(tuples->size());
  tables_.insert_or_assign(table, Table{rows.columns, std::move(*tuples)});
  if (const auto done = outcome(); !done) return done.failure();
  return count;
}

DatabaseResult<> CubeEngine::add(const std::string& table, const std::string& from) {
  tables_.at(table).rows.add(tables_.at(from).rows);
  return {};
}

DatabaseResult<> CubeEngine::drop(const std::string& table) {
  tables_.erase(table);
  return {};
}

// Each node sends its first rows.
DatabaseResult<std::vector<NumberRow>> CubeEngine::first_rows(const std::string& table,
                                                              const Names& columns, const Names& by,
                                                              std::uint64_t most) {
  const Table& found = tables_.at(table);
  const auto order = [&] {
    algebra::Terms terms;
    for (const std::string& term : by) terms.emplace_back("", term);
    return read_terms(terms, columns);
  }();
  const auto numbers = numbers_in(found.columns, columns);
  if (!order) return order.failure();
  if (!numbers) return numbers.failure();
  const auto sort = [&](const Tuples& tuples) {
    std::vector<std::pair<NumberRow, NumberRow>> keyed(tuples.size());
    for (std::size_t row = 0; row < tuples.size(); ++row) {
      for (const Scalar& scalar : *order)
        keyed[row].first.push_back(column_value(scalar, tuples[row]));
      keyed[row].second.assign(tuples[row].begin(), tuples[row].end());
    }
    const auto end =
        keyed.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, keyed.size()));
    std::partial_sort(keyed.begin(), end, keyed.end());
    keyed.erase(end, keyed.end());
    return keyed;
  };
  Tuples first(columns.size());
  for (const auto& [key, row] : sort(on_cube::arrange(found.rows, *numbers))) first.add(Tuple(row));
  std::vector<NumberRow> rows;
  for (auto& [key, row] : sort(on_cube::collect(cube_, first))) rows.push_back(std::move(row));
  if (const auto done = outcome(); !done) return done.failure();
  return rows;
}

// ---- expressions ---------------------------------------------------------------------------

DatabaseResult<Tuples> CubeEngine::evaluate(const Relation& relation) const {
  if (!relation.made_by) return statement_failure("only a database can compute " + relation.sql);
  switch (relation.made_by->kind) {
    case Operation::Kind::table: return evaluate_table(relation);
    case Operation::Kind::row: return evaluate_row(relation);
    case Operation::Kind::select: return evaluate_select(relation);
    case Operation::Kind::rename: return evaluate(relation.made_by->of[0]);
    case Operation::Kind::substitute:
    case Operation::Kind::append: return evaluate_terms(relation);
    case Operation::Kind::arrange:
    case Operation::Kind::project: return evaluate_columns(relation);
    case Operation::Kind::join: return evaluate_join(relation);
    case Operation::Kind::unite_disjoint:
    case Operation::Kind::unite:
    case Operation::Kind::minus: break;
  }
  return evaluate_set(relation);
}

DatabaseResult<Tuples> CubeEngine::evaluate_table(const Relation& relation) const {
  const auto found = tables_.find(relation.made_by->text);
  if (found == tables_.end())
    return statement_failure(fmt::format("there is no table {}", relation.made_by->text));
  if (found->second.columns == relation.columns) return found->second.rows;
  const auto numbers = numbers_in(found->second.columns, relation.columns);
  if (!numbers) return numbers.failure();
  return on_cube::arrange(found->second.rows, *numbers);
}

DatabaseResult<Tuples> CubeEngine::evaluate_row(const Relation& relation) const {
  const auto values = read_terms(relation.made_by->terms, {});
  if (!values) return values.failure();
  Tuples tuples(relation.columns.size());
  NumberRow row;
  for (const Scalar& value : *values) row.push_back(column_value(value, {}));
  if (cube_.node() == 0) tuples.add(Tuple(row));
  return tuples;
}

DatabaseResult<Tuples> CubeEngine::evaluate_select(const Relation& relation) const {
  const auto rows = evaluate(relation.made_by->of[0]);
  if (!rows) return rows;
  const auto condition = Scalar::read(relation.made_by->text, relation.columns);
  if (!condition) return statement_failure(condition.failure());
  return on_cube::select(*rows, [&](Tuple row) { return condition->is_true(row); });
}

// Columns with other values, or more columns behind those there are.
DatabaseResult<Tuples> CubeEngine::evaluate_terms(const Relation& relation) const {
  const Relation& operand = relation.made_by->of[0];
  const algebra::Terms& terms = relation.made_by->terms;
  const auto rows = evaluate(operand);
  if (!rows) return rows;
  const auto scalars = read_terms(terms, operand.columns);
  if (!scalars) return scalars.failure();
  ColumnNumbers targets;
  for (std::size_t i = 0; i < terms.size(); ++i)
    targets.push_back(relation.made_by->kind == Operation::Kind::append
                          ? operand.columns.size() + i
                          : number_in(operand.columns, terms[i].first));
  Tuples result(relation.columns.size());
  NumberRow values(result.width());
  for (std::size_t row = 0; row < rows->size(); ++row) {
    const Tuple before = (*rows)[row];
    std::copy(before.begin(), before.end(), values.begin());
    for (std::size_t i = 0; i < targets.size(); ++i)
      values[targets[i]] = column_value((*scalars)[i], before);
    result.add(Tuple(values));
  }
  return result;
}

DatabaseResult<Tuples> CubeEngine::evaluate_columns(const Relation& relation) const {
  const Relation& operand = relation.made_by->of[0];
  auto rows = evaluate(operand);
  if (!rows) return rows;
  const auto numbers = numbers_in(operand.columns, relation.columns);
  if (!numbers) return numbers.failure();
  if (relation.made_by->kind == Operation::Kind::arrange) return on_cube::arrange(*rows, *numbers);
  return on_cube::project(cube_, *rows, *numbers);
}

DatabaseResult<Tuples> CubeEngine::evaluate_join(const Relation& relation) const {
  const Relation &left = relation.made_by->of[0], &right = relation.made_by->of[1];
  auto left_rows = evaluate(left);
  if (!left_rows) return left_rows;
  auto right_rows = evaluate(right);
  if (!right_rows) return right_rows;
  on_cube::JoinColumns columns;
  for (std::size_t i = 0; i < right.columns.size(); ++i) {
    const std::size_t shared = number_in(left.columns, right.columns[i]);
    if (shared == left.columns.size()) {
      columns.kept.push_back(i);
    } else {
      columns.left.push_back(shared);
      columns.right.push_back(i);
    }
  }
  const std::string& text = relation.made_by->text;
  const auto condition = Scalar::read(text.empty() ? "TRUE" : text, relation.columns);
  if (!condition) return statement_failure(condition.failure());
  return on_cube::join(cube_, std::move(*left_rows), std::move(*right_rows), columns,
                       [&](Tuple row) { return condition->is_true(row); });
}

DatabaseResult<Tuples> CubeEngine::evaluate_set(const Relation& relation) const {
  auto left = evaluate(relation.made_by->of[0]);
  if (!left) return left;
  auto right = evaluate(relation.made_by->of[1]);
  if (!right) return right;
  switch (relation.made_by->kind) {
    case Operation::Kind::unite: return on_cube::unite(cube_, std::move(*left), *right);
    case Operation::Kind::minus: return on_cube::minus(cube_, std::move(*left), std::move(*right));
    default: left->add(*right); return left;
  }
}

}  // namespace panoptes
