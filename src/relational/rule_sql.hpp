// SPDX-License-Identifier: Apache-2.0
// A rule as a relational expression: its predicate is a WHERE, its action a projection.
//
// Idea: what a rule asks of control states, tags and full channels is that some bits of a word have
// a certain value, so all of it together is one masked comparison for each word. What it does is,
// for each word, the bits that stay and the bits that come.
//
// How it can be wrong: this stands on the table of rules alone and shares nothing with the
// steppers, so the two check each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "relational/expression_sql.hpp"
#include "rules/finding.hpp"

namespace panoptes {

struct RuleSql {
  // Its predicate, whatever its class: bits of words, and what else there is, from " AND " on.
  StateWords tested, bits;  // by word: these bits have these values
  std::string holds;
  // 0 where there is a successor, 1 + ErrorKind where it fires into an error; "" where it is always
  // the first. A violated behaviour assertion is `violation`; which ones, `violated` says.
  std::string outcome;
  std::vector<std::pair<std::uint32_t, std::string>> violated;  // assertion, condition
  // Its action, by word: bits that go, bits that come, and words that come, from " | " on. In
  // these, tag_column stands for `tag`.
  StateWords cleared, put;
  std::vector<std::string> parts;
  std::uint32_t tag = 0;  // of a message that is sent

  static constexpr int violation = 100;
  static constexpr char tag_column[] = "rule.tag";

  std::string enabled(const Dialect& dialect) const;
};
RuleSql rule_sql(const StateSql& state, const Rule& rule);

// What a rule that is enabled can come to by what it computes, 1 + ErrorKind or NULL: the first
// that is not NULL counts. `checks_room`: a send to a full channel is among it. REQUIRES: it is one
// of the rules of `program`.
std::vector<std::string> fault_outcomes(const ExpressionSql& expressions, const Program& program,
                                        const Rule& rule, bool checks_room);

// Rules, where there are many, that differ only in bits and in the tag they send are one query,
// joined with a table of those: what a protocol says of its control states is data, as in the
// relations of the paper. A query costs time in every round, a row of a table hardly any: a process
// of 300 statements in sequence was searched in 1 s instead of 9.
struct RuleGroup {
  std::vector<RuleId> rules;
};
std::vector<RuleGroup> rule_groups(const Program& program, const std::vector<RuleSql>& rules);

// The rules of a group as a branch: their numbers and, if `with_next`, the words after. `before` is
// the beginning of the list of columns; RULE in it stands for the number of the rule.
Dialect::Branch group_branch(const Dialect& dialect, const Program& program,
                             const std::vector<RuleSql>& rules, const RuleGroup& group,
                             const std::string& before);

// By class, that some rule of a class below it is enabled.
std::vector<std::string> busy_sql(const Dialect& dialect, const Program& program,
                                  const std::vector<RuleSql>& rules);

// That a process is at one of these control states.
std::string at_sql(const StateSql& state, ProcessId process, const std::vector<StateId>& states);

// Joined by `OR` or `AND`, as a tree of little depth: engines recur into long chains.
std::string joined(const std::vector<std::string>& conditions, std::string_view by);

}  // namespace panoptes
