// SPDX-License-Identifier: Apache-2.0
// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace panoptes {

// 1,234,567
std::string with_commas(std::uint64_t value);
// 12.3 MB
std::string as_bytes(std::uint64_t bytes);

}  // namespace panoptes
