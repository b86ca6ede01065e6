// SPDX-License-Identifier: Apache-2.0
// A search that is interrupted again and again, and goes on each time from its last checkpoint,
// ends as one that was never interrupted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "search/check.hpp"
#include "support/disturbed_protocol.hpp"
#include "support/late_choices.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

// Wide, if a value has many bits. The more, the further it counts.
test::Compiled protocol(bool wide, int last = 2) {
  return test::compile(test::disturbed_protocol(2, last, wide ? 20'000 / last : 1),
                       {.minimise = false});
}

std::string summary_of(const Verdict& verdict) {
  std::string text = fmt::format("{} states, {} transitions, depth {}: {}, {}", verdict.states,
                                 verdict.transitions, verdict.depth, to_string(verdict.stop),
                                 to_string(verdict.promise));
  for (const auto* reports : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *reports)
      text += fmt::format("; {} {} times after {}", error.description.text, error.count,
                          error.trail.steps.size());
  return text + fmt::format("; {} dead", verdict.dead_code.size());
}

class KeptFolder {
 public:
  KeptFolder() {
    std::string path = testing::TempDir() + "resume-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
  }
  ~KeptFolder() { fs::remove_all(path_); }
  KeptFolder(const KeptFolder&) = delete;
  KeptFolder& operator=(const KeptFolder&) = delete;

  std::unique_ptr<Checkpoints> open(double every) const {
    auto folder = CheckpointFolder::has_checkpoint(path_) ? CheckpointFolder::open(path_)
                                                          : CheckpointFolder::begin(path_);
    EXPECT_TRUE(folder) << folder.failure();
    return std::make_unique<Checkpoints>(std::move(*folder), "this test", every);
  }

 private:
  std::string path_;
};

struct Plan {
  std::string name;
  Storage storage;
  bool is_wide = false;
  bool is_reduced = false;
  std::string spill_folder = {};
  std::uint64_t memory_bytes = UINT64_MAX;
};

CheckOptions options_of(const Plan& plan) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = plan.storage};
  options.reduce.internal = options.reduce.values = plan.is_reduced;
  options.spill_folder = plan.spill_folder;
  options.limits.memory_bytes = plan.memory_bytes;
  return options;
}

// Runs it in pieces: each ends when its clock has been looked at so many times, the last one by
// itself. Gives the last verdict, and how many pieces there were.
std::pair<Verdict, int> in_pieces(const test::Compiled& compiled, CheckOptions options,
                                  const std::vector<unsigned>& threads, double every,
                                  double least_seconds = 40.0) {
  const KeptFolder kept;
  for (int piece = 0;; ++piece) {
    const auto checkpoints = kept.open(every);
    options.checkpoints = checkpoints.get();
    options.threads = threads[static_cast<std::size_t>(piece) % threads.size()];
    double now = 0.0;
    options.clock = [&now] { return now += 1.0; };
    options.limits.seconds = piece < 200 ? least_seconds + 13 * piece : 0.0;
    options.limits.report_seconds = 1e9;
    Verdict verdict = test::check(compiled, options);
    EXPECT_EQ(checkpoints->problem(), "");
    if (verdict.stop != Stop::time) return {std::move(verdict), piece};
  }
}

class Resumed : public testing::TestWithParam<Plan> {};
INSTANTIATE_TEST_SUITE_P(
    Plans, Resumed,
    testing::Values(Plan{"Exact", ExactStates{}}, Plan{"ExactWide", ExactStates{}, true},
                    Plan{"Compact", CompactStates{}}, Plan{"CompactWide", CompactStates{}, true},
                    Plan{"HashWide", Fingerprints{}, true}, Plan{"Bits", BitArena{1 << 14, 2}},
                    Plan{"BitsWide", BitArena{1 << 14, 2}, true},
                    Plan{"Reduced", ExactStates{}, false, true},
                    Plan{"Spilled", CompactStates{}, false, false, testing::TempDir(), 8 << 20},
                    Plan{"SpilledWide", BitArena{1 << 20, 8}, true, false, testing::TempDir(),
                         4 << 20}),
    [](const auto& param) { return param.param.name; });

