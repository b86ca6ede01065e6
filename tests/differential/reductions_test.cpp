// SPDX-License-Identifier: Apache-2.0
// Random protocols: what a reduction leaves out is never the only way to an error; what a choice
// finds, an exhaustive search finds too; an order of its own changes nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t reduction_protocols = test::has_all_samples() ? 1200 : 400;
constexpr std::uint64_t reduction_shards = 4;

constexpr panoptes::Reductions every_reduction[] = {
    {.internal = true}, {.order = true}, {.internal = true, .order = true, .values = true}};

// Options vary with the seed, so that every combination is met.
test::Setup setup_for(std::uint64_t seed) {
  test::Setup setup;
  setup.minimise = seed % 4 < 2;
  if (seed % 2 == 1) setup.timeouts = TimeoutPolicy::lock;
  if (seed % 5 == 4) setup.overflow = OverflowPolicy::error;
  return setup;
}

CheckOptions reduction_options(std::uint64_t seed) {
  CheckOptions options;
  options.strict = true;
  options.threads = seed % 7 == 0 ? 2 : 1;
  if (seed % 3 == 1) options.explore.receptions = ReceptionPolicy::reading;
  if (seed % 3 == 2) options.explore.receptions = ReceptionPolicy::any;
  return options;
}

// Errors by what makes them one; which finding is shown may differ from search to search.
std::set<std::string> groups_of(const Verdict& verdict) {
  std::set<std::string> groups;
  for (const ErrorReport& error : verdict.errors)
    groups.insert(
        fmt::format("{} [{}]", to_string(error.key.kind), fmt::join(error.key.parts, ",")));
  return groups;
}

// The same, and in which members of families each was found.
std::set<std::string> members_of(const Verdict& verdict, const Program& program,
                                 bool with_counts = false) {
  std::set<std::string> groups;
  for (const ErrorReport& error : verdict.errors) {
    std::string text =
        fmt::format("{} [{}] in", to_string(error.key.kind), fmt::join(error.key.parts, ","));
    for (const Member& member : error.members) text += " " + name_of(program, member);
    if (with_counts) text += fmt::format(": {}", error.count);
    groups.insert(text);
  }
  return groups;
}

class Reductions : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Reductions, FindTheSameErrorsAndChoicesNoOthers) {
  std::uint64_t compared = 0, reduced_ones = 0;
  const std::uint64_t begin = GetParam() * (reduction_protocols / reduction_shards);
  for (std::uint64_t seed = begin; seed < begin + reduction_protocols / reduction_shards; ++seed) {
    const std::string text = random_protocol(seed);
    const test::Compiled compiled = test::compile(text, setup_for(seed));
    const CheckOptions options = reduction_options(seed);
    CheckOptions limited = options;
    test::StateLimit limit(compared_states());
    limit.apply(limited);
    const Verdict whole = test::check(compiled, limited);
    if (limit.is_reached()) continue;
    ++compared;
    const std::string which = fmt::format("seed {}\n{}", seed, text);

    CheckOptions reduced = options;
    for (const auto& reductions : every_reduction) {
      reduced.reduce = reductions;
      std::set<std::uint64_t> states;
      for (const Order order : {Order::breadth, Order::depth}) {
        reduced.search = ExhaustiveSearch{.order = order};
        const Verdict verdict = test::check(compiled, reduced);
        ASSERT_EQ(members_of(verdict, compiled.program), members_of(whole, compiled.program))
            << which;
        ASSERT_EQ(verdict.dead_code.size(), whole.dead_code.size()) << which;
        ASSERT_LE(verdict.states, whole.states) << which;
        reduced_ones += verdict.states < whole.states;
        states.insert(verdict.states);
      }
      ASSERT_EQ(states.size(), 1u) << "it is the same graph in any order\n" << which;
    }

    CheckOptions best = options;
    best.search = ExhaustiveSearch{.order = Order::scatter};
    best.choice.preference = Preference::random;
    const Verdict all = test::check(compiled, best);
    ASSERT_EQ(members_of(all, compiled.program, true), members_of(whole, compiled.program, true))
        << which;
    ASSERT_EQ(all.states, whole.states) << which;
    ASSERT_EQ(all.transitions, whole.transitions) << which;

    CheckOptions partial = options;
    partial.reduce = {.internal = seed % 2 == 0, .order = seed % 3 == 0};
    for (const Preference preference : {Preference::random, Preference::scatter}) {
      partial.choice = {preference, 1 + seed % 2, seed % 4 < 2, seed};
      const std::set<std::string> some = groups_of(test::check(compiled, partial));
      const std::set<std::string> expected = groups_of(whole);
      ASSERT_TRUE(std::includes(expected.begin(), expected.end(), some.begin(), some.end()))
          << which;
    }

    CheckOptions folded = options;
    folded.folded.assign(compiled.program.layout.words, 0x0f0f0f0f0f0f0f0f);
    const std::set<std::string> some = groups_of(test::check(compiled, folded));
    const std::set<std::string> expected = groups_of(whole);
    ASSERT_TRUE(std::includes(expected.begin(), expected.end(), some.begin(), some.end())) << which;
  }
  EXPECT_GE(compared, reduction_protocols / reduction_shards * 8 / 10);
  EXPECT_GE(reduced_ones, compared) << "too few had anything to reduce";
}

INSTANTIATE_TEST_SUITE_P(Shards, Reductions, testing::Range<std::uint64_t>(0, reduction_shards));

}  // namespace
}  // namespace panoptes::differential
