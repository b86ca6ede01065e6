// SPDX-License-Identifier: Apache-2.0
// Shared expressions become shared nodes, but for those that read the message of their rule: where
// its fields are depends on its tag.
#include "rules/lower_expression.hpp"

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

std::uint32_t ExpressionLowering::node(ExpressionId id, std::uint32_t tag) {
  if (known_[id] != none) return known_[id];
  const ExpressionNode& from = pool_[id];
  const std::uint32_t made = is_leaf(from.op) ? leaf(from, tag) : operation(from, tag);
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

std::uint32_t ExpressionLowering::leaf(const ExpressionNode& from, std::uint32_t tag) {
  if (from.op == Op::constant) return constant(from.value);
  if (from.op == Op::variable) {
    const Slot& slot = layout_.variables[from.a];
    return number_at({slot.word, slot.shift, slot.bits}, {slot.minimum, slot.maximum}, false);
  }
  if (from.op == Op::control || from.op == Op::subset) {
    const Slot& slot = (from.op == Op::control ? layout_.control : layout_.assertions)[from.a];
    return number_at({slot.word, slot.shift, slot.bits}, {slot.minimum, slot.maximum}, false);
  }
  const ChannelLayout& channel = layout_.channels[from.a];
  if (from.op == Op::head)
    return number_at(tag_field(channel, 0), {0, static_cast<std::int64_t>(channel.tag_mask())},
                     false);
  if (from.op == Op::field) {
    const ChannelPiece& head = channel.pieces.front();
    const ValueField& field = channel.tags[tag - 1][from.b];
    return number_at({head.word, head.shift + field.shift, field.bits},
                     {field.minimum, field.maximum}, true);
  }
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

std::uint32_t ExpressionLowering::operation(const ExpressionNode& from, std::uint32_t tag) {
  LoweredNode to;
  to.op = from.op;
  to.a = node(from.a, tag);
  to.value = from.value;
  to.high = from.high;
  const Interval inner = bound(to.a);
  if (to.op == Op::wrap && inner.low >= from.value && inner.high <= from.high) return to.a;
  to.can_fail = out_.nodes[to.a].can_fail || to.op == Op::require;
  bool reads_message = facts_[to.a].reads_message;
  if (from.b != none) {
    to.b = node(from.b, tag);
    const LoweredNode& right = out_.nodes[to.b];
    const bool divides = to.op == Op::divide || to.op == Op::remainder;
    to.can_fail |= right.can_fail || (divides && (right.op != Op::constant || right.value == 0));
    reads_message |= facts_[to.b].reads_message;
  }
  return add(to, bound_of(to), reads_message);
}

Interval ExpressionLowering::bound_of(const LoweredNode& node) const {
  switch (node.op) {
    case Op::wrap: return {node.value, node.high};
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
