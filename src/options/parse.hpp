// SPDX-License-Identifier: Apache-2.0
// From what is written behind an option to its value, by the row of the table: the one place where
// texts are read and ranges kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/table.hpp"

namespace panoptes {

// Whether the option may have that value; of one that may be repeated, one of its values.
bool is_valid(const OptionInfo& option, const std::string& value);

// What has to stand behind the option: "a size, e.g. 64M or 4G", "one of breadth|depth".
std::string wanted_by(const OptionInfo& option);

// A complaint about a value that the option cannot have; "" where it can. `hint`, if there is one,
// stands behind it instead of the word that may have been meant.
std::string wrong_value(const OptionInfo& option, const std::string& value,
                        const std::string& hint = {});

// "; did you mean `x`?", or nothing. The only candidate that begins like `word` is meant even where
// the rest of it is long.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

// The value itself; nothing where it is not valid. REQUIRES: `Type` is that of the option.
template <typename Type>
std::optional<typename Type::Value> parse_as(const OptionInfo& option, const std::string& value);

// The number of the enumerator that a word stands for, as the row has it; nothing for other words.
std::optional<int> parse_word(const OptionInfo& option, const std::string& value);
// The same of several words joined by commas, each once; nothing where one of them is wrong, or
// stands beside others and must not.
std::optional<std::vector<int>> parse_words(const OptionInfo& option, const std::string& value);

}  // namespace panoptes
