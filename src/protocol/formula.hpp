// SPDX-License-Identifier: Apache-2.0
// Formulas of linear temporal logic, as data.
//
// A formula speaks of an infinite word: at every position each of its atoms holds or does not. What
// an atom means, a predicate of a state or an event of the step that led to it, is not its
// business: atoms are numbers, and a position is a word of bits. It holds of a word if it holds at
// position 0.
//
// A formula is a plain value. Its nodes are built from the leaves on, so that children have smaller
// numbers than their parents.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace panoptes {

using FormulaId = std::uint32_t;
// Which atoms hold at a position: bit i is atom i.
using Valuation = std::uint64_t;

enum class FormulaOp : std::uint8_t {
  constant,  // a = 0 or 1
  atom,      // a = number of the atom
  negation,
  next,
  eventually,
  always,  // a
  conjunction,
  disjunction,
  implication,
  equivalence,
  until,           // b in the end, and a until then
  weak_until,      // the same, or a for ever
  release,         // b until and at the position where a holds, or for ever
  strong_release,  // the same, and a holds in the end; a, b
};
constexpr bool is_leaf(FormulaOp op) { return op <= FormulaOp::atom; }
constexpr bool is_binary(FormulaOp op) { return op >= FormulaOp::conjunction; }

struct FormulaNode {
  FormulaOp op = FormulaOp::constant;
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const FormulaNode&, const FormulaNode&) = default;
};

struct Formula {
  static constexpr std::uint32_t max_atoms = 64;

  std::vector<FormulaNode> nodes;
  FormulaId root = 0;

  // Each adds a node, makes it the root and gives its number.
  FormulaId constant(bool value);
  FormulaId atom(std::uint32_t number);  // REQUIRES: number < max_atoms
  FormulaId unary(FormulaOp op, FormulaId operand);
  FormulaId binary(FormulaOp op, FormulaId left, FormulaId right);

  const FormulaNode& operator[](FormulaId id) const { return nodes[id]; }
  friend bool operator==(const Formula&, const Formula&) = default;
};

// What holds exactly where `formula` does not.
Formula negation(Formula formula);

// Whether a word with some of its positions repeated is the same to it: no `next` below the root.
bool is_next_free(const Formula& formula);

// The atoms that occur in it.
Valuation atoms_of(const Formula& formula);

// As text, with the names of atoms by number: `[] (request -> <> answer)`.
std::string to_text(const Formula& formula, const std::vector<std::string>& atom_names);

// Whether it holds of the word that is `stem` once and then `cycle` again and again. By definition,
// position by position, node by node: whatever an automaton has found can be held against it.
// Cost: nodes times positions. REQUIRES: the cycle is not empty.
bool holds_on_lasso(const Formula& formula, std::span<const Valuation> stem,
                    std::span<const Valuation> cycle);

}  // namespace panoptes
