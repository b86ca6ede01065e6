// SPDX-License-Identifier: Apache-2.0
// What a search over ranks cannot do, and what all of them must be asked alike.
#pragma once

#include <cstdint>
#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// Why there is no search over ranks with these options, in words for whoever gave them; "" where
// there is.
std::string why_not_over_ranks(const CheckOptions& options);

// A number for the options that decide which states there are and what is wrong in them. Memory,
// threads, time and the like are each rank's own, and not in it.
std::uint64_t print_of(const CheckOptions& options);

}  // namespace panoptes
