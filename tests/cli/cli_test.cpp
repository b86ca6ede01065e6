// SPDX-License-Identifier: Apache-2.0
// The contract of the command line: exit codes, streams, reports.
#include <sys/ioctl.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "options/table.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

// ---- verdicts ----------------------------------------------------------------------------------

TEST(ExitCodes, AreZeroForAProtocolThatHolds) {
  const Result result =
      run({"check", model("alternating_bit"), "--no-minimise", "--reduce", "none"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "alternating_bit.argos: holds: "));
  EXPECT_TRUE(contains(result.output, "\n56 states, 72 transitions, "));
  EXPECT_EQ(result.errors, "");
}

TEST(ExitCodes, AreOneWhereErrorsAreFound) {
  const Result result = run({"check", model("exchange")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "\nqueue:") || contains(result.output, "  queue:"));
  EXPECT_TRUE(contains(result.output, "violated: 2 errors, no others"));
}

TEST(ExitCodes, AreTwoForBadInput) {
  const TemporaryFolder folder;
  const std::string path = folder.write("bad.argos", "channel link;\nproc p { lnk!m }\n");
  const Result result = run({"check", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, path +
                               ":2:10: error: no channel is called `lnk`\n"
                               "  proc p { lnk!m }\n"
                               "           ^~~\n"
                               "  did you mean `link`?\n");
  EXPECT_EQ(run({"show", path, "--rules"}).exit_code, 2);
}

TEST(ExitCodes, AreTwoForFilesThatCannotBeRead) {
  for (const std::string path : {"/nonexistent/model.argos", "/", "/proc/self/mem"}) {
    const Result result = run({"check", path});
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_TRUE(contains(result.errors, "error: ")) << path << ": " << result.errors;
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(run({"check", "/nonexistent/model.argos"}).errors,
            "error: cannot read file `/nonexistent/model.argos`: No such file or directory\n");
  EXPECT_EQ(run({"check", "/tmp"}).errors, "error: cannot read file `/tmp`: it is a folder\n");
  // It can be opened, and not be read: that is no empty file.
  EXPECT_EQ(run({"check", "/proc/self/mem"}).errors,
            "error: cannot read file `/proc/self/mem`: Input/output error\n");
  const Result laid_out = run({"format", "/proc/self/mem"});
  EXPECT_EQ(laid_out.exit_code, 2);
  EXPECT_TRUE(contains(laid_out.errors, "cannot read file `/proc/self/mem`: Input/output error"))
      << laid_out.errors;
}

TEST(ExitCodes, AreThreeWhereNothingIsKnown) {
  const Result result = run({"check", model("alternating_bit"), "--depth", "3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "unknown: no error in the "));
  EXPECT_TRUE(contains(result.output, "(depth limit reached)"));
  EXPECT_TRUE(contains(result.output, "promise: partial"));
  EXPECT_FALSE(contains(result.output, "holds"));
}

TEST(ExitCodes, AreThreeWhereMemoryIsTooSmallInEitherOrder) {
  for (const char* order : {"breadth", "depth"}) {
    const Result result =
        run({"check", model("alternating_bit_link"), "--memory", "1K", "--order", order});
    EXPECT_EQ(result.exit_code, 3) << order;
    EXPECT_TRUE(contains(result.output, "(memory limit reached)")) << order;
  }
}

TEST(ExitCodes, AreThreeWhereSomethingWasLeftOut) {
  const Result chosen =
      run({"check", model("sliding_window"), "--choose", "random", "--keep", "1"});
  EXPECT_EQ(chosen.exit_code, 3);
  EXPECT_TRUE(contains(chosen.output, "(successors left out by choice)"));
  const Result folded = run({"check", model("alternating_bit_link"), "--fold", "process", "sender",
                             "--fold", "channel", "receiver"});
  EXPECT_EQ(folded.exit_code, 3);
  EXPECT_TRUE(contains(folded.output, "(states folded together)"));
}

TEST(ExitCodes, AreTwoForAFoldingOfNothing) {
  const Result result = run({"check", model("sliding_window"), "--fold", "variable", "sentt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "error: --fold variable sentt: no variable is called `sentt`\n");
}

TEST(ExitCodes, AreThoseOfAnExhaustiveSearchForScatterAndGuidedOnes) {
  EXPECT_EQ(run({"check", model("alternating_bit"), "--search", "scatter"}).exit_code, 0);
  EXPECT_EQ(run({"check", model("exchange"), "--search", "scatter"}).exit_code, 1);
  EXPECT_EQ(run({"check", model("exchange"), "--search", "guided", "--cost", "depth"}).exit_code,
            1);
}

TEST(Costs, ThatMeanNothingAreShownWithACaret) {
  const Result result =
      run({"check", model("exchange"), "--search", "guided", "--cost", "len(A) + nothing"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.errors,
                       "--cost:1:10: error: no variable is called `nothing`\n"
                       "  len(A) + nothing\n"
                       "           ^~~~~~~\n"))
      << result.errors;
}

TEST(ExitCodes, AreFourWhereTheReportCannotBeWritten) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", model("alternating_bit")},
        {"check", model("exchange")},
        {"check", model("alternating_bit"), "--json"},
        {"check", "/nonexistent/model.argos", "--json"},
        {"show", model("alternating_bit"), "--layout"},
        {"--help"},
        {"--version"},
        {"check", "--help"},
        {"manual"},
        {"completion", "zsh"}}) {
    const Result result = Child(arguments, Child::Errors::to_file, "/dev/full").wait();
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_TRUE(contains(result.errors, "panoptes: cannot write")) << result.errors;
  }
}

TEST(ExitCodes, AreTheSameWhateverTheOrderAndTheForm) {
  for (const auto& [name, expected] : std::vector<std::pair<std::string, int>>{
           {"alternating_bit", 0}, {"exchange", 1}, {"early_choice", 1}, {"split_merge", 0}})
    for (const char* order : {"breadth", "depth"}) {
      EXPECT_EQ(run({"check", model(name), "--order", order}).exit_code, expected) << name;
      EXPECT_EQ(run({"check", model(name), "--order", order, "--json"}).exit_code, expected)
          << name;
    }
}

TEST(Warnings, AreShownAndDoNotChangeTheExitCodeUnlessStrict) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", "channel c[1];\nvar x;\nproc p { c!m }\n");
  const Result result = run({"check", path});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.errors, ":2:5: warning: `x` is never used\n"));
  EXPECT_TRUE(contains(result.output, "warning: unread_messages: "));
  EXPECT_EQ(run({"check", path, "--strict"}).exit_code, 1);
}

