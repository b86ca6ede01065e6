// SPDX-License-Identifier: Apache-2.0
// Trail files, the options that decide what they mean, and those that say which trails are wanted.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "load/load.hpp"
#include "options/values.hpp"
#include "report/error_list.hpp"
#include "report/trail_file.hpp"

namespace panoptes {

// What decides which rules there are, and what counts as an error; -D too.
std::span<const OptionName> rule_options();
bool is_rule_option(std::string_view name);

Strictness strictness_of(const OptionValues& values);

// A file for trails of the model `path`, with none in it yet.
TrailFile trail_file_of(const std::string& path, const OptionValues& values, const Loaded& loaded);
// What --show, --only and --trails ask for.
ErrorRequest error_request(const OptionValues& values);

// The file that has the trails of `verdict` that are asked for, as far as they are there.
TrailFile trail_file_of(const std::string& path, const OptionValues& values, const Loaded& loaded,
                        const Verdict& verdict);

}  // namespace panoptes
