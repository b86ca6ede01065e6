// SPDX-License-Identifier: Apache-2.0
// What can be true at the same time: an approximation from above, made without looking at a single
// state.
//
// Idea: where a process is, what a variable has and what lies in a place of a channel is a fact.
// Two facts that no run ever brings together exclude each other, and so may three of which every
// two go together. Beginning with those of the initial state, a rule is fired wherever the facts
// that it needs are possible together, and adds the pairs and triples that it makes, until nothing
// new comes. It is what planners know as h^2 and h^3 (Haslum and Geffner 2000), for rules with
// channels.
//
// How it can be wrong: what it thinks possible may not be. Nothing of what it excludes can be
// reached: the initial state has none of it, and no rule leads from a state without any of it into
// one with some, so together it is an inductive invariant.
//
// Cost: for each round, rules times facts squared, a bit each; there are at most as many rounds as
// it takes steps to make a fact possible. Triples take the third power of the facts in bits, and
// are left out where that is too much. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "backward/reversed_program.hpp"

namespace panoptes {

class PossibleTogether {
 public:
  // `reversed` outlives it. Where time ends before the triples are known, pairs are excluded; where
  // it ends before those are, or there is too little room for them, nothing is.
  PossibleTogether(ReversedProgram& reversed, const BackwardLimits& limits);

  // Whether some state of the claim may be there, as far as every two of its facts tell, or three;
  // and as far as every one does.
  bool allows(const Claim& claim) const;
  bool allows_one_by_one(const Claim& claim) const;
  // Two or three facts of a state that exclude each other, as a claim; of two, with other values
  // of which the same is known. REQUIRES: the claim is one state.
  std::optional<Claim> conflict_in(const Claim& point) const;

  std::size_t fact_count() const { return facts_; }
  bool has_triples() const { return !triples_.empty(); }

 private:
  using Bits = std::vector<std::uint64_t>;
  using Need = std::pair<std::uint32_t, Bits>;  // a field, and facts of which it has one
  using Needs = std::vector<Need>;
  using FactOf = std::function<std::uint32_t(const std::vector<std::int64_t>&)>;
  // A number, or the message at a place of a channel.
  struct Field {
    std::size_t place = 0;       // of a claim
    std::uint32_t position = 0;  // in a channel
    bool is_message = false;
    bool has_values = false;            // of the message; else only its tag
    bool is_known = true;               // else there is one fact for all values
    std::uint32_t first = 0, size = 1;  // facts
    std::int64_t low = 0;               // of a number
  };
  // What a field has behind a rule.
  struct Effect {
    std::uint32_t field = 0;
    std::uint32_t source = none;             // field before; none: `values`, whatever else is
    std::vector<std::uint32_t> values = {};  // facts, by value of the source; none: no successor
  };
  struct Operator {
    Needs needs;
    std::vector<Effect> effects;
  };
  struct Environment;

  static void put(Bits& bits, std::uint32_t index) {
    bits[index / 64] |= std::uint64_t{1} << index % 64;
  }
  static bool has(const Bits& bits, std::uint32_t index) {
    return (bits[index / 64] >> index % 64 & 1) != 0;
  }

  void add_fields();
  void add_field(Field field, std::size_t size);
  void add_waiting();
  bool find_all(const Deadline& deadline);
  std::uint32_t number_field(std::size_t place) const { return static_cast<std::uint32_t>(place); }
  std::uint32_t slot_field(ChannelId channel, std::uint32_t position) const {
    return first_slot_[channel] + position;
  }
  std::uint32_t fact_of_message(ChannelId channel, const Field& field, std::uint32_t tag,
                                const std::vector<std::int64_t>& values) const;
  Bits facts_in(const Claim& claim, const Field& field) const;
  Needs needs_of(const Claim& claim) const;
  std::vector<std::uint32_t> facts_of(const Field& field) const;
  std::vector<std::uint32_t> facts_of(const Claim& point) const;
  void say(Claim& claim, std::uint32_t fact) const;
  Claim claim_of(std::vector<std::uint32_t> facts) const;
  std::vector<std::uint32_t> apart_from(const std::vector<std::uint32_t>& facts,
                                        std::uint32_t fact) const;
  Claim conflict_around(std::uint32_t one, std::uint32_t two) const;

  void add_operators(RuleId rule, const Deadline& deadline);
  std::vector<Claim> split(const Rule& rule, RuleId id);
  void add_operator(const Rule& rule, const Claim& claim);
  void add_channel_effects(const Rule& rule, const Claim& claim, Operator& made);
  Effect effect_of(std::uint32_t field, const std::vector<ExpressionId>& list, const Claim& claim,
                   const FactOf& fact_of, std::vector<std::uint32_t> otherwise) const;
  std::vector<std::uint32_t> fields_of(ExpressionId expression) const;
  std::uint32_t fact_of_value(const Field& field, std::int64_t value) const;

  void fire(const Operator& op);
  template <typename Use>
  void for_each_needed(const Need& need, Use use) const;
  bool meets(const Bits& row, const Need& need) const;
  bool consistent(Needs& needs) const;
  Bits allowed_by(const Needs& needs) const;
  // A fact that an effect makes, and the one before that it is made of; none where of no one.
  struct Made {
    std::uint32_t fact, before;
  };
  std::vector<std::vector<Made>> made_by(const Operator& op, const Bits& allowed) const;
  std::vector<Bits> allowed_pairs(const Needs& needs, const Bits& allowed,
                                  const std::vector<std::vector<Made>>& made) const;
  // `single`: what may be true before, each for itself; `unchanged`: of that, what stays.
  void add_made(const std::vector<std::vector<Made>>& made, const Bits& unchanged,
                const Bits& single, const std::vector<Bits>& pairs);
  void add_pairs(std::uint32_t one, const Bits& others);
  void add_pair(std::uint32_t one, std::uint32_t other);
  void add_triple(std::uint32_t one, std::uint32_t two, std::uint32_t three);
  Bits& triples(std::uint32_t one, std::uint32_t two) {
    return triples_[std::size_t{one} * facts_ + two];
  }
  const Bits& triples(std::uint32_t one, std::uint32_t two) const {
    return triples_[std::size_t{one} * facts_ + two];
  }
  bool is_possible(std::uint32_t one, std::uint32_t other) const {
    return (rows_[one][other / 64] >> other % 64 & 1) != 0;
  }

  ReversedProgram& reversed_;
  ClaimSpace& space_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> first_slot_;       // by channel: field
  std::vector<std::vector<Message>> messages_;  // by channel: what a place can hold, in order
  std::uint32_t facts_ = 0;
  std::vector<std::uint32_t> field_of_;  // by fact
  std::vector<Operator> operators_;
  std::vector<Bits> rows_;     // by fact: those possible beside it
  std::vector<Bits> triples_;  // by two facts: those possible beside both
  bool is_new_ = false;        // something was added
};

}  // namespace panoptes
