// SPDX-License-Identifier: Apache-2.0
// Findings as rows: each with the number of its state, grouped as `check` groups them.
#pragma once

#include <functional>

#include "query/relation.hpp"
#include "relational/database.hpp"
#include "search/finding_watcher.hpp"
#include "verdict/error.hpp"

namespace panoptes {

// Fills `failures`, `error_groups` and `findings`. `state_of` gives the words of a state, until it
// is called again. Groups are numbered shortest first, as in the report of `check`.
DatabaseResult<> append_findings(const Program& program, const SourceSet& sources,
                                 const std::vector<NumberedFinding>& findings,
                                 const std::function<StateView(std::uint64_t)>& state_of,
                                 bool strict, Database& database);

// Adds these rows to a table of the space.
DatabaseResult<> append_rows(Database& database, const std::string& table,
                             const std::vector<RelationColumn>& columns,
                             const std::vector<std::vector<Cell>>& rows);

}  // namespace panoptes
