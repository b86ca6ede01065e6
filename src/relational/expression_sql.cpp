// SPDX-License-Identifier: Apache-2.0
#include "relational/expression_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace panoptes {
namespace {

constexpr WideInteger lowest = INT64_MIN, highest = INT64_MAX;
// Numbers up to here can be added and subtracted a few times without a thought.
constexpr WideInteger safe = WideInteger{1} << 61;

bool is_safe(WideInteger low, WideInteger high) { return low > -safe && high < safe; }

bool is_comparison(Op op) {
  switch (op) {
    case Op::full:
    case Op::empty:
    case Op::logical_not:
    case Op::logical_or:
    case Op::logical_and:
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::member:
    case Op::holds: return true;
    default: return false;
  }
}

std::string_view comparison_sign(Op op) {
  switch (op) {
    case Op::equal: return "=";
    case Op::not_equal: return "<>";
    case Op::less: return "<";
    case Op::less_equal: return "<=";
    case Op::greater: return ">";
    default: return ">=";
  }
}

int number_of(Fault fault) { return static_cast<int>(fault); }

}  // namespace

std::string first_of(const std::vector<std::string>& faults) {
  std::string list;
  std::size_t count = 0;
  for (const std::string& fault : faults) {
    if (fault.empty()) continue;
    list += fmt::format("{}{}", count == 0 ? "" : ", ", fault);
    ++count;
  }
  return count > 1 ? fmt::format("COALESCE({})", list) : list;
}

std::string integer_sql(std::int64_t value) {
  if (value >= 0) return fmt::format("{}::BIGINT", value);
  return fmt::format("'{}'::BIGINT", value);
}

// ---- slots and channels -------------------------------------------------------------------------

std::string StateSql::word(std::uint32_t index) { return fmt::format("w{}", index); }

std::string StateSql::words(const std::string& prefix) const {
  std::string list;
  for (std::uint32_t i = 0; i < program().layout.words; ++i)
    list += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, word(i));
  return list;
}

std::string StateSql::slot(const Slot& slot) const {
  if (slot.bits == 0) return integer_sql(slot.minimum);
  const std::string bits = dialect().to_integer(
      fmt::format("({} & {})", dialect().shift_right(word(slot.word), slot.shift),
                  dialect().word(slot.mask())));
  return slot.minimum == 0 ? bits : fmt::format("({} + {})", bits, integer_sql(slot.minimum));
}

std::string StateSql::message(const ChannelLayout& channel, std::uint32_t index) const {
  for (const ChannelPiece& piece : channel.pieces) {
    if (index < piece.slots)
      return fmt::format(
          "({} & {})",
          dialect().shift_right(word(piece.word), piece.shift + index * channel.slot_bits),
          dialect().word(channel.slot_mask()));
    index -= piece.slots;
  }
  return dialect().word(0);
}

std::string StateSql::tag(const ChannelLayout& channel, std::uint32_t index) const {
  if (channel.pieces.empty()) return "0::BIGINT";
  return dialect().to_integer(
      fmt::format("({} & {})", message(channel, index), dialect().word(channel.tag_mask())));
}

std::string StateSql::is_empty(const ChannelLayout& channel) const {
  return channel.pieces.empty() ? "TRUE" : fmt::format("({} = 0)", tag(channel, 0));
}

std::string StateSql::is_full(const ChannelLayout& channel) const {
  return channel.pieces.empty() ? "FALSE"
                                : fmt::format("({} <> 0)", tag(channel, channel.last_slot));
}

std::string StateSql::length(const ChannelLayout& channel) const {
  // A sum is as deep as it is long, and databases take expressions of a limited depth.
  constexpr std::uint32_t group = 32;
  std::string text = "0::BIGINT";
  for (std::uint32_t i = 0; !channel.pieces.empty() && i <= channel.last_slot; ++i)
    text +=
        fmt::format(" + {}CASE WHEN {} <> 0 THEN 1 ELSE 0 END{}", i % group == 0 ? "(" : "",
                    tag(channel, i), i % group == group - 1 || i == channel.last_slot ? ")" : "");
  return fmt::format("({})", text);
}

