// SPDX-License-Identifier: Apache-2.0
// What a protocol consists of, as small tables: known before any search.
#pragma once

#include <set>

#include "query/column_names.hpp"
#include "query/readable_sql.hpp"
#include "query/relation.hpp"

namespace panoptes {

// What it is made of outlives it.
class ProtocolTables {
 public:
  ProtocolTables(const Program& program, const SourceSet& sources, const Dialect& dialect);

  Relation rules() const;
  Relation processes() const;
  Relation channels() const;
  Relation alphabet() const;
  Relation control_states() const;
  Relation statements() const;
  Relation rule_statements() const;

 private:
  std::set<StatementId> statements_of(const Rule& rule) const;

  const Program& program_;
  const Protocol& protocol_;
  const SourceSet& sources_;
  ReadableSql parts_;
  StateColumns names_;
};

}  // namespace panoptes
