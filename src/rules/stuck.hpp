// SPDX-License-Identifier: Apache-2.0
// Whether a process is stuck where it is: none of its rules is enabled, nor will one ever be,
// whatever the others do.
//
// Idea: the process does not move, so what it alone changes is frozen: its own variables, and the
// first message of a channel that nobody else takes from. A rule may still come only where it waits
// for something else: a message that another process sends to a channel that is empty; room in a
// channel, or the end of what is in it, where another process takes messages out; a condition on
// what another process writes; another process that it moves together with. A timeout that waits
// for others may come while its channel is empty. A state with an `else` is never stuck.
//
// How it can be wrong: a process may be stuck that is not said to be, since what others could do is
// not looked at state by state. One that is said to be is.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

class StuckPredicates {
 public:
  // Adds expressions to the pool of `program`, which outlives it and does not change.
  explicit StuckPredicates(Program& program);

  // That the process is stuck, provided that it is at this control state, and that what is first in
  // the channel `refused` is taken by none of its rules.
  ExpressionId at(ProcessId process, StateId state, ChannelId refused);

 private:
  // What processes do to something.
  struct Deeds {
    std::vector<ProcessId> by;
    void add(ProcessId process);
    bool by_other_than(ProcessId process) const;
  };
  // Whether its value can be another while the process does not move. What is first in the channel
  // of the rule stays.
  bool can_change(ProcessId process, ExpressionId id, const Rule& rule) const;
  bool asks_for_room(ExpressionId id, const Rule& rule) const;
  bool reads_message(ExpressionId id, const Rule& rule) const;
  bool meets(const Transition& t) const;
  ExpressionId may_meet(ProcessId process, const Transition& t);
  ExpressionId may_come(ProcessId process, const Rule& rule);
  std::vector<ChannelId> room_of(const Rule& rule) const;
  ExpressionId room_may_come(ProcessId process, ChannelId channel, ExpressionId holds);
  ExpressionId message_may_come(ProcessId process, const Rule& rule);
  ExpressionId may_hold(ProcessId process, const Rule& rule, bool has_message);
  bool is_refused(ProcessId process, const Rule& rule, ChannelId channel) const;
  ExpressionId negated(ExpressionId id);
  ExpressionId any_of(const std::vector<ExpressionId>& parts);
  ExpressionId both(ExpressionId left, ExpressionId right);

  const Program& program_;
  Expressions& pool_;
  std::vector<Deeds> writes_;                      // by variable
  std::vector<Deeds> takes_, sends_;               // by channel
  std::vector<std::vector<Deeds>> sends_tag_;      // by channel and tag
  std::set<std::pair<ProcessId, StateId>> moved_;  // by rules of others
};

}  // namespace panoptes
