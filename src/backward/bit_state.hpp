// SPDX-License-Identifier: Apache-2.0
// The numbers of a state vector as bits side by side: what a SAT solver knows of a state.
//
// A number has the bits that it has in the vector (rules/layout.hpp). But a control state, and the
// tag of a message, have a bit for each value, of which one is 1, where they are not too many: a
// question about a set of them is then one gate.
// A message is its tag, 0 where the slot is vacant, and then its values as in the vector. Who moves
// alone (step/turn.hpp) comes behind all.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// Bits first .. first + bits, as a number from `minimum` on; or, where each value has a bit, those
// bits.
struct StateField {
  std::uint32_t first = 0, bits = 0;
  std::int64_t minimum = 0, maximum = 0;
  bool is_spread = false;
};

class BitState {
 public:
  explicit BitState(const Program& program);

  const StateField& control(ProcessId process) const { return control_[process]; }
  const StateField& variable(VariableId variable) const { return variables_[variable]; }
  const StateField& subset(std::uint32_t assertion) const { return subsets_[assertion]; }
  // 0 where anybody may move, else the number of the process plus one.
  const StateField& alone() const { return alone_; }
  // A value of a message that has this tag.
  StateField value(ChannelId channel, std::uint32_t slot, const ValueField& value) const;
  std::uint32_t slots(ChannelId channel) const { return program_.layout.channels[channel].slots(); }
  StateField tag(ChannelId channel, std::uint32_t slot) const;
  // The first bit of a channel, and the one behind its last.
  std::uint32_t first_of(ChannelId channel) const { return tags_[channel].first; }
  std::uint32_t end_of(ChannelId channel) const { return tag(channel, slots(channel)).first; }
  // The first bit of the values of a message, and how many they are together.
  std::uint32_t values(ChannelId channel, std::uint32_t slot) const;
  std::uint32_t value_bits(ChannelId channel) const {
    const ChannelLayout& layout = program_.layout.channels[channel];
    return layout.slot_bits - layout.tag_bits;
  }
  std::uint32_t size() const { return size_; }

  // The bits of a state in which nobody moves alone.
  std::vector<bool> bits_of(StateView state) const;
  // The number of a field in a state of which these are the bits.
  static std::int64_t value_in(const std::vector<bool>& bits, const StateField& field);

 private:
  const Program& program_;
  std::vector<StateField> control_, variables_, subsets_;
  StateField alone_;
  StateField field(std::uint32_t first, const Slot& slot, bool may_spread) const;

  std::vector<StateField> tags_;  // by channel: that of the first slot
  std::uint32_t size_ = 0;
};

}  // namespace panoptes
