// SPDX-License-Identifier: Apache-2.0
// What a search over ranks cannot do.
#pragma once

#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// Why there is no search over ranks with these options, in words for whoever gave them; "" where
// there is.
std::string why_not_over_ranks(const CheckOptions& options);

}  // namespace panoptes
