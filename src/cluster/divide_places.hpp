// SPDX-License-Identifier: Apache-2.0
// Places of a table, with the states and steps of a sample, divided among ranks.
//
// Idea: beginning with owners by chance, every place in turn is given to the rank with which the
// search is expected to be quickest: where many steps lead to and from it, and the levels of its
// states have room for more. After a few rounds nothing moves any more. First two halves of the
// ranks divide all places so, then halves of those, and in the end all of them. Half of the sample
// is kept apart, to judge what came out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace panoptes {

struct PlaceSample {
  struct State {
    std::uint32_t level, place;
  };
  struct Step {
    std::uint32_t from, to;  // places
    bool is_apart;           // to judge by
    double times = 1.0;      // that there are such
  };
  std::vector<State> states, states_apart;
  std::vector<Step> steps;
  std::uint32_t levels = 0;
  double cost_of_sending = 1.6;  // a state, and of taking it in, by what it costs to find one
};

// What a search over these ranks takes, to what it would if nothing were sent and all had their
// share of every level. `values`: so many different ones are in the places of a level.
double cost_of(const PlaceSample& sample, std::span<const std::uint16_t> owners,
               std::span<const double> shares, double values);

// The owners of so many places.
std::vector<std::uint16_t> divide_places(const PlaceSample& sample, std::size_t places,
                                         std::span<const double> shares);

}  // namespace panoptes