// ---- JSON --------------------------------------------------------------------------------------

TEST(JsonOutput, IsOneObjectThatAgreesWithTheExitCode) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.argos", "proc p { nowhere!m }\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> runs{
      {{"check", model("alternating_bit"), "--json"}, "holds"},
      {{"check", model("exchange"), "--json"}, "violated"},
      {{"check", model("alternating_bit"), "--json", "--depth", "3"}, "unknown"},
      {{"check", bad, "--json"}, "unknown"}};
  for (const auto& [arguments, verdict] : runs) {
    const Result result = run(arguments);
    const Json json = test::parse_json(result.output);
    EXPECT_EQ(json["verdict"], verdict);
    EXPECT_EQ(json["schema"], "panoptes-check-1");
    EXPECT_EQ(json["model"], arguments[1]);
    EXPECT_EQ(result.exit_code, verdict == "holds"      ? 0
                                : verdict == "violated" ? 1
                                : arguments[1] == bad   ? 2
                                                        : 3);
  }
}

TEST(JsonOutput, SaysWhatWasChecked) {
  const Json json =
      test::parse_json(run({"check", model("alternating_bit_link"), "--json", "-D", "A1", "-DX=2",
                            "--timeouts", "lock", "--first", "--no-minimise"})
                           .output);
  EXPECT_EQ(json["options"]["timeouts"], "lock");
  EXPECT_EQ(json["options"]["order"], "breadth");
  EXPECT_EQ(json["options"]["first"], "on");
  EXPECT_EQ(json["options"]["no-minimise"], "on");
  EXPECT_TRUE(json["options"].contains("D"));
  EXPECT_EQ(json["errors"][0]["events"], 3);
  EXPECT_GT(json["memory_bytes"], 0);
  EXPECT_GT(json["fixed_bytes"], 0);
}

