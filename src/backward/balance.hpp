// SPDX-License-Identifier: Apache-2.0
// Message counts that must balance: sums that no rule changes.
//
// Idea: a rule of a protocol changes numbers by constants. It takes a process out of one control
// state and puts it into another, adds a message to a channel or takes one from it, and adds one to
// a counter. Count how many processes are at a control state (none or one), how many messages with
// a tag are in a channel, and what a counter has; give each of these quantities a weight. Where
// every rule changes the weighted sum by nothing, it is in all states that can be reached what it
// is in the initial one: requests sent, less requests taken, less those being answered. These are
// the place invariants of Petri nets (Lautenbach 1973), and their weights the solutions of a system
// of linear equations, one for each rule; a basis of them is kept. They know of any number of
// facts at a time, and possible_together.hpp of three.
//
// Quantities are eliminated in the order control states, channels, variables, so that of all sums
// without variables, say, a basis is among those that are kept: of what a claim knows nothing of,
// variables are the most likely. A variable that is wrapped makes a sum that is known modulo
// something. A channel that can be flushed is left out; so is a variable where some rule does
// something else to it than to add a constant (variable_changes.hpp).
//
// How it can be wrong: what it thinks possible may not be. What it excludes cannot be reached: each
// sum is added up once more for every rule before it is kept. It is asked of one sum at a time,
// between which bounds, and in which steps, it lies in a claim; so it may overlook what several of
// them together exclude where the claim leaves a choice. Where numbers or work become too large,
// nothing is excluded, or less.
//
// Why integers, and not numbers modulo a prime, which cannot become too large: only they have
// bounds. Cost: that of sparse elimination, once; then for each claim, sums times what they are
// made of. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backward/claims.hpp"
#include "backward/integer_kernel.hpp"
#include "backward/variable_changes.hpp"

namespace panoptes {

class MessageBalance {
 public:
  // `space` outlives it.
  explicit MessageBalance(ClaimSpace& space);

  // Whether some state of the claim may be there, as far as each sum tells.
  bool allows(const Claim& claim) const;
  // What of a state makes a sum wrong, as a claim that says nothing else and excludes what is
  // wrong alike; nothing where all are right. REQUIRES: the claim is one state.
  std::optional<Claim> conflict_in(const Claim& point) const;

  // How many sums there are.
  std::size_t size() const { return sums_.size(); }

 private:
  __extension__ using Wide = __int128;
  // Where a number lies: it is `low` and some steps more, and `high` at most.
  struct Bounds {
    Wide low = 0, high = 0, step = 0;
    Bounds& operator+=(const Bounds& other);
    void add(Wide value);
  };
  // What one place of a claim gives to a sum.
  struct Term {
    std::size_t place;
    std::vector<std::int64_t> weights;  // by control state; by tag - 1; of a variable, one
    Bounds whole = {};                  // where nothing is said of it
  };
  struct Sum {
    std::vector<Term> terms;  // by place
    Wide total = 0;           // in all states that can be reached, ...
    Wide modulus = 0;         // ... modulo this; 0: exactly
  };

  void number_quantities();
  bool is_counted(ChannelId channel) const;
  StateId initial_state(ProcessId process) const;
  std::uint32_t quantity_of(ProcessId process, StateId state) const;
  std::vector<SparseRow> changes_of_rules() const;
  std::optional<Sum> sum_of(const SparseRow& weights, const std::vector<SparseRow>& changes) const;
  Bounds bounds_of(const Term& term, const Claim& claim) const;
  Bounds bounds_among(const Term& term, const ValueSet& set, std::int64_t first) const;
  Bounds bounds_of_channel(const Term& term, const ChannelClaim& said) const;
  bool is_right(const Sum& sum, const Claim& claim) const;
  ValueSet alike_in(const Term& term, std::int64_t number, std::int64_t first) const;

  ClaimSpace& space_;
  const Program& program_;
  std::vector<VariableChanges> variables_;
  std::vector<std::uint32_t> first_;   // by place of a claim: its quantities; none: left out
  std::vector<std::size_t> place_of_;  // by quantity
  std::vector<Sum> sums_;
};

}  // namespace panoptes
