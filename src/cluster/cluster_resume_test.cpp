// SPDX-License-Identifier: Apache-2.0
// A search over ranks, as threads of one process, that is interrupted again and again and goes on:
// it ends as one that one process makes undisturbed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "support/disturbed_protocol.hpp"
#include "support/ranks.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

// Agrees as the program does, but keeps the number in memory.
class CommonInMemory final : public CommonCheckpoint {
 public:
  CommonInMemory(Transport& transport, std::uint64_t number)
      : transport_(transport), number_(number) {}

  const std::string& path() const override { return path_; }
  std::uint64_t number() const override { return number_; }
  bool agree(bool is_written, std::string& problem) override {
    std::array<std::uint64_t, 1> missing{is_written ? 0u : 1u};
    const bool is_whole = transport_.all_sum(missing) && missing[0] == 0;
    if (is_whole)
      ++number_;
    else
      problem = "not all were written";
    return is_whole;
  }

 private:
  Transport& transport_;
  std::string path_ = "nowhere";
  std::uint64_t number_;
};

// A search in pieces, by so many ranks.
class Pieces {
 public:
  Pieces(const test::Compiled& compiled, CheckOptions options, unsigned ranks)
      : compiled_(compiled), options_(std::move(options)), ranks_(ranks) {
    std::string path = testing::TempDir() + "ranks-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
  }
  ~Pieces() { fs::remove_all(path_); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  // Until a rank has looked at its clock so many times; 0: to the end. `every`: seconds of that
  // clock, by which every look is one.
  Verdict run(unsigned looks, double every) {
    const auto transports = thread_transports(ranks_);
    std::atomic<bool> is_interrupted = false;
    Verdict verdict;
    std::vector<std::uint64_t> numbers(ranks_);
    {
      std::vector<std::jthread> threads;
      for (unsigned rank = 0; rank < ranks_; ++rank)
        threads.emplace_back([&, rank] {
          Verdict own = run_rank(*transports[rank], looks, every, is_interrupted, numbers[rank]);
          if (rank == 0) verdict = std::move(own);
        });
    }
    for (const std::uint64_t number : numbers) EXPECT_EQ(number, numbers[0]);
    number_ = numbers[0];
    return verdict;
  }
  std::uint64_t number() const { return number_; }

 private:
  Verdict run_rank(Transport& transport, unsigned looks, double every,
                   std::atomic<bool>& is_interrupted, std::uint64_t& number) {
    const std::string path = fmt::format("{}/{}", path_, transport.rank());
    auto folder =
        number_ > 0 ? CheckpointFolder::open(path, number_) : CheckpointFolder::begin(path);
    if (!folder) throw std::runtime_error(folder.failure());
    double now = 0.0;
    Checkpoints checkpoints(std::move(*folder), "this test", every, [&] { return now; });
    const std::string saved(checkpoints.folder().section(Checkpoints::ranks_section));
    CheckOptions options = options_;
    std::string problem;
    const auto cluster = Cluster::make(
        transport, compiled_.program,
        {.threads = options.threads, .asked = print_of(options), .saved = saved}, problem);
    if (!cluster) throw std::runtime_error(problem);
    CommonInMemory common(transport, number_);
    checkpoints.divide(common, cluster->saved());
    options.ranks = cluster.get();
    options.checkpoints = &checkpoints;
    options.interrupted = &is_interrupted;
    std::atomic<unsigned> seen = 0;
    options.clock = [&] {
      now += 1.0;
      if (++seen == looks && transport.rank() == looks % ranks_) is_interrupted = true;
      return 0.0;
    };
    Verdict verdict = test::check(compiled_, options);
    number = common.number();
    return verdict;
  }

  const test::Compiled& compiled_;
  CheckOptions options_;
  unsigned ranks_;
  std::string path_;
  std::uint64_t number_ = 0;
};

TEST(ClusterResume, EndsAsOneProcessThatNobodyDisturbed) {
  struct Plan {
    Storage storage;
    bool is_wide, is_reduced;
  };
  for (const auto& [storage, is_wide, is_reduced] :
       {Plan{ExactStates{}, false, false}, Plan{ExactStates{}, true, false},
        Plan{CompactStates{}, false, true}, Plan{Fingerprints{}, true, false}}) {
    const test::Compiled compiled =
        test::compile(test::disturbed_protocol(2, 2, is_wide ? 10'000 : 1), {.minimise = false});
    CheckOptions options;
    options.search = ExhaustiveSearch{.storage = storage};
    options.reduce.internal = is_reduced;
    options.stepper = StepperKind::interpreter;
    options.threads = 1;
    const std::string wanted = test::summary_of(test::check(compiled, options));
    for (const unsigned ranks : {2u, 3u}) {
      if (is_wide == (ranks == 3) && !test::has_all_samples()) continue;
      Pieces pieces(compiled, options, ranks);
      unsigned interrupted = 0;
      for (const unsigned looks : {3u, 8u, 20u, 50u})
        interrupted += pieces.run(looks, looks == 20 ? 2.0 : 1000.0).stop == Stop::interrupted;
      EXPECT_GT(interrupted, 0u);
      EXPECT_GT(pieces.number(), 0u);
      EXPECT_EQ(test::summary_of(pieces.run(0, 1000.0)), wanted) << ranks << " ranks";
    }
  }
}

TEST(ClusterResume, IsForAsManyRanks) {
  const test::Compiled compiled = test::compile("proc p { skip }");
  const auto two = thread_transports(2), three = thread_transports(3);
  std::string saved;
  const auto make_all = [&](const auto& transports) {
    std::vector<std::string> problems(transports.size());
    std::vector<std::jthread> threads;
    for (unsigned rank = 0; rank < transports.size(); ++rank)
      threads.emplace_back([&, rank] {
        const auto cluster =
            Cluster::make(*transports[rank], compiled.program, {.saved = saved}, problems[rank]);
        if (cluster && rank == 0 && saved.empty()) saved = cluster->saved();
      });
    threads.clear();
    return problems;
  };
  EXPECT_EQ(make_all(two)[1], "");
  EXPECT_EQ(Cluster::threads_in(saved), (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(make_all(three)[2], "the checkpoint is one of another number of ranks");
}

}  // namespace
}  // namespace panoptes
