// SPDX-License-Identifier: Apache-2.0
// Which runs temporal properties are about, in words.
#pragma once

#include <string>
#include <string_view>

#include "protocol/protocol.hpp"

namespace panoptes {

// Adds what one word demands: none, weak, strong or lines. False where it is none of these. Strong
// fairness is that of lines, too.
bool add_fairness(std::string_view word, FairnessDemands& demands);

// The same as words joined by commas: `weak,lines`.
std::string fairness_text(const FairnessDemands& demands);

}  // namespace panoptes
