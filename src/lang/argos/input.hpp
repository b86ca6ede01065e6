// SPDX-License-Identifier: Apache-2.0
// What the front end is given, and how much of it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace panoptes::argos {

struct Limits {
  static constexpr std::size_t file_bytes = 16u << 20;       // one source file
  static constexpr std::size_t expanded_tokens = 2'000'000;  // tokens the parser may be given
  static constexpr int include_depth = 32;
  static constexpr int nesting = 200;  // statements or expressions in each other
};

// The door to the file system: the text of the file `path`, nothing if it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// NAME or NAME=VALUE, as given with -D.
struct Definition {
  std::string name;
  std::string value = "1";
};

}  // namespace panoptes::argos
