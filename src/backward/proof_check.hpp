// SPDX-License-Identifier: Apache-2.0
// Is a proof that clauses contradict each other one? A checker of DRAT proofs, as SAT solvers write
// them, that shares nothing with a solver.
//
// A proof is a list of clauses that are added or deleted. One that is added must follow from those
// that are there: with all of its literals false, unit propagation alone finds a contradiction
// (RUP); or this is so for its resolvents on its first literal with every clause that has the
// literal's negation (RAT). The empty clause must be among them. Deletions of clauses that are not
// there, and of units, which checkers and solvers disagree about, are passed over: what is kept too
// long proves nothing that does not follow, since RAT is then asked of more clauses, not fewer.
//
// Cost: forwards, each added clause once. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backward/circuit.hpp"
#include "base/deadline.hpp"

namespace panoptes {

class ProofChecker {
 public:
  // A clause that the proof is about.
  void add(std::span<const Literal> clause);

  enum class Answer : std::uint8_t { proved, refused, given_up };
  // Whether `proof`, in the text form of DRAT, derives the empty clause from them; if not, why, in
  // `problem`. Asked once.
  Answer check(std::string_view proof, const Deadline& deadline, std::string& problem);
  // Lines of the proof that were looked at.
  std::uint64_t steps() const { return steps_; }

 private:
  using ClauseId = std::uint32_t;
  struct Clause {
    std::vector<Literal> literals;  // the first two are watched
    bool is_deleted = false;
  };

  static std::size_t index_of(Literal literal);
  bool is_true(Literal literal) const { return values_[index_of(literal)] > 0; }
  bool is_false(Literal literal) const { return values_[index_of(literal)] < 0; }
  void make_room(std::span<const Literal> clause);
  void assign(Literal literal);
  bool propagate();
  void undo(std::size_t length);
  void attach(std::vector<Literal>&& literals);
  void remove(std::vector<Literal>&& literals);
  bool follows(std::span<const Literal> clause, const Deadline& deadline);
  bool follows_by_resolution(std::span<const Literal> clause, const Deadline& deadline);
  bool contradicts(std::span<const Literal> clause);
  static std::uint64_t hash_of(std::span<const Literal> literals);

  std::vector<Clause> clauses_;
  std::unordered_multimap<std::uint64_t, ClauseId> by_hash_;
  std::vector<std::vector<ClauseId>> watches_;  // by literal that must not be false
  std::vector<signed char> values_;             // by literal
  std::vector<Literal> trail_;
  std::size_t propagated_ = 0;
  bool is_contradiction_ = false;  // without any assumption
  Literal last_variable_ = 0;      // of the clauses
  std::uint64_t steps_ = 0;
};

}  // namespace panoptes
