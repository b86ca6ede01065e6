// SPDX-License-Identifier: Apache-2.0
// Random protocols: forgetting values that nobody will read changes no error, no trail's length and
// nothing of what was executed; and an analysis that overlooks a read is found out.
#include "rules/dead_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t value_protocols = test::has_all_samples() ? 2000 : 400;
constexpr std::uint64_t value_shards = 4;

CheckOptions value_options(std::uint64_t seed) {
  CheckOptions options;
  options.strict = true;
  options.threads = seed % 5 == 0 ? 2 : 1;
  if (seed % 2 == 1) options.stepper = StepperKind::interpreter;
  if (seed % 3 == 1) options.explore.receptions = ReceptionPolicy::reading;
  if (seed % 3 == 2) options.explore.receptions = ReceptionPolicy::any;
  return options;
}

// Errors by what makes them one, in which members they were found, and after how many steps.
std::set<std::string> errors_of(const Verdict& verdict, bool with_lengths) {
  std::set<std::string> texts;
  for (const ErrorReport& error : verdict.errors) {
    std::string text =
        fmt::format("{} [{}] in", to_string(error.key.kind), fmt::join(error.key.parts, ","));
    for (const Member& member : error.members) text += fmt::format(" {}", member.number);
    if (with_lengths)
      text += fmt::format(" at {}{}", error.depth, error.is_shortest ? "" : " or less");
    texts.insert(text);
  }
  return texts;
}

class DeadValues : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DeadValues, MakeNoDifference) {
  std::uint64_t compared = 0, smaller = 0;
  const std::uint64_t begin = GetParam() * (value_protocols / value_shards);
  for (std::uint64_t seed = begin; seed < begin + value_protocols / value_shards; ++seed) {
    const std::string text = random_protocol(seed);
    const test::Compiled compiled = test::compile(text, test::setup_for(seed));
    CheckOptions options = value_options(seed);
    CheckOptions limited = options;
    test::StateLimit limit(compared_states());
    limit.apply(limited);
    const Verdict whole = test::check(compiled, limited);
    if (limit.is_reached()) continue;
    ++compared;
    const std::string which = fmt::format("seed {}\n{}", seed, text);

    options.reduce.values = true;
    const Verdict reduced = test::check(compiled, options);
    ASSERT_EQ(errors_of(reduced, true), errors_of(whole, true)) << which;
    ASSERT_EQ(reduced.fired, whole.fired) << which;
    ASSERT_EQ(reduced.passed, whole.passed) << which;
    ASSERT_EQ(reduced.promise, whole.promise) << which;
    ASSERT_EQ(reduced.outcome, whole.outcome) << which;
    ASSERT_LE(reduced.states, whole.states) << which;
    ASSERT_LE(reduced.transitions, whole.transitions) << which;
    smaller += reduced.states < whole.states;

    options.search = ExhaustiveSearch{.order = Order::depth};
    const Verdict deep = test::check(compiled, options);
    ASSERT_EQ(deep.states, reduced.states) << which;
    ASSERT_EQ(errors_of(deep, false), errors_of(whole, false)) << which;

    options.search = ExhaustiveSearch{};
    options.reduce.internal = true;
    const Verdict both = test::check(compiled, options);
    ASSERT_EQ(errors_of(both, false), errors_of(whole, false)) << which;
    ASSERT_LE(both.states, reduced.states) << which;
  }
  EXPECT_GE(compared, value_protocols / value_shards * 8 / 10);
  EXPECT_GE(smaller, compared / 20) << "too few had a value to forget";
}

INSTANTIATE_TEST_SUITE_P(Shards, DeadValues, testing::Range<std::uint64_t>(0, value_shards));

// ---- faults -----------------------------------------------------------------------------------

// What an analysis that overlooks something would make of a program.
struct Blindness {
  std::string name;
  std::function<void(Program&)> hide;
};

void hide_guards(Program& program) {
  for (Rule& rule : program.rules) rule.conditions.clear();
  for (StateError& row : program.errors.states) row.at.clear();
  for (auto& states : program.control)
    for (ControlInfo& info : states) info.receptions.clear();
}

void hide_sent_values(Program& program) {
  for (Rule& rule : program.rules) rule.values.clear();
}

void hide_checks(Program& program) {
  for (Rule& rule : program.rules) rule.check = none;
  program.errors.checks.clear();
  program.errors.first_check.assign(program.rules.size() + 1, 0);
}

void hide_assigned_values(Program& program) {
  const ExpressionId constant = program.protocol.expressions.constant(0);
  for (Rule& rule : program.rules)
    for (Assignment& a : rule.assignments) a.value = constant;
}

// Ways back lead to a state of their own instead, where nothing happens.
void hide_back_edges(Program& program) {
  for (Rule& rule : program.rules)
    for (ProcessMove& move : rule.moves)
      if (move.to <= move.from)
        move.to = static_cast<StateId>(program.control[move.process].size());
  for (auto& states : program.control) states.emplace_back();
}

// Every variable is its process's own, as far as it declares it or moves.
void hide_invariants(Program& program) {
  for (StateError& row : program.errors.states) row.predicate = none;
}

std::vector<Blindness> all_blindness() {
  return {{"Guards", hide_guards},        {"SentValues", hide_sent_values},
          {"Checks", hide_checks},        {"AssignedValues", hide_assigned_values},
          {"BackEdges", hide_back_edges}, {"Invariants", hide_invariants}};
}

// The assignments that forget too much, in the program as it is.
Program blinded(const Program& program, const Blindness& blindness) {
  Program blind = program;
  blindness.hide(blind);
  const auto reset = with_dead_values_reset(blind);
  if (!reset) return program;
  Program result = program;
  result.protocol.expressions = reset->protocol.expressions;
  for (RuleId id = 0; id < result.rules.size(); ++id) {
    auto& assignments = result.rules[id].assignments;
    const auto& forgetful = reset->rules[id].assignments;
    for (std::size_t i = 0; i < forgetful.size(); ++i) {
      if (i >= assignments.size())
        assignments.push_back(forgetful[i]);
      else if (forgetful[i].value != blind.rules[id].assignments[i].value)
        assignments[i].value = forgetful[i].value;
    }
  }
  return result;
}

class BlindAnalysis : public testing::TestWithParam<std::size_t> {};

TEST_P(BlindAnalysis, IsCaught) {
  const Blindness blindness = all_blindness()[GetParam()];
  constexpr std::uint64_t most_protocols = 1'000;
  for (std::uint64_t seed = 0; seed < most_protocols; ++seed) {
    test::Compiled compiled = test::compile(random_protocol(seed), test::setup_for(seed));
    CheckOptions options = value_options(seed);
    test::StateLimit limit(2'000);
    limit.apply(options);
    const Verdict whole = test::check(compiled, options);
    if (limit.is_reached()) continue;
    compiled.program = blinded(compiled.program, blindness);
    test::StateLimit twice(4'000);
    twice.apply(options);
    const Verdict forgetful = test::check(compiled, options);
    if (errors_of(forgetful, true) != errors_of(whole, true) || forgetful.fired != whole.fired)
      return;
  }
  FAIL() << blindness.name << " makes no difference in " << most_protocols << " protocols";
}

INSTANTIATE_TEST_SUITE_P(Faults, BlindAnalysis, testing::Range<std::size_t>(0, 6),
                         [](const auto& param) { return all_blindness()[param.param].name; });

}  // namespace
}  // namespace panoptes::differential
