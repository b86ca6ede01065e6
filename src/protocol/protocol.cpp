// SPDX-License-Identifier: Apache-2.0
#include "protocol/protocol.hpp"

#include <algorithm>

namespace panoptes {

ExpressionNames Protocol::names() const {
  return {[this](VariableId v) { return variables[v].name; },
          [this](ChannelId c) { return channels[c].name; }};
}

std::string Protocol::value_text(EnumerationId enumeration, std::int64_t value) const {
  if (enumeration == none || value < 0) return std::to_string(value);
  const auto& known = enumerations[enumeration].names;
  const auto index = static_cast<std::uint64_t>(value);
  return index < known.size() ? known[index] : std::to_string(value);
}

ExpressionId Protocol::broken(ExpressionId condition, bool is_never) {
  const auto negated = [&](ExpressionId id) { return expressions.unary(Op::logical_not, id); };
  if (!expressions.can_fail(condition)) return is_never ? condition : negated(condition);
  return negated(expressions.holds(is_never ? negated(condition) : condition));
}

std::string Protocol::reader_names(const Channel& channel) const {
  std::string names;
  for (const ProcessId p : channel.readers)
    names += (names.empty() ? "" : ", ") + processes[p].name;
  return names;
}

std::uint32_t Protocol::room_in(const std::vector<ChannelId>& asked) {
  if (asked.empty()) return none;
  const auto found = std::find(rooms.begin(), rooms.end(), asked);
  const auto number = static_cast<std::uint32_t>(found - rooms.begin());
  if (found == rooms.end()) rooms.push_back(asked);
  return number;
}

}  // namespace panoptes
