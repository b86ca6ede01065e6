// SPDX-License-Identifier: Apache-2.0
// Counting the bits of a word.
//
// Idea: counts of 2 bits, then of 4, then of 8 lie side by side in a word; a multiplication adds
// them up. Cost: about a dozen operations. Why not std::popcount: it calls a function on processors
// that may lack the instruction.
#pragma once

#include <bit>
#include <cstdint>

#include "base/batch.hpp"

namespace panoptes {

// The lowest `bits` bits.
constexpr Word low_mask(unsigned bits) { return bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1; }

// In every four bits, how many of them are set.
constexpr Word ones_in_fours(Word word) {
  word -= (word >> 1) & 0x5555'5555'5555'5555u;
  return (word & 0x3333'3333'3333'3333u) + ((word >> 2) & 0x3333'3333'3333'3333u);
}

// In every byte, the sum of the fours in it and in the bytes below. REQUIRES: no four exceeds 8.
constexpr Word sums_up_to_byte(Word fours) {
  constexpr Word eights = 0x0f0f'0f0f'0f0f'0f0fu;
  return ((fours & eights) + ((fours >> 4) & eights)) * 0x0101'0101'0101'0101u;
}

constexpr std::uint32_t count_ones(Word word) {
  return static_cast<std::uint32_t>(sums_up_to_byte(ones_in_fours(word)) >> 56);
}
// Of both together, in less time than one after the other.
constexpr std::uint32_t count_ones(Word word, Word other) {
  return static_cast<std::uint32_t>(sums_up_to_byte(ones_in_fours(word) + ones_in_fours(other)) >>
                                    56);
}

// The place of the bit that is set when `rank` others below it are. REQUIRES: there is one.
constexpr std::uint32_t place_of_one(Word word, std::uint32_t rank) {
  constexpr Word every_byte = 0x0101'0101'0101'0101u, top_bits = every_byte << 7;
  const Word sums = sums_up_to_byte(ones_in_fours(word));
  // The top bit of every byte whose sum is greater than `rank`; the lowest is the bit's own byte.
  const Word reached = ((sums | top_bits) - (rank + 1) * every_byte) & top_bits;
  const auto byte = static_cast<std::uint32_t>(std::countr_zero(reached)) - 7;
  word >>= byte;
  for (rank -= static_cast<std::uint32_t>((sums << 8 >> byte) & 0xff); rank > 0; --rank)
    word &= word - 1;
  return byte + static_cast<std::uint32_t>(std::countr_zero(word));
}

}  // namespace panoptes
