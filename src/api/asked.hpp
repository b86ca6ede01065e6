// SPDX-License-Identifier: Apache-2.0
// The options that a user of the library gives, one by one, as values that make sense.
//
// Those of a model decide what its rules are and what counts as an error, so all that is done with
// it has them in common: the options that a file of trails has, -D, --never, --cost and --fold. The
// others of the command `check` are those of a check, but for what only a program does.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "options/table.hpp"
#include "options/values.hpp"

namespace panoptes {

using GivenOptions = std::vector<std::pair<std::string, std::string>>;  // name and value

enum class AskedOf { model, check };

// Whether an option of the table is one of those.
bool is_asked_of(AskedOf what, const OptionInfo& option);

// `values` with those of `given` added, or what is wrong with them.
Result<OptionValues, std::string> with_options(AskedOf what, OptionValues values,
                                               const GivenOptions& given);

}  // namespace panoptes
