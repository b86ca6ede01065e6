// SPDX-License-Identifier: Apache-2.0
// Formulas in negation normal form, made as simple as rules make them.
//
// Idea: negations stand before atoms only, and what is left is and, or, next, until and release:
// `<> a` is `true U a`, `[] a` is `false R a`. Nodes are interned, so that equal formulas have
// equal numbers. Whoever makes a node gets the simplest one known to be equal: of a conjunction
// what follows from other parts goes, and parts that say the same with different words are put
// together; `next` moves outwards; a formula that holds earlier wherever it holds later (a pure
// eventuality) needs no `until` before it, and one that goes on holding (a pure universality) no
// `release`. Of each rule there is one half here: disjunctions and releases are made as negations
// of conjunctions and untils of negations.
//
// Cost: quadratic in the parts of a conjunction, times the size of what is compared; implication is
// looked up, and not looked for beyond a limit. How it can be wrong: if a rule is. What two
// formulas imply is found from how they are written, so less is found than is so.
//
// Somenzi, Bloem, Efficient Büchi automata from LTL formulae (2000); Etessami, Holzmann, Optimizing
// Büchi automata (2000), whence pure eventualities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "protocol/formula.hpp"

namespace panoptes {

using NormalId = std::uint32_t;

enum class NormalOp : std::uint8_t {
  constant,     // false and true, nodes 0 and 1
  literal,      // atom, is_negated
  conjunction,  // of two or more operands, in order, none of them a conjunction
  disjunction,  // likewise
  next,         // operands: one
  until,        // operands: left, right
  release,      // likewise
};

struct NormalNode {
  NormalOp op = NormalOp::constant;
  bool is_negated = false;
  std::uint32_t atom = 0;
  std::vector<NormalId> operands;
  bool is_eventual = false;   // holds wherever it holds later
  bool is_universal = false;  // holds wherever it held earlier

  // It holds everywhere or nowhere.
  bool is_timeless() const { return is_eventual && is_universal; }
};

class NormalForms {
 public:
  static constexpr NormalId no = 0, yes = 1;

  explicit NormalForms(std::size_t limit);

  NormalId of(const Formula& formula);
  // More nodes were asked for than the limit: what was given since has no meaning.
  bool is_full() const { return is_full_; }

  const NormalNode& operator[](NormalId id) const { return nodes_[id]; }

  NormalId literal(std::uint32_t atom, bool is_negated);
  NormalId negated(NormalId id);
  NormalId conjunction(const std::vector<NormalId>& operands);
  NormalId disjunction(const std::vector<NormalId>& operands);
  NormalId next(NormalId operand);
  NormalId until(NormalId left, NormalId right);
  NormalId release(NormalId left, NormalId right);
  // Whether `right` is seen to hold wherever `left` does.
  bool implies(NormalId left, NormalId right);

 private:
  NormalId of(const FormulaNode& node, const std::vector<NormalId>& made);
  NormalId intern(NormalOp op, std::vector<NormalId> operands, std::uint32_t atom = 0,
                  bool is_negated = false);
  void classify(NormalNode& node) const;
  bool is(NormalId id, NormalOp op) const { return nodes_[id].op == op; }
  bool is_timeless(NormalId id) const { return nodes_[id].is_timeless(); }
  NormalId left_of(NormalId id) const { return nodes_[id].operands[0]; }
  NormalId right_of(NormalId id) const { return nodes_[id].operands[1]; }
  NormalId negation_of(NormalId id);
  std::vector<NormalId> negations_of(const std::vector<NormalId>& all);
  // Takes the timeless parts out of a conjunction or disjunction.
  std::vector<NormalId> take_timeless(NormalOp op, NormalId& id);

  // Of the parts of a conjunction; false: it cannot hold.
  bool drop_what_follows(std::vector<NormalId>& parts);
  bool drop_what_cannot_be(std::vector<NormalId>& parts);
  bool join_two(std::vector<NormalId>& parts);
  NormalId joined(NormalId first, NormalId second);

  NormalId simpler_until(NormalId left, NormalId right);
  NormalId simpler_eventually(NormalId right);
  NormalId without_own_untils(NormalId left, NormalId right);
  NormalId without_negation_of(NormalId left, NormalId right);

  bool decide(NormalId left, NormalId right);
  bool follows_from_time(NormalId left, NormalId right);

  const std::size_t limit_;
  bool is_full_ = false;
  std::vector<NormalNode> nodes_;
  std::map<std::vector<std::uint32_t>, NormalId> known_;
  std::unordered_map<NormalId, NormalId> negations_;
  std::unordered_map<std::uint64_t, bool> implications_;
};

}  // namespace panoptes
