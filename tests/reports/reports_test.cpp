// SPDX-License-Identifier: Apache-2.0
// The files of --report, read as others will read them: JSON and XML by real parsers, SARIF held to
// its standard, JUnit to the structure that CI servers agree on.
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "report/kinds.hpp"
#include "support/json.hpp"
#include "support/names.hpp"
#include "support/protocol.hpp"
#include "support/sample.hpp"

namespace panoptes::reports {
namespace {

using Json = nlohmann::json;
using cli::model;
using cli::run;

// Debian's own Python: another one that comes first would not have Debian's packages.
std::string python(const std::string& script, const std::string& path) {
  const models::Run done =
      models::run_shell("/usr/bin/python3 '" PANOPTES_SOURCE_DIR "/tests/reports/" + script +
                        "' '" + path + "' 2>&1");
  return done.exit_code == 0 ? done.output : "exit code not 0: " + done.output;
}

// One check with all reports, which are read before they are gone.
struct Reports {
  cli::Result result;
  std::string text;
  Json json, sarif, junit;
};

Reports check(std::vector<std::string> arguments, const std::string& command = "check") {
  const cli::TemporaryFolder folder;
  arguments.insert(arguments.begin(), command);
  for (const char* name : {"r.txt", "r.json", "r.sarif", "r.xml"}) {
    arguments.emplace_back("--report");
    arguments.push_back(folder.path(name));
  }
  Reports reports{run(arguments), cli::read_all(folder.path("r.txt")), {}, {}, {}};
  reports.json = test::parse_json(cli::read_all(folder.path("r.json")));
  reports.sarif = test::parse_json(cli::read_all(folder.path("r.sarif")));
  EXPECT_EQ(python("sarif.py", folder.path("r.sarif")), "");
  const std::string tree = python("xml_as_json.py", folder.path("r.xml"));
  EXPECT_TRUE(Json::accept(tree)) << tree;
  reports.junit = test::parse_json_or_discard(tree);
  return reports;
}

const Json& results(const Reports& reports) { return reports.sarif["runs"][0]["results"]; }
const Json& suite(const Reports& reports) { return reports.junit["children"][0]; }

// What came of each test: "" where it passed.
std::map<std::string, std::string> outcomes(const Reports& reports) {
  std::map<std::string, std::string> found;
  for (const Json& child : suite(reports)["children"]) {
    if (child["tag"] != "testcase") continue;
    std::string& outcome = found[child["attributes"]["name"].get<std::string>()];
    for (const Json& inside : child["children"])
      if (inside["tag"] != "system-out") outcome += inside["tag"].get<std::string>();
  }
  return found;
}

// The counts that a suite states are those of what is in it.
void expect_right_counts(const Reports& reports) {
  std::map<std::string, int> counts{{"failure", 0}, {"error", 0}, {"skipped", 0}};
  const auto found = outcomes(reports);
  for (const auto& [name, outcome] : found)
    if (!outcome.empty()) ++counts[outcome];
  // Invariants, questions, properties, progress and acceptance are asked for.
  EXPECT_GE(found.size() + 4, kind_table().size());
  for (const Json& element : {reports.junit, suite(reports)}) {
    const Json& stated = element["attributes"];
    EXPECT_EQ(stated["tests"], std::to_string(found.size()));
    EXPECT_EQ(stated["failures"], std::to_string(counts["failure"]));
    EXPECT_EQ(stated["errors"], std::to_string(counts["error"]));
    EXPECT_EQ(stated["skipped"], std::to_string(counts["skipped"]));
    EXPECT_GE(std::stod(stated["time"].get<std::string>()), 0.0);
  }
  EXPECT_EQ(reports.junit["tag"], "testsuites");
  EXPECT_EQ(suite(reports)["tag"], "testsuite");
}

TEST(Reports, OfEveryModelAreWhatTheirStandardsWant) {
  const std::vector<std::string> names = test::sample_of(test::model_names(), 4);
  EXPECT_GT(names.size(), 10u);
  for (const std::string& name : names) {
    const Reports reports = check({model(name), "--time", "2s"});
    expect_right_counts(reports);
    // Every error and warning is a result.
    if (!reports.json.contains("states")) continue;
    EXPECT_EQ(results(reports).size(), reports.json["errors"].size() +
                                           reports.json["warnings"].size() +
                                           reports.json["dead_code"].size())
        << name;
  }
}

TEST(TextReport, IsWhatIsPrinted) {
  const Reports reports = check({model("exchange")});
  EXPECT_EQ(reports.text, reports.result.errors + reports.result.output);
}

TEST(Sarif, HasErrorsWhereTheyAreWithTheirTrails) {
  const Reports reports = check({model("exchange")});
  const Json& errors = reports.json["errors"];
  const Json* found = nullptr;
  for (const Json& result : results(reports))
    if (result["ruleId"] == "unspecified_reception") found = found ? found : &result;
  ASSERT_NE(found, nullptr);
  EXPECT_EQ((*found)["level"], "error");
  EXPECT_EQ((*found)["message"]["text"],
            "process B at 24:9 cannot receive B?m2, which is first in its channel");
  const Json& place = (*found)["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["region"],
            (Json{{"startLine", 24}, {"startColumn", 9}, {"endLine", 24}, {"endColumn", 13}}));
  EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + model("exchange"));
  const Json& steps = (*found)["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), errors[0]["steps"].get<std::size_t>());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i]["executionOrder"], i + 1);
    EXPECT_EQ(steps[i]["location"]["physicalLocation"]["region"]["startLine"],
              errors[0]["trail"][i]["place"]["line"]);
  }
}

TEST(Reports, OfAFailedAssertionHaveItsValuesAndWhereTheOthersAre) {
  const Reports reports = check({model("three_way_handshake"), "-D", "FAULT"});
  const std::string sentence =
      "process server at 98:3: assert(peer == now || connection[number] == taken) does not hold, "
      "where now = 1, connection[0] = offered, peer = 0, number = 0";
  EXPECT_TRUE(cli::contains(reports.text, sentence + "\n  client at closed\n  server at 98:3\n"))
      << reports.text;
  EXPECT_EQ(reports.json["errors"][0]["text"], sentence);
  EXPECT_EQ(reports.json["errors"][0]["last_state"]["control"][0]["at"], "closed");
  const Json& result = results(reports)[0];
  EXPECT_EQ(result["message"]["text"], sentence);
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "client at closed");
  EXPECT_EQ(result["relatedLocations"].size(), 1u) << "the server is where the error is";
  EXPECT_TRUE(cli::contains(reports.junit.dump(), sentence));
  EXPECT_TRUE(cli::contains(reports.junit.dump(), "client at closed"));
}

