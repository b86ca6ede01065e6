// SPDX-License-Identifier: Apache-2.0
#include "protocol/formula.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

using Valuations = std::vector<Valuation>;

// [] (p -> <> q)
Formula answered() {
  Formula formula;
  const FormulaId p = formula.atom(0);
  const FormulaId later = formula.unary(FormulaOp::eventually, formula.atom(1));
  formula.unary(FormulaOp::always, formula.binary(FormulaOp::implication, p, later));
  return formula;
}

Formula of_two(FormulaOp op) {
  Formula formula;
  const FormulaId p = formula.atom(0);
  formula.binary(op, p, formula.atom(1));
  return formula;
}

TEST(Formulas, AreWrittenWithTheNamesOfAtoms) {
  EXPECT_EQ(to_text(answered(), {"request", "answer"}), "[] (request -> <> answer)");
  EXPECT_EQ(to_text(negation(of_two(FormulaOp::until)), {"p", "q"}), "!(p U q)");
  Formula constant;
  constant.unary(FormulaOp::next, constant.constant(true));
  EXPECT_EQ(to_text(constant, {}), "X true");
}

TEST(Formulas, OfANegationAreThemselves) {
  EXPECT_EQ(to_text(negation(negation(answered())), {"p", "q"}), "[] (p -> <> q)");
}

TEST(Formulas, KnowWhatTheyMention) {
  Formula formula = answered();
  EXPECT_TRUE(is_next_free(formula));
  EXPECT_EQ(atoms_of(formula), 3u);
  const FormulaId root = formula.root;
  formula.unary(FormulaOp::next, formula.atom(5));
  EXPECT_FALSE(is_next_free(formula));
  EXPECT_EQ(atoms_of(formula), Valuation{1} << 5);
  formula.root = root;  // what lies beside the root is no part of it
  EXPECT_TRUE(is_next_free(formula));
  EXPECT_EQ(atoms_of(formula), 3u);
}

TEST(Formulas, HoldOnLassosAsTheyAreDefined) {
  const auto holds = [](FormulaOp op, const Valuations& stem, const Valuations& cycle) {
    return holds_on_lasso(of_two(op), stem, cycle);
  };
  const Valuations p_for_ever = {1}, q_at_once = {2}, both = {3}, neither = {0};
  for (const FormulaOp op : {FormulaOp::until, FormulaOp::weak_until}) {
    EXPECT_TRUE(holds(op, {1, 1}, {2}));
    EXPECT_TRUE(holds(op, q_at_once, neither));
    EXPECT_FALSE(holds(op, {1, 0}, {2}));
  }
  EXPECT_FALSE(holds(FormulaOp::until, {}, p_for_ever));
  EXPECT_TRUE(holds(FormulaOp::weak_until, {}, p_for_ever));
  for (const FormulaOp op : {FormulaOp::release, FormulaOp::strong_release}) {
    EXPECT_TRUE(holds(op, {2, 3}, neither));
    EXPECT_FALSE(holds(op, {2, 1}, neither));
    EXPECT_TRUE(holds(op, both, neither));
  }
  EXPECT_TRUE(holds(FormulaOp::release, {}, {2}));
  EXPECT_FALSE(holds(FormulaOp::strong_release, {}, {2}));
  EXPECT_TRUE(holds(FormulaOp::equivalence, {0}, {1}));
  EXPECT_FALSE(holds(FormulaOp::equivalence, {1}, {0}));
  EXPECT_TRUE(holds_on_lasso(answered(), {}, Valuations{1, 0, 2}));
  EXPECT_FALSE(holds_on_lasso(answered(), Valuations{1, 2, 1}, Valuations{0}));
  Formula next;
  next.unary(FormulaOp::next, next.atom(0));
  EXPECT_TRUE(holds_on_lasso(next, {}, Valuations{0, 1}));
  EXPECT_FALSE(holds_on_lasso(next, {}, Valuations{1, 0}));
}

}  // namespace
}  // namespace panoptes
