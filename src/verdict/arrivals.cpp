// SPDX-License-Identifier: Apache-2.0
#include "verdict/arrivals.hpp"

#include <algorithm>

namespace panoptes {

Arrivals::Arrivals(const Program& program) {
  for (const auto& control : program.control) reached.emplace_back(control.size());
  for (const Channel& channel : program.protocol.channels) {
    const std::size_t control =
        channel.reader() == none ? 0 : program.control[channel.reader()].size();
    tags.push_back(channel.sort.size() + 1);
    by_channel.emplace_back(control * tags.back());
  }
}

void Arrivals::merge(const Arrivals& other) {
  for (std::size_t p = 0; p < reached.size(); ++p)
    for (std::size_t s = 0; s < reached[p].size(); ++s) reached[p][s] |= other.reached[p][s];
  for (std::size_t c = 0; c < by_channel.size(); ++c)
    for (std::size_t i = 0; i < by_channel[c].size(); ++i) {
      Arrival& here = by_channel[c][i];
      const Arrival& there = other.by_channel[c][i];
      here.is_seen = here.is_seen || there.is_seen;
      if (there.unspecified)
        here.unspecified =
            std::min(here.unspecified.value_or(ReceptionPolicy::any), *there.unspecified);
    }
}

void Arrivals::conclude(const Ending& ending, const StorePromise& store, bool failed) {
  const Conclusion conclusion = conclusion_of(ending, store);
  promise = conclusion.promise;
  stop = conclusion.stop;
  // What is not there is said of everything.
  if (stop == Stop::finished && promise != Promise::exhaustive) stop = Stop::omission;
  has_failures = failed;
}

}  // namespace panoptes
