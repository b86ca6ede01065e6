// SPDX-License-Identifier: Apache-2.0
// What of a protocol a search has executed: statements, transitions, control states; and where
// processes were blocked.
//
// How it may be wrong: never, but it may know little. Of statements that minimisation made one,
// nobody knows which was executed; of a search that did not see everything, nobody knows what of
// the rest can be. Both are told apart from what is known.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "verdict/verdict.hpp"

namespace panoptes {

enum class Execution : std::uint8_t {
  executed,
  merged,       // one of several was that minimisation made one
  in_some,      // by some members of a family; others can never execute it
  not_reached,  // not by this search
  never,        // no reachable state can execute it
  no_step,      // it is no step of any process
};

inline bool is_missing(Execution execution) {
  return execution == Execution::never || execution == Execution::not_reached;
}

class Executed {
 public:
  // Both outlive it.
  Executed(const Program& program, const Verdict& verdict);

  Execution of(StatementId statement) const { return statements_[statement]; }
  // Members that can never execute it, where others can.
  std::vector<ProcessId> never_in(StatementId statement) const;
  // Other statements that minimisation made one with it.
  std::vector<StatementId> merged_with(StatementId statement) const;

  // Of one process: whether it has executed a transition of one of its states, ...
  bool has_taken(ProcessId process, StateId from, const Transition& transition) const;
  // ... whether that has failed, ...
  bool has_failed(ProcessId process, StateId from, const Transition& transition) const;
  // ... has been in a state, ...
  bool was_in(ProcessId process, StateId state) const { return visited_[process][state]; }
  // ... or is there in an error, and cannot go on: in a deadlock where it may not rest, with a
  // message it does not take, or in a livelock.
  bool is_blocked(ProcessId process, StateId state) const { return blocked_[process][state]; }

  // Statements that a process has, each once, and those of them that it has executed.
  struct Share {
    std::size_t executed = 0, all = 0;
  };
  Share statements_of(const std::vector<ProcessId>& processes) const;
  Share states_of(const std::vector<ProcessId>& processes) const;

 private:
  // Process, states before and behind, statement, none where it has none; and whether its index is
  // out of range.
  using Move = std::tuple<ProcessId, StateId, StateId, StatementId, bool>;

  template <typename Use>
  void for_each_move(RuleId rule, Use use) const;
  void add_moves(RuleId rule, std::set<Move>& moves) const;
  void find_moves();
  void find_statements();
  void find_blocked();

  const Program& program_;
  const Verdict& verdict_;
  std::set<Move> taken_, failed_;
  std::vector<Execution> statements_;
  std::map<StatementId, std::set<StatementId>> merged_;
  std::vector<std::vector<bool>> visited_, blocked_;  // by process, state
};

}  // namespace panoptes
