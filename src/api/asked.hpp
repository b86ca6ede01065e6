// SPDX-License-Identifier: Apache-2.0
// The options that a user of the library gives, one by one, as arguments that make sense.
//
// Those of a model decide what its rules are and what counts as an error, so all that is done with
// it has them in common: the options that a file of trails has, -D, --cost and --fold. The others
// of the command `check` are those of a check, but for what only a program does.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "base/options.hpp"
#include "base/result.hpp"

namespace panoptes {

using GivenOptions = std::vector<std::pair<std::string, std::string>>;  // name and value

enum class AskedOf { model, check };

// Whether an option of the table is one of those.
bool is_asked_of(AskedOf what, const OptionInfo& option);

// `arguments` with those of `given` added, or what is wrong with them.
Result<Arguments, std::string> with_options(AskedOf what, Arguments arguments,
                                            const GivenOptions& given);

}  // namespace panoptes
