// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol.hpp"

namespace panoptes {

ExpressionNames Protocol::names() const {
  return {[this](VariableId v) { return variables[v].name; },
          [this](ChannelId c) { return channels[c].name; }};
}

std::string Protocol::reader_names(const Channel& channel) const {
  std::string names;
  for (const ProcessId p : channel.readers)
    names += (names.empty() ? "" : ", ") + processes[p].name;
  return names;
}

}  // namespace panoptes
