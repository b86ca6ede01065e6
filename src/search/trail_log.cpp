// SPDX-License-Identifier: Apache-2.0
#include "search/trail_log.hpp"

#include <algorithm>

namespace panoptes {

void TrailLog::add_word() {
  if (words_ == chunks_.size() * chunk_words)
    chunks_.push_back(std::make_unique<Word[]>(chunk_words));
  chunks_[words_ / chunk_words][words_ % chunk_words] = last_;
  ++words_;
}

std::uint64_t TrailLog::read(std::uint64_t& position, unsigned bits) const {
  const auto at = [&](std::uint64_t index) {
    return index < words_ ? chunks_[index / chunk_words][index % chunk_words] : last_;
  };
  const unsigned offset = position % 64;
  std::uint64_t value = at(position / 64) >> offset;
  if (offset + bits > 64) value |= at(position / 64 + 1) << (64 - offset);
  position += bits;
  return value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t TrailLog::read_gap(std::uint64_t& position) const {
  std::uint64_t ones = 0;
  while (ones < most_ones && read(position, 1) != 0) ++ones;
  if (ones == most_ones) return read(position, full_bits);
  return (ones << low_bits) | read(position, low_bits);
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