std::string StateSql::field(const ValueField& field, const std::string& message) const {
  if (field.bits == 0) return integer_sql(field.minimum);
  const std::string bits = dialect().to_integer(fmt::format(
      "({} & {})", dialect().shift_right(message, field.shift), dialect().word(field.mask())));
  return field.minimum == 0 ? bits : fmt::format("({} + {})", bits, integer_sql(field.minimum));
}

ValueSql StateSql::variable_value(VariableId variable) const {
  const Slot& at = program().layout.variables[variable];
  return {slot(at), at.minimum, at.maximum};
}

ValueSql StateSql::length_value(ChannelId channel) const {
  const ChannelLayout& layout = program().layout.channels[channel];
  return {length(layout), 0, layout.pieces.empty() ? 0 : layout.last_slot + 1};
}

std::string StateSql::is_full(ChannelId channel) const {
  return is_full(program().layout.channels[channel]);
}

std::string StateSql::is_empty(ChannelId channel) const {
  return is_empty(program().layout.channels[channel]);
}

// Which bits a value has depends on the message.
ValueSql StateSql::message_value(ChannelId channel, std::uint32_t position, std::uint32_t index,
                                 std::uint32_t tag) const {
  const ChannelLayout& layout = program().layout.channels[channel];
  const std::string text = message(layout, position);
  if (tag != 0 && index >= layout.tags[tag - 1].size()) return {"0::BIGINT", 0, 0};
  if (tag != 0) {
    const ValueField& known = layout.tags[tag - 1][index];
    return {field(known, text), known.minimum, known.maximum};
  }
  ValueSql value{"CASE " + this->tag(layout, position), 0, 0};
  for (std::size_t i = 0; i < layout.tags.size(); ++i) {
    if (index >= layout.tags[i].size()) continue;
    const ValueField& possible = layout.tags[i][index];
    value.sql += fmt::format(" WHEN {} THEN {}", i + 1, field(possible, text));
    value.low = std::min<WideInteger>(value.low, possible.minimum);
    value.high = std::max<WideInteger>(value.high, possible.maximum);
  }
  value.sql = fmt::format("({} ELSE 0 END)", value.sql);
  return value;
}

ValueSql StateSql::tag_value(ChannelId channel, std::uint32_t position) const {
  const ChannelLayout& layout = program().layout.channels[channel];
  return {tag(layout, position), 0, static_cast<WideInteger>(layout.tags.size())};
}

ValueSql StateSql::part_value(Op op, std::uint32_t id) const {
  const Layout& layout = program().layout;
  const Slot& at = op == Op::control ? layout.control[id] : layout.assertions[id];
  return {slot(at), at.minimum, at.maximum};
}

// ---- expressions --------------------------------------------------------------------------------

// Any number modulo 2^64, as two's complement has it.
std::string ExpressionSql::narrow(const std::string& wide) const {
  const std::string half = "9223372036854775808", whole = "18446744073709551616";
  return fmt::format("(((({0}) + {1}) % {2} + {2}) % {2} - {1})::BIGINT", wide, half, whole);
}

ExpressionSql::Value ExpressionSql::arithmetic(const ExpressionNode& node) const {
  const Dialect& dialect = state_.dialect();
  const Value left = value(node.a);
  const Value right = node.op == Op::negate ? Value{"0::BIGINT", 0, 0} : value(node.b);
  const auto [l, r] = node.op == Op::negate ? std::pair(right, left) : std::pair(left, right);
  const WideInteger corners[] = {l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high};
  const WideInteger greatest = std::max({-r.low, r.low, -r.high, r.high});
  Value result{"", lowest, highest};
  switch (node.op) {
    case Op::add: result.low = l.low + r.low, result.high = l.high + r.high; break;
    case Op::negate:
    case Op::subtract: result.low = l.low - r.high, result.high = l.high - r.low; break;
    case Op::multiply:
      result.low = *std::min_element(std::begin(corners), std::end(corners));
      result.high = *std::max_element(std::begin(corners), std::end(corners));
      break;
    case Op::divide:
      result.high = std::max({-l.low, l.low, -l.high, l.high});
      result.low = -result.high;
      break;
    default: result.low = 0, result.high = std::max<WideInteger>(greatest - 1, 0); break;
  }
  const bool is_wide =
      !is_safe(l.low, l.high) || !is_safe(r.low, r.high) || !is_safe(result.low, result.high);
  const std::string cast = is_wide ? "::" + dialect.wide_type() : "";
  const std::string a = l.sql + cast, b = r.sql + cast;
  switch (node.op) {
    case Op::add: result.sql = fmt::format("({} + {})", a, b); break;
    case Op::negate:
    case Op::subtract: result.sql = fmt::format("({} - {})", a, b); break;
    case Op::multiply: result.sql = fmt::format("({} * {})", a, b); break;
    case Op::divide: {
      const std::string divisor = dialect.unless_zero(b);
      result.sql = is_wide ? dialect.divide_wide(a, divisor) : dialect.divide(a, divisor);
      break;
    }
    default: {
      // Of the sign of the dividend; that of the divisor does not matter.
      if (l.low >= 0) {
        result.sql = dialect.remainder(a, dialect.unless_zero(b));
        break;
      }
      const std::string size = dialect.unless_zero(fmt::format("abs({})", b));
      result.sql = fmt::format("(({0} % {1} + {1}) % {1})", a, size);
      break;
    }
  }
  if (!is_wide) return result;
  if (result.low < lowest || result.high > highest) result.low = lowest, result.high = highest;
  result.sql = narrow(result.sql);
  return result;
}

