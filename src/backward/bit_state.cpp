// SPDX-License-Identifier: Apache-2.0
#include "backward/bit_state.hpp"

namespace panoptes {
namespace {

constexpr std::int64_t most_spread = 48;  // values

}  // namespace

StateField BitState::field(std::uint32_t first, const Slot& slot, bool may_spread) const {
  const std::int64_t values = slot.maximum - slot.minimum + 1;
  const bool is_spread = may_spread && values > 2 && values <= most_spread;
  return {first, is_spread ? static_cast<std::uint32_t>(values) : slot.bits, slot.minimum,
          slot.maximum, is_spread};
}

StateField BitState::tag(ChannelId channel, std::uint32_t slot) const {
  StateField tag = tags_[channel];
  tag.first += slot * (tag.bits + value_bits(channel));
  return tag;
}

std::uint32_t BitState::values(ChannelId channel, std::uint32_t slot) const {
  const StateField tag = this->tag(channel, slot);
  return tag.first + tag.bits;
}

StateField BitState::value(ChannelId channel, std::uint32_t slot, const ValueField& value) const {
  const std::uint32_t shift = value.shift - program_.layout.channels[channel].tag_bits;
  return {values(channel, slot) + shift, value.bits, value.minimum, value.maximum, false};
}

BitState::BitState(const Program& program) : program_(program) {
  const auto add = [&](const Slot& slot, bool may_spread) {
    const StateField added = field(size_, slot, may_spread);
    size_ += added.bits;
    return added;
  };
  for (const Slot& slot : program.layout.control) control_.push_back(add(slot, true));
  for (const Slot& slot : program.layout.variables) variables_.push_back(add(slot, false));
  for (const Slot& slot : program.layout.assertions) subsets_.push_back(add(slot, true));
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    const ChannelLayout& channel = program.layout.channels[c];
    const Slot tag{.bits = channel.tag_bits,
                   .maximum = static_cast<std::int64_t>(channel.tags.size())};
    tags_.push_back(field(size_, tag, true));
    size_ += slots(c) * (tags_.back().bits + value_bits(c));
  }
  if (has_indivisible(program)) {
    std::uint32_t bits = 0;
    while (program.control.size() >> bits != 0) ++bits;
    alone_ =
        add({.bits = bits, .maximum = static_cast<std::int64_t>(program.control.size())}, false);
  }
}

std::vector<bool> BitState::bits_of(StateView state) const {
  std::vector<bool> bits(size_);
  const auto put_bits = [&](std::uint32_t first, std::uint32_t count, Word word) {
    for (std::uint32_t i = 0; i < count; ++i) bits[first + i] = (word >> i & 1) != 0;
  };
  const auto put = [&](const StateField& field, Word offset) {
    if (field.is_spread)
      bits[field.first + offset] = true;
    else
      put_bits(field.first, field.bits, offset);
  };
  const auto put_slot = [&](const StateField& field, const Slot& slot) {
    put(field, static_cast<Word>(read(slot, state) - slot.minimum));
  };
  const Layout& layout = program_.layout;
  for (std::size_t i = 0; i < control_.size(); ++i) put_slot(control_[i], layout.control[i]);
  for (std::size_t i = 0; i < variables_.size(); ++i) put_slot(variables_[i], layout.variables[i]);
  for (std::size_t i = 0; i < subsets_.size(); ++i) put_slot(subsets_[i], layout.assertions[i]);
  for (ChannelId c = 0; c < layout.channels.size(); ++c)
    for (std::uint32_t slot = 0; slot < slots(c); ++slot) {
      const Word message = message_at(layout.channels[c], slot, state);
      put(tag(c, slot), message & layout.channels[c].tag_mask());
      put_bits(values(c, slot), value_bits(c), message >> layout.channels[c].tag_bits);
    }
  return bits;
}

std::int64_t BitState::value_in(const std::vector<bool>& bits, const StateField& field) {
  std::int64_t offset = 0;
  for (std::uint32_t i = 0; i < field.bits; ++i)
    if (bits[field.first + i]) offset += field.is_spread ? i : std::int64_t{1} << i;
  return field.minimum + offset;
}

}  // namespace panoptes
