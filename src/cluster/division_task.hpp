// SPDX-License-Identifier: Apache-2.0
// For whom a division of the states among ranks is looked for, and with whom.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/deadline.hpp"

namespace panoptes {

// What each of those who look together has to say, by looker, told to all of them; nothing where
// one is gone. All call it equally often.
using Numbers = std::vector<std::uint64_t>;
using Gather = std::function<std::optional<std::vector<Numbers>>(const Numbers& own)>;

struct DivisionTask {
  std::vector<double> shares;  // of the ranks, of which there are several
  static constexpr std::uint64_t most_sample_bytes = std::uint64_t{128} << 20;
  std::uint64_t sample_bytes = most_sample_bytes;  // for the sample, about
  unsigned looker = 0, lookers = 1;                // which of those who look together
  Gather gather = {};      // they make the sample together, too; empty: each for itself
  Deadline deadline = {};  // what is found by then is taken
};

}  // namespace panoptes
