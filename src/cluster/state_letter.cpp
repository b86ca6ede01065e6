// SPDX-License-Identifier: Apache-2.0
#include "cluster/state_letter.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// A letter begins with the number of its states; behind the last one there is room, so that whole
// words may be written and read there.
constexpr std::size_t head = sizeof(std::uint64_t), padding = sizeof(Word);
constexpr std::size_t longest_origin = 2 + 2 * sizeof(std::uint64_t);

}  // namespace

StateShape::StateShape(const Layout& layout) {
  std::vector<Word> used(layout.words);
  const auto use = [&](const Slot& slot) {
    if (slot.bits > 0) used[slot.word] |= slot.mask() << slot.shift;
  };
  for (const auto* slots : {&layout.control, &layout.variables, &layout.assertions})
    for (const Slot& slot : *slots) use(slot);
  for (const ChannelLayout& channel : layout.channels)
    for (const ChannelPiece& piece : channel.pieces) used[piece.word] |= piece.mask;
  for (const Word bits : used) {
    bytes_.push_back((static_cast<std::size_t>(std::bit_width(bits)) + 7) / 8);
    masks_.push_back(bytes_.back() == sizeof(Word) ? ~Word{0}
                                                   : (Word{1} << (8 * bytes_.back())) - 1);
    state_bytes_ += bytes_.back();
  }
}

void StateLetter::begin() {
  bytes_.resize(most_bytes_ + longest_origin + shape_->state_bytes() + padding);
  size_ = head;
}

void StateLetter::add_long(std::uint64_t step, std::uint32_t choice) {
  const std::uint64_t whole_choice = choice;
  bytes_[size_] = bytes_[size_ + 1] = static_cast<std::byte>(long_number);
  std::memcpy(bytes_.data() + size_ + 2, &step, sizeof step);
  std::memcpy(bytes_.data() + size_ + 2 + sizeof step, &whole_choice, sizeof whole_choice);
  size_ += longest_origin;
}

std::vector<std::byte> StateLetter::close() {
  std::memcpy(bytes_.data(), &states_, head);
  bytes_.resize(size_ + padding);
  size_ = states_ = parent_ = 0;
  return std::exchange(bytes_, {});
}

void open_letter(const StateShape& shape, const std::vector<std::byte>& bytes, FoundStates& found) {
  const auto need = [](bool is_whole) {
    if (!is_whole) throw InternalFault("a letter of states is not as long as it should be");
  };
  const std::size_t width = shape.width();
  need(bytes.size() >= head + padding);
  const std::byte* at = bytes.data() + head;
  const std::byte* const end = bytes.data() + bytes.size() - padding;
  std::uint64_t states = 0, parent = 0;
  std::memcpy(&states, bytes.data(), head);
  need(states <= bytes.size() / (2 + shape.state_bytes()));
  found.states.clear(width);
  found.states.states.words.resize(states * width);
  found.states.rules.assign(states, 0);
  found.parents.resize(states);
  found.choices.resize(states);
  const auto least_bytes = static_cast<std::ptrdiff_t>(2 + shape.state_bytes());
  Word* word = found.states.states.words.data();
  for (std::size_t i = 0; i < states; ++i) {
    need(end - at >= least_bytes);
    auto step = std::to_integer<std::uint64_t>(at[0]),
         choice = std::to_integer<std::uint64_t>(at[1]);
    at += 2;
    if (step == StateLetter::long_number) {
      std::memcpy(&step, at, sizeof step);
      std::memcpy(&choice, at + sizeof step, sizeof choice);
      at += 2 * sizeof(std::uint64_t);
      need(end - at >= least_bytes - 2);
    }
    found.parents[i] = parent += step;
    found.choices[i] = static_cast<std::uint32_t>(choice);
    for (std::size_t w = 0; w < width; ++w) {
      std::memcpy(word, at, sizeof(Word));
      *word++ &= shape.mask_of(w);
      at += shape.bytes_of(w);
    }
  }
  need(at == end);
  found.states.close_state(0);
}

// 32768 words, which stay in the processor's cache, are enough to find two of five states again.
RecentStates::RecentStates(std::size_t width) : width_(width) {
  const std::size_t places =
      std::bit_floor(std::max<std::size_t>(64, (std::size_t{1} << 15) / width));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(places));
  words_.resize(places * width);
  // All places have a state of zeros, but for the one where that would be: it has one that would be
  // elsewhere.
  std::vector<Word> other(width);
  const std::uint32_t place = place_of(other.data());
  while (place_of(other.data()) == place) ++other[0];
  words_[place * width] = other[0];
}

}  // namespace panoptes
