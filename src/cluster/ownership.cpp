// SPDX-License-Identifier: Apache-2.0
#include "cluster/ownership.hpp"

#include <algorithm>

namespace panoptes {

Ownership::Ownership(std::span<const std::uint64_t> weights) {
  constexpr std::size_t places_for_each = 64;
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  const bool are_equal = *least >= *most - *most / 8;
  double sum = 0.0, before = 0.0;
  for (const std::uint64_t weight : weights) sum += are_equal ? 1.0 : static_cast<double>(weight);
  const auto places = static_cast<double>(weights.size() * places_for_each);
  for (std::size_t rank = 0; rank < weights.size(); ++rank) {
    before += are_equal ? 1.0 : static_cast<double>(weights[rank]);
    const auto end = static_cast<std::size_t>(before / sum * places + 0.5);
    table_.resize(std::max(end, table_.size()), static_cast<std::uint16_t>(rank));
  }
}

}  // namespace panoptes
