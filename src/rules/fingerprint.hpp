// SPDX-License-Identifier: Apache-2.0
// A number for a table of rules: the same as long as the protocol is the same.
//
// Everything that decides what can happen goes into it: rules, channels, variables, assertions, the
// initial state, and the names of them. Places in the text do not, so that a comment or a blank
// line more makes no difference. How it can be wrong: two protocols may have the same number, once
// in 2^64.
#pragma once

#include <cstdint>

#include "rules/program.hpp"

namespace panoptes {

std::uint64_t fingerprint(const Program& program);

}  // namespace panoptes
