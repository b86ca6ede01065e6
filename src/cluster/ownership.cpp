// SPDX-License-Identifier: Apache-2.0
#include "cluster/ownership.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace panoptes {

std::vector<double> shares_of(std::span<const std::uint64_t> memory_bytes) {
  const auto [least, most] = std::minmax_element(memory_bytes.begin(), memory_bytes.end());
  const bool are_equal = *least >= *most - *most / 8;
  std::vector<double> shares;
  for (const std::uint64_t bytes : memory_bytes)
    shares.push_back(are_equal ? 1.0 : static_cast<double>(bytes));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<std::uint16_t> places_by_share(std::span<const double> shares) {
  constexpr std::size_t least_places = 4096, places_for_each = 1024;
  const std::size_t places = std::max(least_places, shares.size() * places_for_each);
  std::vector<std::uint16_t> owners;
  double before = 0.0;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    before += shares[rank];
    const auto end = static_cast<std::size_t>(before * static_cast<double>(places) + 0.5);
    owners.resize(std::max(end, owners.size()), static_cast<std::uint16_t>(rank));
  }
  return owners;
}

Ownership::Ownership(Division division) : division_(std::move(division)) {
  for (std::size_t word = 0; word < division_.bits.size(); ++word)
    if (division_.bits[word] != 0)
      part_.push_back({word, division_.bits[word], hash_word(word + 1) | 1});
}

}  // namespace panoptes
