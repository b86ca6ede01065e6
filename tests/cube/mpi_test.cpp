// SPDX-License-Identifier: Apache-2.0
// The operators and the five steps over real ranks, and what the program says under mpirun. One
// mpirun for each number of ranks does all of it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/child.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

bool has_mpirun() { return std::system("command -v mpirun >/dev/null 2>&1") == 0; }

// More ranks than cores, on this machine alone.
std::string mpirun(unsigned ranks) {
  return fmt::format("mpirun --oversubscribe {}--mca btl self,vader -n {}",
                     geteuid() == 0 ? "--allow-run-as-root " : "", ranks);
}

struct Ended {
  int code = 0;
  std::string output, complaints;
};

Ended shell(const std::string& command) {
  const cli::TemporaryFolder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  const int status =
      std::system(fmt::format("timeout 120 {} >'{}' 2>'{}' </dev/null", command, out, err).c_str());
  const auto text = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  return {WEXITSTATUS(status), text(out), text(err)};
}

std::string model_file(const std::string& name) {
  return fmt::format("{}/models/{}.argos", PANOPTES_SOURCE_DIR, name);
}

TEST(HypercubeOfRanks, ComputesWhatSetsAndDuckDbDo) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not there";
  std::string models;
  std::vector<std::string> names{"connection", "peterson"};
  if (test::has_all_samples()) names.insert(names.end(), {"exchange", "polling", "binary_tree"});
  for (const std::string& name : names) models += fmt::format(" '{}'", model_file(name));
  // On few cores, ranks that wait for each other in vain take most of the time.
  const unsigned most = test::has_all_samples() ? 16 : 4;
  for (unsigned ranks = 1; ranks <= most; ranks *= 2) {
    const Ended ended = shell(fmt::format("{} '{}'{}", mpirun(ranks), PANOPTES_CUBE_RANKS, models));
    EXPECT_EQ(ended.code, 0) << ranks << " ranks\n" << ended.complaints;
  }
}

std::string relate(const std::string& options) {
  return fmt::format("'{}' relate '{}' --capacity 1 {}", PANOPTES_PROGRAM, model_file("connection"),
                     options);
}

// All but the first line, which says who has computed it.
std::string relations(const std::string& output) { return output.substr(output.find('\n')); }

TEST(HypercubeOfRanks, PrintsWhatADatabaseDoes) {
  const Ended database = shell(relate("--steps"));
  const Ended alone = shell(relate("--on hypercube"));
  EXPECT_EQ(alone.code, database.code);
  EXPECT_EQ(relations(alone.output), relations(database.output));
  EXPECT_TRUE(alone.output.find("by a hypercube of 1 node\n") != std::string::npos);
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not there";
  const Ended ranks = shell(mpirun(4) + " " + relate("--on hypercube"));
  EXPECT_EQ(ranks.code, database.code);
  EXPECT_EQ(relations(ranks.output), relations(database.output));
  EXPECT_TRUE(ranks.output.find("by a hypercube of 4 nodes\n") != std::string::npos);
}

TEST(HypercubeOfRanks, RefusesWhatIsNone) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not there";
  const Ended three = shell(mpirun(3) + " " + relate("--on hypercube"));
  EXPECT_EQ(three.code, 2);
  EXPECT_EQ(three.output, "");
  EXPECT_TRUE(
      cli::contains(three.complaints,
                    "panoptes: a hypercube has 1, 2, 4, 8 or another power of two of nodes, "
                    "and mpirun has started 3\n"))
      << three.complaints;
  // A model that does not fit is complained of once.
  const Ended unfit = shell(fmt::format("{} '{}' relate '{}' --on hypercube", mpirun(2),
                                        PANOPTES_PROGRAM, model_file("mutual_exclusion")));
  EXPECT_EQ(unfit.code, 2);
  const std::size_t first = unfit.complaints.find("it has a behaviour assertion");
  ASSERT_NE(first, std::string::npos) << unfit.complaints;
  EXPECT_EQ(unfit.complaints.find("it has a behaviour assertion", first + 1), std::string::npos);
}

}  // namespace
}  // namespace panoptes
