// SPDX-License-Identifier: Apache-2.0
#include "query/findings.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "query/create_space.hpp"
#include "verdict/conclusions.hpp"
#include "verdict/rank.hpp"

namespace panoptes {
namespace {

// Findings that concern the same members of families; `check` may take several for one error.
struct Group {
  NumberedFinding first;
  std::size_t number = 0;
  std::size_t error = 0;
};
using Groups = std::map<ErrorKey, Group>;

// The state it was made in, which may lie inside an indivisible sequence.
StateView state_of_finding(const NumberedFinding& found,
                           const std::function<StateView(std::uint64_t)>& state_of) {
  return found.finding.inside ? StateView(found.finding.inside->state) : state_of(found.state);
}

void number_groups(const Program& program, Groups& groups) {
  std::vector<std::pair<ErrorKey, Group*>> sorted;
  for (auto& [exact, group] : groups) sorted.emplace_back(group_key(program, exact), &group);
  const auto rank = [](const std::pair<ErrorKey, Group*>& group) {
    const NumberedFinding& first = group.second->first;
    return std::tuple(error_rank(first.finding, first.depth), std::cref(group.first));
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::map<ErrorKey, std::size_t> errors;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[i].second->number = i + 1;
    sorted[i].second->error =
        errors.try_emplace(std::move(sorted[i].first), errors.size() + 1).first->second;
  }
}

Cell rule_or_null(RuleId rule) { return rule == none ? Cell{} : number_cell(rule); }

// Rows of a table of the space, one after the other; 'n' is a column of numbers, 't' of text.
class Rows {
 public:
  Rows(Database& database, const std::string& table, std::string_view types) {
    std::vector<ColumnType> columns;
    for (const char type : types)
      columns.push_back(type == 't' ? ColumnType::text : ColumnType::integer);
    auto appender = database.append_to(space_schema, table, columns);
    if (appender)
      appender_ = std::move(*appender);
    else
      done_ = appender.failure();
  }

  // False where there was a failure: then no other row need be added.
  bool add(const std::vector<Cell>& row) {
    if (!done_) return false;
    for (const Cell& value : row) {
      if (const auto* number = std::get_if<std::int64_t>(&value))
        appender_->integer(*number);
      else if (const auto* text = std::get_if<std::string>(&value))
        appender_->text(*text);
      else
        appender_->null();
    }
    done_ = appender_->end_row();
    return static_cast<bool>(done_);
  }
  DatabaseResult<> finish() { return done_ ? appender_->finish() : done_; }

 private:
  std::unique_ptr<Appender> appender_;
  DatabaseResult<> done_;
};

DatabaseResult<> append_groups(const Program& program, const SourceSet& sources,
                               const Groups& groups,
                               const std::function<StateView(std::uint64_t)>& state_of, bool strict,
                               Database& database) {
  Rows rows(database, "error_groups", std::string("nn") + std::string(7, 't') + "n");
  for (const auto& [key, group] : groups) {
    const ErrorDescription d =
        describe(program, group.first.finding, state_of_finding(group.first, state_of), sources);
    const Strictness strictness{.unread_messages_are_errors = strict};
    if (!rows.add({number_cell(group.number), number_cell(group.error),
                   std::string(to_string(key.kind)), text_or_null(d.process), text_or_null(d.state),
                   text_or_null(d.place), text_or_null(d.message), text_or_null(d.statement),
                   d.text, number_cell(is_warning(key.kind, strictness))}))
      break;
  }
  return rows.finish();
}

DatabaseResult<> append_failures(const Program& program,
                                 const std::vector<NumberedFinding>& findings, Database& database) {
  Rows rows(database, "failures", "nntt");
  for (const auto& [state, depth, finding] : findings) {
    if (finding.rule == none) continue;
    const Cell assertion = finding.assertion == none
                               ? Cell{}
                               : Cell{program.protocol.assertions[finding.assertion].name};
    if (!rows.add({number_cell(state), number_cell(finding.rule),
                   std::string(to_string(finding.kind)), assertion}))
      break;
  }
  return rows.finish();
}

}  // namespace

DatabaseResult<> append_rows(Database& database, const std::string& table,
                             const std::vector<RelationColumn>& columns,
                             const std::vector<std::vector<Cell>>& rows) {
  if (rows.empty()) return {};
  std::string types;
  for (const RelationColumn& column : columns) types += column.type == "TEXT" ? 't' : 'n';
  Rows added(database, table, types);
  for (const std::vector<Cell>& row : rows)
    if (!added.add(row)) break;
  return added.finish();
}

DatabaseResult<> append_findings(const Program& program, const SourceSet& sources,
                                 const std::vector<NumberedFinding>& findings,
                                 const std::function<StateView(std::uint64_t)>& state_of,
                                 bool strict, Database& database) {
  Groups groups;
  const auto key = [&](const NumberedFinding& found) {
    return exact_key_of(program, found.finding, state_of_finding(found, state_of));
  };
  for (const NumberedFinding& found : findings) {
    const auto [at, fresh] = groups.try_emplace(key(found));
    if (fresh || found.depth < at->second.first.depth) at->second.first = found;
  }
  number_groups(program, groups);
  if (auto done = append_groups(program, sources, groups, state_of, strict, database); !done)
    return done;
  // Row by row: there may be as many findings as states.
  const auto append_each = [&] {
    Rows rows(database, "findings", "nnn");
    for (const NumberedFinding& found : findings)
      if (!rows.add({number_cell(groups.at(key(found)).number), number_cell(found.state),
                     rule_or_null(found.finding.rule)}))
        break;
    return rows.finish();
  };
  if (auto done = append_each(); !done) return done;
  return append_failures(program, findings, database);
}

}  // namespace panoptes
