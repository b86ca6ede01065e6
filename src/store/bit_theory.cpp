// SPDX-License-Identifier: Apache-2.0
#include "store/bit_theory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace panoptes {
namespace {

constexpr std::size_t usable_bits = 511;

// The distribution of the number of bits set in one line, which at first are none.
class Line {
 public:
  explicit Line(unsigned bits_per_state)
      : bits_per_state_(bits_per_state), chance_(usable_bits + 1, 0.0) {
    chance_[0] = 1;
  }

  // The chance that the next state finds a bit of its own not set.
  double fresh() const {
    double old = 0;
    for (std::size_t set = 0; set <= usable_bits; ++set)
      old += chance_[set] * std::pow(share(set), bits_per_state_);
    return 1 - old;
  }

  void add_state() {
    for (unsigned draw = 0; draw < bits_per_state_; ++draw) {
      for (std::size_t set = usable_bits; set > 0; --set)
        chance_[set] = chance_[set] * share(set) + chance_[set - 1] * (1 - share(set - 1));
      chance_[0] = 0;
    }
  }

 private:
  static double share(std::size_t set) { return static_cast<double>(set) / usable_bits; }

  unsigned bits_per_state_;
  std::vector<double> chance_;  // by number of bits set
};

}  // namespace

double predicted_coverage(std::uint64_t states, std::uint64_t bytes, unsigned bits_per_state) {
  if (states == 0) return 1;
  const double lines = static_cast<double>(std::max<std::uint64_t>(1, bytes / 64));
  const double per_line = static_cast<double>(states) / lines;
  Line line(bits_per_state);
  double found = 0, more = 1;  // states than `count` fall into the line, with this chance
  for (std::uint64_t count = 0; more > 1e-12; ++count) {
    const auto before = static_cast<double>(count);
    more -= std::exp(before * std::log(per_line) - per_line - std::lgamma(before + 1));
    const double fresh = line.fresh();
    if (fresh < 1e-9) break;
    found += std::max(more, 0.0) * fresh;
    line.add_state();
  }
  return std::min(1.0, found / per_line);
}

}  // namespace panoptes