ExpressionSql::Value ExpressionSql::wrapped(const Value& operand, std::int64_t low,
                                            std::int64_t high) const {
  if (operand.low >= low && operand.high <= high) return operand;
  const bool is_wide = !is_safe(operand.low, operand.high) || !is_safe(low, high);
  const std::string cast = is_wide ? "::" + state_.dialect().wide_type() : "";
  const std::string size =
      fmt::format("({}{} - {} + 1)", integer_sql(high), cast, integer_sql(low));
  const std::string sql = fmt::format("((({0}{1} - {2}) % {3} + {3}) % {3} + {2})", operand.sql,
                                      cast, integer_sql(low), size);
  return {is_wide ? fmt::format("{}::BIGINT", sql) : sql, low, high};
}

ExpressionSql::Value ExpressionSql::value(ExpressionId id) const {
  const ExpressionNode& at = node(id);
  if (is_comparison(at.op))
    return {fmt::format("CASE WHEN {} THEN 1::BIGINT ELSE 0::BIGINT END", bare_condition(id)), 0,
            1};
  switch (at.op) {
    case Op::constant: return {integer_sql(at.value), at.value, at.value};
    case Op::variable: return state_.variable_value(at.a);
    case Op::length: return state_.length_value(at.a);
    case Op::field: {
      const auto position = static_cast<std::uint32_t>(at.value);
      const bool is_known = at.a == channel_ && position == position_;
      return state_.message_value(at.a, position, at.b, is_known ? tag_ : 0);
    }
    case Op::tag: return state_.tag_value(at.a, static_cast<std::uint32_t>(at.value));
    case Op::wrap: return wrapped(value(at.a), at.value, at.high);
    case Op::bound: {
      Value result = value(at.a);
      if (result.low >= at.value && result.high <= at.high) return result;
      result.sql = fmt::format("CASE WHEN {} THEN {} END", fits(at), result.sql);
      result.low = std::max<WideInteger>(result.low, at.value);
      result.high = std::min<WideInteger>(result.high, at.high);
      return result;
    }
    case Op::require: {
      Value result = value(at.a);
      result.sql = fmt::format("CASE WHEN {} THEN {} END", bare_condition(at.b), result.sql);
      return result;
    }
    case Op::after: return value(at.b);
    case Op::element: return element(at);
    case Op::control:
    case Op::subset: return state_.part_value(at.op, at.a);
    default: return arithmetic(at);
  }
}

std::string ExpressionSql::fits(const ExpressionNode& bound) const {
  return fmt::format("({} BETWEEN {} AND {})", value(bound.a).sql, integer_sql(bound.value),
                     integer_sql(bound.high));
}

// NULL where the index is outside.
ExpressionSql::Value ExpressionSql::element(const ExpressionNode& node) const {
  Value result{fmt::format("CASE {}", value(node.a).sql), highest, lowest};
  for (VariableId i = 0; i < node.value; ++i) {
    const Value one = state_.variable_value(node.b + i);
    result.sql += fmt::format(" WHEN {} THEN {}", i, one.sql);
    result.low = std::min(result.low, one.low);
    result.high = std::max(result.high, one.high);
  }
  result.sql = fmt::format("({} END)", result.sql);
  return result;
}