TEST(JsonOutput, OfADepthLimitHasThatDepth) {
  const Json json = test::parse_json(
      run({"check", model("alternating_bit_link"), "--json", "--depth", "3"}).output);
  EXPECT_EQ(json["depth"], 3);
  EXPECT_EQ(json["promise"], "partial");
}

TEST(ShowOutput, IsTextOrJson) {
  for (const std::string what : {"automata", "tables", "channels", "holes", "rules", "layout"}) {
    const Result text = run({"show", model("alternating_bit"), "--" + what});
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_FALSE(text.output.empty());
    const Result json = run({"show", model("alternating_bit"), "--" + what, "--format", "json"});
    EXPECT_EQ(json.exit_code, 0);
    EXPECT_EQ(test::parse_json(json.output)["schema"], "panoptes-" + what + "-1");
  }
  EXPECT_TRUE(
      contains(run({"show", model("alternating_bit"), "--layout"}).output, "9 bits in 1 word"));
}

TEST(ShowOutput, ThatCannotBeWrittenIsToldBeforeTheSearch) {
  const TemporaryFolder folder;
  const Result result = run({"show", folder.write("endless.argos", endless), "--holes", "--time",
                             "1h", "--output", "/nowhere/x"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.errors, "cannot write there")) << result.errors;
}

TEST(ShowOutput, GoesToAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("tables");
  const Result result = run({"show", model("connection"), "--tables", "--rules", "--output", path});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(read_all(path), run({"show", model("connection"), "--tables", "--rules"}).output);
  EXPECT_EQ(run({"show", model("connection"), "--tables", "--output", "/nowhere/x"}).errors,
            "panoptes: --output /nowhere/x: cannot write there: No such file or directory\n");
}

// A terminal of 40 columns, whose screen is read when the program has ended.
struct Terminal {
  Terminal() {
    const winsize size{24, 40, 0, 0};
    if (openpty(&screen, &side, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("cannot open a terminal");
  }
  ~Terminal() {
    close(screen);
    close(side);
  }
  std::string shown() const {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(screen, buffer.data(), buffer.size());
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))};
  }
  int screen = -1, side = -1;
};

TEST(ShowOutput, HasColoursOnATerminalUnlessTheyAreNotWanted) {
  for (const bool is_wanted : {true, false}) {
    const Terminal terminal;
    if (!is_wanted) setenv("NO_COLOR", "1", 1);
    Child({"show", model("connection"), "--holes"}, Child::Errors::to_file, ttyname(terminal.side))
        .wait();
    unsetenv("NO_COLOR");
    const std::string shown = terminal.shown();
    EXPECT_TRUE(contains(shown, "connected (30:3)")) << shown;
    EXPECT_EQ(contains(shown, "\033["), is_wanted) << shown;
  }
  EXPECT_FALSE(contains(run({"show", model("connection"), "--holes"}).output, "\033["));
}

TEST(ReportFiles, AreTheSameWhateverTheTerminalIsLike) {
  const TemporaryFolder folder;
  const std::string beside = folder.path("beside.txt"), alone = folder.path("alone.txt");
  const Terminal terminal;
  Child({"check", model("exchange"), "--report", beside}, Child::Errors::to_file,
        ttyname(terminal.side))
      .wait();
  EXPECT_EQ(run({"check", model("exchange"), "--report", alone}).exit_code, 1);
  EXPECT_FALSE(contains(terminal.shown(), "  event:")) << "it has charts";
  // Without what is measured, which comes last.
  const auto errors = [](const std::string& text) { return text.substr(0, text.find("promise")); };
  EXPECT_TRUE(contains(read_all(alone), "  event:"));
  EXPECT_EQ(errors(read_all(beside)), errors(read_all(alone)));
}

TEST(ShowOutput, SaysWhereASearchForHolesHasNotSeenEverything) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "endless.argos", std::string(endless) +
                           "channel c[1];\nproc q { do :: c?a :: c?b od }\nproc r { c!a; c!b }\n");
  const Result result = run({"show", path, "--holes", "--time", "0.2s"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "not all (time limit reached)")) << result.output;
  EXPECT_FALSE(contains(result.output, "never")) << result.output;
}

