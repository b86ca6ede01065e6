// SPDX-License-Identifier: Apache-2.0
// A table of rules as clauses: which states there are, what a rule asks of one, and which state
// comes behind it.
//
// There is one state, a variable for each of its bits (bit_state.hpp). Everything else is made of
// them by gates, and made when somebody asks for it: that a state is one at all, number by number
// and channel by channel, as they are asked about; what a rule asks of the state; and the bits of
// the state behind a step, of which those that it does not change are those before it. Steps are
// the rules, and for every process that can move alone that it waits and ceases to (step/turn.hpp).
//
// What is known of the state beforehand can be fixed: its bits are constants then, and most of what
// is asked of it needs no gates.
//
// What is no state is left out: numbers outside their ranges, messages behind vacant slots. Ranges
// were inferred for where processes are, so in a state that cannot be reached a rule may have a
// value that does not fit where it is put. It has no successor there, as if it were not enabled: to
// the interpreter it is a fault.
//
// Thread safety: one thread.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "backward/bit_numbers.hpp"
#include "backward/bit_state.hpp"
#include "backward/rule_conditions.hpp"
#include "backward/value_set.hpp"

namespace panoptes {

class Encoding {
 public:
  using Bits = std::vector<Literal>;  // of a state: what is true where they are 1

  // The program, its conditions and its bits outlive it. Clauses go to `sink`.
  Encoding(const Program& program, const RuleConditions& conditions, const BitState& state,
           Circuit::Sink sink);
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  const BitState& state() const { return state_; }
  // Those of the state that rules are asked about.
  const Bits& bits() const { return bits_; }

  // The field has this value, of its range. Only before anything is asked about the state.
  void fix(const StateField& field, std::int64_t value);

  // ---- steps ----------------------------------------------------------------------------------
  // Those behind the rules are of waiting.
  std::size_t steps() const { return program_.rules.size() + loners_.size(); }
  struct Step {
    Literal condition;  // it can be taken
    Bits next;          // where it is, of the state behind it
  };
  Step step(std::size_t step);

  // ---- what is true of the state --------------------------------------------------------------
  Literal holds(ExpressionId expression);
  Literal nobody_moves();
  // None of the rules is enabled that move the process.
  Literal does_not_move(ProcessId process);
  Literal is_outside();  // nobody moves alone
  // The rule may be taken, as far as others and their turns go; whatever it asks of the state.
  Literal has_turn(RuleId rule);

  // ---- what is true of it or of one behind a step ---------------------------------------------
  // A number that is no part of a channel has one of these values.
  Literal is_in(const Bits& state, const StateField& field, const ValueSet& set);
  // The message there has one of these tags; 0 is that of none.
  Literal has_tag(const Bits& state, ChannelId channel, std::uint32_t slot, const ValueSet& tags);
  // A value of the message there is one of these. REQUIRES: it is asked of messages with the tag.
  Literal has_value(const Bits& state, ChannelId channel, std::uint32_t slot, std::uint32_t tag,
                    std::size_t index, const ValueSet& set);
  Literal has_message(const Bits& state, ChannelId channel, std::uint32_t slot);

  Circuit& circuit() { return circuit_; }

 private:
  // A value, and whether there is one.
  struct Value {
    BitNumber number;
    Literal exists;
  };
  // What a step sets, and what must be so that it can.
  struct Changes {
    Bits next;
    Literal fits;
  };

  Bits part_of(const Bits& state, std::uint32_t first, std::uint32_t count) const;
  BitNumber number_in(const Bits& state, const StateField& field);
  Literal among(const Bits& state, const StateField& field, const ValueSet& set);
  Literal is(const Bits& state, const StateField& field, std::int64_t value);
  // Those of the state itself.
  BitNumber number_at(const StateField& field);
  BitNumber tag_at(ChannelId channel, std::uint32_t slot);
  BitNumber value_at(ChannelId channel, std::uint32_t slot, std::uint32_t index);
  Literal is_among(const ExpressionNode& leaf, const ValueSet& values);
  static bool is_part(Op op) { return op == Op::control || op == Op::subset || op == Op::tag; }

  const Value& value(ExpressionId expression);
  Value computed(const ExpressionNode& node);
  Value computed_leaf(const ExpressionNode& node);
  Value computed_logic(const ExpressionNode& node);
  Value computed_binary(const ExpressionNode& node);
  Value computed_element(const ExpressionNode& node);

  void use(const StateField& field);
  void use(ChannelId channel);
  void add_channel_states(ChannelId channel);
  void add_range(const StateField& field);

  void put(Changes& changes, std::uint32_t first, const Bits& bits) const;
  void put(Changes& changes, const StateField& field, const BitNumber& number);
  void add_channel_change(const Rule& rule, Changes& changes);
  void add_assignments(const Rule& rule, Changes& changes);
  Bits message_sent(const Rule& rule, Changes& changes);
  Bits bits_for(const StateField& field, const BitNumber& number);
  Bits message_bits(ChannelId channel, std::uint32_t slot) const;
  Bits vacant_bits(ChannelId channel) const;
  Literal is_held_up(RuleId rule);

  const Program& program_;
  const RuleConditions& conditions_;
  const Expressions& pool_;
  const BitState& state_;
  std::vector<ProcessId> loners_;
  Circuit circuit_;
  BitNumbers numbers_;
  Bits bits_;
  std::vector<bool> is_used_;  // by first bit of a field, or of a channel: its states are said
  std::unordered_map<ExpressionId, Value> values_;
  std::unordered_map<RuleId, Literal> held_up_;  // by first rule of a round
};

}  // namespace panoptes
