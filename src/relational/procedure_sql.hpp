// SPDX-License-Identifier: Apache-2.0
// The procedures of extended automata, in SQL over the attributes of a state.
//
// Idea: where automata are extended, two rows match not because some columns are equal but because
// a procedure says so, and the procedure to ask is an attribute of the row itself. So each of these
// is one CASE over that attribute, with a branch for every procedure of a process that has
// something to say; a process without any is asked nothing. Source: Frieder and Herman, Protocol
// Verification Using Database Technology, Model Extensions.
//
// Cost: a row goes through the branches before its own. How it can be wrong: procedures and the
// steppers share only the table of rules, and the tests compare both. Thread safety: plain
// functions on plain data.
#pragma once

#include <functional>
#include <string>

#include "relational/expression_sql.hpp"
#include "relational/step_columns.hpp"

namespace panoptes {

// What expressions read where a state is a row of attributes, by their present columns.
class AttributeSql final : public LeafSql {
 public:
  AttributeSql(const Program& program, const TwoProcess& protocol, Dialect dialect)
      : LeafSql(program, dialect), protocol_(protocol), columns_(protocol) {}

  ValueSql variable_value(VariableId variable) const override;
  ValueSql length_value(ChannelId channel) const override;
  std::string is_full(ChannelId channel) const override;
  std::string is_empty(ChannelId channel) const override;
  ValueSql message_value(ChannelId channel, std::uint32_t position, std::uint32_t index,
                         std::uint32_t tag) const override;
  ValueSql tag_value(ChannelId channel, std::uint32_t position) const override;

 private:
  // The side that reads the channel; nothing where it is always empty.
  const SideView* reader(ChannelId channel) const;

  const TwoProcess& protocol_;
  StepColumns columns_;
  SideView a_ = columns_.side_a(), b_ = columns_.side_b();
};

// `program` and `protocol` outlive it.
class ProcedureSql {
 public:
  ProcedureSql(const Program& program, const TwoProcess& protocol, Dialect dialect)
      : program_(program), protocol_(protocol), attributes_(program, protocol, dialect) {}

  // That the procedure of a row holds, or fails where it is asked; `room`, if any, must be there
  // for the first.
  std::string matches(const SideView& side, const std::string& room = {}) const;
  // 1 + ErrorKind where a row that matches ends in an error, else 0; "" where none ever does.
  std::string outcome(const SideView& side) const;
  // Values of the message that is sent, from the first.
  algebra::Names sent(const SideView& side) const;
  // What becomes of the variables.
  algebra::Terms assignments(const SideView& side) const;

 private:
  // What a rule with such a procedure has to say; "": nothing.
  using Say = std::function<std::string(const Rule&, const ExpressionSql&)>;
  std::string by_procedure(const SideView& side, const Say& say, const std::string& other) const;

  const Program& program_;
  const TwoProcess& protocol_;
  AttributeSql attributes_;
};

}  // namespace panoptes
