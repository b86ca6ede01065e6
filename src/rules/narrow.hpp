// SPDX-License-Identifier: Apache-2.0
// The same program with fewer slots in its channels.
//
// Idea: channels multiply states by their contents, and most errors do not depend on how many
// messages a channel holds. So a narrowed program is for a first look: what is found in it is
// replayed on the one it was made of, whose rules have the same numbers.
// How it can be wrong: with fewer slots more sends wait, so it can get stuck where the other goes
// on, and never comes to what takes more messages at a time. Nothing that is seen in the one is
// known of the other.
//
// G. J. Holzmann, Automated Protocol Validation in Argos (1987), section VI.
#pragma once

#include <optional>
#include <string>

#include "rules/program.hpp"

namespace panoptes {

// `program` with at most so many slots in a channel; nothing where none has more.
std::optional<Program> narrowed(const Program& program, std::uint32_t slots);

// The channels with fewer slots than the model gives them, in words; "" where there are none. At
// most a few are named.
std::string narrowed_channels(const Protocol& protocol);

}  // namespace panoptes
