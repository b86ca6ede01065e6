// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol.hpp"

namespace panoptes {

ExpressionNames Protocol::names() const {
  return {[this](VariableId v) { return variables[v].name; },
          [this](ChannelId c) { return channels[c].name; }};
}

}  // namespace panoptes
