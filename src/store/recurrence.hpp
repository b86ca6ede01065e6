// SPDX-License-Identifier: Apache-2.0
// How often states recur: the number of states that were visited once, twice and so on, and from it
// the probability that a state comes back once it was visited N times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace panoptes {

class Recurrence {
 public:
  static constexpr std::size_t most_visits = 64;  // states visited more often count as this many

  // One state was visited `visits` times in all.
  void add(std::uint64_t visits) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(visits, most_visits));
    if (states_.size() <= n) states_.resize(n + 1);
    ++states_[n];
  }

  // [N]: states that were visited N times; [0] is nobody.
  const std::vector<std::uint64_t>& states() const { return states_; }

  // Of the states that were visited N times at least, the share that was visited again.
  double probability_of_return(std::size_t visits) const {
    std::uint64_t at_least = 0, more = 0;
    for (std::size_t n = visits; n < states_.size(); ++n) {
      at_least += states_[n];
      if (n > visits) more += states_[n];
    }
    return at_least == 0 ? 0.0 : static_cast<double>(more) / static_cast<double>(at_least);
  }

 private:
  std::vector<std::uint64_t> states_;
};

}  // namespace panoptes
