// SPDX-License-Identifier: Apache-2.0
// Something wrong with a state or with the firing of a rule, as whoever executes rules sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rules/error_kind.hpp"
#include "rules/program.hpp"

namespace panoptes {

// A state inside an indivisible sequence, and how it is reached from the last state outside.
struct Inside {
  StateWords from;            // outside
  std::vector<RuleId> rules;  // that lead from there ...
  StateWords state;           // ... to here
};

struct Finding {
  ErrorKind kind = ErrorKind::deadlock;
  std::uint32_t source = 0;        // which state of the batch
  RuleId rule = none;              // the rule that fired into the error; none: the state is wrong
  ProcessId process = none;        // unspecified_reception, stuck
  ChannelId channel = none;        // unspecified_reception, unread_messages
  std::uint32_t tag = 0;           // unspecified_reception: the message at the head
  std::uint32_t assertion = none;  // or, of an invariant, a question or a property, which of those
  std::shared_ptr<const Inside> inside = {};  // where the rule fired; null: in the state itself

  // Where it was made, in a batch.
  StateView state_in(const StateBatch& batch) const {
    return inside ? StateView(inside->state) : batch[source];
  }
};

}  // namespace panoptes
