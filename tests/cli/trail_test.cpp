// SPDX-License-Identifier: Apache-2.0
// Trail files from end to end: what check writes, replay walks, or says why it cannot.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

// ---- every model --------------------------------------------------------------------------------

// The error `number` of `trails`, found as `found`, must show again.
void expect_replayed(const std::string& path, const std::string& trails, std::size_t number,
                     const Json& found, bool is_warning) {
  const Result result = run({"replay", path, trails, "--error", std::to_string(number), "--json"});
  ASSERT_EQ(result.exit_code, is_warning ? 0 : 1) << result.errors;
  const Json report = test::parse_json(result.output);
  EXPECT_EQ(report.at("end"), is_warning ? "stopped" : "error");
  for (const char* field : {"kind", "process", "state", "state_place", "message", "text"})
    EXPECT_EQ(report.at("error").at(field), found.at(field)) << field;
  EXPECT_EQ(report.at("error").at("cause"), found.value("cause", ""));
  EXPECT_EQ(report.at("steps").size(), found.at("steps"));
  EXPECT_EQ(report.contains("cycle"), found.contains("cycle"));
}

TEST(Trails, OfEveryModelShowTheirErrorsAgain) {
  const TemporaryFolder folder;
  std::size_t replayed = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PANOPTES_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".argos") continue;
    const std::string path = entry.path().string();
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--time", "5s"},
          {"--timeouts", "lock", "--overflow", "error", "--strict", "--receptions", "reading",
           "--capacity", "1", "--no-minimise", "--keep-graph", "--time", "5s"}}) {
      SCOPED_TRACE(path + (options.size() > 2 ? " with options" : ""));
      const std::string trails = folder.path("trails.json");
      std::filesystem::remove(trails);
      std::vector<std::string> command{"check", path, "--json", "--trail", trails};
      command.insert(command.end(), options.begin(), options.end());
      const Result result = run(command);
      const Json report = test::parse_json(result.output);
      std::vector<Json> found = report.at("errors").get<std::vector<Json>>();
      const std::size_t errors = found.size();
      for (const Json& warning : report.at("warnings"))
        if (warning.contains("trail")) found.push_back(warning);
      ASSERT_EQ(std::filesystem::exists(trails), !found.empty());
      // Some models have very many; each group once is enough.
      for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i, ++replayed)
        expect_replayed(path, trails, i + 1, found[i], i >= errors);
    }
  }
  EXPECT_GT(replayed, 30u);
}

// ---- refusals -----------------------------------------------------------------------------------

class Replay : public testing::Test {
 protected:
  Replay() : path_(folder_.write("request.argos", read_all(model("request")))) {
    EXPECT_EQ(run({"check", path_, "--trail", trails_}).exit_code, 1);
  }

