// SPDX-License-Identifier: Apache-2.0
// The error classes of `check` as queries, and others worth a name.
//
// Each stands on the relations of views.hpp alone, is the same for every model and both engines,
// and those of errors have a row for each time `check` counts one. docs/relational.md shows them,
// and the tests hold them to what `check` finds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace panoptes {

struct NamedQuery {
  std::string_view name;
  std::string_view sentence;
  std::string_view sql;
};

std::span<const NamedQuery> named_queries();
const NamedQuery* find_named_query(std::string_view name);

// A line for each.
std::string list_named_queries();

}  // namespace panoptes
