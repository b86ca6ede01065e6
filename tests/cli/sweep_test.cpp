// SPDX-License-Identifier: Apache-2.0
// Sweeps: many runs, one table, and what becomes of it when something goes wrong on the way.
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// N processes that count, no two of them alike: quick for one, longer than anybody waits for six.
constexpr const char* growing =
    "proc p[i : 0..N - 1] var x : 0..127; { do :: x +% 128 od }\n"
    "never far (exists (i : 0..N - 1) p[i].x * (i + 1) > 9999);\n";
// Tokens for a channel of two slots that nobody reads; no protocol at all beyond 3.
constexpr const char* tokens =
    "channel c[2];\n"
    "#if N > 3\n"
    "proc q { c!? }\n"
    "#endif\n"
    "proc p { var i : 0..9; do :: (i < N) -> c!token; i++ :: (i == N) -> break od }\n"
    "proc r { if :: (N > 9) -> c?token :: else -> skip fi }\n";

Json json_of(const Result& result) {
  Json json = test::parse_json_or_discard(result.output);
  EXPECT_FALSE(json.is_discarded()) << result.output << result.errors;
  return json;
}

std::vector<std::string> verdicts_of(const Json& sweep) {
  std::vector<std::string> verdicts;
  for (const Json& run : sweep["runs"]) verdicts.push_back(run["verdict"]);
  return verdicts;
}

TEST(Sweep, IsATableOfVerdictsStatesAndShortestErrors) {
  const Result result = run({"sweep", model("token_ring"), "-D", "N=2..3", "-D", "FAULT?=2,3",
                             "--reduce", "none", "--threads", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output,
            "N  FAULT  verdict   promise     states  shortest error\n"
            "2      -  holds     exhaustive      69\n"
            "2      2  violated  exhaustive      24  invariant, 2 events, 3 steps\n"
            "2      3  holds     exhaustive     133\n"
            "3      -  holds     exhaustive     536\n"
            "3      2  violated  exhaustive     124  invariant, 2 events, 3 steps\n"
            "3      3  violated  exhaustive   4,848  invariant, 12 events, 25 steps\n"
            "\n"
            "smallest with an error: N=2 FAULT=2\n"
            "  panoptes check " +
                model("token_ring") + " -D N=2 -D FAULT=2 --reduce none --threads 1\n" +
                model("token_ring") + ": 6 combinations: 3 hold, 3 violated\n");
}

// Each run is what `check` makes of it.
TEST(Sweep, SaysOfEveryCombinationWhatCheckSays) {
  const Words options{"--threads", "1", "--timeouts", "lock", "--strict"};
  Words sweep{"sweep", model("sliding_window"), "-D",    "WINDOW=1,2",
              "-D",    "MODULUS?=2..3",         "--json"};
  sweep.insert(sweep.end(), options.begin(), options.end());
  const Json table = json_of(run(sweep));
  ASSERT_EQ(table["runs"].size(), 6u);
  EXPECT_EQ(table["schema"], "panoptes-sweep-1");
  for (const Json& row : table["runs"]) {
    Words check{"check", model("sliding_window"), "--json"};
    check.insert(check.end(), options.begin(), options.end());
    for (const auto& [name, value] : row["definitions"].items())
      if (!value.is_null()) check.insert(check.end(), {"-D", name + "=" + std::string(value)});
    const Json report = json_of(run(check));
    for (const char* field :
         {"verdict", "promise", "stop", "states", "states_analysed", "transitions", "depth"})
      EXPECT_EQ(row[field], report[field]) << field << row;
    EXPECT_EQ(row["errors"], report["errors"].size());
    ASSERT_EQ(row.contains("shortest_error"), !report["errors"].empty());
    if (report["errors"].empty()) continue;
    const Json& first = report["errors"][0];
    for (const char* field : {"kind", "text", "events", "steps", "shortest"})
      EXPECT_EQ(row["shortest_error"][field], first[field]) << field;
  }
}

TEST(Sweep, HasTheExitCodeOfAllItsRunsTogether) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", tokens);
  const auto code = [&](const Words& options) {
    Words words{"sweep", path};
    words.insert(words.end(), options.begin(), options.end());
    return run(words).exit_code;
  };
  EXPECT_EQ(code({"-D", "N=1..2"}), 0);
  EXPECT_EQ(code({"-D", "N=1..3"}), 1);
  EXPECT_EQ(code({"-D", "N=3..4"}), 1) << "an error is an error";
  EXPECT_EQ(code({"-D", "N=4..5"}), 2) << "nothing compiles";
  EXPECT_EQ(code({"-D", "N=2,4"}), 3) << "not all hold";
  EXPECT_EQ(code({"-D", "N=1..2", "--depth", "1"}), 3);
}

