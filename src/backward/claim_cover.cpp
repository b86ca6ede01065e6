// SPDX-License-Identifier: Apache-2.0
#include "backward/claim_cover.hpp"

#include <algorithm>
#include <bit>

namespace panoptes {
namespace {

constexpr std::uint64_t most_cover_bytes = 16 << 20;

}  // namespace

void ClaimCover::add(const Claim& claim) {
  for (std::size_t place = 0; place < claim.size(); ++place)
    columns_[place].push_back(claim[place]);
  ++size_;
}

void ClaimCover::clear() {
  for (auto& column : columns_) column.clear();
  for (auto& known : known_) known.clear();
  size_ = answers_ = 0;
}

const std::vector<std::uint64_t>& ClaimCover::around(std::size_t place, std::uint32_t said) {
  const auto [found, is_first] = known_[place].try_emplace(said);
  Answer& answer = found->second;
  if (is_first) ++answers_;
  answer.bits.resize((size_ + 63) / 64);
  const std::uint32_t all = space_.everything()[place];
  const std::vector<std::uint32_t>& column = columns_[place];
  for (std::size_t i = answer.covered; i < size_; ++i)
    if (column[i] == all || (said != all && space_.is_within(place, said, column[i])))
      answer.bits[i / 64] |= std::uint64_t{1} << i % 64;
  answer.covered = size_;
  return answer.bits;
}

std::optional<std::size_t> ClaimCover::first_around(const Claim& claim) {
  if (answers_ * (size_ / 8 + 100) > most_cover_bytes) {
    for (auto& known : known_) known.clear();
    answers_ = 0;
  }
  if (size_ == 0) return {};
  std::vector<std::uint64_t> left((size_ + 63) / 64, ~std::uint64_t{0});
  if (size_ % 64 != 0) left.back() = (std::uint64_t{1} << size_ % 64) - 1;
  for (std::size_t place = 0; place < claim.size(); ++place) {
    const std::vector<std::uint64_t>& bits = around(place, claim[place]);
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < left.size(); ++w) any |= left[w] &= bits[w];
    if (any == 0) return {};
  }
  const auto first = std::find_if(left.begin(), left.end(), [](std::uint64_t w) { return w != 0; });
  return static_cast<std::size_t>(first - left.begin()) * 64 +
         static_cast<std::size_t>(std::countr_zero(*first));
}

}  // namespace panoptes
