// SPDX-License-Identifier: Apache-2.0
#include "protocol/expression.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace panoptes {
namespace {

constexpr std::int64_t lowest = INT64_MIN, highest = INT64_MAX;

// Variables by number; a channel has as many messages as its number says, of 2 at the most.
struct Values {
  std::vector<std::int64_t> variables;

  std::int64_t variable(VariableId v) const { return variables[v]; }
  std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t) const {
    return 10 * c + index;
  }
  std::int64_t tag(ChannelId, std::uint32_t) const { return 0; }
  std::int64_t length(ChannelId c) const { return c; }
  std::int64_t full(ChannelId c) const { return c == 2; }
  std::int64_t empty(ChannelId c) const { return c == 0; }
};

Evaluation value_of(const Expressions& pool, ExpressionId id, std::vector<std::int64_t> variables) {
  return evaluate(pool, id, Values{std::move(variables)});
}

// The value of `a op b`, folded when it is built.
std::int64_t folded(Op op, std::int64_t a, std::int64_t b) {
  Expressions pool;
  const ExpressionId id = pool.binary(op, pool.constant(a), pool.constant(b));
  EXPECT_TRUE(pool.is_constant(id));
  return pool[id].value;
}

TEST(Expressions, OfConstantsAreFolded) {
  EXPECT_EQ(folded(Op::add, 40, 2), 42);
  EXPECT_EQ(folded(Op::subtract, 2, 40), -38);
  EXPECT_EQ(folded(Op::multiply, -6, 7), -42);
  EXPECT_EQ(folded(Op::equal, 3, 3), 1);
  EXPECT_EQ(folded(Op::not_equal, 3, 3), 0);
  EXPECT_EQ(folded(Op::less, -1, 0), 1);
  EXPECT_EQ(folded(Op::less_equal, 0, 0), 1);
  EXPECT_EQ(folded(Op::greater, 0, 0), 0);
  EXPECT_EQ(folded(Op::greater_equal, 0, 0), 1);
  EXPECT_EQ(folded(Op::logical_and, 7, -1), 1);
  EXPECT_EQ(folded(Op::logical_or, 0, 7), 1);
  EXPECT_EQ(folded(Op::logical_or, 0, 0), 0);
  Expressions pool;
  EXPECT_EQ(pool.unary(Op::negate, pool.constant(5)), pool.constant(-5));
  EXPECT_EQ(pool.unary(Op::logical_not, pool.constant(5)), pool.constant(0));
}

TEST(Expressions, AreComputedInSixtyFourBitsThatWrapAround) {
  EXPECT_EQ(folded(Op::add, highest, 1), lowest);
  EXPECT_EQ(folded(Op::subtract, lowest, 1), highest);
  EXPECT_EQ(folded(Op::multiply, std::int64_t{1} << 62, 4), 0);
  EXPECT_EQ(folded(Op::divide, lowest, -1), lowest);  // would trap on the machine
  EXPECT_EQ(folded(Op::remainder, lowest, -1), 0);
  Expressions pool;
  EXPECT_EQ(pool.unary(Op::negate, pool.constant(lowest)), pool.constant(lowest));
}

TEST(Expressions, DivideTowardsZeroAndNeverLeaveANegativeRemainder) {
  EXPECT_EQ(folded(Op::divide, 7, 2), 3);
  EXPECT_EQ(folded(Op::divide, -7, 2), -3);
  EXPECT_EQ(folded(Op::divide, 7, -2), -3);
  for (const std::int64_t a : {-7, -6, -1, 0, 1, 6, 7})
    for (const std::int64_t b : {-3, -1, 1, 3}) {
      const std::int64_t rest = folded(Op::remainder, a, b);
      EXPECT_GE(rest, 0) << a << " % " << b;
      EXPECT_LT(rest, std::abs(b)) << a << " % " << b;
      EXPECT_EQ((a - rest) % b, 0) << a << " % " << b;
    }
  EXPECT_EQ(folded(Op::remainder, -1, highest), highest - 1);
  EXPECT_EQ(folded(Op::remainder, -1, lowest), highest);  // modulo 2^63
}

