// SPDX-License-Identifier: Apache-2.0
// The errors of a verdict in lines for people, one each: what tells them apart, and little else.
//
// Idea: what all have alike says nothing and is left out: a column in which nothing would be, the
// channel of a process that is called as it is, of deadlocks who may stop in all of them and who is
// at the same place in all. Where a line is too wide even so, columns that can be done
// without go first, then kinds are cut, and then the other texts, at that end or in the middle
// where most of them still differ.
// How it can be wrong: not; what is cut ends or begins with `…`, or has it inside.
//
// Thread safety: as that of the list.
#pragma once

#include <string>

#include "report/error_list.hpp"

namespace panoptes {

// Nobody reads more of them. The others are counted.
inline constexpr std::size_t most_table_rows = 100;

// The table of the errors that are wanted, below a line of titles; in lines of `width`, 0 being
// any.
std::string table_text(const Program& program, const ErrorList& list, std::size_t width);

}  // namespace panoptes
