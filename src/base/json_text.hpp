// SPDX-License-Identifier: Apache-2.0
// JSON as text, the same everywhere.
//
// A template, so that whoever includes it need not know which library makes the JSON.
#pragma once

#include <string>

namespace panoptes {

// Bytes from outside (names, paths) may be no UTF-8: replaced by U+FFFD, never an exception.
template <typename Json>
std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The same for people too: in lines, with a line end behind the last.
template <typename Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace panoptes