TEST(Sweep, GoesOnWhereACombinationDoesNotCompile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", tokens);
  const Result result = run({"sweep", path, "-D", "N=5,4,2"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "5  not compiled                      3:12: "))
      << result.output;
  EXPECT_TRUE(contains(result.output, "2  holds         exhaustive")) << result.output;
  EXPECT_TRUE(contains(result.output, ": 3 combinations: 1 holds, 2 do not compile\n"));
  // The whole complaint, once.
  EXPECT_TRUE(result.errors.starts_with("with N=4:\n" + path + ":3:12: error: ")) << result.errors;
  EXPECT_EQ(result.errors.find("error:"), result.errors.rfind("error:")) << result.errors;
}

TEST(Sweep, WarnsOfAParameterThatTheModelDoesNotKnow) {
  const Result result = run({"sweep", model("token_ring"), "-D", "FAULTS=1..3"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors,
            "with FAULTS=1:\nwarning: -D FAULTS: the model has no such name\n"
            "  did you mean `FAULT`?\n");
}

TEST(Sweep, ReadsItsModelOnce) {
  const Result result = [&] {
    const TemporaryFolder folder;
    const std::string path = folder.write("m.argos", tokens);
    const std::string output = folder.path("out");
    const std::string command =
        std::string(PANOPTES_PROGRAM) + " sweep - -D N=1..3 --json < " + path + " > " + output;
    Result from_input;
    from_input.exit_code = WEXITSTATUS(std::system(command.c_str()));
    from_input.output = read_all(output);
    return from_input;
  }();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(verdicts_of(json_of(result)), (Words{"holds", "holds", "violated"}));
}

TEST(Sweep, WritesTablesAndAPlotToFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", tokens);
  Words words{"sweep", path, "-D", "N=1..4"};
  for (const char* name : {"t.txt", "t.csv", "t.json", "t.svg"})
    words.insert(words.end(), {"--report", folder.path(name)});
  const Result result = run(words);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(read_all(folder.path("t.txt")), result.output);
  EXPECT_EQ(verdicts_of(test::parse_json(read_all(folder.path("t.json")))),
            (Words{"holds", "holds", "violated", "not_compiled"}));
  const std::string csv = read_all(folder.path("t.csv"));
  EXPECT_TRUE(csv.starts_with("N,verdict,promise,stop,states,")) << csv;
  EXPECT_TRUE(contains(csv, "\n3,violated,exhaustive,finished,")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  const std::string svg = read_all(folder.path("t.svg"));
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg;
  EXPECT_TRUE(contains(svg, "data-verdict=\"violated\""));
  const std::string well_formed =
      "python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' " +
      folder.path("t.svg");
  EXPECT_EQ(std::system(well_formed.c_str()), 0);
}

TEST(Sweep, RefusesWhatMakesNoSense) {
  const std::string ring = model("token_ring");
  const std::vector<std::pair<Words, std::string>> mistakes = {
      {{ring}, "nothing varies: give a parameter several values, e.g. -D WINDOW=1..4"},
      {{ring, "-D", "N=3"}, "nothing varies"},
      {{ring, "-D", "N=4..1"}, "-D N=4..1: 4..1 has no values: write 1..4"},
      {{ring, "-D", "N=1.."}, "-D N=1..: wanted whole numbers around `..`"},
      {{ring, "-D", "N=1..2", "-D", "N=4"}, "-D N is given twice"},
      {{ring, "-D", "N=1..101", "-D", "FAULT=1..100"}, "more than 10,000 combinations"},
      {{ring, "-D", "N=1..99999999999999999999"}, "99999999999999999999 is not from"},
      {{ring, "-D", ""}, "-D '': wanted NAME=VALUES"},
      {{ring, "-D", "N=1..2", "--report", "x.xml"},
       "--report x.xml: wanted a name that ends in one of .txt, .csv, .json, .svg"},
      {{ring, "-D", "N=1..2", "--report", "x.csv", "--report", "x.csv"}, "goes there already"},
      {{ring, "-D", "N=1..2", "--stats", "--json"}, "--stats is not for --json"},
      {{ring, "-D", "N=1..2", "--cost", "1"}, "--cost is for --search guided"},
      {{ring, "-D", "N=1..2", "--spill", "/nowhere"}, "--spill /nowhere: cannot write there"},
      {{ring, "-D", "N=1..2", "--watch"}, "`sweep` does not take --watch; `check` does"},
      {{ring, "-D", "N=1..2", "--total-time", "soon"}, "--total-time soon: wanted a time"},
      {{"nowhere.argos", "-D", "N=1..2"}, "cannot read file `nowhere.argos`"},
  };
  for (const auto& [arguments, wanted] : mistakes) {
    Words words{"sweep"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, 2) << wanted;
    EXPECT_TRUE(contains(result.errors, wanted)) << "wanted " << wanted << " got " << result.errors;
    EXPECT_EQ(result.output, "") << wanted;
  }
}

TEST(Sweep, KeepsWhatItHasWhenItIsInterrupted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", growing);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string csv = folder.path("table.csv");
    Child child({"sweep", path, "-D", "N=7,1,6,2", "--report", csv});
    ASSERT_TRUE(child.wait_for_memory());
    child.signal(signal);
    const Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.errors, "") << "a progress line in a pipe";
    EXPECT_TRUE(contains(result.output, "1  holds    exhaustive")) << result.output;
    EXPECT_TRUE(contains(result.output, "2  holds    exhaustive     16,384")) << result.output;
    EXPECT_TRUE(contains(result.output, "(interrupted)\n")) << result.output;
    EXPECT_TRUE(contains(result.output, "interrupted: 1 of 4 combinations not run: N=7\n"))
        << result.output;
    EXPECT_TRUE(contains(read_all(csv), "\n1,holds,")) << read_all(csv);
    EXPECT_TRUE(contains(read_all(csv), "\n7,not_run,")) << read_all(csv);
  }
}

