// SPDX-License-Identifier: Apache-2.0
// How much of a text the front end takes.
#pragma once

#include <cstddef>

namespace panoptes::argos {

struct Limits {
  static constexpr std::size_t expanded_tokens = 2'000'000;  // tokens the parser may be given
  static constexpr int include_depth = 32;
  static constexpr int nesting = 200;  // statements or expressions in each other
  // Of a message: what a slot of 64 bits has room for beside a tag, if each has two values.
  static constexpr std::size_t values = 63;
};

}  // namespace panoptes::argos
