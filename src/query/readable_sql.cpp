// SPDX-License-Identifier: Apache-2.0
#include "query/readable_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "query/column_names.hpp"
#include "rules/positions.hpp"

namespace panoptes {

ReadableSql::ReadableSql(const Program& program, const Dialect& dialect)
    : program_(program), dialect_(dialect), sql_(program, dialect) {
  for (const Process& process : program.protocol.processes)
    control_names_.push_back(control_state_names(process));
}

const std::string& ReadableSql::control_name(ProcessId process, StateId state) const {
  return control_names_[process][state];
}

std::string ReadableSql::control(ProcessId process) const {
  std::vector<std::string> names;
  for (const std::string& name : control_names_[process]) names.push_back(quoted_text(name));
  return fmt::format("(ARRAY[{}])[{} + 1]", fmt::join(names, ", "), sql_.control(process));
}

std::string ReadableSql::is_at(ProcessId process,
                               const std::function<bool(const ControlInfo&)>& holds) const {
  std::vector<StateId> states;
  for (StateId s = 0; s < program_.control[process].size(); ++s)
    if (holds(program_.at(process, s))) states.push_back(s);
  if (states.empty()) return "FALSE";
  if (states.size() == program_.control[process].size()) return "TRUE";
  return fmt::format("{} IN ({})", sql_.control(process), fmt::join(states, ", "));
}

std::string ReadableSql::all_are_at(const std::function<bool(const ControlInfo&)>& holds) const {
  std::vector<std::string> parts;
  for (ProcessId p = 0; p < program_.control.size(); ++p) parts.push_back(is_at(p, holds));
  return parts.empty() ? "TRUE" : fmt::format("({})", fmt::join(parts, " AND "));
}

std::string ReadableSql::variable_text(VariableId variable) const {
  return value_text(program_.protocol.variables[variable].enumeration,
                    sql_.slot(program_.layout.variables[variable]));
}

std::string ReadableSql::value_text(EnumerationId enumeration, const std::string& value) const {
  if (enumeration == none) return fmt::format("{}::TEXT", value);
  const auto& names = program_.protocol.enumerations[enumeration].names;
  std::string cases;
  for (std::size_t i = 0; i < names.size(); ++i)
    cases += fmt::format(" WHEN {} THEN {}", i, quoted_text(names[i]));
  return fmt::format("CASE {0}{1} ELSE {0}::TEXT END", value, cases);
}

std::string ReadableSql::message(ChannelId channel, const std::string& slot) const {
  constexpr std::uint32_t few_bits = 6;
  const auto& sort = program_.protocol.channels[channel].sort;
  const ChannelLayout& layout = program_.layout.channels[channel];
  if (sort.empty()) return "NULL::TEXT";
  if (layout.slot_bits <= few_bits)
    return fmt::format("(ARRAY[{}])[{} + 1]", fmt::join(all_messages(channel), ", "),
                       dialect_.to_integer(slot));
  std::string cases;
  for (std::uint32_t tag = 1; tag <= sort.size(); ++tag)
    cases += fmt::format(" WHEN {} THEN {}", tag, message_text(channel, tag, slot));
  return fmt::format("CASE {}{} END", tag(channel, slot), cases);
}

std::string ReadableSql::message_name(ChannelId channel, const std::string& slot) const {
  const auto& sort = program_.protocol.channels[channel].sort;
  std::string cases;
  for (std::uint32_t tag = 1; tag <= sort.size(); ++tag)
    cases += fmt::format(" WHEN {} THEN {}", tag, quoted_text(sort[tag - 1].name));
  return cases.empty() ? "NULL::TEXT" : fmt::format("CASE {}{} END", tag(channel, slot), cases);
}

std::string ReadableSql::message_value(ChannelId channel, std::size_t index,
                                       const std::string& slot) const {
  const auto& tags = program_.layout.channels[channel].tags;
  std::string cases;
  for (std::uint32_t tag = 1; tag <= tags.size(); ++tag)
    if (index < tags[tag - 1].size())
      cases += fmt::format(" WHEN {} THEN {}", tag, sql_.field(tags[tag - 1][index], slot));
  return cases.empty() ? "NULL::BIGINT" : fmt::format("CASE {}{} END", tag(channel, slot), cases);
}

std::string ReadableSql::tag(ChannelId channel, const std::string& slot) const {
  return dialect_.to_integer(
      fmt::format("({} & {})", slot, dialect_.word(program_.layout.channels[channel].tag_mask())));
}

std::string ReadableSql::head(ChannelId channel) const {
  return message(channel, sql_.message(program_.layout.channels[channel], 0));
}

std::string ReadableSql::tail(ChannelId channel) const {
  const ChannelLayout& layout = program_.layout.channels[channel];
  if (layout.pieces.empty()) return "NULL::TEXT";
  std::vector<std::string> slots;
  for (std::uint32_t i = layout.last_slot + 1; i-- > 0;)
    slots.push_back(message(channel, sql_.message(layout, i)));
  return fmt::format("COALESCE({})", fmt::join(slots, ", "));
}

std::string ReadableSql::contents(ChannelId channel) const {
  const ChannelLayout& layout = program_.layout.channels[channel];
  if (layout.pieces.empty()) return "ARRAY[]::TEXT[]";
  std::vector<std::string> slots;
  for (std::uint32_t i = 0; i <= layout.last_slot; ++i)
    slots.push_back(message(channel, sql_.message(layout, i)));
  return fmt::format("(ARRAY[{}])[1:{}]", fmt::join(slots, ", "), sql_.length(layout));
}

std::vector<std::string> ReadableSql::all_messages(ChannelId channel) const {
  const Channel& described = program_.protocol.channels[channel];
  const ChannelLayout& layout = program_.layout.channels[channel];
  std::vector<std::string> texts;
  for (Word slot = 0; slot <= layout.slot_mask(); ++slot) {
    const auto tag = static_cast<std::uint32_t>(slot & layout.tag_mask());
    bool is_message = tag > 0 && tag <= described.sort.size();
    std::vector<std::int64_t> values;
    if (is_message)
      for (const ValueField& field : layout.tags[tag - 1]) {
        values.push_back(value_of(field, slot));
        is_message = is_message && values.back() <= field.maximum;
      }
    texts.push_back(
        is_message ? quoted_text(panoptes::message_text(program_.protocol, channel, tag, values))
                   : "NULL");
  }
  return texts;
}

std::string ReadableSql::message_text(ChannelId channel, std::uint32_t tag,
                                      const std::string& slot) const {
  const MessageType& type = program_.protocol.channels[channel].sort[tag - 1];
  const std::string& name = type.name;
  const auto& fields = program_.layout.channels[channel].tags[tag - 1];
  if (fields.empty()) return quoted_text(name);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < fields.size(); ++i)
    values.push_back(value_text(type.enumeration(i), sql_.field(fields[i], slot)));
  return fmt::format("{} || {} || ')'", quoted_text(name + "("), fmt::join(values, " || ', ' || "));
}

}  // namespace panoptes
