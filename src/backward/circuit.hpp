// SPDX-License-Identifier: Apache-2.0
// Gates as clauses, for a SAT solver: what is computed of bits is a literal, whose clauses say what
// it is equal to. Gates that are there already are not made again, and constants are no gates.
//
// Literals are those of DIMACS: a variable, from 1 on, or less than 0 its negation.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <unordered_map>
#include <vector>

namespace panoptes {

using Literal = int;

class Circuit {
 public:
  using Sink = std::function<void(std::span<const Literal>)>;
  // Clauses go to `sink`; variables from 1 on are taken.
  explicit Circuit(Sink sink);

  Literal yes() const { return yes_; }
  Literal no() const { return -yes_; }
  Literal constant(bool value) const { return value ? yes_ : -yes_; }
  bool is_constant(Literal literal) const { return literal == yes_ || literal == -yes_; }

  Literal fresh() { return ++variables_; }
  Literal both(Literal left, Literal right);
  Literal either(Literal left, Literal right) { return -both(-left, -right); }
  Literal differ(Literal left, Literal right);
  Literal same(Literal left, Literal right) { return -differ(left, right); }
  Literal choose(Literal condition, Literal yes, Literal no);
  Literal all(std::span<const Literal> literals);
  Literal any(std::span<const Literal> literals);

  // One of them is true. Where that is known of one, there is no clause.
  void require(std::span<const Literal> clause);
  void require(std::initializer_list<Literal> clause) {
    require(std::span(clause.begin(), clause.size()));
  }
  // No two of them are true.
  void require_one_at_most(std::span<const Literal> literals);
  int variables() const { return variables_; }

 private:
  using Gates = std::unordered_map<std::uint64_t, Literal>;
  static std::uint64_t key_of(Literal left, Literal right);

  Sink sink_;
  int variables_ = 0;
  Literal yes_;
  Gates ands_, xors_;
};

}  // namespace panoptes
