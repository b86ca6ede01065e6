// SPDX-License-Identifier: Apache-2.0
// From what is written behind an option to its value, by the row of the table: the one place where
// texts are read and ranges kept.
#pragma once

#include <optional>
#include <string>

#include "options/table.hpp"

namespace panoptes {

// Whether the option may have that value; of one that may be repeated, one of its values.
bool is_valid(const OptionInfo& option, const std::string& value);

// What has to stand behind the option: "a size, e.g. 64M or 4G", "one of breadth|depth".
std::string wanted_by(const OptionInfo& option);

// The value itself; nothing where it is not valid. REQUIRES: `Type` is that of the option.
template <typename Type>
std::optional<typename Type::Value> parse_as(const OptionInfo& option, const std::string& value);

// The number of the enumerator that a word stands for, as the row has it; nothing for other words.
std::optional<int> parse_word(const OptionInfo& option, const std::string& value);

}  // namespace panoptes
