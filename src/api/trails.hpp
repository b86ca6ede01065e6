// SPDX-License-Identifier: Apache-2.0
// Trail files, and the options that decide what they mean.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/load.hpp"
#include "report/trail_file.hpp"

namespace panoptes {

// What decides which rules there are, and what counts as an error; -D too.
std::span<const char* const> rule_options();
bool is_rule_option(std::string_view name);

Strictness strictness_of(const Arguments& arguments);

// A file for trails of this program, with none in it yet. `labels`: those that were asked for, by
// --cost too.
TrailFile trail_file_of(const Arguments& arguments, const Program& program,
                        const std::string& labels);

// The file that has the trails of everything in `verdict`, as far as they are there.
TrailFile trail_file_of(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict);

}  // namespace panoptes
