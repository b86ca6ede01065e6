// SPDX-License-Identifier: Apache-2.0
// What a search may take of the machine's memory.
#pragma once

#include <cstdint>

#include "options/values.hpp"

namespace panoptes {

// Memory of the machine or of the control group this process is in, whichever is less.
std::uint64_t available_memory_bytes();

// That of --memory; three quarters of the machine's where it is not given.
std::uint64_t memory_of(const OptionValues& values);

}  // namespace panoptes
