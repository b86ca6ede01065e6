// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a state, as conditions on its row.
#pragma once

#include <string>
#include <vector>

#include "relational/rule_sql.hpp"

namespace panoptes {

// States with one kind of error.
struct ErrorSql {
  ErrorKind kind = ErrorKind::deadlock;
  std::string condition;
  std::string process = "-1", channel = "-1", tag = "0", assertion = "-1";  // BIGINTs
  // Two such states whose words differ in these bits are two errors.
  StateWords significant;
};

std::vector<ErrorSql> error_sql(const StateSql& state, const std::vector<RuleSql>& rules,
                                ReceptionPolicy receptions);

}  // namespace panoptes
