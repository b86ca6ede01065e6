// SPDX-License-Identifier: Apache-2.0
// Whatever names a model has, every command can print it, and every option that takes a name takes
// them.
#include "support/names.hpp"

#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

class Names : public testing::Test {
 protected:
  Result done(std::vector<std::string> arguments, int exit_code) const {
    arguments.insert(arguments.begin() + 1, path_);
    Result result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << arguments[0] << " " << arguments.back() << "\n"
                                           << result.errors.substr(0, 2000);
    EXPECT_EQ(result.signal, 0);
    return result;
  }
  static bool has_all(const std::string& text) {
    for (const std::string& word : test::strange_words())
      if (!contains(text, word.substr(0, 12))) return false;
    return true;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.write("names.argos", test::strange_names());
};

TEST_F(Names, AreInEveryViewAndFormat) {
  for (const char* view :
       {"--automata", "--tables", "--channels", "--rules", "--layout", "--holes"}) {
    EXPECT_TRUE(has_all(done({"show", view}, 0).output)) << view;
    const std::string json = done({"show", view, "--format", "json"}, 0).output;
    ASSERT_TRUE(Json::accept(json)) << view;
    EXPECT_TRUE(has_all(json)) << view;
  }
  for (const char* view : {"--automata", "--channels"})
    EXPECT_TRUE(has_all(done({"show", view, "--format", "dot"}, 0).output)) << view;
}

TEST_F(Names, AreInEveryChart) {
  for (const char* chart : {"columns", "text", "full", "mermaid", "plantuml"})
    EXPECT_FALSE(done({"check", "--chart", chart}, 1).output.empty()) << chart;
  EXPECT_TRUE(has_all(done({"check", "--chart", "mermaid"}, 1).output));
  EXPECT_TRUE(Json::accept(done({"check", "--json"}, 1).output));
}

TEST_F(Names, AreReplayedAndSimulated) {
  const std::string trail = folder_.path("t.json");
  done({"check", "--trail", trail}, 1);
  EXPECT_TRUE(has_all(done({"replay", trail}, 1).output));
  EXPECT_TRUE(has_all(done({"replay", trail, "--json"}, 1).output));
  EXPECT_TRUE(Json::accept(done({"simulate", "--json", "--length", "1000"}, 1).output));
}

TEST_F(Names, AreRelatedAndAskedFor) {
  const std::string few =
      folder_.write("few.argos", test::strange_names(test::few_strange_words()));
  const Json checked = test::parse_json(run({"check", few, "--reduce", "none", "--json"}).output);
  const Json related = test::parse_json(run({"relate", few, "--json"}).output);
  EXPECT_EQ(related["states"], checked["states"]);
  EXPECT_EQ(related["transitions"], checked["transitions"]);
  EXPECT_TRUE(contains(done({"query", "--schema"}, 0).output, "  lane_minus_1 ")) << "process";
  const Json rows = test::parse_json(
      done({"query", "SELECT states_column FROM processes WHERE process = 'lane[-1]'", "--format",
            "json"},
           0)
          .output)["rows"];
  EXPECT_EQ(rows, (Json::array({{{"states_column", "lane_minus_1"}}})));
}

TEST(NamesOfNegativeMembers, AreColumns) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "m.argos", "channel lane[-1..0][1];\nproc p[i : -1..0] { lane[i]!m; lane[i]?m }\n");
  const Result result = run({"query", path, "SELECT p_minus_1, lane_minus_1, lane_0 FROM states"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "p_minus_1")) << result.output;
}

// A path may be any bytes but 0.
TEST(NamesOfFiles, MayBeNoText) {
  const TemporaryFolder folder;
  const std::string path = folder.write("\xff<&\"'\xc3.argos",
                                        "channel c[1], d[1];\nproc p { c!a; d?b }\n"
                                        "proc q { c?a; d!b }\n");
  const std::string svg = folder.path("r.svg"), xml = folder.path("r.xml");
  EXPECT_EQ(run({"check", path, "--report", svg, "--report", xml}).exit_code, 0);
  EXPECT_TRUE(Json::accept(run({"check", path, "--json"}).output));
  EXPECT_EQ(run({"relate", path}).exit_code, 0);
  EXPECT_EQ(run({"relate", path, "--steps", "--keep", folder.path("k.db")}).exit_code, 0);
  const Result asked = run({"query", path, "SELECT model FROM space", "--format", "csv"});
  EXPECT_EQ(asked.exit_code, 0) << asked.errors;
  EXPECT_TRUE(contains(asked.output, "\xEF\xBF\xBD")) << asked.output;
  EXPECT_EQ(run({"simulate", path, "--trail", folder.path("t.json")}).exit_code, 0);
  EXPECT_EQ(run({"replay", path, folder.path("t.json")}).exit_code, 0);
}

TEST_F(Names, AreTakenByOptions) {
  for (const char* cost : {"select[-1].select", "len(select[-1])", "select[-1]@select",
                           "SELECT[0].SELECT + SELECT[-1].SELECT"})
    done({"check", "--search", "guided", "--cost", cost}, 1);
  done({"check", "--fold", "variable", "select[-1].select"}, 1);
  done({"check", "--fold", "channel", "Select[-1]"}, 1);
  done({"simulate", "--weight", "select[-1]=3", "--weight", "SELECT=2"}, 0);
}

// Two processes, for the five steps of the relational method.
TEST(NamesOfTwoProcesses, GoThroughTheFiveSteps) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos",
                                        "channel select[1], table[1];\n"
                                        "proc order { order: table!group; select: select?by }\n"
                                        "proc Order { from: table?group; where: select!by }\n");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--json"}, {"--keep", folder.path("kept.db")}}) {
    std::vector<std::string> arguments{"relate", path, "--steps"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_TRUE(contains(result.output, "group")) << result.output;
  }
}

}  // namespace
}  // namespace panoptes::cli
