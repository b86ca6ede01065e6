// SPDX-License-Identifier: Apache-2.0
// What is in a state, and what is wrong with it, in lines for people.
#pragma once

#include <string>

#include "verdict/verdict.hpp"

namespace panoptes {

// What a process could do where it is: "a?x or b!y"; at most a few of them, receives under no
// condition first, and long conditions left out: "when (…) a?x".
std::string waits_for(const Protocol& protocol, const ControlState& state);

// A line for every process: where it is, and what it waits for if nothing can move; folded to that
// width, 0 being any.
std::string positions_text(const Program& program, StateView state, const Whereabouts& whereabouts,
                           const SourceSet& sources, bool is_stuck, std::size_t width = 0);

// All of it, for a list of steps: where everybody is, every variable, what is in the channels; in
// lines of that width where that can be, ten blanks before each.
std::string state_lines(const Program& program, StateView state, const Whereabouts& whereabouts,
                        const SourceSet& sources, std::size_t width);

// "link: msg1, ack0": what is still in the channels; "" when nothing is.
std::string channel_contents(const Program& program, StateView state);

// "x 0 -> 1, sender.y 2 -> 3": the variables that have changed; "" where none has.
std::string changes_text(const Program& program, StateView before, StateView after);

// What is wrong, why, and how things stand then.
std::string error_sentences(const Program& program, const ErrorReport& error,
                            const SourceSet& sources, std::size_t width = 0);

// "1 step", "1,234 steps"
std::string plural(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace panoptes
