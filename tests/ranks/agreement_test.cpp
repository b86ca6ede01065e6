// SPDX-License-Identifier: Apache-2.0
// Several ranks find together what one process finds alone: states, transitions, errors with their
// counts and the lengths of their trails, dead code.
//
// The tests of OnRanks run in every rank of one mpirun, which the tests of Mpirun start, once for
// each number of ranks: to start it costs more than to check most protocols.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "cli/child.hpp"
#include "differential/generator.hpp"
#include "models/run_program.hpp"
#include "step/indivisible.hpp"
#include "support/counters.hpp"
#include "support/ranks.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"
#include "transport/open.hpp"

namespace panoptes {
namespace {

// ---- in every rank ------------------------------------------------------------------------------

// MPI can be started once in a process.
Transport& world() {
  static const std::unique_ptr<Transport> transport = [] {
    auto opened = open_transport();
    if (!opened) throw std::runtime_error(opened.failure());
    return std::move(*opened);
  }();
  return *transport;
}

// Whether rank 0 says so.
bool says_first(bool yes) {
  std::array<std::uint64_t, 1> told{world().rank() == 0 && yes ? 1u : 0u};
  EXPECT_TRUE(world().all_sum(told));
  return told[0] > 0;
}

// Options vary with the seed, so that every combination is met.
CheckOptions options_for(std::uint64_t seed) {
  const Storage stores[] = {ExactStates{}, CompactStates{}, Fingerprints{},
                            BitArena{.bytes = 16 << 20}};
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = stores[seed % 4]};
  options.threads = seed % 5 == 3 ? 2 : 1;
  options.strict = seed % 3 == 1;
  options.reduce.internal = seed % 7 < 3;
  options.reduce.order = seed % 4 < 2;
  options.reduce.values = seed % 5 < 2;
  options.explore.first_error_only = seed % 11 == 5;
  options.explore.receptions = seed % 3 == 0   ? ReceptionPolicy::blocked
                               : seed % 3 == 1 ? ReceptionPolicy::reading
                                               : ReceptionPolicy::any;
  return options;
}

// Whether the protocol is small enough to be compared.
bool compare(const std::string& name, const test::Compiled& compiled, const CheckOptions& options,
             std::uint64_t most_states) {
  Verdict alone;
  if (world().rank() == 0) {
    CheckOptions limited = options;
    test::StateLimit limit(most_states);
    limit.apply(limited);
    alone = test::check(compiled, limited);
  }
  if (!says_first(alone.states <= most_states)) return false;
  const Verdict together = test::check_on(world(), compiled, options);
  if (world().rank() > 0) return true;
  EXPECT_EQ(test::summary_of(together), test::summary_of(alone)) << name;
  return true;
}

TEST(OnRanks, RandomProtocolsAreTheSame) {
  if (!launched()) GTEST_SKIP() << "mpirun starts this";
  const std::uint64_t wanted = test::has_all_samples() ? 300 : 20;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; compared < wanted; ++seed) {
    const test::Compiled compiled =
        test::compile(differential::random_protocol(seed), test::setup_for(seed));
    compared += compare(fmt::format("seed {}", seed), compiled, options_for(seed), 5'000) ? 1 : 0;
    if (says_first(HasFailure())) return;
  }
}

TEST(OnRanks, ModelsAreTheSame) {
  if (!launched()) GTEST_SKIP() << "mpirun starts this";
  std::uint64_t number = 0;
  for (const std::string& name : test::model_names()) {
    const test::Compiled compiled = test::compile(test::model_text(name));
    CheckOptions options = options_for(4 * number);  // with each store where there is time for that
    options.threads = 1;
    compare(name, compiled, options, test::has_all_samples() ? UINT64_MAX : 1'000);
    ++number;
    for (std::uint64_t store = 1; store < 4 && test::has_all_samples(); ++store)
      compare(name, compiled, options_for(4 * number + store), 100'000);
    if (says_first(HasFailure())) return;
  }
}

// The first rank has most of the memory and so of the states, and the others are done first.
TEST(OnRanks, WhatIsLentChangesNothing) {
  if (!launched()) GTEST_SKIP() << "mpirun starts this";
  const test::Compiled compiled = test::independent_counters(true);
  CheckOptions options;
  options.search = ExhaustiveSearch{};
  const std::string wanted = test::summary_of(test::check(compiled, options));
  options.limits.memory_bytes = (world().rank() == 0 ? 4 : 1) * (std::uint64_t{1} << 30);
  std::uint64_t lent = 0;
  for (int attempt = 0; attempt < 50 && !says_first(lent > 0); ++attempt) {
    const Verdict together = test::check_on(world(), compiled, options);
    if (world().rank() > 0) continue;
    EXPECT_EQ(test::summary_of(together), wanted);
    lent += world().ranks() == 1 ? 1 : together.cluster->lent;
  }
  if (world().rank() == 0) EXPECT_GT(lent, 0u);
}

// ---- and outside --------------------------------------------------------------------------------

class Mpirun : public testing::TestWithParam<unsigned> {};

TEST_P(Mpirun, HasRanksThatAgreeWithOneProcess) {
  if (launched()) GTEST_SKIP() << "started by it";
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const models::Run run = models::run_shell(fmt::format(
      "mpirun --allow-run-as-root --oversubscribe -n {} '{}' --gtest_brief=1 --gtest_color=no "
      "--gtest_filter='OnRanks.*' 2>&1",
      GetParam(), program));
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("[  PASSED  ] 3 tests."), std::string::npos) << run.output;
}

INSTANTIATE_TEST_SUITE_P(Ranks, Mpirun, testing::Values(1, 2, 3, 4, 8));

}  // namespace
}  // namespace panoptes
