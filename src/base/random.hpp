// SPDX-License-Identifier: Apache-2.0
// Random numbers that depend on a seed and nothing else: the same on every machine.
#pragma once

#include <cstdint>

namespace panoptes {

// The next number of a generator with this state. SplitMix64 by Steele, Lea and Flood.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace panoptes
