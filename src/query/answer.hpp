// SPDX-License-Identifier: Apache-2.0
// Answers as text: an aligned table for people, CSV and JSON for programs.
//
// Rows are written as they come; a table looks at the first thousand for the width of its columns.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "relational/database.hpp"

namespace panoptes {

// Takes the next piece of text; false where it cannot be written.
using WriteText = std::function<bool(std::string_view)>;

// How printing ended: done, not writable, or as the database says.
struct Printed {
  std::uint64_t rows = 0;
  bool is_written = true;
};

// `width`: of the terminal; 0: no limit. What does not fit is cut, and said to be cut.
DatabaseResult<Printed> print_table(Answer& answer, std::size_t width, const WriteText& write);

// As RFC 4180 has it: NULL is nothing, and the empty text is in quotes.
DatabaseResult<Printed> print_csv(Answer& answer, const WriteText& write);

// Each row of an answer of one column, which is JSON already, separated by commas.
DatabaseResult<Printed> print_json_rows(Answer& answer, const WriteText& write);

}  // namespace panoptes
