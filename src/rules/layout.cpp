// SPDX-License-Identifier: Apache-2.0
// Packing: slots and pieces of channels are placed largest first into the first word with room.
// First-fit decreasing is within a fifth of the fewest words possible, and mostly there. Where that
// takes several words, everything is placed once more, process by process: a process then changes
// few words at a step, and each word has few different values, which is what a store of wide states
// lives on.
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
  if (channel.is_sink || channel.is_rendezvous()) return layout;
  layout.tag_bits = std::max(1u, bits_for(channel.sort.size() + 1));
  layout.slot_bits = layout.tag_bits;
  const MessageType* widest = nullptr;
  for (const MessageType& type : channel.sort) {
    auto& fields = layout.tags.emplace_back();
    std::uint32_t shift = layout.tag_bits;
    for (const Interval range : type.values) {
      const Slot slot = slot_for(range);
      fields.push_back({shift, slot.bits, slot.minimum, slot.maximum});
      shift += slot.bits;
    }
    if (shift > layout.slot_bits) {
      layout.slot_bits = shift;
      widest = &type;
    }
  }
  if (layout.slot_bits > 64) {
    problem =
        fmt::format("message `{}` in `{}` takes {} bits, the limit is 64: declare smaller ranges",
                    widest->name, channel.name, layout.slot_bits);
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

// Something to be placed: its size, where to write its place to, and whose it is.
struct Item {
  std::uint32_t bits;
  std::uint32_t* word;
  std::uint32_t* shift;
  ProcessId owner;  // none: everybody's
};

// Fills words from their lowest bits on.
class Packing {
 public:
  explicit Packing(std::size_t words) : used_(words, 0) {}

  std::uint32_t used(std::size_t word) const { return used_[word]; }
  std::size_t words() const { return used_.size(); }
  // The first word with room; one more where there is none.
  std::size_t first_fit(std::uint32_t bits) {
    std::size_t word = 0;
    while (word < used_.size() && used_[word] + bits > 64) ++word;
    if (word == used_.size()) used_.push_back(0);
    return word;
  }
  void put(const Item& item, std::size_t word) {
    *item.word = static_cast<std::uint32_t>(word);
    *item.shift = used_[word];
    used_[word] += item.bits;
  }

 private:
  std::vector<std::uint32_t> used_;
};

// Largest first into the first word with room. Gives the number of words.
std::size_t place_tightly(std::vector<Item> items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.bits > b.bits; });
  Packing packing(1);
  for (const Item& item : items) packing.put(item, packing.first_fit(item.bits));
  return packing.words();
}

// What belongs to a process side by side, equally many bits in every word.
void place_by_process(std::vector<Item> items, Layout& layout) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.owner < b.owner; });
  const std::uint32_t share = (layout.bits + layout.words - 1) / layout.words;
  Packing packing(layout.words);
  std::size_t word = 0;
  for (const Item& item : items) {
    while (word < layout.words &&
           (packing.used(word) >= share || packing.used(word) + item.bits > 64))
      ++word;
    packing.put(item, word < layout.words ? word : packing.first_fit(item.bits));
  }
  layout.words = static_cast<std::uint32_t>(packing.words());
}

void place(const std::vector<Item>& items, Layout& layout) {
  for (const Item& item : items) layout.bits += item.bits;
  layout.words = static_cast<std::uint32_t>(place_tightly(items));
  if (layout.words > 1) place_by_process(items, layout);
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
  const auto add = [&](Slot& slot, ProcessId owner) {
    if (slot.bits > 0) items.push_back({slot.bits, &slot.word, &slot.shift, owner});
  };
  for (ProcessId p = 0; p < layout.control.size(); ++p) add(layout.control[p], p);
  for (VariableId v = 0; v < layout.variables.size(); ++v)
    add(layout.variables[v], protocol.variables[v].process);
  for (Slot& slot : layout.assertions) add(slot, none);
  for (ChannelId c = 0; c < layout.channels.size(); ++c)
    for (ChannelPiece& piece : layout.channels[c].pieces)
      items.push_back({piece.slots * layout.channels[c].slot_bits, &piece.word, &piece.shift,
                       protocol.channels[c].reader()});
  place(items, layout);
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
