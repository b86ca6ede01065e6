// SPDX-License-Identifier: Apache-2.0
#include "query/findings.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace panoptes {
namespace {

struct Group {
  NumberedFinding first;
  std::size_t number = 0;
};
using Groups = std::map<ErrorKey, Group>;

// A deadlock comes after the errors it may follow from.
auto rank(const ErrorKey& key, const NumberedFinding& first) {
  return std::tuple(first.depth + (first.finding.rule != none), key.kind == ErrorKind::deadlock,
                    key);
}

void number_groups(Groups& groups) {
  std::vector<Groups::value_type*> sorted;
  for (auto& group : groups) sorted.push_back(&group);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return rank(a->first, a->second.first) < rank(b->first, b->second.first);
  });
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i]->second.number = i + 1;
}

Cell cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
Cell text_or_null(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }
Cell rule_or_null(RuleId rule) { return rule == none ? Cell{} : cell(rule); }

std::vector<RelationColumn> columns(const std::string& types) {
  std::vector<RelationColumn> result;
  for (const char type : types) result.push_back({"", type == 'n' ? "BIGINT" : "TEXT", ""});
  return result;
}

}  // namespace

DatabaseResult<> append_rows(Database& database, const std::string& table,
                             const std::vector<RelationColumn>& columns,
                             const std::vector<std::vector<Cell>>& rows) {
  if (rows.empty()) return {};
  std::vector<ColumnType> types;
  for (const RelationColumn& column : columns)
    types.push_back(column.type == "TEXT" ? ColumnType::text : ColumnType::integer);
  auto appender = database.append_to(space_schema, table, types);
  if (!appender) return appender.failure();
  for (const std::vector<Cell>& row : rows) {
    for (const Cell& value : row) {
      if (const auto* number = std::get_if<std::int64_t>(&value))
        (*appender)->integer(*number);
      else if (const auto* text = std::get_if<std::string>(&value))
        (*appender)->text(*text);
      else
        (*appender)->null();
    }
    if (auto done = (*appender)->end_row(); !done) return done;
  }
  return (*appender)->finish();
}

DatabaseResult<> append_findings(const Program& program, const SourceSet& sources,
                                 const std::vector<NumberedFinding>& findings,
                                 const std::function<StateView(std::uint64_t)>& state_of,
                                 bool strict, Database& database) {
  Groups groups;
  std::vector<Group*> group_of;
  for (const NumberedFinding& found : findings) {
    const auto [at, fresh] =
        groups.try_emplace(key_of(program, found.finding, state_of(found.state)));
    if (fresh || found.depth < at->second.first.depth) at->second.first = found;
    group_of.push_back(&at->second);
  }
  number_groups(groups);

  std::vector<std::vector<Cell>> group_rows, finding_rows, failure_rows;
  for (const auto& [key, group] : groups) {
    const ErrorDescription d =
        describe(program, group.first.finding, state_of(group.first.state), sources);
    const bool is_warning = key.kind == ErrorKind::unread_messages && !strict;
    group_rows.push_back({cell(group.number), std::string(to_string(key.kind)),
                          text_or_null(d.process), text_or_null(d.state), text_or_null(d.place),
                          text_or_null(d.message), text_or_null(d.statement), d.text,
                          cell(is_warning)});
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i].finding;
    finding_rows.push_back(
        {cell(group_of[i]->number), cell(findings[i].state), rule_or_null(finding.rule)});
    if (finding.rule == none) continue;
    failure_rows.push_back(
        {cell(findings[i].state), cell(finding.rule), std::string(to_string(finding.kind)),
         finding.assertion == none ? Cell{}
                                   : Cell{program.protocol.assertions[finding.assertion].name}});
  }
  if (auto done = append_rows(database, "error_groups",
                              columns("nttttttt"
                                      "n"),
                              group_rows);
      !done)
    return done;
  if (auto done = append_rows(database, "findings", columns("nnn"), finding_rows); !done)
    return done;
  return append_rows(database, "failures", columns("nntt"), failure_rows);
}

}  // namespace panoptes
