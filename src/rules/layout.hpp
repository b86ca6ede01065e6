// SPDX-License-Identifier: Apache-2.0
// Where everything is in the state vector.
//
// Every slot has just the bits its range needs and never straddles a word. A channel is its message
// slots from head to tail: a slot is the tag (low) and then the values, at most 64 bits; a channel
// too large for one word is cut between slots into pieces. Tag 0 is "no message", and vacated slots
// are all zero, so a channel is empty when its first tag is 0 and full when its last one is not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// A number in the vector: value = bits + minimum.
struct Slot {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t bits = 0;  // 0: the value is always the minimum
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;

  Word mask() const { return bits == 64 ? ~Word{0} : (Word{1} << bits) - 1; }
};

// Where a value is inside a message slot, the tag's bits being the lowest.
struct ValueField {
  std::uint32_t shift = 0;
  std::uint32_t bits = 0;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;

  Word mask() const { return (Word{1} << bits) - 1; }
};

// The part of a channel that lies in one word.
struct ChannelPiece {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t slots = 0;
  Word mask = 0;        // of all its slots, at their place in the word
  Word carry_mask = 0;  // of one slot, unshifted: what a receive moves in from the next piece
};

struct ChannelLayout {
  std::uint32_t tag_bits = 0;
  std::uint32_t slot_bits = 0;
  std::uint32_t last_slot = 0;                // the channel is full when this one has a tag
  std::vector<ChannelPiece> pieces;           // from head to tail; none for a sink
  std::vector<std::vector<ValueField>> tags;  // values by tag - 1

  // The most messages that can be in it.
  std::uint32_t slots() const { return pieces.empty() || tags.empty() ? 0 : last_slot + 1; }
  Word tag_mask() const { return (Word{1} << tag_bits) - 1; }
  Word slot_mask() const { return slot_bits == 64 ? ~Word{0} : (Word{1} << slot_bits) - 1; }
};

struct Layout {
  std::uint32_t words = 1;
  std::uint32_t bits = 0;        // really used
  std::vector<Slot> control;     // by process
  std::vector<Slot> variables;   // by variable
  std::vector<Slot> assertions;  // by assertion: index of the current subset
  std::vector<ChannelLayout> channels;
};

// A state has at most this many words.
inline constexpr std::uint32_t layout_word_limit = 1024;

// Lays out the vector; nothing where a message slot or the whole vector is too large, with the
// reason in `problem`.
std::optional<Layout> make_layout(const Protocol& protocol, std::string& problem);

// ---- reading and writing through the layout --------------------------------------------------

inline std::int64_t read(const Slot& slot, StateView state) {
  if (slot.bits == 0) return slot.minimum;
  return static_cast<std::int64_t>((state[slot.word] >> slot.shift) & slot.mask()) + slot.minimum;
}

// False, with nothing written, where the value does not fit the slot.
inline bool write(const Slot& slot, std::int64_t value, StateSpan state) {
  if (value < slot.minimum || value > slot.maximum) return false;
  if (slot.bits == 0) return true;
  const Word bits = static_cast<Word>(value - slot.minimum);
  state[slot.word] = (state[slot.word] & ~(slot.mask() << slot.shift)) | (bits << slot.shift);
  return true;
}

// The message slot `index`, tag lowest.
inline Word message_at(const ChannelLayout& channel, std::uint32_t index, StateView state) {
  for (const ChannelPiece& piece : channel.pieces) {
    if (index < piece.slots)
      return (state[piece.word] >> (piece.shift + index * channel.slot_bits)) & channel.slot_mask();
    index -= piece.slots;
  }
  return 0;
}

// 0 where there is no message.
inline std::uint32_t tag_at(const ChannelLayout& channel, std::uint32_t index, StateView state) {
  return static_cast<std::uint32_t>(message_at(channel, index, state) & channel.tag_mask());
}

inline std::uint32_t head_tag(const ChannelLayout& channel, StateView state) {
  if (channel.pieces.empty()) return 0;
  const ChannelPiece& piece = channel.pieces.front();
  return static_cast<std::uint32_t>((state[piece.word] >> piece.shift) & channel.tag_mask());
}

inline bool is_full(const ChannelLayout& channel, StateView state) {
  return !channel.pieces.empty() &&
         (message_at(channel, channel.last_slot, state) & channel.tag_mask()) != 0;
}

inline std::uint32_t length(const ChannelLayout& channel, StateView state) {
  std::uint32_t count = 0;
  for (const ChannelPiece& piece : channel.pieces)
    for (std::uint32_t i = 0; i < piece.slots; ++i, ++count)
      if (((state[piece.word] >> (piece.shift + i * channel.slot_bits)) & channel.tag_mask()) == 0)
        return count;
  return count;
}

// Value `field` of a message.
inline std::int64_t value_of(const ValueField& field, Word message) {
  return static_cast<std::int64_t>((message >> field.shift) & field.mask()) + field.minimum;
}

// The same of message `position`; 0 where there is none, or it has no such value.
inline std::int64_t value_at(const ChannelLayout& channel, std::uint32_t position,
                             std::uint32_t field, StateView state) {
  const std::uint32_t tag = tag_at(channel, position, state);
  if (tag == 0 || field >= channel.tags[tag - 1].size()) return 0;
  return value_of(channel.tags[tag - 1][field], message_at(channel, position, state));
}

// A whole channel as (tag, values), from head to tail.
struct Message {
  std::uint32_t tag;
  std::vector<std::int64_t> values;
};
std::vector<Message> contents(const ChannelLayout& channel, StateView state);

}  // namespace panoptes
