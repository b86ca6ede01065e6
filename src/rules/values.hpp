// SPDX-License-Identifier: Apache-2.0
// What is in a state, in words: variables and channels.
#pragma once

#include <string>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// `sender.retries`, or `total` where it is shared.
std::string variable_name(const Protocol& protocol, VariableId variable);

// A value of a variable, by name where it is of an enumeration.
std::string value_text(const Protocol& protocol, VariableId variable, std::int64_t value);

struct VariableChange {
  VariableId variable;
  std::int64_t before, after;
};
// Variables that do not have the same value in both states.
std::vector<VariableChange> changed_variables(const Program& program, StateView before,
                                              StateView after);

// `msg1 ack0(3)`: what is in a channel, head first; "" where it is empty.
std::string contents_text(const Program& program, ChannelId channel, StateView state);

}  // namespace panoptes