std::string ExpressionSql::fault_of_index(ExpressionId index, std::int64_t length) const {
  return first_of(
      {fault(index), fmt::format("CASE WHEN {} NOT BETWEEN 0 AND {} THEN {} END", value(index).sql,
                                 length - 1, number_of(Fault::index_out_of_range))});
}

// NULL where it has no value and nothing decides before that matters.
std::string ExpressionSql::bare_condition(ExpressionId id) const {
  const ExpressionNode& at = node(id);
  switch (at.op) {
    case Op::full: return state_.is_full(at.a);
    case Op::empty: return state_.is_empty(at.a);
    case Op::logical_not: return fmt::format("(NOT {})", bare_condition(at.a));
    case Op::logical_or:
      return fmt::format("({} OR {})", bare_condition(at.a), bare_condition(at.b));
    case Op::logical_and:
      return fmt::format("({} AND {})", bare_condition(at.a), bare_condition(at.b));
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return fmt::format("({} {} {})", value(at.a).sql, comparison_sign(at.op), value(at.b).sql);
    case Op::member: {
      const auto set = state_.program().protocol.expressions.set_of(at);
      if (set.empty()) return "FALSE";
      return fmt::format("({} IN ({}))", value(at.a).sql, fmt::join(set, ", "));
    }
    case Op::holds: return condition(at.a);
    default: return fmt::format("({} <> 0)", value(id).sql);
  }
}

std::string ExpressionSql::held(ExpressionId id) const {
  return can_fail(id) ? fmt::format("COALESCE({}, FALSE)", bare_condition(id)) : bare_condition(id);
}

std::string ExpressionSql::condition(ExpressionId id) const {
  if (!can_fail(id)) return bare_condition(id);
  return fmt::format("({} IS NULL AND {})", fault(id), held(id));
}

std::string ExpressionSql::is_zero(ExpressionId id) const {
  if (!can_fail(id)) return fmt::format("(NOT {})", bare_condition(id));
  return fmt::format("({} IS NULL AND NOT {})", fault(id), held(id));
}

void ExpressionSql::add_operands(ExpressionId id, Op op, std::vector<ExpressionId>& out) const {
  const ExpressionNode& at = node(id);
  if (at.op != op) return out.push_back(id);
  add_operands(at.a, op, out);
  add_operands(at.b, op, out);
}

std::string ExpressionSql::first_fault(const std::vector<ExpressionId>& terms,
                                       bool while_true) const {
  std::string text;
  for (std::size_t i = terms.size(); i-- > 0;) {
    if (!text.empty())
      text =
          fmt::format("CASE WHEN {}{} THEN {} END", while_true ? "" : "NOT ", held(terms[i]), text);
    text = first_of({fault(terms[i]), text});
  }
  return text;
}

std::string ExpressionSql::fault(ExpressionId id) const {
  if (!can_fail(id)) return {};
  const ExpressionNode& at = node(id);
  switch (at.op) {
    case Op::require: {
      const std::string otherwise = fault(at.a);
      return first_of({fault(at.b), fmt::format("CASE WHEN NOT {} THEN {}{}{} END", held(at.b),
                                                number_of(Fault::index_out_of_range),
                                                otherwise.empty() ? "" : " ELSE ", otherwise)});
    }
    case Op::divide:
    case Op::remainder:
      return first_of({fault(at.a), fault(at.b),
                       fmt::format("CASE WHEN {} = 0 THEN {} END", value(at.b).sql,
                                   number_of(Fault::division_by_zero))});
    case Op::bound:
      return first_of({fault(at.a), fmt::format("CASE WHEN NOT {} THEN {} END", fits(at),
                                                number_of(Fault::out_of_range))});
    case Op::element: return fault_of_index(at.a, at.value);
    case Op::logical_or:
    case Op::logical_and: {
      std::vector<ExpressionId> operands;
      add_operands(id, at.op, operands);
      return first_fault(operands, at.op == Op::logical_and);
    }
    case Op::negate:
    case Op::logical_not:
    case Op::member:
    case Op::wrap: return fault(at.a);
    default: return first_of({fault(at.a), fault(at.b)});
  }
}

}  // namespace panoptes
