// SPDX-License-Identifier: Apache-2.0
#include "support/json.hpp"

namespace panoptes::test {

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::json parse_json_or_discard(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace panoptes::test
