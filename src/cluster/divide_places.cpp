// SPDX-License-Identifier: Apache-2.0
#include "cluster/divide_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.hpp"

namespace panoptes {
namespace {

// Deeper levels have other shares of the same values: deviations by so much of those that owners by
// chance would have.
constexpr double unknown = 0.4;

// The states of each level by rank: how far shares of levels are from those of the ranks.
class Loads {
 public:
  Loads(std::uint32_t levels, std::span<const double> shares)
      : shares_(shares), states_(levels * shares.size()), sizes_(levels) {}

  void add(std::uint32_t level, std::size_t rank, double states) {
    states_[level * shares_.size() + rank] += states;
    sizes_[level] += states;
  }
  void move(std::uint32_t level, std::size_t from, std::size_t to, double states) {
    states_[level * shares_.size() + from] -= states;
    states_[level * shares_.size() + to] += states;
  }
  double of(std::uint32_t level, std::size_t rank) const {
    return states_[level * shares_.size() + rank];
  }
  // Of all pairs of states of a level.
  double pairs() const {
    double sum = 0.0;
    for (const double size : sizes_) sum += size * (size - 1.0);
    return std::max(1.0, sum);
  }
  // The mean square of what a rank has more or less than its share, by that share. Pairs of states
  // are counted, none with itself, so that it does not depend on how large a sample is.
  double deviation() const {
    double sum = 0.0;
    for (std::size_t at = 0; at < states_.size(); ++at)
      sum += states_[at] * (states_[at] - 1.0) / shares_[at % shares_.size()];
    return std::max(0.0, sum / pairs() - 1.0);
  }

 private:
  std::span<const double> shares_;
  std::vector<double> states_, sizes_;
};

// By how much the largest of so many shares is larger than it should be.
double unevenness(double deviation, std::size_t ranks) {
  return std::sqrt(deviation * std::log(static_cast<double>(ranks)));
}

class Mover {
 public:
  Mover(const PlaceSample& sample, std::vector<std::uint16_t>& owners,
        std::span<const double> shares)
      : owners_(owners),
        shares_(shares),
        loads_(sample.levels, shares),
        states_(owners.size()),
        neighbours_(owners.size()),
        links_(shares.size()),
        cost_of_sending_(sample.cost_of_sending) {
    for (const auto& [level, place] : sample.states) {
      loads_.add(level, owners[place], 1.0);
      auto& its = states_[place];
      if (its.empty() || its.back().level != level) its.push_back({level, 0.0});
      its.back().states += 1.0;
    }
    pairs_ = loads_.pairs();
    for (const PlaceSample::Step& step : sample.steps) {
      if (step.is_apart) continue;
      steps_ += step.times;
      if (step.from == step.to) continue;
      neighbours_[step.from].push_back({step.to, step.times});
      neighbours_[step.to].push_back({step.from, step.times});
    }
  }

  // Whether something has moved.
  bool round() {
    // The derivative of unevenness by deviation, where that is not too small.
    constexpr double least = 0.0004;
    const double deviation = std::max(least, loads_.deviation());
    weight_of_deviation_ =
        std::sqrt(std::log(static_cast<double>(shares_.size())) / deviation) / 2.0;
    bool has_moved = false;
    for (std::size_t place = 0; place < owners_.size(); ++place)
      if (!states_[place].empty() || !neighbours_[place].empty()) has_moved |= move(place);
    return has_moved;
  }

 private:
  struct Part {
    std::uint32_t level;
    double states;
  };
  struct Neighbour {
    std::uint32_t place;
    double steps;
  };

  bool move(std::size_t place) {
    std::fill(links_.begin(), links_.end(), 0.0);
    for (const auto& [other, steps] : neighbours_[place]) links_[owners_[other]] += steps;
    const std::size_t own = owners_[place];
    std::size_t best = own;
    double least = -1e-9;
    for (std::size_t rank = 0; rank < shares_.size(); ++rank) {
      if (rank == own) continue;
      const double sent = cost_of_sending_ * (links_[own] - links_[rank]) / std::max(1.0, steps_);
      const double change = sent + weight_of_deviation_ * change_of_deviation(place, own, rank);
      if (change < least) {
        least = change;
        best = rank;
      }
    }
    if (best == own) return false;
    for (const Part& part : states_[place]) loads_.move(part.level, own, best, part.states);
    owners_[place] = static_cast<std::uint16_t>(best);
    return true;
  }

