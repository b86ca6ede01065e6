// SPDX-License-Identifier: Apache-2.0
// Expressions of a program with their leaves located, and the bounds of their values.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "rules/lowered.hpp"
#include "rules/program.hpp"

namespace panoptes {

// The tag of a message slot; no bits where the channel has no such slot.
BitField tag_field(const ChannelLayout& channel, std::uint32_t slot);

// The message that a rule receives; none, 0 where it receives none.
struct TakenMessage {
  ChannelId channel = none;
  std::uint32_t position = 0, tag = 0;
};

class ExpressionLowering {
 public:
  // Adds to `out`; both outlive it.
  ExpressionLowering(const Program& program, Lowered& out);

  // The node of an expression in a rule that takes this message.
  std::uint32_t node(ExpressionId id, const TakenMessage& taken);

  // The table of where the elements of an array are.
  std::uint32_t array_table(VariableId first, std::uint32_t length);

  // Every value that a node can have in any state, from the ranges of the slots alone.
  Interval bound(std::uint32_t node) const { return facts_[node].bound; }

 private:
  struct Facts {
    Interval bound;
    bool reads_message = false;  // its nodes differ from rule to rule
  };

  std::uint32_t add(const LoweredNode& node, Interval bound, bool reads_message = false);
  std::uint32_t number_at(BitField at, Interval range, bool reads_message);
  std::uint32_t constant(std::int64_t value);
  std::uint32_t leaf(const ExpressionNode& node, const TakenMessage& taken);
  std::uint32_t operation(const ExpressionNode& node, const TakenMessage& taken);
  std::uint32_t binary(Op op, std::uint32_t a, std::uint32_t b, Interval bound);
  std::uint32_t field(const ExpressionNode& node, const TakenMessage& taken);
  std::uint32_t element(const ExpressionNode& node, const TakenMessage& taken);
  Interval bound_of(const LoweredNode& node) const;

  const Program& program_;
  const Expressions& pool_;
  const Layout& layout_;
  Lowered& out_;
  std::vector<std::uint32_t> known_;                                      // by expression; none
  std::vector<Facts> facts_;                                              // by node
  std::map<std::pair<VariableId, std::uint32_t>, std::uint32_t> arrays_;  // their tables
};

}  // namespace panoptes