  // What replay says, with the paths as a reader would like them.
  std::string complaint(std::vector<std::string> more, const std::string& path = {}) {
    std::vector<std::string> command{"replay", path.empty() ? path_ : path, trails_};
    command.insert(command.end(), more.begin(), more.end());
    const Result result = run(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    std::string text = result.errors;
    const std::string prefix = folder_.path("");
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }

  void edit(const std::string& file, const std::string& what, const std::string& by) {
    std::string text = read_all(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    std::ofstream(file, std::ios::binary) << text.replace(at, what.size(), by);
  }

  TemporaryFolder folder_;
  std::string path_, trails_ = folder_.path("trails.json");
};

TEST_F(Replay, RefusesOptionsThatContradictTheTrail) {
  EXPECT_EQ(complaint({"--timeouts", "lock"}),
            "panoptes: the trail was made with --timeouts empty, not with --timeouts lock\n"
            "This would do: panoptes replay request.argos trails.json\n");
  EXPECT_EQ(complaint({"-D", "X=1 2", "--error", "1", "--json"}),
            "panoptes: the trail was made without -D\n"
            "This would do: panoptes replay request.argos trails.json --json\n");
  EXPECT_EQ(complaint({"--strict"}),
            "panoptes: the trail was made without --strict\n"
            "This would do: panoptes replay request.argos trails.json\n");
  EXPECT_EQ(run({"check", path_, "--trail", trails_, "--capacity", "3", "-D", "X=a b"}).exit_code,
            1);
  EXPECT_EQ(complaint({"--capacity", "2"}),
            "panoptes: the trail was made with --capacity 3, not with --capacity 2\n"
            "This would do: panoptes replay request.argos trails.json --capacity 3 -D 'X=a b'\n");
  // What is the same, or was not given, is no contradiction.
  EXPECT_EQ(run({"replay", path_, trails_, "--capacity", "3"}).exit_code, 1);
  EXPECT_EQ(run({"replay", path_, trails_}).exit_code, 1);
}

TEST_F(Replay, SaysWhichComesFirstWhereTheTwoAreSwapped) {
  const Result result = run({"replay", trails_, path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "panoptes: " + trails_ +
                               " is a trail and no model: the model comes first\n"
                               "This would do: panoptes replay " +
                               path_ + " " + trails_ + "\n");
}

TEST_F(Replay, SaysWhatToDoWithAModelInThePlaceOfATrail) {
  const Result result = run({"replay", path_, path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "panoptes: " + path_ +
                               " is a model and no trail\n"
                               "This makes one, where there is an error: panoptes check " +
                               path_ + " --trail trail.json\n");
}

TEST_F(Replay, IsWhatATrailIsFor) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check"}, {"show", "--rules"}, {"simulate"}}) {
    std::vector<std::string> words = command;
    words.insert(words.begin() + 1, trails_);
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors, "error: " + trails_ +
                                 " is a trail and no model; this walks it: panoptes replay " +
                                 path_ + " " + trails_ + "\n");
  }
}

TEST_F(Replay, RefusesATrailOfAnotherProtocol) {
  edit(path_, "client?timeout -> server!request", "client?timeout -> skip");
  EXPECT_EQ(complaint({}),
            "panoptes: request.argos has changed since the trail was made: its rules are others\n"
            "`panoptes check request.argos --trail trails.json` makes new ones\n");
  const std::string other = folder_.write("other.argos", read_all(model("dining_philosophers")));
  EXPECT_EQ(complaint({}, other),
            "panoptes: the trail is one of request.argos, whose rules are not those of "
            "other.argos\n");
}

TEST_F(Replay, DoesNotMindComments) {
  edit(path_, "// A client asks", "// Once upon a time\n//\n// A client asks");
  const Result result = run({"replay", path_, trails_});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(contains(result.output, "server at 28:24, waits for client!answer")) << result.output;
}

TEST_F(Replay, RefusesFilesThatAreNone) {
  EXPECT_EQ(complaint({"--error", "2"}), "panoptes: --error 2: trails.json has 1 trail\n");
  edit(trails_, "\"capacity\":\"2\"", "\"capacity\":\"many\"");
  EXPECT_EQ(complaint({}),
            "panoptes: trails.json: options: --capacity many: wanted a whole number, from 1 to "
            "4096\n");
  edit(trails_, "many", "2");
  edit(trails_, "\"rule\":2", "\"rule\":77");
  EXPECT_EQ(complaint({}), "panoptes: trails.json: there is no rule 77: the model has 5\n");
  edit(trails_, "\"rule\":77", "\"rule\":0");
  EXPECT_EQ(complaint({}), "panoptes: trails.json: step 2 (server!request) cannot be replayed\n");
  edit(trails_, "\"overflow\"", "\"undertow\"");
  EXPECT_EQ(complaint({}), "panoptes: trails.json: options: `undertow` is not known here\n");
  folder_.write("trails.json", "{\n  schema\n}");
  EXPECT_EQ(complaint({}), "panoptes: trails.json: line 2, column 3: this is no JSON\n");
  std::filesystem::remove(trails_);
  EXPECT_EQ(complaint({}), "panoptes: cannot read file `trails.json`: No such file or directory\n");
}

TEST_F(Replay, TakesOptionsThatMakeSenseOnly) {
  EXPECT_EQ(complaint({"--step", "3"}),
            "panoptes: --step is for --interactive\nTry `panoptes replay --help`.\n");
  EXPECT_EQ(complaint({"--seed", "3"}),
            "panoptes: --seed is for --interactive\nTry `panoptes replay --help`.\n");
  EXPECT_EQ(complaint({"--weight", "client=3"}),
            "panoptes: --weight is for --interactive\nTry `panoptes replay --help`.\n");
  EXPECT_EQ(complaint({"--interactive", "--weight", "client=3", "--weight", "server=2",
                       "--timeouts", "lock"}),
            "panoptes: the trail was made with --timeouts empty, not with --timeouts lock\n"
            "This would do: panoptes replay request.argos trails.json --interactive --weight "
            "client=3 --weight server=2\n");
  EXPECT_EQ(complaint({"--interactive", "--step", "12"}),
            "panoptes: --step 12: the trail has 11 steps\n");
  EXPECT_EQ(complaint({"--interactive", "--json"}),
            "panoptes: --json is not for --interactive\n"
            "Try `panoptes replay --help`.\n");
}

TEST_F(Replay, CannotMinimiseARunWithoutAnError) {
  ASSERT_EQ(run({"simulate", path_, "--length", "3", "--trail", trails_}).exit_code, 0);
  EXPECT_EQ(complaint({"--minimise-trail"}),
            "panoptes: --minimise-trail keeps what an error needs, and no error was found at the "
            "end of trails.json\n");
}

TEST_F(Replay, ShowsAsMuchInColumnsAsACheckDoes) {
  // Of a livelock its cycle; of a trail without messages its steps.
  for (const std::vector<std::string>& check :
       {std::vector<std::string>{"check", model("polling"), "--keep-graph"},
        {"check", model("peterson"), "-D", "SWAPPED"}}) {
    std::vector<std::string> command = check;
    command.insert(command.end(), {"--trail", trails_});
    // That its --steps shows more, a check alone says.
    const std::string checked = std::regex_replace(
        run(command).output, std::regex("[^\n]* not shown \\(--steps[^\n]*\n"), "");
    const std::string replayed = run({"replay", check[1], trails_, "--chart", "columns"}).output;
    const std::size_t begin = replayed.find("\n\n"), end = replayed.rfind("\n" + check[1]);
    ASSERT_TRUE(begin < end && end != std::string::npos) << replayed;
    EXPECT_GT(end - begin, 100u) << replayed;
    EXPECT_TRUE(contains(checked, replayed.substr(begin, end - begin))) << replayed;
  }
}

// ---- writing ------------------------------------------------------------------------------------

// A trail of narrowed channels is one of those when it is replayed.
TEST(TrailsOfACheck, RememberThatChannelsWereNarrowed) {
  const TemporaryFolder folder;
  const std::string trails = folder.path("t.json"), name = model("sliding_window");
  ASSERT_EQ(
      run({"check", name, "-D", "MODULUS=2", "--at-most-slots", "1", "--trail", trails}).exit_code,
      1);
  const Result replayed = run({"replay", name, trails});
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_EQ(replayed.errors, "warning: --at-most-slots narrows receiver to 1 slot of 2\n");
  const Result contradicted = run({"replay", name, trails, "--at-most-slots", "2"});
  EXPECT_EQ(contradicted.exit_code, 2);
  EXPECT_TRUE(contains(contradicted.errors,
                       "the trail was made with --at-most-slots 1, not with --at-most-slots 2"))
      << contradicted.errors;
}

TEST(TrailsOfACheck, AreNotWrittenWhereNothingIsFound) {
  const TemporaryFolder folder;
  const std::string trails = folder.write("trails.json", "as it was");
  const Result result = run({"check", model("alternating_bit"), "--trail", trails});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "note: nothing was found, so " + trails + " was not written\n");
  EXPECT_EQ(read_all(trails), "as it was");
}

