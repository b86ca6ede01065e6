// SPDX-License-Identifier: Apache-2.0
// Slots, channels and expressions of the state vector, in SQL.
//
// Idea: a state is a row of words w0, w1, ..., the packed form itself; what is read from it is a
// shift and a mask. Or it is a row of attributes, a column for each; expressions are the same of
// both, and ask a LeafSql for what they read. Numbers are BIGINTs. Where an operation could leave
// 64 bits, which its operands' ranges tell, it is done on wider numbers and folded back.
//
// Cost: text grows with the square of an expression at most, but for two that mention an operand
// more than once: an index into a family of channels, for each member of it, and the divisor of a
// remainder of what may be negative. An element of an array mentions all of its variables.
//
// How it can be wrong: an expression without a value is never an error of the engine, but NULL or
// any value; who needs to know asks fault().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relational/dialect.hpp"
#include "rules/program.hpp"

namespace panoptes {

__extension__ using WideInteger = __int128;

struct ValueSql {
  std::string sql;  // BIGINT
  WideInteger low, high;
};

// What expressions read of a state. `program` outlives it.
class LeafSql {
 public:
  LeafSql(const Program& program, Dialect dialect) : program_(program), dialect_(dialect) {}
  virtual ~LeafSql() = default;

  const Program& program() const { return program_; }
  const Dialect& dialect() const { return dialect_; }

  virtual ValueSql variable_value(VariableId variable) const = 0;
  virtual ValueSql length_value(ChannelId channel) const = 0;
  // BOOLEAN
  virtual std::string is_full(ChannelId channel) const = 0;
  virtual std::string is_empty(ChannelId channel) const = 0;
  // A value of the message `position` places behind the head, which has `tag`; 0: any, and the
  // value is 0 where it has no such.
  virtual ValueSql message_value(ChannelId channel, std::uint32_t position, std::uint32_t index,
                                 std::uint32_t tag) const = 0;
  // Its tag; 0 where there is no such message.
  virtual ValueSql tag_value(ChannelId channel, std::uint32_t position) const = 0;
  // Control state or subset; unknown to those for whom a row is not a whole state.
  virtual ValueSql part_value(Op, std::uint32_t) const { return {"NULL::BIGINT", 0, 0}; }

 private:
  const Program& program_;
  Dialect dialect_;
};

class StateSql final : public LeafSql {
 public:
  using LeafSql::LeafSql;

  ValueSql variable_value(VariableId variable) const override;
  ValueSql length_value(ChannelId channel) const override;
  std::string is_full(ChannelId channel) const override;
  std::string is_empty(ChannelId channel) const override;
  ValueSql message_value(ChannelId channel, std::uint32_t position, std::uint32_t index,
                         std::uint32_t tag) const override;
  ValueSql tag_value(ChannelId channel, std::uint32_t position) const override;
  ValueSql part_value(Op op, std::uint32_t id) const override;

  static std::string word(std::uint32_t index);
  std::string words(const std::string& prefix = {}) const;  // all of them, as a list

  std::string slot(const Slot& slot) const;  // BIGINT
  std::string control(ProcessId process) const { return slot(program().layout.control[process]); }
  std::string message(const ChannelLayout& channel, std::uint32_t index) const;  // a word
  std::string tag(const ChannelLayout& channel, std::uint32_t index) const;      // BIGINT
  std::string is_empty(const ChannelLayout& channel) const;
  std::string is_full(const ChannelLayout& channel) const;
  std::string length(const ChannelLayout& channel) const;
  std::string field(const ValueField& field, const std::string& message) const;
};

// Expressions as they are read where message `position` of `channel` has `tag`; none, 0: nothing is
// known of any message.
class ExpressionSql {
 public:
  explicit ExpressionSql(const LeafSql& state, ChannelId channel = none, std::uint32_t position = 0,
                         std::uint32_t tag = 0)
      : state_(state), channel_(channel), position_(position), tag_(tag) {}

  using Value = ValueSql;
  Value value(ExpressionId id) const;
  std::string condition(ExpressionId id) const;  // BOOLEAN, never NULL
  std::string held(ExpressionId id) const;       // the same where it has a value, and shorter
  std::string is_zero(ExpressionId id) const;  // BOOLEAN, never NULL: it has a value, and that is 0
  // The Fault that leaves it without a value, or NULL; "" where it always has one.
  std::string fault(ExpressionId id) const;
  // BOOLEAN: what is bounded is within its bounds.
  std::string fits(const ExpressionNode& bound) const;
  // That of a place in an array, which is its own or that of being outside; never "".
  std::string fault_of_index(ExpressionId index, std::int64_t length) const;
  // That of the first term without a value, where terms are looked at in turn as long as they are
  // true, or as long as they are false.
  std::string first_fault(const std::vector<ExpressionId>& terms, bool while_true) const;

 private:
  const ExpressionNode& node(ExpressionId id) const {
    return state_.program().protocol.expressions[id];
  }
  bool can_fail(ExpressionId id) const {
    return state_.program().protocol.expressions.can_fail(id);
  }
  Value arithmetic(const ExpressionNode& node) const;
  Value element(const ExpressionNode& node) const;
  Value wrapped(const Value& operand, std::int64_t low, std::int64_t high) const;
  std::string bare_condition(ExpressionId id) const;
  // The terms of a chain of && or of ||.
  void add_operands(ExpressionId id, Op op, std::vector<ExpressionId>& out) const;
  std::string narrow(const std::string& wide) const;

  const LeafSql& state_;
  ChannelId channel_;
  std::uint32_t position_, tag_;
};

// The first of these that is not NULL; "" is NULL.
std::string first_of(const std::vector<std::string>& faults);

// A constant of type BIGINT.
std::string integer_sql(std::int64_t value);

}  // namespace panoptes
