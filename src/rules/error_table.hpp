// SPDX-License-Identifier: Apache-2.0
// What makes a state or a step wrong, as data: a table beside that of the rules.
//
// A row about states holds where nobody moves who must not, where the channel it names, if any, has
// a message, and where its predicate is not 0; each row that holds is a finding, in the order of
// the rows. A check of a rule must not be 0 where the rule fires: else it fires into an error, as
// it does where an expression has no value. The predicates are expressions of the program's pool;
// interpreter, code generator and SQL each read them in their own way, and whoever has another kind
// of error adds a row.
//
// How it can be wrong: a row whose predicate has no value in a state does not hold there. A program
// whose control states or rules somebody changes needs its table made again (make_error_table.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "protocol/protocol.hpp"
#include "rules/error_kind.hpp"

namespace panoptes {

// Of whom no rule may be enabled.
enum class Idle : std::uint8_t { nobody, process, everybody };

struct StateError {
  ErrorKind kind = ErrorKind::deadlock;
  Idle idle = Idle::nobody;
  std::uint8_t policies = 7;   // under which it counts: a bit for each ReceptionPolicy
  bool names_message = false;  // the finding names the first message of the channel
  bool concerns_all = false;   // it is another error where any process is elsewhere
  ProcessId process = none;
  ChannelId channel = none;
  std::uint32_t assertion = none;  // or, of an invariant or a question, which of those
  ExpressionId predicate = none;   // none: it does not hold
  // By control states of the process, ascending: what counts there in its place.
  std::vector<std::pair<StateId, ExpressionId>> at;

  bool counts_under(ReceptionPolicy policy) const {
    return (policies >> static_cast<unsigned>(policy) & 1) != 0;
  }
  // Where the process is at `state`.
  ExpressionId predicate_at(StateId state) const;
};

struct StepCheck {
  ErrorKind kind = ErrorKind::assertion;
  // none: checked in turn before anything is computed, and the first one counts. Else the assertion
  // that is violated: checked last, and all of them count.
  std::uint32_t assertion = none;
  ExpressionId holds = none;
};

struct ErrorTable {
  std::vector<StateError> states;
  std::vector<StepCheck> checks;           // those of a rule side by side
  std::vector<std::uint32_t> first_check;  // by rule, and one more
  bool is_question = false;  // asked of the states; whatever else is wrong is not looked for
  std::size_t first_expression = 0;  // of the pool, of those made for the table

  std::span<const StepCheck> checks_of(std::uint32_t rule) const {
    if (std::size_t{rule} + 1 >= first_check.size()) return {};
    return {checks.data() + first_check[rule], first_check[rule + 1] - first_check[rule]};
  }
};

}  // namespace panoptes