  double change_of_deviation(std::size_t place, std::size_t from, std::size_t to) const {
    double sum = 0.0;
    for (const auto& [level, states] : states_[place])
      sum +=
          2.0 * states *
          (loads_.of(level, to) / shares_[to] - (loads_.of(level, from) - states) / shares_[from]);
    return sum / pairs_;
  }

  std::vector<std::uint16_t>& owners_;
  std::span<const double> shares_;
  Loads loads_;
  std::vector<std::vector<Part>> states_;           // by place
  std::vector<std::vector<Neighbour>> neighbours_;  // by place
  std::vector<double> links_;                       // by rank
  double cost_of_sending_;
  double steps_ = 0.0;
  double pairs_ = 1.0;  // of states of a level
  double weight_of_deviation_ = 0.0;
};

}  // namespace

double cost_of(const PlaceSample& sample, std::span<const std::uint16_t> owners,
               std::span<const double> shares, double values) {
  Loads loads(sample.levels, shares);
  for (const auto& [level, place] : sample.states_apart) loads.add(level, owners[place], 1.0);
  double sent = 0.0, steps = 1.0;
  for (const PlaceSample::Step& step : sample.steps) {
    if (!step.is_apart) continue;
    steps += step.times;
    if (owners[step.from] != owners[step.to]) sent += step.times;
  }
  const double by_chance = static_cast<double>(shares.size() - 1) / values;
  return (1.0 + sample.cost_of_sending * sent / steps) *
         (1.0 + unevenness(loads.deviation() + unknown * by_chance, shares.size()));
}

namespace {

void improve(const PlaceSample& sample, std::vector<std::uint16_t>& owners,
             std::span<const double> shares) {
  constexpr int most_rounds = 12;
  Mover mover(sample, owners, shares);
  for (int round = 0; round < most_rounds && mover.round(); ++round) continue;
}

// What of the sample is in these places.
PlaceSample part_of(const PlaceSample& sample, const std::vector<std::uint16_t>& owners,
                    std::uint16_t owner) {
  PlaceSample part;
  part.levels = sample.levels;
  part.cost_of_sending = sample.cost_of_sending;
  for (const PlaceSample::State& state : sample.states)
    if (owners[state.place] == owner) part.states.push_back(state);
  for (const PlaceSample::Step& step : sample.steps)
    if (!step.is_apart && owners[step.from] == owner && owners[step.to] == owner)
      part.steps.push_back(step);
  return part;
}

// Gives the places of rank `first` to the `count` ranks from there on: to two halves of them, and
// so on.
void halve(const PlaceSample& sample, std::vector<std::uint16_t>& owners,
           std::span<const double> shares, std::size_t first, std::size_t count) {
  if (count == 1) return;
  const std::size_t middle = count / 2;
  double before = 0.0, all = 0.0;
  for (std::size_t rank = first; rank < first + count; ++rank) {
    all += shares[rank];
    if (rank < first + middle) before += shares[rank];
  }
  const std::array<double, 2> both{before / all, 1.0 - before / all};
  const auto least_of_second = static_cast<std::uint64_t>(std::ldexp(both[0], 53));
  std::vector<std::uint16_t> half(owners.size());
  for (std::size_t place = 0; place < half.size(); ++place)
    half[place] = hash_word(place + first * half.size() + count) >> 11 >= least_of_second ? 1 : 0;
  improve(part_of(sample, owners, static_cast<std::uint16_t>(first)), half, both);
  for (std::size_t place = 0; place < half.size(); ++place)
    if (owners[place] == first && half[place] == 1)
      owners[place] = static_cast<std::uint16_t>(first + middle);
  halve(sample, owners, shares, first, middle);
  halve(sample, owners, shares, first + middle, count - middle);
}

}  // namespace

std::vector<std::uint16_t> divide_places(const PlaceSample& sample, std::size_t places,
                                         std::span<const double> shares) {
  std::vector<std::uint16_t> owners(places);
  halve(sample, owners, shares, 0, shares.size());
  if (shares.size() > 2) improve(sample, owners, shares);
  return owners;
}

}  // namespace panoptes
