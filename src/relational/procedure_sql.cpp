// SPDX-License-Identifier: Apache-2.0
#include "relational/procedure_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "relational/rule_sql.hpp"

namespace panoptes {

// ---- attributes ----------------------------------------------------------------------------

const SideView* AttributeSql::reader(ChannelId channel) const {
  if (protocol_.a.channel_id == channel) return &a_;
  return protocol_.b.channel_id == channel ? &b_ : nullptr;
}

ValueSql AttributeSql::variable_value(VariableId variable) const {
  const Slot& slot = program().layout.variables[variable];
  return {at_present + protocol_.attributes[variable].column, slot.minimum, slot.maximum};
}

ValueSql AttributeSql::length_value(ChannelId channel) const {
  const SideView* side = reader(channel);
  if (!side) return {"0::BIGINT", 0, 0};
  std::string text = "0::BIGINT";
  for (std::uint32_t i = 1; i <= side->in_capacity; ++i)
    text += fmt::format(" + CASE WHEN {}{}_{} <> 0 THEN 1 ELSE 0 END", at_present, side->in, i);
  return {fmt::format("({})", text), 0, side->in_capacity};
}

std::string AttributeSql::is_full(ChannelId channel) const {
  const SideView* side = reader(channel);
  if (!side) return "FALSE";
  return fmt::format("({}{}_{} <> 0)", at_present, side->in, side->in_capacity);
}

std::string AttributeSql::is_empty(ChannelId channel) const {
  const SideView* side = reader(channel);
  return side ? fmt::format("({}{} = 0)", at_present, side->first()) : "TRUE";
}

// A value has one column, whatever the message. None but the first is asked for: other protocols do
// not fit.
ValueSql AttributeSql::message_value(ChannelId channel, std::uint32_t /*position*/,
                                     std::uint32_t index, std::uint32_t /*tag*/) const {
  const SideView* side = reader(channel);
  if (!side || index >= side->in_values) return {"0::BIGINT", 0, 0};
  ValueSql value{fmt::format("{}{}_value_{}", at_present, side->first(), index + 1), 0, 0};
  for (const auto& fields : program().layout.channels[channel].tags) {
    if (index >= fields.size()) continue;
    value.low = std::min<WideInteger>(value.low, fields[index].minimum);
    value.high = std::max<WideInteger>(value.high, fields[index].maximum);
  }
  return value;
}

ValueSql AttributeSql::tag_value(ChannelId, std::uint32_t) const { return {"0::BIGINT", 0, 0}; }

// ---- procedures ----------------------------------------------------------------------------

std::string ProcedureSql::by_procedure(const SideView& side, const Say& say,
                                       const std::string& other) const {
  std::string cases;
  const ExpressionSql expressions(attributes_);
  for (std::size_t p = 0; p < protocol_.procedures.size(); ++p) {
    const TwoProcess::Procedure& procedure = protocol_.procedures[p];
    if (procedure.process != (side.own == "a" ? 0u : 1u)) continue;
    if (const std::string text = say(program_.rules[procedure.rule], expressions); !text.empty())
      cases += fmt::format(" WHEN {} THEN {}", p + 1, text);
  }
  return cases.empty() ? "" : fmt::format("CASE {}{} ELSE {} END", side.procedure(), cases, other);
}

std::string ProcedureSql::matches(const SideView& side, const std::string& room) const {
  const std::string holds = by_procedure(
      side,
      [&](const Rule& rule, const ExpressionSql& expressions) {
        std::vector<std::string> terms;
        if (rule.kind == ActionKind::timeout) terms.push_back(attributes_.is_empty(rule.channel));
        for (const ExpressionId condition : rule.conditions)
          terms.push_back(expressions.held(condition));
        return fmt::format("{}", fmt::join(terms, " AND "));
      },
      "TRUE");
  const std::string fault = by_procedure(
      side,
      [&](const Rule& rule, const ExpressionSql& expressions) {
        const std::string text = expressions.first_fault(rule.conditions, true);
        if (text.empty() || rule.kind != ActionKind::timeout) return text;
        return fmt::format("CASE WHEN {} THEN {} END", attributes_.is_empty(rule.channel), text);
      },
      "NULL");
  std::string text = room;
  if (!holds.empty()) text += (text.empty() ? "" : " AND ") + holds;
  if (text.empty()) return "TRUE";
  return fault.empty() ? text : fmt::format("({} OR {} IS NOT NULL)", text, fault);
}

std::string ProcedureSql::outcome(const SideView& side) const {
  return by_procedure(
      side,
      [&](const Rule& rule, const ExpressionSql& expressions) {
        std::vector<std::string> outcomes = fault_outcomes(expressions, program_, rule, false);
        if (outcomes.empty()) return std::string{};
        outcomes.emplace_back("0");
        return first_of(outcomes);
      },
      "0");
}

algebra::Names ProcedureSql::sent(const SideView& side) const {
  algebra::Names values;
  for (std::uint32_t i = 0; i < side.out_values; ++i) {
    const std::string text = by_procedure(
        side,
        [&](const Rule& rule, const ExpressionSql& expressions) {
          return i < rule.values.size() ? expressions.value(rule.values[i]).sql : std::string{};
        },
        "0");
    values.push_back(text.empty() ? "0" : text);
  }
  return values;
}

algebra::Terms ProcedureSql::assignments(const SideView& side) const {
  algebra::Terms terms;
  for (const TwoProcess::Attribute& attribute : protocol_.attributes) {
    const std::string before = at_present + attribute.column;
    const std::string text = by_procedure(
        side,
        [&](const Rule& rule, const ExpressionSql& expressions) {
          for (const Assignment& a : rule.assignments)
            if (a.variable == attribute.variable) return expressions.value(a.value).sql;
          return std::string{};
        },
        before);
    terms.emplace_back(in_future + attribute.column, text.empty() ? before : text);
  }
  return terms;
}

}  // namespace panoptes