// A trail that has no room in the log takes none from the others.
TEST(Sarif, HasTheStepsOfWhatComesBehindATrailThatIsTooLong) {
  const cli::TemporaryFolder folder;
  const std::string path =
      folder.write("long.argos",
                   "channel c[1];\n"
                   "proc p var x : 0..12000;\n"
                   "{\n"
                   "  if\n"
                   "  :: c!m\n"
                   "  :: do :: (x < 12000) -> x++ :: (x == 12000) -> break od;\n"
                   "     assert(0)\n"
                   "  fi\n"
                   "}\n"
                   "proc q { if :: c?m :: skip fi }\n");
  std::map<std::string, bool> has_steps;
  const Reports reports = check({path});
  for (const Json& result : results(reports))
    if (result["ruleId"] != "dead_code")
      has_steps[result["ruleId"].get<std::string>()] = result.contains("codeFlows");
  EXPECT_EQ(has_steps,
            (std::map<std::string, bool>{{"assertion", false}, {"unread_messages", true}}));
}

TEST(Sarif, NamesFilesByTheirPathFromWhereTheProgramWasStarted) {
  const cli::TemporaryFolder folder;
  models::run_program("check ./models/../models/exchange.argos --report " + folder.path("r.sarif") +
                      " >/dev/null 2>&1");
  const Json sarif = test::parse_json(cli::read_all(folder.path("r.sarif")));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"],
            (Json{{"uri", "models/exchange.argos"}, {"uriBaseId", "%SRCROOT%"}}));
}

TEST(Sarif, ExplainsEveryKindOfResult) {
  const Reports reports = check({model("exchange")});
  std::set<std::string> ids;
  for (const Json& rule : reports.sarif["runs"][0]["tool"]["driver"]["rules"]) {
    ids.insert(rule["id"].get<std::string>());
    EXPECT_GT(rule["help"]["text"].get<std::string>().size(), 40u) << rule["id"];
  }
  std::set<std::string> wanted{"dead_code", "input_error", "input_warning"};
  for (const KindInfo& info : kind_table()) wanted.insert(std::string(to_string(info.kind)));
  EXPECT_EQ(ids, wanted);
}

TEST(Sarif, CountsCharactersNotBytes) {
  const cli::TemporaryFolder folder;
  const std::string path =
      folder.write("m.argos", "channel link;\nproc p { /* \xc3\xa9\xe2\x82\xac */ lnk!m }\n");
  const Reports reports = check({path});
  EXPECT_EQ(results(reports)[0]["locations"][0]["physicalLocation"]["region"],
            (Json{{"startLine", 2}, {"startColumn", 19}, {"endLine", 2}, {"endColumn", 22}}));
}

