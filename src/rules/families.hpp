// SPDX-License-Identifier: Apache-2.0
// Who is a member of which family. `proc node[i : 0..3]` becomes four processes, each with an
// automaton of its own; but it is one text, and is read and mended as one. Whoever speaks to people
// asks here what is written once.
#pragma once

#include <string>
#include <vector>

#include "protocol/protocol.hpp"

namespace panoptes {

// A family goes by the number of its first member; what is no family is one of one member. Members
// have consecutive numbers.
struct Families {
  std::vector<ProcessId> process;        // by process
  std::vector<ChannelId> channel;        // by channel
  std::vector<std::uint32_t> assertion;  // by behaviour assertion
  std::vector<std::uint32_t> invariant;  // by invariant
  std::vector<std::uint32_t> temporal;   // by temporal property
  // By channel and tag - 1: a number for the name of the message, whatever the number of its
  // values, the same for all members of the channel's family.
  std::vector<std::vector<std::uint32_t>> message;
  bool has_several = false;  // some family has more than one member
};
Families families_of(const Protocol& protocol);

// `node` for `node[2]`, and for `node`.
std::string family_name(const std::string& member);

}  // namespace panoptes
