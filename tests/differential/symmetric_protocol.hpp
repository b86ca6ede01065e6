// SPDX-License-Identifier: Apache-2.0
// Random protocols of a few members that are alike, or nearly so.
#pragma once

#include <cstdint>
#include <string>

namespace panoptes::differential {

// One that depends on the seed and nothing else. About one in four has something that tells
// members apart.
std::string symmetric_protocol(std::uint64_t seed);

// The same of pairs that are alike: each has much to do that is nobody else's business, so that
// there is often somebody whose steps can come first.
std::string symmetric_pairs(std::uint64_t seed);

}  // namespace panoptes::differential
