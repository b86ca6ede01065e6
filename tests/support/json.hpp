// SPDX-License-Identifier: Apache-2.0
// Texts as JSON. The parser is compiled once, and optimised, not in every test for itself.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace panoptes::test {

// Throws where it is none.
nlohmann::json parse_json(std::string_view text);
// What is_discarded() where it is none.
nlohmann::json parse_json_or_discard(std::string_view text);

}  // namespace panoptes::test
