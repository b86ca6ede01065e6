// SPDX-License-Identifier: Apache-2.0
// What arrives where: which messages have been first in a channel while the process that reads it
// was at a control state, and whether it could take them.
//
// How it can be wrong: a pair that was seen is reachable. One that was not is unreachable only
// where everything was seen: see is_complete().
#pragma once

#include <optional>
#include <vector>

#include "rules/finding.hpp"
#include "verdict/ending.hpp"

namespace panoptes {

struct Arrival {
  bool is_seen = false;
  // It was not accepted: an unspecified reception by the strictest policy that says so.
  std::optional<ReceptionPolicy> unspecified;
};

struct Arrivals {
  explicit Arrivals(const Program& program);

  // `state`: of the reader. REQUIRES: the channel has one, and no more.
  Arrival& at(ChannelId channel, StateId state, std::uint32_t tag) {
    return by_channel[channel][state * tags[channel] + tag];
  }
  const Arrival& at(ChannelId channel, StateId state, std::uint32_t tag) const {
    return by_channel[channel][state * tags[channel] + tag];
  }

  // Adds what somebody else has seen.
  void merge(const Arrivals& other);

  // The search has ended so, on a store that may be wrong so; a step failed, or none did.
  void conclude(const Ending& ending, const StorePromise& store, bool failed);

  // Whether what was not seen cannot be.
  bool is_complete() const { return promise == Promise::exhaustive && !has_failures; }

  std::vector<std::vector<std::uint8_t>> reached;  // by process, control state
  std::vector<std::size_t> tags;                   // by channel, tag 0 included
  std::vector<std::vector<Arrival>> by_channel;    // control states of the reader, tags
  std::uint64_t states = 0;                        // looked at
  Stop stop = Stop::finished;
  Promise promise = Promise::partial;
  bool has_failures = false;  // some step failed, which hides what lies behind it
};

}  // namespace panoptes
