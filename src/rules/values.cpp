// SPDX-License-Identifier: Apache-2.0
#include "rules/values.hpp"

namespace panoptes {

std::string variable_name(const Protocol& protocol, VariableId variable) {
  const Variable& info = protocol.variables[variable];
  if (info.process == none) return info.name;
  return protocol.processes[info.process].name + "." + info.name;
}

std::string value_text(const Protocol& protocol, VariableId variable, std::int64_t value) {
  return protocol.value_text(protocol.variables[variable].enumeration, value);
}

std::vector<VariableChange> changed_variables(const Program& program, StateView before,
                                              StateView after) {
  std::vector<VariableChange> changes;
  for (VariableId v = 0; v < program.layout.variables.size(); ++v) {
    const Slot& slot = program.layout.variables[v];
    if (read(slot, before) != read(slot, after))
      changes.push_back({v, read(slot, before), read(slot, after)});
  }
  return changes;
}

std::string contents_text(const Program& program, ChannelId channel, StateView state) {
  std::string out;
  for (const Message& message : contents(program.layout.channels[channel], state))
    out += (out.empty() ? "" : " ") +
           message_text(program.protocol, channel, message.tag, message.values);
  return out;
}

}  // namespace panoptes
