// SPDX-License-Identifier: Apache-2.0
// Clauses say what the interpreter does: which rules have a successor in a state, and which one.
#include "backward/encoding.hpp"

#include <gtest/gtest.h>

#include <random>

#include "backward/sat_solver.hpp"
#include "differential/generator.hpp"
#include "step/interpreter.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

// Walks at random, and in every state asks the solver about every rule.
class Walk {
 public:
  explicit Walk(const Program& program)
      : program_(program),
        conditions_(program_),
        state_(program_),
        encoding_(program_, conditions_, state_,
                  [this](std::span<const Literal> clause) { solver_.add(clause); }),
        interpreter_(program_) {
    for (RuleId rule = 0; rule < program_.rules.size(); ++rule)
      next_.push_back(encoding_.step(rule).next);
  }

  void take(std::uint64_t seed, int length) {
    std::mt19937_64 random(seed);
    StateWords state = program_.initial;
    for (int i = 0; i < length; ++i) {
      std::vector<StateWords> next;
      for (RuleId rule = 0; rule < program_.rules.size(); ++rule) compare(state, rule, next);
      if (testing::Test::HasFailure() || next.empty()) return;
      state = next[random() % next.size()];
    }
  }

  std::uint64_t fired = 0, not_fired = 0;

 private:
  void compare(const StateWords& state, RuleId rule, std::vector<StateWords>& next) {
    StateWords after;
    std::vector<Finding> findings;
    const auto firing = interpreter_.fire(rule, state, after, findings);
    assume(state);
    // Whatever class it is of, and whoever moves alone.
    solver_.assume(encoding_.holds(conditions_.succeeds(rule)));
    const auto answer = solver_.ask({});
    ASSERT_EQ(answer == SatSolver::Answer::possible, firing == Interpreter::Firing::successor)
        << program_.rules[rule].text;
    if (firing == Interpreter::Firing::successor) {
      ++fired;
      const std::vector<bool> wanted = state_.bits_of(after);
      const std::uint32_t last = state_.size() - state_.alone().bits;
      for (std::uint32_t i = 0; i < last; ++i)
        ASSERT_EQ(solver_.is_true(next_[rule][i]), wanted[i])
            << "bit " << i << " behind " << program_.rules[rule].text;
      next.push_back(after);
    } else {
      ++not_fired;
    }
    assume(state);
    solver_.assume(encoding_.holds(conditions_.enabled(rule)));
    ASSERT_EQ(solver_.ask({}) == SatSolver::Answer::possible,
              firing != Interpreter::Firing::disabled)
        << program_.rules[rule].text;
  }

  void assume(const StateWords& state) {
    const std::vector<bool> bits = state_.bits_of(state);
    for (std::uint32_t i = 0; i < bits.size(); ++i)
      solver_.assume(bits[i] ? encoding_.bits()[i] : -encoding_.bits()[i]);
  }

  Program program_;
  RuleConditions conditions_;
  BitState state_;
  SatSolver solver_;
  Encoding encoding_;
  std::vector<Encoding::Bits> next_;  // by rule
  Interpreter interpreter_;
};

TEST(Encoding, OfRandomProtocolsIsWhatTheInterpreterDoes) {
  std::uint64_t fired = 0, not_fired = 0;
  for (std::uint64_t seed = 0; seed < test::sample_of(300) && !HasFailure(); ++seed) {
    const test::Compiled compiled =
        test::compile(differential::random_protocol(seed),
                      {.overflow = seed % 3 == 0 ? OverflowPolicy::error : OverflowPolicy::wait});
    Walk walk(compiled.program);
    walk.take(seed, 12);
    fired += walk.fired;
    not_fired += walk.not_fired;
  }
  EXPECT_GT(fired, test::has_all_samples() ? 1000u : 300u);
  EXPECT_GT(not_fired, 10000u);
}

TEST(Encoding, OfModelsIsWhatTheInterpreterDoes) {
  for (const std::string& name : test::sample_of(test::model_names())) {
    const test::Compiled compiled = test::compile(test::model_text(name));
    if (compiled.program.rules.size() > 500) continue;
    Walk walk(compiled.program);
    walk.take(7, 20);
    EXPECT_GT(walk.fired, 0u) << name;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace panoptes::backward
