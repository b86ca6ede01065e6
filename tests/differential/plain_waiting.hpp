// SPDX-License-Identifier: Apache-2.0
// Whether an option of a process that does not move may be enabled one day, for the plain checker.
//
// While the process stays where it is, nobody else changes its variables, or takes what is first in
// the channels it reads. What others write, send and take is found out from the text alone.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "differential/plain_protocol.hpp"

namespace panoptes::differential {

class PlainWaiting {
 public:
  // `protocol` outlives it.
  PlainWaiting(const PlainProtocol& protocol, bool overflow_is_error);

  bool may_come(const PlainState& state, std::size_t process, const PlainOption& option) const;

 private:
  using Processes = std::set<std::size_t>;
  using Sent = std::pair<int, int>;  // name of the message, number of its values

  void note(std::size_t process, const PlainOption& option);
  void note_target(std::size_t process, const PlainOption& option,
                   const argos::VariableUse& target);
  static bool others(const Processes& all, std::size_t process);
  bool others_take(int channel, std::size_t process) const;

  // Of an option, in a state in which its parameters are set.
  struct Case {
    std::size_t process;
    const PlainOption& option;
    const Scope& scope;
    const Scope& text;  // the same, where what arrives has no value: what may change is judged so
    const PlainState& state;
  };
  bool exchange_may_come(const Case& at) const;
  bool room_may_come(const Case& at, int channel) const;
  bool any_may_come(const Case& at, int channel) const;
  bool can_be_sent(const Case& at, int channel) const;
  bool may_like(const Case& at, const PlainMessage* message, std::size_t count) const;
  bool may_hold(const Case& at, const argos::ExpressionPtr& condition) const;
  bool can_change(const Case& at, const argos::Expression& expression, const Scope& scope) const;
  bool can_change(const Case& at, const argos::ChannelUse& use, const Scope& scope) const;
  bool can_change(const Case& at, int variable) const;

  const PlainProtocol& protocol_;
  const bool overflow_is_error_;
  std::map<int, Processes> writers_;           // by variable
  std::map<int, Processes> takers_, senders_;  // by channel
  std::map<int, std::map<Sent, Processes>> sent_;
};

}  // namespace panoptes::differential
