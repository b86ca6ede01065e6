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
  std::string enabled;  // whatever its class
  // 0 where there is a successor, 1 + ErrorKind where it fires into an error; "" where it is always
  // the first. A violated behaviour assertion is `violation`; which ones, `violated` says.
  std::string outcome;
  std::vector<std::string> next;                                // by word
  std::vector<std::pair<std::uint32_t, std::string>> violated;  // assertion, condition

  static constexpr int violation = 100;
};
RuleSql rule_sql(const StateSql& state, const Rule& rule);

// That some rule of class 0 is enabled.
std::string busy_sql(const Program& program, const std::vector<RuleSql>& rules);

// That a process is at one of these control states.
std::string at_sql(const StateSql& state, ProcessId process, const std::vector<StateId>& states);

}  // namespace panoptes
