// SPDX-License-Identifier: Apache-2.0
// A text in parts.
#pragma once

#include <string_view>
#include <vector>

namespace panoptes {

// The parts of `text` between separators; none of an empty text.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

// Without blanks and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace panoptes
