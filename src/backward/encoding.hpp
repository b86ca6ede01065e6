// SPDX-License-Identifier: Apache-2.0
// A table of rules as clauses: which states there are, what a rule asks of one, and which state
// comes behind it.
//
// Variables of the state come first, bit by bit, then those of the state behind it, then one for
// every step: the rules, and for every process that can move alone that it waits and ceases to
// (step/turn.hpp). At most one step is taken. It sets what it changes; what it does not change
// stays. Where `stepping` is assumed, one is taken, and what it asks of the state holds.
//
// What is no state is left out: numbers outside their ranges, messages behind vacant slots. Ranges
// were inferred for where processes are, so a state that cannot be reached may have a step to a
// number that does not fit. Its bits are cut then, and it has another successor: nothing is said of
// reachable states that is not true, and of others no less is thought possible.
//
// Thread safety: one thread.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "backward/bit_numbers.hpp"
#include "backward/bit_state.hpp"
#include "backward/rule_conditions.hpp"

namespace panoptes {

class Encoding {
 public:
  // `program` and its conditions outlive it. Clauses go to `sink`.
  Encoding(const Program& program, const RuleConditions& conditions, Circuit::Sink sink);
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  const BitState& state() const { return state_; }
  // The literal of a bit being 1, in the state or in the one behind it.
  Literal bit(std::uint32_t index) const { return first_bit_ + static_cast<Literal>(index); }
  Literal next_bit(std::uint32_t index) const { return first_next_ + static_cast<Literal>(index); }
  // The literal of a step being taken. Steps behind the rules are of waiting.
  std::size_t steps() const { return steps_.size(); }
  Literal step(std::size_t step) const { return steps_[step]; }
  Literal condition(std::size_t step) const { return step_conditions_[step]; }
  Literal stepping() const { return stepping_; }

  // Literals about the state.
  Literal holds(ExpressionId expression);
  Literal nobody_moves();
  // None of the rules is enabled that move the process.
  Literal does_not_move(ProcessId process);
  Literal is_at(ProcessId process, StateId state);
  Literal is_empty(ChannelId channel) { return -has_message(channel, 0); }
  // The first message of the channel has this tag.
  Literal is_first(ChannelId channel, std::uint32_t tag) { return is(state_.tag(channel, 0), tag); }
  Literal is_outside();  // nobody moves alone
  // The rule may be taken, as far as others and their turns go; whatever it asks of the state.
  Literal has_turn(RuleId rule);

  Circuit& circuit() { return circuit_; }

 private:
  // A value, and whether there is one.
  struct Value {
    BitNumber number;
    Literal exists;
  };
  // What a step sets: bits first .. of the state behind it.
  struct Change {
    std::uint32_t first;
    std::vector<Literal> bits;
  };

  std::vector<Literal> bits_at(std::uint32_t first, std::uint32_t count) const;
  BitNumber number_at(const StateField& field);
  // It has this value.
  Literal is(const StateField& field, std::int64_t value);
  // It has one of these; nothing where an expression is no field that is spread.
  std::optional<Literal> is_among(const ExpressionNode& leaf,
                                  const std::vector<std::size_t>& values);
  std::optional<StateField> spread_field(const ExpressionNode& leaf) const;
  std::vector<Literal> bits_for(const StateField& field, const BitNumber& number);
  std::vector<Literal> message_bits(ChannelId channel, std::uint32_t slot) const;
  std::vector<Literal> vacant_bits(ChannelId channel) const;
  Literal has_message(ChannelId channel, std::uint32_t slot);
  BitNumber value_at(ChannelId channel, std::uint32_t slot, std::uint32_t index);

  const Value& value(ExpressionId expression);
  Value computed(const ExpressionNode& node);
  Value computed_leaf(const ExpressionNode& node);
  Value computed_logic(const ExpressionNode& node);
  Value computed_element(const ExpressionNode& node);

  void add_states();
  void add_channel_states(ChannelId channel);
  void add_range(const StateField& field);
  void add_steps();
  std::vector<Change> changes_of(const Rule& rule);
  void add_channel_change(const Rule& rule, std::vector<Change>& changes);
  void add_assignments(const Rule& rule, std::vector<Change>& changes);
  void add_step(Literal step, Literal condition, const std::vector<Change>& changes);
  void add_frame();
  Literal is_held_up(RuleId rule);

  const Program& program_;
  const RuleConditions& conditions_;
  const Expressions& pool_;
  BitState state_;
  Circuit circuit_;
  BitNumbers numbers_;
  Literal first_bit_ = 0, first_next_ = 0;
  Literal stepping_ = 0;
  std::vector<Literal> steps_, step_conditions_;
  std::vector<std::optional<Value>> values_;      // by expression
  std::vector<std::vector<Literal>> changed_by_;  // by bit of the state: steps
  std::unordered_map<RuleId, Literal> held_up_;   // by first rule of a round
};

}  // namespace panoptes
