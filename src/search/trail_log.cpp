// SPDX-License-Identifier: Apache-2.0
#include "search/trail_log.hpp"

#include <algorithm>

namespace panoptes {

void TrailLog::push(std::uint64_t value, unsigned bits) {
  const unsigned offset = bit_count_ % 64;
  if (offset == 0) words_.push_back(0);
  words_.back() |= value << offset;
  if (offset + bits > 64) words_.push_back(value >> (64 - offset));
  bit_count_ += bits;
}

std::uint64_t TrailLog::bits_at(std::uint64_t position, unsigned bits) const {
  const unsigned offset = position % 64;
  std::uint64_t value = words_[position / 64] >> offset;
  if (offset + bits > 64) value |= words_[position / 64 + 1] << (64 - offset);
  return value & ((std::uint64_t{1} << bits) - 1);
}

void TrailLog::push_degree(std::uint64_t degree) {
  for (; degree >= 32; degree >>= 5) push(32 | (degree & 31), 6);
  push(degree, 6);
}

std::uint64_t TrailLog::degree_at(std::uint64_t& position) const {
  std::uint64_t degree = 0;
  for (unsigned shift = 0;; shift += 5) {
    const std::uint64_t group = bits_at(position, 6);
    position += 6;
    degree |= (group & 31) << shift;
    if (group < 32) return degree;
  }
}

void TrailLog::append(std::span<const std::uint8_t> fresh) {
  if (expansions_ % block_expansions == 0) blocks_.push_back({bit_count_, next_fresh_});
  ++expansions_;
  push_degree(fresh.size());
  for (const std::uint8_t bit : fresh) {
    push(bit, 1);
    next_fresh_ += bit;
  }
}

TrailLog::Origin TrailLog::origin(std::uint64_t number) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), number,
                       [](std::uint64_t n, const Block& block) { return n < block.first_fresh; });
  const auto block = static_cast<std::uint64_t>(after - blocks_.begin()) - 1;
  std::uint64_t position = blocks_[block].first_bit;
  std::uint64_t fresh = blocks_[block].first_fresh;
  for (std::uint64_t expansion = block * block_expansions;; ++expansion) {
    const std::uint64_t degree = degree_at(position);
    for (std::uint32_t successor = 0; successor < degree; ++successor)
      if (bits_at(position++, 1) != 0 && fresh++ == number) return {expansion, successor};
  }
}

std::uint64_t TrailLog::bytes() const {
  return words_.capacity() * sizeof(Word) + blocks_.capacity() * sizeof(Block);
}

}  // namespace panoptes
