// SPDX-License-Identifier: Apache-2.0
// Where a report goes, piece by piece: a thousand trails need not be in memory as text before the
// first of them is written.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace panoptes {

// False where it takes no more.
using Sink = std::function<bool(std::string_view)>;

// All of what `write` gives to the sink it is called with.
template <typename Write>
std::string collected(Write write) {
  std::string text;
  write(Sink([&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

}  // namespace panoptes
