// SPDX-License-Identifier: Apache-2.0
// A relation of a state space, to those who ask: a name, columns with what they mean, and where its
// rows come from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace panoptes {

// NULL, a number or truth value, a text.
using Cell = std::variant<std::monostate, std::int64_t, std::string>;
inline Cell number_cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline Cell text_or_null(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }

struct RelationColumn {
  std::string name;
  std::string type;      // BIGINT, BOOLEAN, TEXT or TEXT[]
  std::string sentence;  // what it is
};

// A view or a small table, to those who ask one and the same.
struct Relation {
  std::string name;
  std::string sentence;
  std::vector<RelationColumn> columns;
  std::string query;                    // of a view; "" for a table,
  std::vector<std::vector<Cell>> rows;  // which has these rows
};

}  // namespace panoptes
