// SPDX-License-Identifier: Apache-2.0
// What a search may take of the machine's memory, and how it learns what it has taken.
#pragma once

#include <cstdint>

#include "app/commands.hpp"
#include "search/explore.hpp"

namespace panoptes {

// That of --memory; three quarters of the machine's where it is not given.
std::uint64_t memory_of(const Arguments& arguments);

// Lets a search see what the process takes, less what it took before. REQUIRES: nobody else in the
// process takes much.
void measure_memory(const Arguments& arguments, ExploreOptions& options);

}  // namespace panoptes