TEST(ShowOutput, ThatIsPutAwaySaysOnStandardErrorThatSomethingIsMissing) {
  const TemporaryFolder folder;
  const std::string path = folder.write("endless.argos", endless);
  const std::vector<std::string> graph{"show",   path,   "--graph",  "--states", "3",
                                       "--time", "0.3s", "--format", "dot"};
  std::vector<std::string> to_file = graph;
  to_file.insert(to_file.end(), {"--output", folder.path("g.dot")});
  for (const std::vector<std::string>& command : {graph, to_file}) {
    const Result result = run(command);
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.errors, "panoptes: the search has not seen everything (time limit reached)\n");
  }
}

TEST(ShowOutput, IsRefusedWhereItWouldTakeTheSquareOfTheModel) {
  std::string sends = "skip", receives = "skip";
  for (int i = 0; i < 1000; ++i) {
    sends += "; c!m" + std::to_string(i);
    receives += "; c?m" + std::to_string(i);
  }
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "large.argos", "channel c[1];\nproc p { " + sends + " }\nproc q { " + receives + " }\n");
  const long enough_kilobytes = is_sanitized ? 1'000'000 : 100'000;
  for (const std::string format : {"text", "json"}) {
    const Result holes = run({"show", path, "--holes", "--format", format});
    EXPECT_EQ(holes.exit_code, 2) << format;
    EXPECT_TRUE(contains(holes.errors, "pairs of a state and a message are too many"))
        << holes.errors;
    const Result tables = run({"show", path, "--tables", "--format", format});
    EXPECT_EQ(tables.exit_code, 0) << format;
    EXPECT_LT(tables.output.size(), 1'000'000u) << format;
    for (const Result& result : {holes, tables})
      EXPECT_LT(result.peak_kilobytes, enough_kilobytes) << format;
  }
}

TEST(ShowOutput, SaysInWhichFileAStateIs) {
  const TemporaryFolder folder;
  const std::string file = folder.write("one.argos", "proc p { x = 1 }\n");
  const std::string path =
      folder.write("model.argos", "var x : 0..1;\n#include \"one.argos\"\nproc q { x = 0 }\n");
  const std::string text = run({"show", path, "--automata"}).output;
  EXPECT_TRUE(contains(text, "  0 " + file + ":1:10 (start)\n")) << text;
  EXPECT_TRUE(contains(text, "  0 3:10 (start)\n")) << text;
  const Json automata =
      test::parse_json(run({"show", path, "--automata", "--format", "json"}).output)["processes"];
  EXPECT_EQ(automata[0]["states"][0]["file"], file);
  EXPECT_EQ(automata[1]["states"][0]["file"], path);
  const Json tables =
      test::parse_json(run({"show", path, "--tables", "--format", "json"}).output)["tables"];
  EXPECT_EQ(tables[0]["states"][0]["file"], file);
}

// ---- models ------------------------------------------------------------------------------------

TEST(AModel, ThatHasNoProcessIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("empty.argos", "");
  EXPECT_TRUE(run({"check", path}).errors.starts_with(path + ":1:1: error: the model has no"));
}

TEST(AModel, ComesFromStandardInput) {
  const auto shell = [](const std::string& command) {
    const TemporaryFolder folder;
    const std::string line = "cd '" + std::string(PANOPTES_SOURCE_DIR) +
                             "' && " PANOPTES_PROGRAM " " + command + " >'" +
                             folder.path("output") + "' 2>&1";
    const int status = std::system(line.c_str());
    return std::pair(WEXITSTATUS(status), read_all(folder.path("output")));
  };
  EXPECT_EQ(shell("check - <models/request.argos").first, 1);
  const auto [code, text] = shell("check - <tests/diagnostics/syntax/include_missing.argos");
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(text.starts_with("<standard input>:1:10: error: cannot read file")) << text;
  const auto refused = [&](const std::string& command, const std::string& reason) {
    const auto [exit_code, output] = shell(command + " </dev/null");
    EXPECT_EQ(exit_code, 2) << command;
    EXPECT_TRUE(contains(output, reason)) << output;
  };
  refused("check - --watch", "--watch needs a file");
  refused("simulate - --interactive", "reads commands from standard input");
  refused("query -", "give the query as an operand");
}

}  // namespace
}  // namespace panoptes::cli