TEST(TrailsOfACheck, ThatCannotBeWrittenAreToldBeforeTheSearch) {
  const Result result = run({"check", model("exchange"), "--trail", "/nonexistent/trails.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(
      contains(result.errors,
               "panoptes: --trail /nonexistent/trails.json: cannot write there: No such file "
               "or directory\n"));
  EXPECT_EQ(run({"check", model("exchange"), "--trail", "/dev/full"}).exit_code, 4);
}

// ---- simulations --------------------------------------------------------------------------------

TEST(ASimulation, CanBeReplayed) {
  const TemporaryFolder folder;
  const std::string trail = folder.path("run.json");
  const Result first = run({"simulate", model("sliding_window"), "--seed", "5", "--trail", trail});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_TRUE(contains(first.output, "100 steps, no error so far\n"));
  const Result again = run({"replay", model("sliding_window"), trail});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(
      test::parse_json(run({"replay", model("sliding_window"), trail, "--json"}).output)["end"],
      "replayed");
  const auto steps = [](const std::string& text) { return text.substr(0, text.rfind("\n/")); };
  EXPECT_EQ(steps(again.output), steps(first.output));
  EXPECT_EQ(run({"simulate", model("mistakes"), "--trail", trail}).exit_code, 1);
  EXPECT_EQ(run({"replay", model("mistakes"), trail}).exit_code, 1);
}

TEST(ASimulation, IsKeptWhereNobodyReadsWhatIsPrinted) {
  const TemporaryFolder folder;
  const std::string trail = folder.path("run.json");
  const std::string command = fmt::format("{} simulate {} --trail {} > /dev/full 2>/dev/null",
                                          PANOPTES_PROGRAM, model("sliding_window"), trail);
  EXPECT_NE(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): a shell for /dev/full
  EXPECT_EQ(run({"replay", model("sliding_window"), trail}).exit_code, 0);
}

TEST(ASimulation, RefusesOptionsThatMakeNoSense) {
  const auto complaint = [](const std::vector<std::string>& more) {
    std::vector<std::string> command{"simulate", model("request")};
    command.insert(command.end(), more.begin(), more.end());
    const Result result = run(command);
    EXPECT_EQ(result.exit_code, 2);
    return result.errors.substr(0, result.errors.find('\n'));
  };
  EXPECT_EQ(complaint({"--weight", "client"}),
            "panoptes: --weight client: wanted NAME=N, N from 0 to 1000");
  EXPECT_EQ(complaint({"--weight", "client=1001"}),
            "panoptes: --weight client=1001: wanted NAME=N, N from 0 to 1000");
  EXPECT_EQ(complaint({"--weight", "cleint=2"}),
            "panoptes: --weight: no process and no message is called `cleint`; did you mean "
            "`client`?");
  EXPECT_EQ(complaint({"--length", "100001"}),
            "panoptes: --length 100001: wanted a whole number, from 1 to 100000");
  EXPECT_EQ(complaint({"--interactive", "--length", "3"}),
            "panoptes: --length is not for --interactive");
  EXPECT_EQ(complaint({"--interactive", "--trail", "x"}),
            "panoptes: --trail is not for --interactive, which has `save`");
}

}  // namespace
}  // namespace panoptes::cli
