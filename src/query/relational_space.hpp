// SPDX-License-Identifier: Apache-2.0
// The relational search, its tables copied into those of a space: nothing leaves the database but
// the findings, which are described here as `check` describes them.
//
// States have other numbers than those of the native search, level by level too, 0 the initial one.
#pragma once

#include "query/native_space.hpp"
#include "relational/relate.hpp"

namespace panoptes {

// Fills the tables of create_space_tables() and `failures` from those that relate() has left, and
// drops these. REQUIRES: a transaction is under way, and relate() was not part of it.
DatabaseResult<SpaceFacts> load_relational(const Program& program, const SourceSet& sources,
                                           Database& database, const Dialect& dialect,
                                           const Related& related, const RelateOptions& options);

}  // namespace panoptes
