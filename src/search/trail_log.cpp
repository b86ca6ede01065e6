// SPDX-License-Identifier: Apache-2.0
#include "search/trail_log.hpp"

#include <algorithm>

namespace panoptes {
namespace {

constexpr unsigned low_bits = 2;    // of a gap, written as they are
constexpr unsigned most_ones = 15;  // of the unary part; then the gap follows in full
constexpr unsigned full_bits = 32;

}  // namespace

void TrailLog::push(std::uint64_t value, unsigned bits) {
  if ((bit_count_ + bits + 63) / 64 > chunks_.size() * chunk_words)
    chunks_.push_back(std::make_unique<Word[]>(chunk_words));
  const unsigned offset = bit_count_ % 64;
  word(bit_count_ / 64) |= value << offset;
  if (offset + bits > 64) word(bit_count_ / 64 + 1) = value >> (64 - offset);
  bit_count_ += bits;
}

std::uint64_t TrailLog::read(std::uint64_t& position, unsigned bits) const {
  const auto at = [&](std::uint64_t index) {
    return chunks_[index / chunk_words][index % chunk_words];
  };
  const unsigned offset = position % 64;
  std::uint64_t value = at(position / 64) >> offset;
  if (offset + bits > 64) value |= at(position / 64 + 1) << (64 - offset);
  position += bits;
  return value & ((std::uint64_t{1} << bits) - 1);
}

// A 1 and the gap.
void TrailLog::push_fresh(std::uint64_t gap) {
  const std::uint64_t ones = gap >> low_bits;
  if (ones < most_ones) {
    const auto unary_bits = static_cast<unsigned>(ones) + 2;  // with the leading 1 and the last 0
    const std::uint64_t low = gap & ((1u << low_bits) - 1);
    push((std::uint64_t{2} << ones) - 1 + (low << unary_bits), unary_bits + low_bits);
  } else {
    push((std::uint64_t{2} << most_ones) - 1, most_ones + 1);
    push(gap, full_bits);
  }
}

std::uint64_t TrailLog::read_gap(std::uint64_t& position) const {
  std::uint64_t ones = 0;
  while (ones < most_ones && read(position, 1) != 0) ++ones;
  if (ones == most_ones) return read(position, full_bits);
  return (ones << low_bits) | read(position, low_bits);
}

void TrailLog::append(std::span<const std::uint8_t> fresh) {
  if (expansions_ % block_expansions == 0) blocks_.push_back({bit_count_, next_fresh_});
  ++expansions_;
  std::size_t expected = 0;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (fresh[i] == 0) continue;
    push_fresh(i - expected);
    expected = i + 1;
    ++next_fresh_;
  }
  push(0, 1);
}

TrailLog::Origin TrailLog::origin(std::uint64_t number) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), number,
                       [](std::uint64_t n, const Block& block) { return n < block.first_fresh; });
  const auto block = static_cast<std::uint64_t>(after - blocks_.begin()) - 1;
  std::uint64_t position = blocks_[block].first_bit;
  std::uint64_t fresh = blocks_[block].first_fresh;
  for (std::uint64_t expansion = block * block_expansions;; ++expansion) {
    std::uint64_t successor = 0;
    for (; read(position, 1) != 0; ++successor) {
      successor += read_gap(position);
      if (fresh++ == number) return {expansion, static_cast<std::uint32_t>(successor)};
    }
  }
}

std::uint64_t TrailLog::bytes() const {
  return chunks_.size() * chunk_words * sizeof(Word) + blocks_.size() * sizeof(Block);
}

}  // namespace panoptes
