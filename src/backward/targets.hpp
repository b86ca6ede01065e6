// SPDX-License-Identifier: Apache-2.0
// Where a backward search begins: what must not happen, one by one, each with the states in which
// it would. They are made of the table of errors (rules/error_table.hpp), so they are what a
// forward search looks for:
//   - a state in which nobody can move, by where everybody is; all of them as one where those are
//     too many;
//   - a message that a process does not accept, by control state and message;
//   - an invariant that is broken, an assertion that is unfinished, messages that stay unread;
//   - a rule that fires into an error, by check, and one in which an expression has no value.
//
// Beside them there are the potential deadlocks of Holzmann's Backward Symbolic Execution of
// Protocols: every process is at its end or at a control state where all it does is to receive,
// all channels are empty, and not everybody is at the end. They need no rule to be looked at, and
// are a product: mostly far more than can be deadlocks by the table, and not all of those, which
// may have messages that nobody reads. How many there are depends on the control states alone; one
// has no states where it cannot be a deadlock, because somebody may time out or all may stop.
//
// How it can be wrong: endless indivisible sequences and livelocks are no states, and none of them.
// A rule in which one expression may divide by zero and another have a wrong index is one target,
// and two errors to a forward search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backward/predecessors.hpp"

namespace panoptes {

struct Target {
  ErrorKind kind = ErrorKind::deadlock;
  ProcessId process = none;           // unspecified reception: who, ...
  StateId state = 0;                  // ... where, ...
  ChannelId channel = none;           // ... in which channel, also of unread messages, ...
  std::uint32_t tag = 0;              // ... and what
  std::uint32_t assertion = none;     // or invariant
  RuleId rule = none;                 // that fires into the error
  bool has_no_value = false;          // ... because an expression has none; its kind is known later
  std::vector<StateId> control = {};  // deadlock: where everybody is; empty: wherever
  bool is_potential = false;          // ... with all channels empty
  std::uint8_t policies = 7;          // of the row of the table that it is of

  bool is_of(const StateError& row) const { return row.policies == policies; }
  bool operator==(const Target&) const = default;
};

// Whether the number of an assertion in a target or row of the error table is that of an invariant.
inline bool has_invariant(ErrorKind kind) {
  return kind == ErrorKind::invariant || kind == ErrorKind::reached;
}

// A name for people.
std::string to_text(const Program& program, const Target& target);
// Where it is in the text: the statement or control state of one process, or what says that it must
// not be. Unknown where it concerns everybody.
Place place_of(const Program& program, const Target& target);
// By what somebody may ask for it: its kind, processes, control states, message and channel, and
// the names of an assertion or invariant.
std::vector<std::string> words_of(const Program& program, const Target& target);
// Whether it can be asked for by each of them.
bool goes_by(const Program& program, const Target& target, const std::vector<std::string>& words);

// All that the table of errors has, whether or not any state can show it: deadlocks as one, and no
// potential ones.
std::vector<Target> every_target(const Program& program, const RuleConditions& conditions,
                                 ReceptionPolicy receptions);

// More potential deadlocks than these are not made, one by one.
inline constexpr std::size_t most_potential_deadlocks = 100'000;
// How many there are. They may be more than any integer holds.
double potential_deadlock_count(const Program& program);

class Targets {
 public:
  // All of them outlive it.
  Targets(const Program& program, const RuleConditions& conditions, ClaimSpace& space,
          Solver& solver, Predecessors& predecessors)
      : program_(program),
        conditions_(conditions),
        space_(space),
        solver_(solver),
        predecessors_(predecessors) {}

  struct Candidate {
    Target target;
    std::vector<Claim> claims;       // the states in which it is wrong, ...
    std::vector<Claim> unless = {};  // ... but for those of these, ...
    std::vector<Demand> open = {};   // ... and those in which not all of this is met
    bool is_one_of_many = false;     // it stands for deadlocks at all places, each one of its own
  };
  // All of them that some state can show, whether or not it can be reached.
  std::vector<Candidate> all(ReceptionPolicy receptions);
  // Nothing where there are too many.
  std::optional<std::vector<Candidate>> potential_deadlocks();

 private:
  void add_row(const StateError& row);
  void add_receptions(const StateError& row);
  void add_deadlocks(const StateError& row);
  bool add_deadlocks_by_control(const StateError& row);
  void add_potential_deadlocks(std::vector<StateId>& control, const std::vector<Claim>& claims);
  std::vector<Claim> where_waiting(const std::vector<Claim>& claims, ProcessId process,
                                   StateId state);
  void add_failures(RuleId rule);
  void add(Target target, std::vector<Claim> claims);
  void add(Target target, Predecessors::Draft draft);
  Claim outside() const;
  std::vector<Claim> where_process_idle(std::vector<Claim> claims, ProcessId process);
  void add_reception(const StateError& row, const Claim& claim, Target target);
  void add_failure(RuleId rule, const Claim& claim, ExpressionId condition, Target target);
  void add_deadlocks_as_one(const StateError& row);

  const Program& program_;
  const RuleConditions& conditions_;
  ClaimSpace& space_;
  Solver& solver_;
  Predecessors& predecessors_;
  std::vector<Candidate> found_;
};

}  // namespace panoptes