TEST(Sweep, GivesEachRunItsTimeAndAllOfThemTheirs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", growing);
  const Json each =
      json_of(run({"sweep", path, "-D", "N=1,6,7", "--time", "0.3s", "--memory", "1G", "--json"}));
  EXPECT_EQ(verdicts_of(each), (Words{"holds", "unknown", "unknown"}));
  EXPECT_EQ(each["runs"][2]["stop"], "time limit reached");
  EXPECT_EQ(each["stop"], "finished");

  const Result result =
      run({"sweep", path, "-D", "N=1,6,7", "--total-time", "0.5s", "--memory", "1G", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const Json all = json_of(result);
  EXPECT_EQ(verdicts_of(all).back(), "not_run");
  EXPECT_EQ(all["stop"], "time limit reached");
}

TEST(Sweep, HasAsMuchMemoryForTheLastRunAsForTheFirst) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", growing);
  const Result result =
      run({"sweep", path, "-D", "N=6..8", "--memory", "64M", "--time", "1s", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const long fixed_kilobytes = run({"--version"}).peak_kilobytes;
  EXPECT_LE(result.peak_kilobytes - fixed_kilobytes, 64 * 1024);
  for (const Json& row : json_of(result)["runs"]) {
    EXPECT_GT(row["states"], 100'000) << row;
    EXPECT_LE(row["memory_bytes"], std::uint64_t{64} << 20) << row;
  }
}

TEST(Sweep, OfAModelThatHasNoRoomSaysSoInItsRow) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "m.argos", "channel c[0..N - 1][1];\nproc p[i : 0..N - 1] { do :: c[i]!m :: c[i]?m od }\n");
  const Result result = run({"sweep", path, "-D", "N=2,1000", "--memory", "9M", "--time", "5s"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_TRUE(contains(result.output, "   2  holds    exhaustive")) << result.output;
  EXPECT_TRUE(contains(result.output, "1000  unknown")) << result.output;
}

TEST(Sweep, ShowsOnATerminalHowFarItIs) {
  const TemporaryFolder folder;
  Child child({"sweep", folder.write("m.argos", growing), "-D", "N=6..7"},
              Child::Errors::to_terminal);
  ASSERT_TRUE(child.wait_for("  1 of 2 N=6  ")) << child.wait().errors;
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.errors, " states/s  depth ")) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("\r\033[K")) << "the line is still there";
}

TEST(Sweep, OfAThousandCombinationsHasARunForEach) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("m.argos", "channel c[1];\nproc p { c!m(A + B) }\nproc q { c?m(_) }\n");
  const Json json =
      json_of(run({"sweep", path, "-D", "A=1..20", "-D", "B=1..50", "--threads", "1", "--json"}));
  EXPECT_EQ(json["combinations"], 1000);
  EXPECT_EQ(json["runs"].size(), 1000u);
  EXPECT_EQ(json["verdict"], "holds");
  EXPECT_TRUE(json["smallest"].empty());
}

TEST(Sweep, MayLookForAWayInsteadOfErrors) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", growing);
  const Result result =
      run({"sweep", path, "-D", "N=1..2", "--reach", "p[1].x == 3", "--labels", "none"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_TRUE(contains(result.output, "smallest that reach it: N=2\n")) << result.output;
  EXPECT_TRUE(contains(result.output, " -D N=2 --labels none --reach 'p[1].x == 3'\n"))
      << result.output;
}

}  // namespace
}  // namespace panoptes::cli