TEST_P(Resumed, EndsAsIfItHadNeverBeenInterrupted) {
  const bool is_spilled = !GetParam().spill_folder.empty();
  // Of a reduced one, less than a third is left.
  const bool is_large = is_spilled || GetParam().is_reduced;
  const test::Compiled compiled = protocol(GetParam().is_wide, is_large ? 5 : 2);
  CheckOptions options = options_of(GetParam());
  options.threads = 1;
  const Verdict whole = test::check(compiled, options);
  ASSERT_GT(whole.states, 10'000u);
  const auto [verdict, pieces] = in_pieces(compiled, options, {1}, 1e9);
  EXPECT_EQ(summary_of(verdict), summary_of(whole));
  EXPECT_GT(pieces, 2);
}

// Which state of an arena is taken for which depends on who came first.
TEST_P(Resumed, ThreadsMayBeAsManyAsThereAre) {
  if (std::holds_alternative<BitArena>(GetParam().storage)) return;
  const test::Compiled compiled = protocol(GetParam().is_wide, GetParam().is_reduced ? 5 : 2);
  EXPECT_EQ(compiled.program.layout.words > 1, GetParam().is_wide);
  CheckOptions options = options_of(GetParam());
  options.stepper = StepperKind::interpreter;
  const Verdict whole = test::check(compiled, options);
  const auto [verdict, pieces] = in_pieces(compiled, options, {2, 1, 3, 2}, 0.0, 10.0);
  EXPECT_EQ(summary_of(verdict), summary_of(whole));
  EXPECT_GT(pieces, 2);
}

TEST(ResumedSearches, EndAsTheyWouldOfEveryModel) {
  int pieces = 0;
  for (const std::string& name : test::sample_of(test::model_names(), 3)) {
    const test::Compiled compiled = test::compile(test::model_text(name));
    CheckOptions options;
    test::StateLimit limit(test::has_all_samples() ? 50'000 : 10'000);
    limit.apply(options);
    const Verdict whole = test::check(compiled, options);
    if (limit.is_reached()) continue;
    const auto [verdict, its_pieces] = in_pieces(compiled, {}, {1}, 1e9, 3.0);
    EXPECT_EQ(summary_of(verdict), summary_of(whole)) << name;
    pieces += its_pieces;
  }
  EXPECT_GT(pieces, 10);
}

// Where orders have a break, and how many steps were left out before.
TEST(ResumedOrders, HaveTheSameBreaks) {
  const test::Compiled compiled = test::late_choices();
  CheckOptions options;
  options.reduce.order = true;
  options.steps_that_tell = SelectByLevel::usual_steps;
  const Verdict whole = test::check(compiled, options);
  const auto [verdict, pieces] = in_pieces(compiled, options, {1, 2}, 1e9);
  EXPECT_EQ(summary_of(verdict), summary_of(whole));
  EXPECT_EQ(verdict.reductions.steps_left_out, whole.reductions.steps_left_out);
  EXPECT_GT(whole.reductions.steps_left_out.value_or(0), 0u);
  EXPECT_GT(pieces, 2);
}

// The estimate of what was missed goes on, too.
TEST(ResumedArena, ExpectsAsManyOmissions) {
  const test::Compiled compiled = protocol(false);
  CheckOptions options = options_of({"", BitArena{1 << 13, 2}});
  options.threads = 1;
  const Verdict whole = test::check(compiled, options);
  const auto [verdict, pieces] = in_pieces(compiled, options, {1}, 1e9);
  ASSERT_TRUE(whole.expected_omissions && verdict.expected_omissions);
  EXPECT_GT(*whole.expected_omissions, 10.0);
  EXPECT_NEAR(*verdict.expected_omissions, *whole.expected_omissions,
              *whole.expected_omissions * 1e-4);
  EXPECT_EQ(verdict.states, whole.states);
}

// An exact search that goes over to bits for want of memory is partial, and stays so with more.
TEST(ResumedSwitch, PromisesNoMoreThanTheSearchItGoesOnWith) {
  const test::Compiled compiled = protocol(true, 5);
  CheckOptions options = options_of({"", ExactStates{}, true});
  options.threads = 1;
  options.limits.memory_bytes = 4 << 20;
  options.spill_folder = testing::TempDir();  // or it would go on depth first
  const KeptFolder kept;
  Verdict small;
  double now = 0.0;
  options.clock = [&now] { return now += 1.0; };
  for (double seconds = 200.0;; seconds *= 2) {
    const auto checkpoints = kept.open(1e9);
    options.checkpoints = checkpoints.get();
    now = 0.0;
    options.limits.seconds = seconds;
    small = test::check(compiled, options);
    ASSERT_EQ(small.stop, Stop::time) << "it was done before it went over";
    ASSERT_EQ(checkpoints->problem(), "");
    ASSERT_EQ(checkpoints->count(), 1u);
    if (small.kept == Kept::bits) break;
  }
  const auto checkpoints = kept.open(1e9);
  options.checkpoints = checkpoints.get();
  options.limits.seconds = 0.0;
  options.limits.memory_bytes = std::uint64_t{1} << 30;
  const Verdict verdict = test::check(compiled, options);
  EXPECT_EQ(verdict.kept, Kept::bits);
  EXPECT_NE(verdict.promise, Promise::exhaustive);
  EXPECT_GT(verdict.states, small.states);
}

TEST(Checkpoints, ComeNoSoonerThanTwentyTimesWhatOneTakes) {
  const KeptFolder kept;
  double now = 100.0;
  auto folder = CheckpointFolder::begin(testing::TempDir() + "every");
  ASSERT_TRUE(folder);
  Checkpoints checkpoints(std::move(*folder), "", 10.0, [&] { return now; });
  EXPECT_FALSE(checkpoints.is_due());
  now = 110.0;
  EXPECT_TRUE(checkpoints.is_due());
  ASSERT_TRUE(checkpoints.write([&](CheckpointFolder&) {
    now += 2.0;
    return CheckpointFolder::Sections{};
  }));
  EXPECT_EQ(checkpoints.last_seconds(), 2.0);
  now += 39.0;
  EXPECT_FALSE(checkpoints.is_due());
  now += 1.0;
  EXPECT_TRUE(checkpoints.is_due());
  fs::remove_all(testing::TempDir() + "every");
}

}  // namespace
}  // namespace panoptes