TEST(Sarif, IsJudgedBySomebodyWhoNoticesMistakes) {
  const cli::TemporaryFolder folder;
  const auto judged = [&](const Json& log) {
    return python("sarif.py", folder.write("r.sarif", log.dump()));
  };
  Json log = check({model("exchange")}).sarif;
  EXPECT_EQ(judged(log), "");
  Json wrong = log;
  wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["line"] = 1;
  EXPECT_EQ(judged(wrong),
            ".runs[0].results[0].locations[0].physicalLocation: a PhysicalLocation has no line\n");
  wrong = log;
  wrong["runs"][0]["results"][0].erase("message");
  EXPECT_EQ(judged(wrong), ".runs[0].results[0]: a Result must have message\n");
  wrong = log;
  wrong["runs"][0]["results"][0]["level"] = "fatal";
  EXPECT_EQ(judged(wrong), ".runs[0].results[0].level: fatal is no level\n");
  wrong = log;
  wrong["runs"][0]["results"][0]["ruleIndex"] = 0;
  EXPECT_EQ(judged(wrong), "rule 0 is not input_warning\n");
}

TEST(Sarif, SaysWhereASearchDidNotSeeEverything) {
  const Reports reports = check({model("alternating_bit"), "--depth", "3"});
  const Json& invocation = reports.sarif["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], true);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"],
            "unknown: no error in the 6 states seen, which may not be all there are (depth "
            "limit reached)");
  const Json whole = check({model("alternating_bit")}).sarif["runs"][0]["invocations"][0];
  EXPECT_FALSE(whole.contains("toolExecutionNotifications"));
}

TEST(Junit, FailsTheKindsOfWhichErrorsWereFoundAndSkipsWhatWasNotLookedFor) {
  const Reports reports = check({model("request")});
  EXPECT_EQ(outcomes(reports), (std::map<std::string, std::string>{{"model", ""},
                                                                   {"deadlock", "failure"},
                                                                   {"unspecified_reception", ""},
                                                                   {"assertion", ""},
                                                                   {"unread_messages", ""},
                                                                   {"overflow", "skipped"},
                                                                   {"division_by_zero", ""},
                                                                   {"index_out_of_range", ""},
                                                                   {"out_of_range", ""},
                                                                   {"endless_atomic", ""},
                                                                   {"livelock", "skipped"},
                                                                   {"stuck", "skipped"}}));
  for (const Json& child : suite(reports)["children"])
    if (child["attributes"].value("name", "") == "deadlock") {
      const Json& failure = child["children"][0];
      EXPECT_EQ(failure["attributes"],
                (Json{{"message", "no process can move"}, {"type", "deadlock"}}));
      EXPECT_NE(reports.result.output.find(failure["text"].get<std::string>()), std::string::npos);
    }
}

TEST(Junit, LooksForEverythingThatIsAskedFor) {
  EXPECT_NE(outcomes(check({model("request"), "--overflow", "error"})).at("overflow"), "skipped");
  EXPECT_NE(outcomes(check({model("request"), "--keep-graph"})).at("livelock"), "skipped");
}

TEST(Junit, SkipsWhatIsUnknown) {
  const Reports reports = check({model("alternating_bit"), "--depth", "3"});
  EXPECT_EQ(reports.result.exit_code, 3);
  for (const auto& [name, outcome] : outcomes(reports))
    EXPECT_EQ(outcome, name == "model" ? "" : "skipped") << name;
  expect_right_counts(reports);
}

// A step that fails has no state after it, and what would have come then was never looked at.
TEST(Reports, DoNotPassWhatMayLieBehindAStepThatFails) {
  const cli::TemporaryFolder folder;
  const std::string hidden =
      folder.write("m.argos", "channel a[1];\nproc p { assert(0); a!m; a!m }\nproc q { a?k }\n");
  const Reports reports = check({hidden});
  EXPECT_EQ(reports.result.exit_code, 1);
  EXPECT_EQ(reports.json["promise"], "exhaustive");
  for (const auto& [name, outcome] : outcomes(reports))
    EXPECT_EQ(outcome, name == "model" ? "" : name == "assertion" ? "failure" : "skipped") << name;
  expect_right_counts(reports);
  EXPECT_EQ(reports.sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]
                         ["text"],
            "violated: 1 error, no others but perhaps behind the steps that failed");
}

TEST(Junit, HasTheNumbersOfTheSearchAsProperties) {
  const Reports reports = check({model("request")});
  std::map<std::string, std::string> found;
  for (const Json& property : suite(reports)["children"][0]["children"])
    found[property["attributes"]["name"].get<std::string>()] =
        property["attributes"]["value"].get<std::string>();
  EXPECT_EQ(found["verdict"], "violated");
  EXPECT_EQ(found["promise"], "exhaustive");
  EXPECT_EQ(found["states"], reports.json["states"].dump());
  EXPECT_EQ(found["transitions"], reports.json["transitions"].dump());
}

