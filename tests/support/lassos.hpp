// SPDX-License-Identifier: Apache-2.0
// Words that end in a cycle, formulas and automata to try on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "protocol/formula.hpp"
#include "temporal/buchi.hpp"

namespace panoptes::test {

struct Lasso {
  std::vector<Valuation> stem, cycle;
};

// All words of so many positions, over so many atoms.
inline std::vector<std::vector<Valuation>> all_words(std::size_t length, unsigned atoms) {
  std::vector<std::vector<Valuation>> words = {{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::vector<Valuation>> longer;
    for (const std::vector<Valuation>& word : words) {
      for (Valuation last = 0; last < Valuation{1} << atoms; ++last) {
        longer.push_back(word);
        longer.back().push_back(last);
      }
    }
    words = std::move(longer);
  }
  return words;
}

// All with a stem of at most two positions and a cycle of at most three.
inline std::vector<Lasso> all_lassos(unsigned atoms) {
  std::vector<Lasso> lassos;
  for (std::size_t stem = 0; stem <= 2; ++stem)
    for (std::size_t cycle = 1; cycle <= 3; ++cycle)
      for (const std::vector<Valuation>& first : all_words(stem, atoms))
        for (const std::vector<Valuation>& then : all_words(cycle, atoms))
          lassos.push_back({first, then});
  return lassos;
}

// A formula with so many operators and leaves, which the seed decides.
inline FormulaId add_random(Formula& formula, std::uint64_t& seed, unsigned atoms, unsigned size,
                            bool has_next) {
  const std::uint64_t draw = next_random(seed);
  if (size <= 1) {
    if (draw % 16 == 0) return formula.constant((draw >> 8) % 2 != 0);
    return formula.atom(static_cast<std::uint32_t>((draw >> 8) % atoms));
  }
  constexpr FormulaOp unary[] = {FormulaOp::negation, FormulaOp::eventually, FormulaOp::always,
                                 FormulaOp::next};
  constexpr FormulaOp binary[] = {FormulaOp::conjunction, FormulaOp::disjunction,
                                  FormulaOp::implication, FormulaOp::equivalence,
                                  FormulaOp::until,       FormulaOp::weak_until,
                                  FormulaOp::release,     FormulaOp::strong_release};
  if (size == 2 || draw % 5 < 2) {
    const FormulaId operand = add_random(formula, seed, atoms, size - 1, has_next);
    return formula.unary(unary[(draw >> 8) % (has_next ? 4 : 3)], operand);
  }
  const unsigned first = 1 + static_cast<unsigned>((draw >> 16) % (size - 2));
  const FormulaId left = add_random(formula, seed, atoms, first, has_next);
  const FormulaId right = add_random(formula, seed, atoms, size - 1 - first, has_next);
  return formula.binary(binary[(draw >> 8) % 8], left, right);
}

inline Formula random_formula(std::uint64_t seed, unsigned atoms, unsigned size, bool has_next) {
  Formula formula;
  add_random(formula, seed, atoms, size, has_next);
  return formula;
}

inline const std::vector<std::string>& atom_names() {
  static const std::vector<std::string> names = {"p", "q", "r", "s", "t"};
  return names;
}

// Formulas as to_text() writes them, over the names above: operands of what has two are leaves,
// have one operand or stand in parentheses.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text) {}

  Formula read() {
    formula_.root = whole();
    if (!text_.empty()) throw std::invalid_argument("not a formula: " + std::string(text_));
    return formula_;
  }

 private:
  bool take(std::string_view word) {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    return true;
  }
  FormulaId whole() {
    const FormulaId left = operand();
    using enum FormulaOp;
    for (const auto& [word, op] :
         {Word{"&&", conjunction}, Word{"||", disjunction}, Word{"->", implication},
          Word{"<->", equivalence}, Word{"U", until}, Word{"W", weak_until}, Word{"R", release},
          Word{"M", strong_release}}) {
      if (!take(word)) continue;
      const FormulaId right = operand();
      return formula_.binary(op, left, right);
    }
    return left;
  }
  FormulaId operand() {
    using enum FormulaOp;
    for (const auto& [word, op] :
         {Word{"!", negation}, Word{"X", next}, Word{"<>", eventually}, Word{"[]", always}})
      if (take(word)) return formula_.unary(op, operand());
    if (take("(")) {
      const FormulaId inside = whole();
      if (!take(")")) throw std::invalid_argument("no ) before " + std::string(text_));
      return inside;
    }
    if (take("true")) return formula_.constant(true);
    if (take("false")) return formula_.constant(false);
    for (std::uint32_t atom = 0; atom < atom_names().size(); ++atom)
      if (take(atom_names()[atom])) return formula_.atom(atom);
    throw std::invalid_argument("no operand: " + std::string(text_));
  }

  struct Word {
    std::string_view text;
    FormulaOp op;
  };
  std::string_view text_;
  Formula formula_;
};

inline Formula formula_of(std::string_view text) { return FormulaReader(text).read(); }

// Whether some run over the lasso is accepted: one from which, again and again, an edge of every
// mark can be reached. Pairs of a position and a state go until the others have it so.
class LassoRuns {
 public:
  LassoRuns(const BuchiAutomaton& automaton, const Lasso& lasso)
      : automaton_(automaton), word_(lasso.stem), cycle_begin_(lasso.stem.size()) {
    word_.insert(word_.end(), lasso.cycle.begin(), lasso.cycle.end());
    goes_on_.assign(word_.size() * automaton.states(), true);
  }

  bool accept() {
    for (std::vector<bool> before; before != goes_on_;) {
      before = goes_on_;
      keep_who_reaches(0);
      for (std::uint32_t mark = 0; mark < automaton_.mark_count; ++mark)
        keep_who_reaches(std::uint32_t{1} << mark);
    }
    return goes_on_[number(0, automaton_.initial)];
  }

 private:
  std::size_t number(std::size_t at, BuchiStateId state) const {
    return at * automaton_.states() + state;
  }
  std::size_t after(std::size_t at) const { return at + 1 < word_.size() ? at + 1 : cycle_begin_; }

  // Keeps pairs from which an edge with these marks is reached, by pairs that go on.
  void keep_who_reaches(std::uint32_t marks) {
    std::vector<bool> reaches(goes_on_.size(), false);
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t at = word_.size(); at-- > 0;) {
        for (BuchiStateId state = 0; state < automaton_.states(); ++state) {
          const std::size_t pair = number(at, state);
          if (!goes_on_[pair] || reaches[pair]) continue;
          for (const BuchiEdge& edge : automaton_.edges[state]) {
            const std::size_t target = number(after(at), edge.target);
            if (!edge.allows(word_[at]) || !goes_on_[target]) continue;
            if ((edge.marks & marks) == marks || reaches[target]) changes = reaches[pair] = true;
          }
        }
      }
    }
    goes_on_ = std::move(reaches);
  }

  const BuchiAutomaton& automaton_;
  std::vector<Valuation> word_;
  std::size_t cycle_begin_;
  std::vector<bool> goes_on_;
};

inline bool accepts(const BuchiAutomaton& automaton, const Lasso& lasso) {
  return LassoRuns(automaton, lasso).accept();
}

}  // namespace panoptes::test
