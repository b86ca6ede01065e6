// SPDX-License-Identifier: Apache-2.0
// Numbers of bits are the numbers that they stand for: every operation, on every pair of small
// numbers and on large ones.
#include "backward/bit_numbers.hpp"

#include <gtest/gtest.h>

#include "backward/sat_solver.hpp"
#include "protocol/expression.hpp"

namespace panoptes {
namespace {

// Two numbers that can be anything in a range, and what a solver says of operations on them.
struct Numbers {
  SatSolver solver;
  Circuit circuit{[this](std::span<const Literal> clause) { solver.add(clause); }};
  BitNumbers numbers{circuit};

  BitNumber any(std::int64_t low, std::int64_t high) {
    std::vector<Literal> bits;
    while ((std::int64_t{1} << bits.size()) <= high - low) bits.push_back(circuit.fresh());
    return numbers.field(bits, low, high);
  }
  // What `result` is where the two have these values.
  std::int64_t value(const BitNumber& left, std::int64_t a, const BitNumber& right, std::int64_t b,
                     const BitNumber& result) {
    solver.assume(numbers.equal(left, numbers.constant(a)));
    solver.assume(numbers.equal(right, numbers.constant(b)));
    EXPECT_EQ(solver.ask({}), SatSolver::Answer::possible);
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 64; ++i)
      if (solver.is_true(result.bit(i))) value |= static_cast<std::int64_t>(std::uint64_t{1} << i);
    EXPECT_LE(result.low, value);
    EXPECT_GE(result.high, value);
    return value;
  }
};

TEST(BitNumbers, ComputeWhatNumbersDo) {
  Numbers n;
  const BitNumber left = n.any(-5, 6), right = n.any(-3, 4);
  const auto truth = [&](Literal literal) { return n.numbers.truth(literal); };
  const std::pair<Op, BitNumber> results[] = {
      {Op::add, n.numbers.add(left, right)},
      {Op::subtract, n.numbers.subtract(left, right)},
      {Op::multiply, n.numbers.multiply(left, right)},
      {Op::divide, n.numbers.divide(left, right)},
      {Op::remainder, n.numbers.remainder(left, right)},
      {Op::negate, n.numbers.negate(left)},
      {Op::equal, truth(n.numbers.equal(left, right))},
      {Op::less, truth(n.numbers.less(left, right))},
      {Op::less_equal, truth(n.numbers.less_equal(left, right))},
      {Op::logical_not, truth(-n.numbers.is_not_zero(left))},
  };
  const BitNumber wraps[] = {n.numbers.wrap(left, -1, 2), n.numbers.wrap(left, 3, 7),
                             n.numbers.wrap(left, -9, -7)};
  for (std::int64_t a = -5; a <= 6; ++a)
    for (std::int64_t b = -3; b <= 4; ++b) {
      for (const auto& [op, result] : results)
        if (const auto wanted = apply(op, a, b)) {
          EXPECT_EQ(n.value(left, a, right, b, result), *wanted)
              << a << " " << static_cast<int>(op) << " " << b;
        }
      EXPECT_EQ(n.value(left, a, right, b, wraps[0]), wrap_into(a, -1, 2)) << a;
      EXPECT_EQ(n.value(left, a, right, b, wraps[1]), wrap_into(a, 3, 7)) << a;
      EXPECT_EQ(n.value(left, a, right, b, wraps[2]), wrap_into(a, -9, -7)) << a;
    }
}

TEST(BitNumbers, AreTakenModuloTwoToThe64WhereTheyAreLarger) {
  Numbers n;
  const BitNumber left = n.any(INT32_MIN, INT32_MAX), right = n.any(INT32_MIN, INT32_MAX);
  const BitNumber product = n.numbers.multiply(left, right);
  const BitNumber cube = n.numbers.multiply(product, left);
  const BitNumber wrapped = n.numbers.wrap(cube, -2, 4);
  const BitNumber square = n.numbers.multiply(cube, cube);
  for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{INT32_MIN, INT32_MAX},
                             {INT32_MAX, INT32_MAX},
                             {123456789, -987654321}}) {
    const auto wanted = *apply(Op::multiply, *apply(Op::multiply, a, b), a);
    EXPECT_EQ(n.value(left, a, right, b, product), a * b);
    EXPECT_EQ(n.value(left, a, right, b, cube), wanted);
    EXPECT_EQ(n.value(left, a, right, b, wrapped), wrap_into(wanted, -2, 4));
    EXPECT_EQ(n.value(left, a, right, b, square), *apply(Op::multiply, wanted, wanted));
  }
}

}  // namespace
}  // namespace panoptes
