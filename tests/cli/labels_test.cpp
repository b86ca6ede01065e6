// SPDX-License-Identifier: Apache-2.0
// Labels that nobody asks for: they cost no states, and are not forgotten.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

// Whether it was asked by x or y, p waits alike, for ever.
constexpr const char* text =
    "channel a[1], b[1];\n"
    "proc p {\n"
    "  if\n"
    "  :: a?x -> idle: b?ok\n"
    "  :: a?y -> waiting: b?ok\n"
    "  fi\n"
    "}\n"
    "proc q { if :: a!x :: a!y fi }\n";

class Labels : public testing::Test {
 protected:
  Result panoptes(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, path_);
    return run(arguments);
  }
  // What a session prints in which these commands are given.
  std::string session(const std::string& command, const std::string& commands) {
    const std::string input = folder_.write("commands", commands);
    return models::run_program(fmt::format("{} --interactive <'{}'", command, input)).output;
  }
  Json checked(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", "--json"});
    return test::parse_json(panoptes(options).output);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.write("m.argos", text);
};

TEST_F(Labels, NobodyAsksForCostNoStates) {
  const Json merged = checked({}), apart = checked({"--labels", "all"});
  EXPECT_EQ(merged["states"], 4);
  EXPECT_EQ(apart["states"], 5);
  EXPECT_EQ(merged["errors"].size(), 1u);
  EXPECT_EQ(apart["errors"].size(), 2u);
  EXPECT_EQ(merged["errors"][0]["state"], "idle|waiting,end");
  EXPECT_EQ(checked({"--labels", "waiting"})["states"], 5);
  EXPECT_EQ(checked({"--search", "guided", "--cost", "p@waiting"})["states"], 5);
  EXPECT_EQ(checked({"--search", "guided", "--cost", "len(a)"})["states"], 4);
}

TEST_F(Labels, AreNamedByTheTrailThatKnowsThem) {
  const Result result = panoptes({"check", "--chart", "columns"});
  EXPECT_TRUE(contains(result.output, "  p at idle, waits for b?ok\n")) << result.output;
  const Json report = checked({});
  EXPECT_EQ(report["errors"][0]["trail"].back()["to"], "idle");
  EXPECT_TRUE(contains(panoptes({"show", "--automata"}).output, "idle|waiting (4:19) = 5:22"));
}

TEST_F(Labels, AreKeptApartWhereAnyMayBeAskedFor) {
  const Result counted =
      panoptes({"query", "SELECT count(*) FROM states WHERE p = 'waiting'", "--format", "csv"});
  if (counted.exit_code == 0) {
    EXPECT_TRUE(contains(counted.output, "\n1\n")) << counted.output;
  }
  const std::string met = session(fmt::format("simulate '{}'", path_), "break p@waiting\n2\nrun\n");
  EXPECT_TRUE(contains(met, "a?y  -> waiting\nbreakpoint 1: p@waiting\n")) << met;
}

TEST_F(Labels, OfATrailAreThoseItWasMadeWith) {
  const std::string trails = folder_.path("trails.json");
  const auto replay = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"replay", trails});
    return panoptes(more);
  };
  const auto in_session = [&] {
    return session(fmt::format("replay '{}' '{}'", path_, trails), "break p@waiting\n");
  };
  ASSERT_EQ(panoptes({"check", "--trail", trails}).exit_code, 1);
  EXPECT_EQ(replay({}).exit_code, 1);
  // Too late to ask for one.
  EXPECT_TRUE(contains(in_session(), "`waiting` is not told apart from others: idle|waiting"));
  const Result other = replay({"--labels", "waiting"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "with --labels none, not with --labels waiting"))
      << other.errors;
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--labels", "waiting"},
                                                  {"--search", "guided", "--cost", "p@waiting"}}) {
    std::vector<std::string> check{"check", "--trail", trails};
    check.insert(check.end(), options.begin(), options.end());
    ASSERT_EQ(panoptes(check).exit_code, 1);
    EXPECT_EQ(replay({}).exit_code, 1);
    EXPECT_TRUE(contains(in_session(), "breakpoint 1: p@waiting\n"));
  }
}

TEST_F(Labels, ThatDoNotExistAreRefused) {
  const Result result = panoptes({"check", "--labels", "idle,wating"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.errors,
                       "error: --labels wating: no process has such a label\n"
                       "  did you mean `waiting`?\n"))
      << result.errors;
  EXPECT_EQ(panoptes({"check", "--labels", "all", "--no-minimise"}).exit_code, 2);
  EXPECT_EQ(panoptes({"relate", "--labels", "all", "--steps"}).exit_code, 2);
}

}  // namespace
}  // namespace panoptes::cli