TEST(Reports, OfAModelThatCannotBeCheckedSayWhy) {
  const cli::TemporaryFolder folder;
  const std::string path = folder.write("bad.argos", "channel link;\nproc p { lnk!m }\n");
  const Reports reports = check({path});
  EXPECT_EQ(reports.result.exit_code, 2);
  EXPECT_EQ(reports.text, reports.result.errors);
  EXPECT_EQ(results(reports)[0]["ruleId"], "input_error");
  EXPECT_EQ(results(reports)[0]["message"]["text"],
            "no channel is called `lnk`; did you mean `link`?");
  EXPECT_EQ(results(reports)[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(reports.sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(outcomes(reports)["model"], "error");
  EXPECT_EQ(outcomes(reports)["deadlock"], "skipped");
  expect_right_counts(reports);
  expect_right_counts(check({folder.path("nowhere.argos")}));
}

TEST(Reports, AreReadableWhateverNamesAndBytesAreInThem) {
  const cli::TemporaryFolder folder;
  const std::string nasty = "\x01\x1b[31m \"quoted\" 'too' & <tag> ]]> %41 \xff\xfe \xed\xa0\x80";
  for (const char* text : {"proc p { skip }\n", "proc p { \x02\xff <&\"'>\n", "\xff\xfe\x00",
                           "channel c[1];\nproc p { c!m }\n", ""}) {
    const std::string path = folder.write(nasty + ".argos", text);
    const Reports reports = check({path});
    expect_right_counts(reports);
    EXPECT_TRUE(reports.sarif["runs"][0].contains("results"));
  }
}

TEST(Reports, OfRelateAreThoseOfCheck) {
  const Reports related = check({model("connection")}, "relate");
  if (related.result.exit_code == 2) GTEST_SKIP() << "no DuckDB";
  const Reports checked = check({model("connection")});
  EXPECT_EQ(outcomes(related), outcomes(checked));
  EXPECT_EQ(results(related).size(), results(checked).size());
}

TEST(ReportFiles, ThatCannotBeWrittenAreRefusedBeforeTheSearch) {
  const cli::TemporaryFolder folder;
  const auto complaint = [&](const std::vector<std::string>& paths) {
    std::vector<std::string> arguments{"check", model("request")};
    for (const std::string& path : paths) {
      arguments.emplace_back("--report");
      arguments.push_back(path);
    }
    const cli::Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    return result.errors.substr(0, result.errors.find('\n'));
  };
  const std::string unknown = complaint({"report.pdf"});
  EXPECT_TRUE(unknown.starts_with("panoptes: --report report.pdf: wanted a name that ends in one "))
      << unknown;
  for (const char* extension : {".txt", ".html", ".json", ".sarif", ".xml"})
    EXPECT_NE(unknown.find(extension), std::string::npos) << extension;
  EXPECT_EQ(complaint({"/nowhere/r.xml"}),
            "panoptes: --report /nowhere/r.xml: cannot write there: No such file or directory");
  const std::string twice = folder.path("r.xml");
  EXPECT_EQ(complaint({twice, twice}),
            "panoptes: --report " + twice + ": another --report goes there already");
  EXPECT_FALSE(std::filesystem::exists(twice));
}

TEST(ReportFiles, ThatCannotBeFinishedAreAFailure) {
  const cli::TemporaryFolder folder;
  for (const char* name : {"full.xml", "full.html"}) {
    const std::string path = folder.path(name);
    std::filesystem::create_symlink("/dev/full", path);
    const cli::Result result = run({"check", model("request"), "--report", path});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_EQ(result.errors, "panoptes: cannot write the report " + path + "\n");
    EXPECT_EQ(run({"check", "/nowhere/model.argos", "--report", path}).exit_code, 4);
  }
}

// Names are those of the grammar, whatever they mean in XML, JSON or elsewhere.
TEST(Reports, TakeWhateverNamesAModelHas) {
  const cli::TemporaryFolder folder;
  const std::string path = folder.write("names.argos", test::strange_names());
  const Reports reports = check({path});
  EXPECT_EQ(reports.result.exit_code, 1) << reports.result.errors;
  ASSERT_EQ(reports.json["errors"].size(), 1u);
  EXPECT_EQ(reports.json["errors"][0]["process"], test::strange_words().back() + "[0]");
  EXPECT_EQ(results(reports).size(), 1u);
  std::set<std::string> processes;
  for (const Json& step : reports.json["errors"][0]["trail"])
    processes.insert(step["process"].get<std::string>());
  for (const std::string& word : test::strange_words())
    for (const char* member : {"[-1]", "[0]"})
      EXPECT_TRUE(processes.contains(word + member)) << word << member;
}

}  // namespace
}  // namespace panoptes::reports
