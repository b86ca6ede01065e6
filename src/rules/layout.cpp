// SPDX-License-Identifier: Apache-2.0
// Packing: slots and pieces of channels are placed largest first into the first word with room.
// First-fit decreasing is within a fifth of the fewest words possible, and mostly there.
#include "rules/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace panoptes {
namespace {

// Bits to tell `count` values apart.
std::uint32_t bits_for(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(count - 1));
}

Slot slot_for(Interval range) {
  if (range.is_empty()) range = {0, 0};
  Slot slot;
  slot.minimum = range.low;
  slot.maximum = range.high;
  slot.bits = bits_for(static_cast<std::uint64_t>(range.high - range.low) + 1);
  return slot;
}

std::string too_many_words(std::uint64_t bits) {
  return fmt::format(
      "a state takes more than {} words of 64 bits, the limit is {}: use smaller ranges or "
      "capacities",
      bits / 64, layout_word_limit);
}

// `total_bits`: of all channels so far, so that too large a state is refused before it is laid out.
std::optional<ChannelLayout> channel_layout(const Channel& channel, std::uint64_t& total_bits,
                                            std::string& problem) {
  ChannelLayout layout;
  if (channel.is_sink) return layout;
  layout.tag_bits = std::max(1u, bits_for(channel.sort.size() + 1));
  layout.slot_bits = layout.tag_bits;
  for (const MessageType& type : channel.sort) {
    auto& fields = layout.tags.emplace_back();
    std::uint32_t shift = layout.tag_bits;
    for (const Interval range : type.values) {
      const Slot slot = slot_for(range);
      fields.push_back({shift, slot.bits, slot.minimum, slot.maximum});
      shift += slot.bits;
    }
    layout.slot_bits = std::max(layout.slot_bits, shift);
  }
  if (layout.slot_bits > 64) {
    problem =
        fmt::format("a message in `{}` takes {} bits, the limit is 64: declare smaller ranges",
                    channel.name, layout.slot_bits);
    return {};
  }
  total_bits += std::uint64_t{channel.capacity} * layout.slot_bits;
  if (total_bits > std::uint64_t{layout_word_limit} * 64) {
    problem = too_many_words(total_bits);
    return {};
  }
  layout.last_slot = channel.capacity - 1;
  const std::uint32_t per_word = 64 / layout.slot_bits;
  for (std::uint32_t left = channel.capacity; left > 0;) {
    ChannelPiece piece;
    piece.slots = std::min(left, per_word);
    piece.carry_mask = layout.slot_mask();
    layout.pieces.push_back(piece);
    left -= piece.slots;
  }
  return layout;
}

// Something to be placed: its size, and where to write its place to.
struct Item {
  std::uint32_t bits;
  std::uint32_t* word;
  std::uint32_t* shift;
};

void place(std::vector<Item> items, Layout& layout) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.bits > b.bits; });
  std::vector<std::uint32_t> used(1, 0);
  for (const Item& item : items) {
    std::size_t word = 0;
    while (word < used.size() && used[word] + item.bits > 64) ++word;
    if (word == used.size()) used.push_back(0);
    *item.word = static_cast<std::uint32_t>(word);
    *item.shift = used[word];
    used[word] += item.bits;
    layout.bits += item.bits;
  }
  layout.words = static_cast<std::uint32_t>(used.size());
}

}  // namespace

std::optional<Layout> make_layout(const Protocol& protocol, std::string& problem) {
  Layout layout;
  for (const Process& process : protocol.processes)
    layout.control.push_back(
        slot_for({0, static_cast<std::int64_t>(process.automaton.states.size()) - 1}));
  for (const Variable& variable : protocol.variables)
    layout.variables.push_back(slot_for(variable.range));
  for (const Assertion& assertion : protocol.assertions)
    layout.assertions.push_back(
        slot_for({0, static_cast<std::int64_t>(assertion.next.size()) - 1}));
  std::uint64_t channel_bits = 0;
  for (const Channel& channel : protocol.channels) {
    auto made = channel_layout(channel, channel_bits, problem);
    if (!made) return {};
    layout.channels.push_back(std::move(*made));
  }
  std::vector<Item> items;
  for (auto* slots : {&layout.control, &layout.variables, &layout.assertions})
    for (Slot& slot : *slots)
      if (slot.bits > 0) items.push_back({slot.bits, &slot.word, &slot.shift});
  for (ChannelLayout& channel : layout.channels)
    for (ChannelPiece& piece : channel.pieces)
      items.push_back({piece.slots * channel.slot_bits, &piece.word, &piece.shift});
  place(std::move(items), layout);
  for (ChannelLayout& channel : layout.channels)
    for (ChannelPiece& piece : channel.pieces) {
      const std::uint32_t bits = piece.slots * channel.slot_bits;
      piece.mask = (bits == 64 ? ~Word{0} : (Word{1} << bits) - 1) << piece.shift;
    }
  if (layout.words > layout_word_limit) {
    problem = too_many_words(std::uint64_t{layout.words - 1} * 64);
    return {};
  }
  return layout;
}

std::vector<Message> contents(const ChannelLayout& channel, StateView state) {
  std::vector<Message> result;
  std::uint32_t slots = 0;
  for (const ChannelPiece& piece : channel.pieces) slots += piece.slots;
  for (std::uint32_t i = 0; i < slots; ++i) {
    const Word word = message_at(channel, i, state);
    const auto tag = static_cast<std::uint32_t>(word & channel.tag_mask());
    if (tag == 0) break;
    Message message{tag, {}};
    for (const ValueField& field : channel.tags[tag - 1])
      message.values.push_back(value_of(field, word));
    result.push_back(std::move(message));
  }
  return result;
}

}  // namespace panoptes
