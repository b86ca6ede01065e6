// SPDX-License-Identifier: Apache-2.0
// Which of several steps to take, by chance.
//
// A step counts as often as its weight says: an option tagged [high] four times as often as one
// without a tag, one tagged [low] a quarter as often; and times the weight the user has given to
// its process, to the message it sends or receives, or to timeouts. Steps of weight 0 are taken
// only where there are no others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/walk.hpp"

namespace panoptes {

class StepChooser {
 public:
  static constexpr std::uint64_t most_weight = 1000;
  using Weights = std::vector<std::pair<std::string, std::uint64_t>>;

  // Nothing where a name is that of no process and no message, with the reason in `problem`.
  static std::optional<StepChooser> make(const Program& program, std::uint64_t seed,
                                         const Weights& weights, std::string& problem);

  // The number of one of the steps, of which there must be some.
  std::size_t choose(const std::vector<EnabledStep>& steps);

  // As it was in the beginning.
  void restart() { random_ = seed_; }

 private:
  explicit StepChooser(std::uint64_t seed) : seed_(seed), random_(seed) {}

  std::uint64_t seed_, random_;
  std::vector<std::uint64_t> weights_;  // by rule
};

}  // namespace panoptes
