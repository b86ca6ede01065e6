// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace panoptes::test {

// Whether everything is tried, with PANOPTES_SAMPLES=all, which `make soak` sets, or what there is
// time for every day.
inline bool has_all_samples() {
  const char* const asked = std::getenv("PANOPTES_SAMPLES");
  return asked != nullptr && std::string_view(asked) == "all";
}

// What part of a sample there is time for every day.
inline constexpr std::uint64_t sampled_part = 10;

// How many of `all` are tried.
inline std::uint64_t sample_of(std::uint64_t all) {
  return has_all_samples() ? all : all / sampled_part;
}

// Every tenth of `all`, or another part of them, from the first on.
template <typename Element>
std::vector<Element> sample_of(std::vector<Element> all, std::size_t part = sampled_part) {
  if (has_all_samples()) return all;
  std::vector<Element> sample;
  for (std::size_t i = 0; i < all.size(); i += part) sample.push_back(std::move(all[i]));
  return sample;
}

}  // namespace panoptes::test
