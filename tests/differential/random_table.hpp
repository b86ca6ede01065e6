// SPDX-License-Identifier: Apache-2.0
// Random tables of rules with all that a rule can say: several moves, elements of arrays, values of
// 32 bits, messages behind the first, channels with several readers, three classes. Each depends on
// its number alone. They mean nothing; most have some hundred states.
#pragma once

#include <cstdint>

#include "rules/program.hpp"

namespace panoptes::differential {

Program random_table(std::uint64_t seed);

}  // namespace panoptes::differential
