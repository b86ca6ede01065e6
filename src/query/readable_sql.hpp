// SPDX-License-Identifier: Apache-2.0
// The parts of a packed state in SQL, as people read them: control states and messages by name,
// channels as lists. What StateSql gives as numbers, this gives as text.
//
// Cost: where a message slot has few bits, all that can be in it is listed; looking there takes
// half the time it takes to put a text together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "relational/expression_sql.hpp"

namespace panoptes {

// `program` outlives it.
class ReadableSql {
 public:
  ReadableSql(const Program& program, const Dialect& dialect);

  const std::string& control_name(ProcessId process, StateId state) const;
  // TEXT
  std::string control(ProcessId process) const;
  // BOOLEAN: the process is at a state of which `holds` is true.
  std::string is_at(ProcessId process, const std::function<bool(const ControlInfo&)>& holds) const;
  std::string all_are_at(const std::function<bool(const ControlInfo&)>& holds) const;
  // TEXT: by name where the variable is of an enumeration.
  std::string variable_text(VariableId variable) const;
  // TEXT, of a word with a message slot in it; NULL where there is no message. Where a slot has few
  // bits, all it can be is listed: looking there takes half the time it takes to put a text
  // together.
  std::string message(ChannelId channel, const std::string& slot) const;
  // TEXT, without its values.
  std::string message_name(ChannelId channel, const std::string& slot) const;
  // BIGINT, NULL where the message has no such value.
  std::string message_value(ChannelId channel, std::size_t index, const std::string& slot) const;
  // BIGINT
  std::string tag(ChannelId channel, const std::string& slot) const;
  std::string head(ChannelId channel) const;
  // TEXT: the message sent last.
  std::string tail(ChannelId channel) const;
  // TEXT[]
  std::string contents(ChannelId channel) const;

  const StateSql& sql() const { return sql_; }

 private:
  // By the bits of a slot, NULL where they are no message.
  std::vector<std::string> all_messages(ChannelId channel) const;
  std::string message_text(ChannelId channel, std::uint32_t tag, const std::string& slot) const;
  std::string value_text(EnumerationId enumeration, const std::string& value) const;

  const Program& program_;
  Dialect dialect_;
  StateSql sql_;
  std::vector<std::vector<std::string>> control_names_;
};

}  // namespace panoptes