TEST(Expressions, ThatDivideByZeroAreKeptAndHaveNoValue) {
  for (const Op op : {Op::divide, Op::remainder}) {
    Expressions pool;
    const ExpressionId id = pool.binary(op, pool.constant(1), pool.constant(0));
    EXPECT_FALSE(pool.is_constant(id));
    EXPECT_EQ(value_of(pool, id, {}).fault, Fault::division_by_zero);
    EXPECT_EQ(apply(op, 1, 0), std::nullopt);
    // An expression around it has none either, whatever it does with it.
    const ExpressionId product = pool.binary(Op::multiply, pool.constant(0), id);
    EXPECT_EQ(value_of(pool, product, {}).fault, Fault::division_by_zero);
  }
}

TEST(Expressions, LeaveOutTheRightSideWhereTheLeftDecides) {
  Expressions pool;
  const ExpressionId fault = pool.binary(Op::divide, pool.constant(1), pool.constant(0));
  const ExpressionId x = pool.variable(0);
  const ExpressionId both = pool.binary(Op::logical_and, x, fault);
  const ExpressionId either = pool.binary(Op::logical_or, x, fault);
  EXPECT_EQ(value_of(pool, both, {0}).value, 0);
  EXPECT_EQ(value_of(pool, both, {0}).fault, Fault::absent);
  EXPECT_EQ(value_of(pool, both, {1}).fault, Fault::division_by_zero);
  EXPECT_EQ(value_of(pool, either, {5}).value, 1);
  EXPECT_EQ(value_of(pool, either, {5}).fault, Fault::absent);
  EXPECT_EQ(value_of(pool, either, {0}).fault, Fault::division_by_zero);
  // Folding does the same, and only where the left is the constant.
  EXPECT_EQ(pool.binary(Op::logical_and, pool.constant(0), fault), pool.constant(0));
  EXPECT_EQ(pool.binary(Op::logical_or, pool.constant(3), fault), pool.constant(1));
  EXPECT_FALSE(pool.is_constant(pool.binary(Op::logical_and, fault, pool.constant(0))));
}

TEST(Expressions, RequireACondition) {
  Expressions pool;
  const ExpressionId id = pool.binary(Op::require, pool.variable(0), pool.variable(1));
  EXPECT_EQ(value_of(pool, id, {7, 1}).value, 7);
  EXPECT_EQ(value_of(pool, id, {7, 0}).fault, Fault::index_out_of_range);
  EXPECT_EQ(pool.binary(Op::require, pool.variable(0), pool.constant(1)), pool.variable(0));
}

