// SPDX-License-Identifier: Apache-2.0
// How a store may be wrong, and what a search may claim because of it.
#pragma once

#include <cstdint>

namespace panoptes {

// What an exact store keeps of a state: all of it, or less since memory was short.
enum class Kept : std::uint8_t { whole, hashes, bits };

// may_omit: answers `seen` for a new state. may_repeat: answers `fresh` for an old one.
struct StorePromise {
  bool may_omit = false;
  bool may_repeat = false;
  double expected_omissions = 0.0;  // of the states it was asked about
  Kept kept = Kept::whole;
};

// What a finished search has shown.
enum class Promise : std::uint8_t {
  exhaustive,  // every reachable state was visited
  hashed,      // every one but for hash conflicts, of which fewer than 0.01 are expected
  partial,     // anything else
};

struct StoreStats {
  std::uint64_t states = 0;
  std::uint64_t bytes = 0;
  std::uint64_t growth_bytes = 0;  // what its next growth needs beside them for a while
};

}  // namespace panoptes
