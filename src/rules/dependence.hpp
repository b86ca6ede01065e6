// SPDX-License-Identifier: Apache-2.0
// Who may still come in the way of a rule: what rules do to each other, found from what they read,
// write, send, take and ask, and from where each process can still go.
//
// Idea: two rules of different processes are *independent* if, wherever both are enabled, neither
// disables or changes the other, nor whether it fails, and both orders lead to the same state. Of a
// rule it is noted which processes can, from which control states on, still come to a rule that is
// not independent of it; and where it is disabled, to one without which it stays disabled, by the
// reason for which it is:
//   - a message that is not there: who sends it; another one in its place, a full channel, a
//     timeout's channel that is not empty: who takes messages out of it;
//   - a condition: who changes what it looks at; a partner that is elsewhere: that one.
// A send and a receive of one channel are independent: the one needs room, the other a message, and
// each gives the other more of it. Two sends are not, nor are two receives; so that a channel has
// one sender, or one reader, is found out here. With overflow an error, a send asks for room in any
// case, and nothing commutes with that.
//
// A step through an indivisible sequence does what all rules do that can follow in it, and sees
// whether each is enabled. One that moves another process inside is independent of nothing.
//
// Only rules of the first class count. Where one of them is enabled no other is, so whoever keeps
// one enabled meets no other (see search/reduce_order.hpp, also for those that are quiet).
//
// How it can be wrong: rules may be independent that are not said to be, since values are not
// looked at. What is said to be independent is. Cost: a bit for every control state in every row;
// equal rows are one, and where they would take too much, the rest are "everybody".
#pragma once

#include <cstdint>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

class Dependence {
 public:
  // A row: for some processes, control states from which they can come to something.
  using Row = std::uint32_t;
  static constexpr Row nobody = 0, everybody = 1;

  struct Condition {
    ExpressionId holds;
    Row changed;  // by whom
  };
  struct OfRule {
    Row disturbed = nobody;  // where it is enabled: who may come to a rule that depends on it
    Row sent = nobody;       // receive: who may send the message
    Row taken = nobody;      // who may take messages out of its channel
    std::vector<Condition> conditions = {};  // those that the fewest can change first
    Row failed = nobody;  // who may leave one of them without a value: then the rule fails,
                          // whatever the others are
    SmallList<Row, 1> arrived = {};  // by move: who may bring the process to its place
  };

  explicit Dependence(const Program& program);

  std::vector<OfRule> rules;  // empty for rules above the first class

  // The number of a control state among those of all processes.
  std::uint32_t place(ProcessId process, StateId state) const { return first_[process] + state; }
  std::uint32_t places() const { return first_.back(); }
  bool has(Row row, std::uint32_t place) const {
    return (places_of_[row * row_words_ + place / 64] >> place % 64 & 1) != 0;
  }
  // A bit for every process that the row has some control state of.
  const Word* processes(Row row) const { return &processes_of_[row * process_words_]; }
  std::uint32_t process_words() const { return process_words_; }
  // How many processes that is.
  std::uint32_t width(Row row) const;

 private:
  friend class DependenceMaker;
  std::vector<std::uint32_t> first_;  // by process, and one more
  std::uint32_t row_words_ = 0, process_words_ = 0;
  std::vector<Word> places_of_, processes_of_;  // by row
};

// The rules that one step can consist of: this one and, where it ends inside an indivisible
// sequence, all that may follow there, each once.
std::vector<RuleId> rules_of_step(const Program& program, RuleId first);

}  // namespace panoptes