TEST(Expressions, ThatAreEqualHaveEqualNumbers) {
  Expressions pool;
  const auto sum = [&] {
    return pool.binary(Op::add, pool.variable(3), pool.wrap(pool.constant(70'000), 0, 7));
  };
  const ExpressionId first = sum();
  const std::size_t size = pool.size();
  EXPECT_EQ(sum(), first);
  EXPECT_EQ(pool.size(), size);
  EXPECT_NE(pool.variable(3), pool.constant(3));
  EXPECT_NE(pool.ask(Op::full, 0), pool.ask(Op::empty, 0));
  EXPECT_NE(pool.field(0, 1, none), pool.field(0, 1, pool.variable(3)));
  EXPECT_NE(pool.wrap(pool.variable(3), 0, 7), pool.wrap(pool.variable(3), 0, 8));
}

// ---- wrapping ----------------------------------------------------------------------------------

TEST(Wrap, FoldsAValueIntoARangeModuloItsSize) {
  for (std::int64_t low = -5; low <= 5; ++low)
    for (std::int64_t high = low; high <= low + 6; ++high)
      for (std::int64_t value = -30; value <= 30; ++value) {
        std::int64_t model = value;
        while (model < low) model += high - low + 1;
        while (model > high) model -= high - low + 1;
        ASSERT_EQ(wrap_into(value, low, high), model) << value << " " << low << ".." << high;
      }
  EXPECT_EQ(wrap_into(32768, -32768, 32767), -32768);
  EXPECT_EQ(wrap_into(highest, -32768, 32767), -1);
  EXPECT_EQ(wrap_into(lowest, -32768, 32767), 0);
  EXPECT_EQ(wrap_into(lowest, 1, 3), 1);
  EXPECT_EQ(wrap_into(-1, lowest, highest), -1);
}

TEST(Wrap, IsLeftOutWhereItChangesNothing) {
  Expressions pool;
  const ExpressionId inner = pool.wrap(pool.variable(0), 0, 7);
  EXPECT_EQ(pool.wrap(inner, -1, 7), inner);
  EXPECT_NE(pool.wrap(inner, 0, 6), inner);
  EXPECT_EQ(pool.wrap(pool.constant(9), 0, 7), pool.constant(1));
  EXPECT_EQ(value_of(pool, inner, {-1}).value, 7);
}

// ---- folding is evaluation ---------------------------------------------------------------------

// A random expression built twice: of constants, which fold, and of variables, which do not.
struct Twins {
  Expressions pool;
  std::mt19937 random{7};
  std::vector<std::int64_t> values;

  std::pair<ExpressionId, ExpressionId> leaf() {
    static constexpr std::int64_t interesting[] = {0, 1, -1, 2, 7, -8, 32767, highest, lowest};
    const std::int64_t value = interesting[random() % std::size(interesting)];
    values.push_back(value);
    return {pool.constant(value), pool.variable(static_cast<VariableId>(values.size() - 1))};
  }

  std::pair<ExpressionId, ExpressionId> tree(int depth) {
    if (depth == 0 || random() % 5 == 0) return leaf();
    const auto left = tree(depth - 1);
    switch (random() % 8) {
      case 0: return {pool.unary(Op::negate, left.first), pool.unary(Op::negate, left.second)};
      case 1:
        return {pool.unary(Op::logical_not, left.first), pool.unary(Op::logical_not, left.second)};
      case 2: return {pool.wrap(left.first, -3, 4), pool.wrap(left.second, -3, 4)};
      default: break;
    }
    const auto right = tree(depth - 1);
    const auto first = static_cast<unsigned>(Op::logical_or);
    const auto count = static_cast<unsigned>(Op::remainder) - first + 1;
    const auto op = static_cast<Op>(first + random() % count);
    return {pool.binary(op, left.first, right.first), pool.binary(op, left.second, right.second)};
  }
};

TEST(Expressions, FoldToWhatTheyEvaluateTo) {
  Twins twins;
  int folded_trees = 0, faults = 0;
  for (int i = 0; i < 5000; ++i) {
    twins.values.clear();
    const auto [constants, variables] = twins.tree(5);
    const Evaluation expected = value_of(twins.pool, variables, twins.values);
    const Evaluation actual = value_of(twins.pool, constants, {});
    ASSERT_EQ(actual.fault, expected.fault) << i;
    if (expected.fault == Fault::absent) {
      ASSERT_EQ(actual.value, expected.value) << i;
      ++folded_trees;
    } else {
      ASSERT_FALSE(twins.pool.is_constant(constants)) << i;
      ++faults;
    }
  }
  EXPECT_GT(folded_trees, 1000);
  EXPECT_GT(faults, 100);
}

// ---- walking -----------------------------------------------------------------------------------

TEST(Expressions, AreRebuiltWithOtherLeavesAndFoldAgain) {
  Expressions pool;
  const ExpressionId x = pool.variable(0), length = pool.ask(Op::length, 1);
  const ExpressionId id = pool.binary(Op::add, pool.binary(Op::multiply, x, x), length);
  const auto with = [&](Op op, std::int64_t value) {
    return pool.substitute(id, [&, op, value](const ExpressionNode& node) {
      return node.op == op ? std::optional(pool.constant(value)) : std::nullopt;
    });
  };
  EXPECT_EQ(value_of(pool, with(Op::variable, 5), {}).value, 26);
  EXPECT_EQ(value_of(pool, with(Op::length, 5), {3}).value, 14);
  EXPECT_EQ(pool.substitute(with(Op::variable, 5),
                            [&](const ExpressionNode&) { return pool.constant(4); }),
            pool.constant(29));
  EXPECT_EQ(pool.substitute(id, [](const ExpressionNode&) { return std::nullopt; }), id);
}

TEST(Expressions, AreRebuiltInTheFallbackOfAFieldToo) {
  Expressions pool;
  const ExpressionId field = pool.field(0, 1, pool.variable(2));
  EXPECT_EQ(pool.substitute(field,
                            [&](const ExpressionNode& node) {
                              return node.op == Op::variable ? std::optional(pool.constant(9))
                                                             : std::nullopt;
                            }),
            pool.field(0, 1, pool.constant(9)));
}

TEST(Expressions, ReadElementsOfArrays) {
  Expressions pool;
  const ExpressionId id = pool.element(1, 3, pool.variable(0));
  EXPECT_EQ(value_of(pool, id, {0, 7, 8, 9}).value, 7);
  EXPECT_EQ(value_of(pool, id, {2, 7, 8, 9}).value, 9);
  for (const std::int64_t outside : {std::int64_t{-1}, std::int64_t{3}, highest, lowest})
    EXPECT_EQ(value_of(pool, id, {outside, 7, 8, 9}).fault, Fault::index_out_of_range);
  EXPECT_TRUE(pool.can_fail(id));
  EXPECT_EQ(pool.element(1, 3, pool.constant(2)), pool.variable(3));
  EXPECT_EQ(value_of(pool, pool.element(1, 3, pool.constant(3)), {}).fault,
            Fault::index_out_of_range);
  EXPECT_EQ(value_of(pool, pool.element(1, 3, pool.binary(Op::divide, id, pool.constant(0))),
                     {0, 1, 1, 1})
                .fault,
            Fault::division_by_zero);
  EXPECT_EQ(pool.substitute(id,
                            [&](const ExpressionNode& node) {
                              return node.a == 0 ? std::optional(pool.constant(1)) : std::nullopt;
                            }),
            pool.variable(2));
}

TEST(Expressions, HoldOthersToARange) {
  Expressions pool;
  const ExpressionId x = pool.variable(0), id = pool.bound(x, -1, 3);
  for (const std::int64_t inside : {-1, 0, 3})
    EXPECT_EQ(value_of(pool, id, {inside}).value, inside);
  for (const std::int64_t outside : {std::int64_t{-2}, std::int64_t{4}, highest, lowest})
    EXPECT_EQ(value_of(pool, id, {outside}).fault, Fault::out_of_range);
  EXPECT_TRUE(pool.can_fail(id));
  EXPECT_EQ(pool.bound(pool.constant(3), -1, 3), pool.constant(3));
  EXPECT_EQ(value_of(pool, pool.bound(pool.constant(4), -1, 3), {}).fault, Fault::out_of_range);
  EXPECT_EQ(pool.bound(pool.wrap(x, 0, 3), -1, 3), pool.wrap(x, 0, 3));
  EXPECT_EQ(pool.bound(id, -1, 4), id);
}

TEST(Expressions, SayWhetherOthersHaveAValue) {
  Expressions pool;
  const ExpressionId x = pool.variable(0), y = pool.variable(1), zero = pool.constant(0);
  const ExpressionId element = pool.element(2, 2, x);
  const ExpressionId divided = pool.binary(Op::divide, x, y);
  const ExpressionId failing[] = {
      element,
      divided,
      pool.element(2, 2, divided),
      pool.binary(Op::add, element, divided),
      pool.binary(Op::logical_and, y, element),
      pool.binary(Op::logical_or, divided, element),
      pool.binary(Op::require, divided, y),
      pool.binary(Op::after, element, y),
      pool.unary(Op::logical_not, pool.wrap(element, 0, 3)),
      pool.bound(pool.binary(Op::add, x, y), 0, 2),
  };
  for (const ExpressionId id : failing) {
    const ExpressionId has = pool.has_value(id);
    for (std::int64_t a = -2; a < 4; ++a)
      for (std::int64_t b = -1; b < 3; ++b) {
        const std::vector<std::int64_t> state{a, b, 1, 0};
        EXPECT_EQ(value_of(pool, has, state).fault, Fault::absent);
        EXPECT_EQ(value_of(pool, has, state).value != 0,
                  value_of(pool, id, state).fault == Fault::absent);
      }
  }
  EXPECT_EQ(pool.has_value(pool.binary(Op::divide, x, pool.constant(2))), pool.constant(1));
  EXPECT_EQ(pool.both(pool.constant(1), x), x);
  EXPECT_EQ(pool.both(zero, x), zero);
}

TEST(Expressions, AreJoinedFromLeftToRight) {
  Expressions pool;
  std::vector<ExpressionId> operands;
  for (VariableId v = 0; v < 5; ++v) operands.push_back(pool.truth(pool.variable(v)));
  const auto value = [&](Op op, const std::vector<std::int64_t>& state) {
    return value_of(pool, pool.joined(op, operands), state).value;
  };
  EXPECT_EQ(value(Op::logical_and, {1, 2, 3, 4, 5}), 1);
  EXPECT_EQ(value(Op::logical_and, {1, 2, 3, 0, 5}), 0);
  EXPECT_EQ(value(Op::logical_or, {0, 0, 0, 7, 0}), 1);
  EXPECT_EQ(value(Op::add, {0, -1, 0, 7, 5}), 3);
  // Constants that make no difference are not there, and what they decide is.
  const ExpressionId x = operands[0], one = pool.constant(1), zero = pool.constant(0);
  EXPECT_EQ(pool.joined(Op::logical_and, {one, x, one}), x);
  EXPECT_EQ(pool.joined(Op::logical_or, {zero, x, one, operands[1]}),
            pool.binary(Op::logical_or, x, one));
  EXPECT_EQ(pool.joined(Op::add, {one, one, zero}), pool.constant(2));
  EXPECT_EQ(pool.joined(Op::logical_and, {one}), one);
  EXPECT_EQ(pool.truth(x), x);
}

TEST(Expressions, TellMessagesApartByTheirPlace) {
  Expressions pool;
  EXPECT_EQ(pool.field(0, 1, none), pool.field(0, 1, none, 0));
  EXPECT_NE(pool.field(0, 1, none), pool.field(0, 1, none, 1));
  EXPECT_NE(pool.tag(0, 1), pool.tag(0, 2));
  EXPECT_NE(pool.tag(0, 1), pool.tag(1, 1));
}

TEST(Expressions, AreVisitedNodeByNodeSharedOnesOnce) {
  Expressions pool;
  const ExpressionId x = pool.variable(0);
  const ExpressionId square = pool.binary(Op::multiply, x, x);
  const ExpressionId id = pool.binary(Op::add, square, pool.field(0, 0, pool.variable(1)));
  std::vector<Op> seen;
  pool.visit(id, [&](const ExpressionNode& node) { seen.push_back(node.op); });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector{Op::variable, Op::variable, Op::field, Op::add, Op::multiply}));
}

TEST(Expressions, KnowTheirSizeAsATree) {
  Expressions pool;
  ExpressionId id = pool.variable(0);
  EXPECT_EQ(pool.tree_size(id), 1u);
  for (std::uint32_t size = 3; size < 1000; size = 2 * size + 1) {
    id = pool.binary(Op::add, id, id);
    EXPECT_EQ(pool.tree_size(id), size);
  }
  for (int i = 0; i < 100; ++i) id = pool.binary(Op::add, id, id);  // 2^100: saturates
  EXPECT_GE(pool.tree_size(id), UINT32_MAX / 4);
}

TEST(Expressions, AreWrittenWithTheFewestParentheses) {
  Expressions pool;
  const ExpressionNames names{[](VariableId v) { return std::string(1, "xyz"[v]); },
                              [](ChannelId c) { return std::string(1, "abc"[c]); }};
  const ExpressionId x = pool.variable(0), y = pool.variable(1), z = pool.variable(2);
  const auto text = [&](ExpressionId id) { return to_text(pool, id, names); };
  EXPECT_EQ(text(pool.binary(Op::subtract, pool.binary(Op::subtract, x, y), z)), "x - y - z");
  EXPECT_EQ(text(pool.binary(Op::subtract, x, pool.binary(Op::subtract, y, z))), "x - (y - z)");
  EXPECT_EQ(text(pool.binary(Op::multiply, pool.binary(Op::add, x, y), z)), "(x + y) * z");
  EXPECT_EQ(text(pool.binary(Op::add, pool.binary(Op::multiply, x, y), z)), "x * y + z");
  EXPECT_EQ(text(pool.unary(Op::logical_not, pool.binary(Op::equal, x, y))), "!(x == y)");
  EXPECT_EQ(text(pool.binary(Op::logical_and, pool.binary(Op::logical_or, x, y), z)),
            "(x || y) && z");
  EXPECT_EQ(text(pool.binary(Op::less, pool.ask(Op::length, 0), pool.constant(-2))), "len(a) < -2");
  EXPECT_EQ(text(pool.binary(Op::logical_or, pool.ask(Op::full, 1), pool.ask(Op::empty, 2))),
            "full(b) || empty(c)");
  EXPECT_EQ(text(pool.wrap(pool.field(2, 1, none), 0, 7)), "c.value2");
  EXPECT_EQ(text(pool.field(2, 1, none, 3)), "c[3].value2");
  EXPECT_EQ(text(pool.tag(0, 1)), "tag(a[1])");
  EXPECT_EQ(text(pool.element(0, 3, pool.binary(Op::add, x, y))), "x[x + y]");
  EXPECT_EQ(array_name("node[2].a[0]"), "node[2].a");
}

}  // namespace
}  // namespace panoptes
