// SPDX-License-Identifier: Apache-2.0
// How a protocol is to be made of a model.
#pragma once

#include <cstdint>

#include "protocol/line_faults.hpp"
#include "protocol/minimise.hpp"

namespace panoptes {

// What becomes of a value that a declared range does not hold.
enum class RangePolicy : std::uint8_t { error, wrap };

struct BuildOptions {
  std::uint32_t default_capacity = 2;  // of channels declared without one
  bool minimise = true;
  std::uint32_t most_slots = UINT32_MAX;  // channels with more are narrowed to that
  AskedNames asked = {};                  // states with one of these names are not merged
  RangePolicy ranges = RangePolicy::error;
  LineFaults faults = {};  // of lines, where not those that are declared
};

}  // namespace panoptes
