// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace panoptes::test {

// How many of `all` are tried: a third of them every day, all with PANOPTES_SAMPLES=all, which
// `make soak` sets.
inline std::uint64_t sample_of(std::uint64_t all) {
  const char* const asked = std::getenv("PANOPTES_SAMPLES");
  return asked != nullptr && std::string_view(asked) == "all" ? all : all / 3;
}

}  // namespace panoptes::test
