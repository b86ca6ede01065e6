// SPDX-License-Identifier: Apache-2.0
// A protocol with many errors, up to ten thousand: its report is short, and has each of them by a
// number.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "cli/child.hpp"
#include "docs/pages.hpp"
#include "support/json.hpp"

namespace panoptes::reports {
namespace {

using Json = nlohmann::json;
using cli::contains;
using cli::model;
using cli::run;

// In each of two processes; every pair of them is a deadlock of its own.
constexpr std::size_t places = 20, errors = places * places;
constexpr int exchanges = 10;  // before that

std::string many_errors(std::size_t places) {
  std::string text = "channel p[1], q[1];\n";
  for (const char name : {'p', 'q'}) {
    text += fmt::format("proc {}\n{{\n", name);
    for (int i = 0; i < exchanges; ++i)
      text += name == 'p' ? fmt::format("  q!m{0}; p?k{0};\n", i)
                          : fmt::format("  q?m{0}; p!k{0};\n", i);
    text += "  if\n";
    for (std::size_t place = 0; place < places; ++place)
      text += fmt::format("  :: skip -> at_{0}_{1}: {0}?never{1}\n", name, place);
    text += "  fi\n}\n";
  }
  return text;
}

struct Checked {
  std::size_t places = reports::places;
  cli::TemporaryFolder folder{};
  std::string path = folder.write("m.argos", many_errors(places));
  cli::Result check(std::vector<std::string> options) const {
    options.insert(options.begin(), {"check", path, "--reduce", "none", "--threads", "1"});
    return run(options);
  }
};

TEST(ManyErrors, AreAllInASmallObjectTheFirstWithTheirTrails) {
  const Checked model{.places = cli::is_sanitized ? places : 100};
  const std::size_t errors = model.places * model.places;
  const cli::Result result = model.check({"--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_LT(result.output.size(), 10'000'000u);
  const Json json = test::parse_json(result.output);
  ASSERT_EQ(json["errors"].size(), errors);
  EXPECT_EQ(json["findings_left_out"], 0);
  for (std::size_t i = 0; i < errors; ++i) {
    const Json& error = json["errors"][i];
    EXPECT_EQ(error["number"], i + 1);
    EXPECT_EQ(error["steps"], 4 * exchanges + 2);
    EXPECT_EQ(error["events"], 2 * exchanges);
    EXPECT_EQ(error["trail"].is_array(), i < 100) << i;
    if (i >= 100) {
      EXPECT_EQ(error["trail_left_out"], "not asked for");
    }
  }
}

TEST(ManyErrors, AreFetchedByTheNumbersThatTheyHaveWhateverIsAskedFor) {
  const Checked model;
  const Json all = test::parse_json(model.check({"--json", "--trails", "0"}).output)["errors"];
  const std::size_t number = errors - 1;
  const Json shown = test::parse_json(
      model.check({"--json", "--show", fmt::format("{}", number)}).output)["errors"];
  ASSERT_EQ(shown.size(), errors);
  for (std::size_t i = 0; i < errors; ++i) {
    EXPECT_EQ(shown[i]["state"], all[i]["state"]) << i;
    EXPECT_EQ(shown[i]["trail"].is_array(), i + 1 == number) << i;
  }
  EXPECT_EQ(shown[number - 1]["trail"].size(), 4 * exchanges + 2);
  const std::string text = model.check({"--show", fmt::format("{}", number)}).output;
  EXPECT_TRUE(text.starts_with(fmt::format("{}. deadlock: no process can move\n", number)));
  EXPECT_TRUE(contains(
      text, fmt::format("{} events, {} steps; seen 1 time\n", 2 * exchanges, 4 * exchanges + 2)));
  // A word leaves out others, and no number changes.
  const std::string table = model.check({"--only", "at_p_7", "--trails", "0"}).output;
  EXPECT_TRUE(table.starts_with(fmt::format("{} of {}, those with `at_p_7`:\n", places, errors)));
  std::size_t rows = 0;
  for (const Json& error : all) {
    const auto state = error["state"].get<std::string>();
    const std::string row =  // all are at the same place in the other process
        fmt::format("\n{}  deadlock  q {} ", error["number"].get<int>(),
                    state.substr(state.find(',') + 1));
    EXPECT_EQ(contains(table, row), state.starts_with("at_p_7,")) << row;
    rows += contains(table, row);
  }
  EXPECT_EQ(rows, places);
}

TEST(ManyErrors, AreATableInTextAndAFewTrails) {
  const Checked model{.places = cli::is_sanitized ? places : 100};
  const std::string text = model.check({}).output;
  const auto lines = docs::lines_of(text);
  constexpr std::size_t rows = 100;
  ASSERT_GT(lines.size(), rows + 2);
  EXPECT_TRUE(lines[rows].starts_with(fmt::format("{}  deadlock  ", rows))) << lines[rows];
  const std::string others = cli::is_sanitized ? "300" : "9,900";
  EXPECT_EQ(lines[rows + 1],
            fmt::format("and {0} more: {0} deadlock (--only WORD lists those with it, --json all)",
                        others));
  EXPECT_EQ(lines[rows + 2], "");
  EXPECT_TRUE(contains(text, "\n10. deadlock: no process can move\n"));
  EXPECT_FALSE(contains(text, "\n11. deadlock: no process can move\n"));
  EXPECT_TRUE(contains(text, "\ntrails are shown for the first 10 of "));
}

TEST(ManyErrors, AreAllInFilesForPrograms) {
  const Checked model;
  const std::string sarif = model.folder.path("r.sarif"), junit = model.folder.path("r.xml");
  model.check({"--report", sarif, "--report", junit, "--trails", "3"});
  const Json results = test::parse_json(cli::read_all(sarif))["runs"][0]["results"];
  std::size_t found = 0, flows = 0;
  for (const Json& result : results) {
    if (result["ruleId"] != "deadlock") continue;
    ++found;
    flows += result.contains("codeFlows");
    EXPECT_NE(result.contains("codeFlows"),
              contains(result["message"]["text"], "(without its steps: not asked for)"));
  }
  EXPECT_EQ(found, errors);
  EXPECT_EQ(flows, 3u);
  const std::string tests = cli::read_all(junit);
  EXPECT_TRUE(contains(tests, fmt::format("(and {} more)", errors - 1)));
  EXPECT_TRUE(contains(tests, fmt::format("\n{}. deadlock: no process can move\n", errors)));
}

TEST(ManyErrors, HaveTheTrailsOfTheFirstInAFileUnlessMoreAreAskedFor) {
  const Checked model;
  const std::string path = model.folder.path("t.json");
  const auto trails = [&] { return test::parse_json(cli::read_all(path))["trails"].size(); };
  EXPECT_TRUE(contains(
      model.check({"--trail", path}).errors,
      fmt::format("note: {} has 100 of {} trails (--trails all has all)\n", path, errors)));
  EXPECT_EQ(trails(), 100u);
  const cli::Result all = model.check({"--trail", path, "--trails", "all"});
  EXPECT_FALSE(contains(all.errors, "note: "));
  EXPECT_EQ(trails(), errors);
  EXPECT_EQ(run({"replay", model.path, path, "--error", fmt::format("{}", errors)}).exit_code, 1);
  model.check({"--trail", path, "--show", "7,200..201"});
  EXPECT_EQ(trails(), 3u);
}

// Those beyond the first hundred are kept as ways, and stay so.
TEST(ManyErrors, CanBeShortened) {
  const Json shown = test::parse_json(
      Checked().check({"--json", "--show", "150..152", "--minimise-trail"}).output)["errors"];
  for (std::size_t i = 148; i < 153; ++i) {
    EXPECT_EQ(shown[i]["trail"].is_array(), i >= 149 && i < 152) << i;
    EXPECT_EQ(shown[i]["steps"], 4 * exchanges + 2) << "it was the shortest";
  }
}

TEST(ManyErrors, CanBeDrawnOneByOne) {
  const Checked model;
  const std::string path = model.folder.path("r.svg");
  model.check({"--report", path, "--show", "123"});
  const std::string drawing = cli::read_all(path);
  EXPECT_TRUE(contains(drawing, ">123: error deadlock<")) << drawing.substr(0, 500);
  EXPECT_TRUE(contains(drawing, "(1 of them drawn)"));
}

// ---- what makes no sense ------------------------------------------------------------------------

TEST(AskedErrors, ThatAreNoNumbersAreRefusedBeforeTheSearch) {
  for (const auto& [option, value, wanted] :
       {std::tuple{"--show", "0", "numbers from 1 on, e.g. 17 or 3,17 or 3..5"},
        {"--show", "last", "numbers from 1 on, e.g. 17 or 3,17 or 3..5"},
        {"--trails", "few", "a whole number, or all"}}) {
    const cli::Result result = run({"check", model("hang_up"), option, value});
    EXPECT_EQ(result.exit_code, 2) << value;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, fmt::format("panoptes: {} {}: wanted {}\nTry `panoptes check "
                                         "--help`.\n",
                                         option, value, wanted));
  }
  EXPECT_TRUE(contains(run({"check", model("hang_up"), "--show", "17,5..3"}).errors,
                       "panoptes: --show 17,5..3: write 17,3..5\n"));
  const cli::Result steps = run({"relate", model("connection"), "--steps", "--show", "1"});
  EXPECT_EQ(steps.exit_code, 2);
  EXPECT_TRUE(contains(steps.errors, "--show is not for --steps, which has no verdict"));
}

// The verdict is as it is.
TEST(AskedErrors, ThatAreNotThereAreSaidWithWhatThereIs) {
  const auto asked = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"check", model("hang_up"), "-D", "AGAIN"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  };
  const std::string number = "--show 99999: there is no such error; they are numbered 1 to 3\n";
  const cli::Result text = asked({"--show", "99999"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_TRUE(text.output.starts_with(number + "\n")) << text.output;
  EXPECT_TRUE(contains(text.output, "violated: 2 errors, no others\n"));
  const cli::Result json = asked({"--show", "99999", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(json.errors, number);
  EXPECT_EQ(test::parse_json(json.output)["errors"].size(), 2u);
  EXPECT_TRUE(asked({"--only", "nonsense"})
                  .output.starts_with("--only nonsense: no error has that; there are kinds "
                                      "deadlock, unread_messages, unspecified_reception; processes "
                                      "callee; states 31:3, 38:23; messages callee?ring, caller, "
                                      "ring\n\n"));
  EXPECT_TRUE(
      asked({"--only", "dedlock"})
          .output.starts_with("--only dedlock: no error has that; did you mean `deadlock`?\n\n"));
}

// `relate` prints the same report; of trails that are as short as each other it may have another.
TEST(AskedErrors, AreThoseOfADatabaseToo) {
  const auto text = [](const std::string& command, const std::string& trails) {
    std::vector<std::string> words{command,    model("connection"), "--only",
                                   "deadlock", "--trails",          trails};
    if (command == "check") words.insert(words.end(), {"--reduce", "none"});
    const std::string all = run(words).output;
    return all.substr(0, all.find("connection.argos: "));
  };
  EXPECT_TRUE(contains(text("check", "0"), "2  deadlock")) << text("check", "0");
  EXPECT_EQ(text("relate", "0"), text("check", "0"));
  EXPECT_EQ(text("relate", "1").size(), text("check", "1").size());
}

}  // namespace
}  // namespace panoptes::reports
