// SPDX-License-Identifier: Apache-2.0
// Shared expressions become shared nodes, but for those that read the message of their rule: where
// its fields are depends on its tag.
#include "rules/lower_expression.hpp"

#include <algorithm>

#include "protocol/ranges.hpp"

namespace panoptes {

BitField tag_field(const ChannelLayout& channel, std::uint32_t slot) {
  for (const ChannelPiece& piece : channel.pieces) {
    if (slot < piece.slots)
      return {piece.word, piece.shift + slot * channel.slot_bits, channel.tag_bits};
    slot -= piece.slots;
  }
  return {};
}

ExpressionLowering::ExpressionLowering(const Program& program, Lowered& out)
    : program_(program),
      pool_(program.protocol.expressions),
      layout_(program.layout),
      out_(out),
      known_(pool_.size(), none) {}

std::uint32_t ExpressionLowering::node(ExpressionId id, const TakenMessage& taken) {
  if (known_[id] != none) return known_[id];
  const ExpressionNode& from = pool_[id];
  const std::uint32_t made = is_leaf(from.op) ? leaf(from, taken) : operation(from, taken);
  if (!facts_[made].reads_message) known_[id] = made;
  return made;
}

std::uint32_t ExpressionLowering::add(const LoweredNode& node, Interval bound, bool reads_message) {
  out_.nodes.push_back(node);
  facts_.push_back({bound, reads_message});
  return static_cast<std::uint32_t>(out_.nodes.size() - 1);
}

std::uint32_t ExpressionLowering::constant(std::int64_t value) {
  LoweredNode node;
  node.value = value;
  return add(node, {value, value});
}

std::uint32_t ExpressionLowering::number_at(BitField at, Interval range, bool reads_message) {
  LoweredNode node;
  node.op = at.bits == 0 ? Op::constant : Op::variable;
  node.value = range.low;
  node.at = at;
  return add(node, range, reads_message);
}

std::uint32_t ExpressionLowering::leaf(const ExpressionNode& from, const TakenMessage& taken) {
  if (from.op == Op::constant) return constant(from.value);
  if (from.op == Op::variable) {
    const Slot& slot = layout_.variables[from.a];
    return number_at({slot.word, slot.shift, slot.bits}, {slot.minimum, slot.maximum}, false);
  }
  if (from.op == Op::control || from.op == Op::subset) {
    const Slot& slot = (from.op == Op::control ? layout_.control : layout_.assertions)[from.a];
    return number_at({slot.word, slot.shift, slot.bits}, {slot.minimum, slot.maximum}, false);
  }
  if (from.op == Op::field) return field(from, taken);
  const ChannelLayout& channel = layout_.channels[from.a];
  if (from.op == Op::tag)
    return number_at(tag_field(channel, static_cast<std::uint32_t>(from.value)),
                     {0, static_cast<std::int64_t>(channel.tags.size())}, false);
  if (channel.pieces.empty()) return constant(from.op == Op::empty);
  LoweredNode node;
  node.op = from.op;
  if (from.op != Op::length) {
    node.at = tag_field(channel, from.op == Op::full ? channel.last_slot : 0);
    return add(node, {0, 1});
  }
  node.a = static_cast<std::uint32_t>(out_.tags.size());
  for (const ChannelPiece& piece : channel.pieces)
    for (std::uint32_t i = 0; i < piece.slots; ++i)
      out_.tags.push_back({piece.word, piece.shift + i * channel.slot_bits, channel.tag_bits});
  node.b = static_cast<std::uint32_t>(out_.tags.size());
  return add(node, {0, program_.protocol.channels[from.a].capacity});
}

std::uint32_t ExpressionLowering::binary(Op op, std::uint32_t a, std::uint32_t b, Interval bound) {
  LoweredNode node;
  node.op = op;
  node.a = a;
  node.b = b;
  return add(node, bound, true);
}

// Where a value is depends on the tag, which is known of the message that the rule takes. Of any
// other it is the sum of what it is with each tag, times whether it has that.
std::uint32_t ExpressionLowering::field(const ExpressionNode& from, const TakenMessage& taken) {
  const ChannelLayout& channel = layout_.channels[from.a];
  const BitField slot = tag_field(channel, static_cast<std::uint32_t>(from.value));
  const auto value = [&](const ValueField& field) {
    return number_at({slot.word, slot.shift + field.shift, field.bits},
                     {field.minimum, field.maximum}, true);
  };
  if (from.a == taken.channel && from.value == taken.position) {
    const auto& fields = channel.tags[taken.tag - 1];
    return from.b < fields.size() ? value(fields[from.b]) : add({}, {0, 0}, true);
  }
  std::uint32_t sum = constant(0);
  if (slot.bits == 0) return sum;
  Interval bound{0, 0};
  for (std::uint32_t tag = 1; tag <= channel.tags.size(); ++tag) {
    if (from.b >= channel.tags[tag - 1].size()) continue;
    const ValueField& field = channel.tags[tag - 1][from.b];
    const std::uint32_t at_slot = number_at(slot, {0, tag}, true);
    const std::uint32_t has_tag = binary(Op::equal, at_slot, constant(tag), {0, 1});
    const Interval here{std::min<std::int64_t>(field.minimum, 0),
                        std::max<std::int64_t>(field.maximum, 0)};
    bound = {std::min(bound.low, here.low), std::max(bound.high, here.high)};
    sum = binary(Op::add, sum, binary(Op::multiply, has_tag, value(field), here), bound);
  }
  return sum;
}

std::uint32_t ExpressionLowering::array_table(VariableId first, std::uint32_t length) {
  const auto [found, fresh] =
      arrays_.try_emplace({first, length}, static_cast<std::uint32_t>(out_.tables.size()));
  if (fresh) {
    auto& table = out_.tables.emplace_back();
    for (VariableId v = first; v < first + length; ++v)
      table.push_back(layout_.variables[v].word * 64 + layout_.variables[v].shift);
  }
  return found->second;
}

std::uint32_t ExpressionLowering::element(const ExpressionNode& from, const TakenMessage& taken) {
  const Slot& slot = layout_.variables[from.b];
  LoweredNode to;
  to.op = Op::element;
  to.a = node(from.a, taken);
  to.b = array_table(from.b, static_cast<std::uint32_t>(from.value));
  to.value = slot.minimum;
  to.high = from.value;
  to.at.bits = slot.bits;
  const Interval index = bound(to.a);
  to.can_fail = out_.nodes[to.a].can_fail || index.low < 0 || index.high >= from.value;
  return add(to, {slot.minimum, slot.maximum}, facts_[to.a].reads_message);
}

std::uint32_t ExpressionLowering::operation(const ExpressionNode& from, const TakenMessage& taken) {
  if (from.op == Op::element) return element(from, taken);
  LoweredNode to;
  to.op = from.op;
  to.a = node(from.a, taken);
  to.value = from.value;
  to.high = from.high;
  const Interval inner = bound(to.a);
  const bool has_ends = to.op == Op::wrap || to.op == Op::bound;
  if (has_ends && inner.low >= from.value && inner.high <= from.high) return to.a;
  to.can_fail = out_.nodes[to.a].can_fail || to.op == Op::require || to.op == Op::bound;
  bool reads_message = facts_[to.a].reads_message;
  if (from.b != none) {
    to.b = node(from.b, taken);
    const LoweredNode& right = out_.nodes[to.b];
    const bool divides = to.op == Op::divide || to.op == Op::remainder;
    to.can_fail |= right.can_fail || (divides && (right.op != Op::constant || right.value == 0));
    reads_message |= facts_[to.b].reads_message;
  }
  return add(to, bound_of(to), reads_message);
}

Interval ExpressionLowering::bound_of(const LoweredNode& node) const {
  switch (node.op) {
    case Op::wrap:
    case Op::bound: return {node.value, node.high};
    case Op::require: return bound(node.a);
    case Op::after: return bound(node.b);
    case Op::negate: return interval_of(Op::subtract, {0, 0}, bound(node.a));
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::remainder: return interval_of(node.op, bound(node.a), bound(node.b));
    default: return {0, 1};
  }
}

}  // namespace panoptes
