// SPDX-License-Identifier: Apache-2.0
// Random protocols of a few members that are alike, or nearly so.
#pragma once

#include <cstdint>
#include <string>

namespace panoptes::differential {

// One that depends on the seed and nothing else. About one in four has something that tells
// members apart.
std::string symmetric_protocol(std::uint64_t seed);

}  // namespace panoptes::differential
