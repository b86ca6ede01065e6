// SPDX-License-Identifier: Apache-2.0
// Random protocols for the comparison of checkers.
//
// A protocol that sends random messages to random channels stops after a few steps, and then two
// checkers agree on very little. Here the processes talk: every channel has its reader and its few
// messages, most sends are of messages that the reader knows, and most processes are servers that
// answer or clients that ask and wait. Around that skeleton everything the language has is strewn,
// and enough mistakes for every kind of error to turn up.
//
// Variables stay small, either by a declared range or by what is assigned to them, so that most
// protocols have some hundreds or thousands of states.
//
// The text depends on the seed alone: the same on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace panoptes::differential {

// The checkers are compared on at least so many, of the first seeds.
inline constexpr std::uint64_t compared_protocols = 3000;

std::string random_protocol(std::uint64_t seed);

}  // namespace panoptes::differential
