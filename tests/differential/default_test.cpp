// SPDX-License-Identifier: Apache-2.0
// Random protocols, as whoever says nothing gets them checked: what `--reduce auto` chooses finds
// the same as the plain graph, whatever else is asked for; and with --shortest as far away.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "api/check_model.hpp"
#include "api/model_request.hpp"
#include "differential/generator.hpp"
#include "differential/symmetric_protocol.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

constexpr std::uint64_t most_states_by_default = 5'000;

// By group: how far away it is.
using Distances = std::map<std::string, std::uint64_t>;

Distances distances_of(const Verdict& verdict) {
  Distances result;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      result[fmt::format("{} [{}]", to_string(error.key.kind), fmt::join(error.key.parts, ","))] =
          error.search_step_count();
  return result;
}

std::vector<std::string> groups_in(const Distances& distances) {
  std::vector<std::string> result;
  for (const auto& [group, distance] : distances) result.push_back(group);
  return result;
}

// Options vary with the seed, so that every combination is met.
OptionValues values_for(std::uint64_t seed) {
  OptionValues values("check");
  values.give(option::search, "exhaustive");
  values.give(option::threads, seed % 7 == 0 ? "2" : "1");
  if (seed % 3 == 1) values.give(option::timeouts, "lock");
  if (seed % 5 == 4) values.give(option::overflow, "error");
  if (seed % 8 == 5) values.give(option::receptions, "reading");
  if (seed % 8 == 6) values.give(option::receptions, "any");
  if (seed % 11 == 3) values.give(option::expand, "sound");
  if (seed % 13 == 5) values.give(option::depth, "6");
  if (seed % 9 == 4) values.give(option::order, "depth");
  if (seed % 4 == 2) values.give(option::strict, "on");
  return values;
}

struct Checked {
  Verdict verdict;
  panoptes::Reductions reduce;
};

Checked checked(const std::string& text, OptionValues values, const std::string& reduce,
                bool shortest = false) {
  values.give(option::reduce, reduce);
  if (shortest) values.give(option::shortest, "on");
  const Loaded loaded = load("random.argos", model_request(values),
                             [&](const std::string&) { return std::optional<std::string>(text); });
  if (!loaded.program) throw std::runtime_error(loaded.diagnostics.render(loaded.sources));
  CheckOptions options = check_options(values, loaded);
  const panoptes::Reductions reductions = options.reduce;
  // In half of them orders soon have a break.
  if (options.steps_that_tell > 0 && text.size() % 2 == 0) options.steps_that_tell = 25;
  // What is too large for this test is left out, and said to be.
  std::atomic<bool> enough{false};
  options.observer = [&](const Progress& progress) {
    if (progress.states > 20 * most_states_by_default) enough = true;
  };
  options.interrupted = &enough;
  auto verdict = check_model(values, loaded, options, {});
  if (!verdict) throw std::runtime_error(verdict.failure());
  return {std::move(*verdict), reductions};
}

struct DefaultTally {
  std::uint64_t compared = 0, reduced = 0, longer = 0, searched_again = 0, sharp = 0;
};

// Whether a search that looks one step less far than the second one does misses something.
bool is_sharp(const std::string& text, OptionValues values, const Checked& found) {
  if (found.verdict.shortest->depth < 2 || values.is_given(option::depth)) return false;
  values.give(option::order, "breadth");
  values.give(option::depth, fmt::format("{}", found.verdict.shortest->depth - 1));
  const Checked less = checked(text, values, "none");
  return groups_in(distances_of(less.verdict)) != groups_in(distances_of(found.verdict));
}

void compare_default(const std::string& text, std::uint64_t seed, DefaultTally& tally) {
  OptionValues values = values_for(seed);
  const std::string which = fmt::format("seed {}\n{}", seed, text);
  Checked plain = checked(text, values, "none");
  if (plain.verdict.states > most_states_by_default) return;
  const Checked usual = checked(text, values, "auto");
  // Where --depth cuts off the plain graph, that of the fewer steps may be whole.
  if (values.is_given(option::depth) && usual.verdict.promise != plain.verdict.promise) {
    ASSERT_EQ(usual.verdict.promise, Promise::exhaustive) << which;
    values.take_back(option::depth);
    plain = checked(text, values, "none");
    if (plain.verdict.states > most_states_by_default) return;
  }
  ++tally.compared;
  const Distances near = distances_of(plain.verdict), far = distances_of(usual.verdict);
  ASSERT_EQ(groups_in(far), groups_in(near)) << which;
  ASSERT_EQ(usual.verdict.outcome, plain.verdict.outcome) << which;
  ASSERT_EQ(usual.verdict.promise, plain.verdict.promise) << which;
  ASSERT_EQ(usual.verdict.dead_code.size(), plain.verdict.dead_code.size()) << which;
  ASSERT_EQ(usual.verdict.is_dead_code_certain, plain.verdict.is_dead_code_certain) << which;
  ASSERT_LE(usual.verdict.states, plain.verdict.states) << which;
  tally.reduced += usual.verdict.states < plain.verdict.states;
  if (values.get(option::order) == Order::depth) return;  // nobody knows the shortest
  // What is called the shortest is as near as it is in the plain graph.
  Verdict claimed = usual.verdict;
  for (auto* list : {&claimed.errors, &claimed.warnings})
    std::erase_if(*list, [](const ErrorReport& error) { return !error.is_shortest; });
  for (const auto& [group, distance] : distances_of(claimed))
    ASSERT_EQ(distance, near.at(group)) << which;
  tally.longer += far != near;

  const Checked again = checked(text, values, "auto", true);
  ASSERT_EQ(distances_of(again.verdict), near) << which;
  // Where states with errors lead nowhere, nothing is said of what lies behind the first of them.
  const bool says_all = !values.is_given(option::expand);
  for (const auto* list : {&again.verdict.errors, &again.verdict.warnings})
    for (const ErrorReport& error : *list) ASSERT_TRUE(error.is_shortest || !says_all) << which;
  if (!again.verdict.shortest) return;
  ++tally.searched_again;
  if (seed % 4 == 0) tally.sharp += is_sharp(text, values, again);
}

TEST(Default, FindsWhatThePlainGraphHasAndWithShortestAsFarAway) {
  const std::uint64_t count = test::has_all_samples() ? 3'000 : 240;
  DefaultTally tally;
  for (std::uint64_t seed = 0; seed < count && !HasFatalFailure(); ++seed)
    compare_default(random_protocol(seed), seed, tally);
  EXPECT_GE(tally.compared, count * 7 / 10);
  EXPECT_GE(tally.reduced, count / 4) << "too few had anything to reduce";
  EXPECT_GE(tally.longer, count / 50) << "there was nothing to be shortened";
  EXPECT_GE(tally.searched_again, tally.longer);
  EXPECT_GE(tally.sharp, 3u) << "a bound that is one too small would not be noticed";
}

TEST(Default, FindsTheSameWhereMembersAreAlike) {
  const std::uint64_t count = test::has_all_samples() ? 600 : 50;
  DefaultTally tally;
  std::uint64_t by_orbits = 0;
  for (std::uint64_t seed = 0; seed < count && !HasFatalFailure(); ++seed) {
    const std::string text = seed % 3 == 2 ? symmetric_pairs(seed) : symmetric_protocol(seed);
    by_orbits += checked(text, OptionValues("check"), "auto").reduce.symmetry;
    compare_default(text, seed, tally);
  }
  EXPECT_GE(tally.compared, count / 2);
  EXPECT_GE(by_orbits, count / 3);
}

}  // namespace
}  // namespace panoptes::differential
