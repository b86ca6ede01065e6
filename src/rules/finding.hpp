// SPDX-License-Identifier: Apache-2.0
// Something wrong with a state or with the firing of a rule, as whoever executes rules sees it.
#pragma once

#include <cstdint>

#include "rules/error_kind.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct Finding {
  ErrorKind kind = ErrorKind::deadlock;
  std::uint32_t source = 0;  // which state of the batch
  RuleId rule = none;        // the rule that fired into the error; none: the state is wrong
  ProcessId process = none;  // unspecified_reception
  ChannelId channel = none;  // unspecified_reception, unread_messages
  std::uint32_t tag = 0;     // unspecified_reception: the message at the head
  std::uint32_t assertion = none;
};

}  // namespace panoptes
