// SPDX-License-Identifier: Apache-2.0
// How much of a text the front end takes.
#pragma once

#include <cstddef>

namespace panoptes::argos {

struct Limits {
  static constexpr std::size_t expanded_tokens = 2'000'000;  // tokens the parser may be given
  static constexpr int include_depth = 32;
  static constexpr int nesting = 200;  // statements or expressions in each other
};

}  // namespace panoptes::argos
