// SPDX-License-Identifier: Apache-2.0
// What waits in files comes back as it was: searches with little memory and a folder to spill into
// find what searches with much memory find.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <numeric>

#include "search/check.hpp"
#include "search/spill_file.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

std::unique_ptr<SpillFile> make_file() {
  std::string problem;
  auto file = SpillFile::make(testing::TempDir(), problem);
  EXPECT_TRUE(file) << problem;
  return file;
}

std::vector<std::byte> some_bytes(std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + seed);
  return bytes;
}

TEST(SpillFile, GivesBackWhatWasWritten) {
  const auto file = make_file();
  const auto first = some_bytes(100'000, 1), second = some_bytes(50'000, 2);
  ASSERT_TRUE(file->write(0, first));
  ASSERT_TRUE(file->write(first.size(), second));
  std::vector<std::byte> found(second.size());
  ASSERT_TRUE(file->read(first.size(), found));
  EXPECT_EQ(found, second);
  EXPECT_FALSE(file->read(first.size() + 1, found)) << "behind its end";
  file->clear();
  EXPECT_FALSE(file->read(0, found));
  ASSERT_TRUE(file->write(0, second));
  ASSERT_TRUE(file->read(0, found));
  EXPECT_EQ(found, second);
}

TEST(SpillFile, SaysWhyItCannotBe) {
  std::string problem;
  EXPECT_FALSE(SpillFile::make("/nowhere/at/all", problem));
  EXPECT_EQ(problem, "No such file or directory");
}

// Files may not become larger meanwhile, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

TEST(SpillFile, SaysWhereThereIsNoRoom) {
  const auto file = make_file();
  const FullDisk full(10'000);
  EXPECT_TRUE(file->write(0, some_bytes(5'000, 1)));
  EXPECT_FALSE(file->write(5'000, some_bytes(50'000, 2)));
}

// Counters that count to the end and then wait for ever; wide, if a value has many bits.
test::Compiled counters(bool wide) {
  return test::compile(fmt::format(R"(
channel never[0..3][1];
proc counter[i : 0..3]
  var n : 0..7, value : 0..{};
{{
  do
  :: (n < 7) -> n++; value = n * {}
  :: (n == 7) -> break
  od;
  never[i]?go
}}
)",
                                   wide ? 28'000 : 7, wide ? 4'000 : 1),
                       {.minimise = false});
}

std::string all_errors_of(const Verdict& verdict) {
  std::string text = fmt::format("{} states, {} transitions, depth {}: {}", verdict.states,
                                 verdict.transitions, verdict.depth, to_string(verdict.stop));
  for (const ErrorReport& error : verdict.errors)
    text +=
        fmt::format("; {} after {}", to_string(error.description.kind), error.trail.steps.size());
  return text;
}

class Spilling : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Widths, Spilling, testing::Bool(),
                         [](const auto& param) { return param.param ? "Wide" : "Narrow"; });

TEST_P(Spilling, FindsWhatASearchWithMoreMemoryFinds) {
  const test::Compiled compiled = counters(GetParam());
  EXPECT_EQ(compiled.program.layout.words > 1, GetParam());
  // Stores that do not take much beside what waits: no bits are shared in an arena so large.
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = GetParam() ? Storage(BitArena{4 << 20, 12})
                                                          : Storage(CompactStates{})};
  for (const unsigned threads : {1u, 2u}) {
    options.threads = threads;
    options.limits = {};
    options.spill_folder.clear();
    const Verdict roomy = test::check(compiled, options);
    ASSERT_EQ(roomy.errors.size(), 1u);
    // What the store takes, and what it needs to grow.
    options.limits.memory_bytes = GetParam() ? 5 << 20 : roomy.store_bytes * 3;
    const std::uint64_t others = roomy.frontier_bytes + roomy.trail_bytes;
    ASSERT_GT(others, 2 * options.limits.memory_bytes / 64) << "nothing would have to be spilled";
    options.spill_folder = testing::TempDir();
    const Verdict spilled = test::check(compiled, options);
    EXPECT_EQ(all_errors_of(spilled), all_errors_of(roomy)) << threads << " threads";
    EXPECT_LT(spilled.frontier_bytes + spilled.trail_bytes, others) << threads << " threads";
  }
}

// Without room on the disk it is as if there were no folder.
TEST_P(Spilling, GoesOnWithoutWhereTheDiskIsFull) {
  const test::Compiled compiled = counters(GetParam());
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = CompactStates{}};
  const std::string roomy = all_errors_of(test::check(compiled, options));
  options.limits.memory_bytes = std::uint64_t{16} << 20;
  options.spill_folder = testing::TempDir();
  const FullDisk full(4'096);
  EXPECT_EQ(all_errors_of(test::check(compiled, options)), roomy);
}

}  // namespace
}  // namespace panoptes
