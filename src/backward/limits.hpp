// SPDX-License-Identifier: Apache-2.0
// How far a search backwards may go before it gives up.
#pragma once

#include <cstdint>

#include "base/deadline.hpp"

namespace panoptes {

struct BackwardLimits {
  Deadline deadline = {};
  std::uint64_t bytes = UINT64_MAX;
  std::uint64_t claims = UINT64_MAX;  // to be met for each target, or questions to be asked
  // Questions about claims for each step backwards; beyond them it is left open, or given up.
  std::uint64_t work = 1'000'000;
  std::uint64_t work_open =
      1'000'000;  // the same of a step that was left open; beyond it: given up
};

}  // namespace panoptes
