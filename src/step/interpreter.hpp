// SPDX-License-Identifier: Apache-2.0
// The reference: rules interpreted one by one, as the comment in rules/program.hpp says it.
//
// Short and obvious before fast. Every trail is replayed on it, every other stepper is tested
// against it. Every write is checked against its slot; a value that does not fit is a fault of
// range inference and throws InternalFault, never runs over into the neighbouring slot.
#pragma once

#include <optional>
#include <stdexcept>
#include <vector>

#include "step/stepper.hpp"

namespace panoptes {

struct InternalFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Interpreter final : public Stepper {
 public:
  // `program` outlives the interpreter.
  explicit Interpreter(const Program& program)
      : program_(program), counts_exchanges_(program.has_quiet_timeouts()) {}

  const Program& program() const override { return program_; }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override;

  enum class Firing { disabled, successor, failure };
  // Fires one rule, whatever its class. `next` holds the successor; failures go to `findings`.
  Firing fire(RuleId rule, StateView state, StateWords& next, std::vector<Finding>& findings) const;

  // The values that a rule sends in `state`, whether or not it can; nothing where an expression has
  // none.
  std::optional<std::vector<std::int64_t>> values_sent(RuleId rule, StateView state) const;

  // An expression of the program's pool.
  Evaluation value(ExpressionId expression, StateView state) const;

 private:
  bool enabled(const Rule& rule, StateView state, Firing& firing,
               std::vector<Finding>& findings) const;
  bool passes(RuleId rule, StateView state, std::vector<Finding>& findings) const;
  void take(const ChannelLayout& channel, std::uint32_t position, StateSpan state) const;
  void append(const ChannelLayout& channel, Word message, StateSpan state) const;
  bool assign(const Rule& rule, StateView state, StateSpan next,
              std::vector<Finding>& findings) const;

  const Program& program_;
  const bool counts_exchanges_;  // some rules wait for them
  StateWords next_;
};

}  // namespace panoptes
