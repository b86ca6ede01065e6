// SPDX-License-Identifier: Apache-2.0
// The contract of the command line: exit codes, streams, options, interrupts.
#include <sys/ioctl.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/options.hpp"
#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

// ---- verdicts ----------------------------------------------------------------------------------

TEST(ExitCodes, AreZeroForAProtocolThatHolds) {
  const Result result = run({"check", model("alternating_bit"), "--no-minimise"});
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
  EXPECT_TRUE(contains(result.output, "unknown: no error so far"));
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
    const Json json = Json::parse(result.output);
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
  const Json json = Json::parse(run({"check", model("alternating_bit_link"), "--json", "-D", "A1",
                                     "-DX=2", "--timeouts", "lock", "--first", "--no-minimise"})
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
  const Json json =
      Json::parse(run({"check", model("alternating_bit_link"), "--json", "--depth", "3"}).output);
  EXPECT_EQ(json["depth"], 3);
  EXPECT_EQ(json["promise"], "partial");
}

// Six counters: 2^36 states, none of them wrong.
const char* const endless = "proc p[i : 0..5] var x : 0..63; { do :: (x >= 0) -> x +% 64 od }\n";

TEST(ShowOutput, IsTextOrJson) {
  for (const std::string what : {"automata", "tables", "channels", "holes", "rules", "layout"}) {
    const Result text = run({"show", model("alternating_bit"), "--" + what});
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_FALSE(text.output.empty());
    const Result json = run({"show", model("alternating_bit"), "--" + what, "--format", "json"});
    EXPECT_EQ(json.exit_code, 0);
    EXPECT_EQ(Json::parse(json.output)["schema"], "panoptes-" + what + "-1");
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
    EXPECT_TRUE(contains(shown, "1 connected")) << shown;
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
      Json::parse(run({"show", path, "--automata", "--format", "json"}).output)["processes"];
  EXPECT_EQ(automata[0]["states"][0]["file"], file);
  EXPECT_EQ(automata[1]["states"][0]["file"], path);
  const Json tables =
      Json::parse(run({"show", path, "--tables", "--format", "json"}).output)["tables"];
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

// ---- options -----------------------------------------------------------------------------------

TEST(Options, ChangeWhatIsChecked) {
  const auto states = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"check", model("alternating_bit_link"), "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Json::parse(run(arguments).output)["states"].get<int>();
  };
  EXPECT_EQ(states({"--no-minimise"}), 2416);
  EXPECT_EQ(states({}), 2320);
  EXPECT_EQ(states({"--timeouts", "lock", "--no-minimise"}), 88);
  EXPECT_EQ(states({"--timeouts=lock", "--order=depth"}), 86);
}

TEST(Options, AreExplained) {
  for (const std::string command : {"check", "show"}) {
    const Result result = run({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.output, "--timeouts"));
    EXPECT_TRUE(contains(result.output, "Examples:"));
    EXPECT_EQ(result.errors, "");
    for (const std::vector<std::string>& same :
         {std::vector<std::string>{"help", command}, {command, "-h"}, {command, "x", "--help"}}) {
      EXPECT_EQ(run(same).exit_code, 0) << same[0];
      EXPECT_EQ(run(same).output, result.output) << same[0];
    }
  }
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_EQ(run({"--help"}).output, run({"help"}).output);
  EXPECT_TRUE(contains(run({"--version"}).output, "panoptes "));
}

TEST(Usage, WithoutArgumentsIsShortHelpAndAnError) {
  const Result result = run({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("panoptes: which command?\n\nUsage: panoptes COMMAND"));
  EXPECT_TRUE(contains(result.errors, "\n  check   ")) << result.errors;
}

TEST(Usage, ErrorsSayWhatIsWrongAndExitWithTwo) {
  const std::string abp = model("alternating_bit");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{}, "panoptes: "},
      {{"check"}, "MODEL is required"},
      {{"check", abp, "--timeout", "lock"}, "did you mean `--timeouts`?"},
      {{"check", abp, "--jsn"}, "did you mean `--json`?"},
      {{"chek", abp}, "there is no command `chek`; did you mean `check`?"},
      {{"check", abp, "--order", "depht"},
       "--order depht: wanted one of breadth|depth; did you mean `depth`?"},
      {{"check", abp, "--depth", "0"}, "--depth 0: wanted a whole number, from 1 on"},
      {{"check", abp, "--depth", "-3"}, "--depth -3: wanted a whole number, from 1 on"},
      {{"check", abp, "--depth", "many"}, "--depth many: wanted a whole number, from 1 on"},
      {{"check", abp, "--memory", "5X"}, "--memory 5X: wanted a size, e.g. 64M or 4G"},
      {{"check", abp, "--time", "soon"}, "--time soon: wanted a time, e.g. 60s, 5m or 1h"},
      {{"check", abp, "--capacity", "5000"},
       "--capacity 5000: wanted a whole number, from 1 to 4096"},
      {{"check", abp, "--threads", "0"}, "--threads 0: wanted a whole number, from 1 to 1024"},
      {{"check", abp, "--threads", "1025"},
       "--threads 1025: wanted a whole number, from 1 to 1024"},
      {{"check", abp, "-D", "1x=2"}, "-D 1x=2: wanted NAME or NAME=VALUE"},
      {{"check", abp, "--search", "guided"}, "needs --cost EXPRESSION"},
      {{"check", abp, "--choose", "cost"}, "needs --cost EXPRESSION"},
      {{"check", abp, "--keep-graph", "--search", "walk"},
       "--keep-graph is not for --search walk, which forgets states"},
      {{"check", abp, "--keep-graph", "--store", "compact"},
       "--keep-graph is not for --store compact"},
      {{"check", abp, "--cost", "depth"}, "--cost is for --search guided or --choose cost"},
      {{"check", abp, "--arena", "1M"}, "--arena is for --search supertrace or --store bits"},
      {{"check", abp, "--store", "bits", "--fingerprint-bits", "32"},
       "--fingerprint-bits is for --store hash"},
      {{"check", abp, "--runs", "3"},
       "--runs is for --search supertrace, --search walk, --store hash or --store bits"},
      {{"check", abp, "--search", "walk", "--store", "compact"}, "--store is for --search auto"},
      {{"check", abp, "--search", "scatter", "--order", "depth"}, "--order is for --search auto"},
      {{"check", abp, "--search", "stack", "--replace", "least"},
       "--replace is for --search cache"},
      {{"check", abp, "--spill", "/nowhere"},
       "--spill /nowhere: cannot write there: No such file or directory"},
      {{"check", abp, "--spill", "/tmp", "--order", "depth"}, "--spill is for --order breadth"},
      {{"check", abp, "--count-distinct"}, "--count-distinct is for --search stack"},
      {{"check", abp, "--keep", "0"}, "--keep 0: wanted a whole number, from 1 on"},
      {{"check", abp, "--fold", "process"}, "--fold: wanted KIND NAME"},
      {{"check", abp, "--order"}, "--order: wanted one of breadth|depth"},
      {{"check", abp, "x", "y"}, "`x` was not expected: `check` takes MODEL"},
      {{"show", abp}, "show what? --automata, --tables, --channels, --holes, --rules or --layout"},
      {{"show", abp, "--holes", "--format", "svg"},
       "--holes has no --format svg; it has text, json"},
      {{"show", abp, "--automata", "--rules", "--format", "dot"},
       "--rules has no --format dot; it has text, json"},
      {{"show", abp, "--automata", "--channels", "--format", "dot"},
       "--format dot shows one thing at a time"},
      {{"show", abp, "--rules", "--layout", "--format", "json"},
       "--format json shows one thing at a time"},
      {{"show", abp, "--automata", "--format", "png"},
       "--format png: wanted one of text|json|dot|svg"},
      {{"show", abp, "--rules", "--time", "3s"}, "--time is for --holes or --format svg"},
      {{"show", abp, "--rules", "--memory", "3G"}, "--memory is for --holes"},
      {{"show", abp, "--json"}, "`show` does not take --json; `check` does"},
      {{"show", abp, "--rules", "--report", "r.xml"},
       "`show` does not take --report; `check` does"},
      {{"check", abp, "--report", "r.pdf"}, "wanted a name that ends in one of .txt, "},
      {{"check", abp, "--report", ".XML"}, "--report .XML: wanted a name that ends in one of .txt"},
      {{"relate", abp, "--steps", "--report", "r.xml"}, "--report is not for --steps"},
      {{"help", "chek"}, "there is no command `chek`; did you mean `check`?"},
      {{"completion"}, "SHELL is required"},
      {{"completion", "tcsh"}, "SHELL tcsh: wanted one of bash|zsh|fish"},
      {{"manual", "now"}, "`now` was not expected: `manual` takes no operands"},
  };
  for (const auto& [arguments, wanted] : mistakes) {
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << wanted;
    EXPECT_TRUE(contains(result.errors, wanted)) << "wanted " << wanted << " got " << result.errors;
    EXPECT_TRUE(contains(result.errors, "--help`.")) << result.errors;
    EXPECT_EQ(result.output, "") << wanted;
  }
}

TEST(Usage, RefusesEmptyValues) {
  for (const OptionInfo& option : option_table()) {
    if (option.argument.empty() || option.argument == "KIND NAME") continue;
    const std::string command(option.commands.substr(0, option.commands.find(' ')));
    std::vector<std::string> arguments{command, model("request")};
    if (command == "replay") arguments.emplace_back("trail.json");
    if (command == "show") arguments.emplace_back("--rules");
    arguments.insert(arguments.end(), {flag_of(option), ""});
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << command << " " << option.name;
    EXPECT_TRUE(contains(result.errors, "panoptes: " + flag_of(option) + " ")) << result.errors;
    EXPECT_TRUE(contains(result.errors, ": wanted ")) << result.errors;
  }
}

TEST(Usage, RefusesOptionsThatWouldBeIgnored) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"replay", "t.json", "--interactive", "--chart", "text"},
       "--chart is not for --interactive"},
      {{"replay", "t.json", "--interactive", "--minimise-trail"},
       "--minimise-trail is not for --interactive"},
      {{"replay", "t.json", "--json", "--chart", "text"}, "--chart is not for --json"},
      {{"simulate", "--interactive", "--chart", "steps"}, "--chart is not for --interactive"},
      {{"simulate", "--json", "--chart", "text"}, "--chart is not for --json"},
      {{"relate", "--steps", "--chart", "text"}, "--chart is not for --steps"},
      {{"relate", "--json", "--chart", "text"}, "--chart is not for --json"},
      {{"check", "--json", "--chart", "auto"}, "--chart is not for --json, which has every step"},
      {{"check", "--json", "--steps"}, "--steps is not for --json, which has all of it anyway"},
      {{"check", "--json", "--stats"}, "--stats is not for --json, which has all of it anyway"},
      {{"query", "--schema", "--depth", "3"}, "--depth is not for --schema"},
      {{"query", "--schema", "--time", "1s"}, "--time is not for --schema"},
      {{"query", "--schema", "--memory", "1G"}, "--memory is not for --schema"},
      {{"query", "--schema", "--stepper", "interpreter"}, "--stepper is not for --schema"},
      {{"query", "--schema", "--threads", "1"}, "--threads is not for --schema"},
      {{"query", "--schema", "--relational"}, "--relational is not for --schema"},
      {{"query", "--schema", "--strict"}, "--strict is not for --schema"},
      {{"query", "--named", "list", "--time", "1s"}, "--time is not for --named list"},
      {{"query", "--named", "list", "-D", "N=1"}, "-D is not for --named list"},
      {{"check", "--search", "walk", "--order", "breadth"}, "--order is for --search auto"},
      {{"check", "--search", "stack", "--threads", "2"},
       "--threads is not for --search stack, which uses one core"},
      {{"check", "--search", "scatter", "--threads", "2"}, "--threads is not for --search scatter"},
      {{"check", "--order", "depth", "--threads", "2"}, "--threads is not for --order depth"},
      {{"check", "--keep-graph", "--threads", "2"}, "--threads is not for --keep-graph"},
      {{"check", "--fold", "process", "client", "--threads", "2"}, "--threads is not for --fold"},
      {{"check", "--keep-graph", "--spill", "/tmp"}, "--spill is not for --keep-graph"},
      {{"check", "--per", "state"}, "--per is for --keep"},
  };
  for (const auto& [arguments, wanted] : mistakes) {
    std::vector<std::string> words = arguments;
    words.insert(words.begin() + 1, model("request"));
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, 2) << wanted;
    EXPECT_TRUE(contains(result.errors, "panoptes: " + wanted)) << result.errors;
    EXPECT_EQ(result.output, "") << wanted;
  }
  // Where something looks at them, they stand.
  const TemporaryFolder folder;
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--order", "depth", "--threads", "1"},
        {"--json", "--chart", "text", "--report", folder.path("r.txt")},
        {"--json", "--steps", "--stats", "--report", folder.path("s.txt")},
        {"--keep", "9", "--per", "process"}}) {
    std::vector<std::string> words{"check", model("request")};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(run(words).exit_code, 1) << options[0];
  }
}

TEST(Usage, RefusesToPutOneFileInThePlaceOfAnother) {
  const TemporaryFolder folder;
  const std::string text = read_all(model("request"));
  const std::string path = folder.write("m.argos", text);
  std::filesystem::create_symlink(path, folder.path("link.json"));
  const std::string twice = folder.path("x.json"), detour = folder.path("./x.json");
  const std::string space = folder.path("space.db");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"check", path, "--trail", path}, "--trail " + path + ": that is the model"},
      {{"check", path, "--trail", folder.path("other.argos")}, ": that is a name for a model"},
      {{"check", path, "--report", folder.path("link.json")}, ": that is the model"},
      {{"show", path, "--layout", "--output", path}, "--output " + path + ": that is the model"},
      {{"simulate", path, "--trail", path}, "--trail " + path + ": that is the model"},
      {{"query", path, "SELECT 1", "--output", path}, "--output " + path + ": that is the model"},
      {{"query", path, "SELECT 1", "--db", "duckdb:" + space, "--output", space},
       "--output " + space + ": that is the database"},
      {{"check", path, "--trail", twice, "--report", detour},
       "--report " + detour + ": --trail goes there already"},
      {{"check", path, "--report", twice, "--report", detour},
       "--report " + detour + ": another --report goes there already"},
  };
  for (const auto& [arguments, wanted] : mistakes) {
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << wanted;
    EXPECT_TRUE(contains(result.errors, wanted)) << result.errors;
    EXPECT_EQ(read_all(path), text) << wanted;
    EXPECT_FALSE(std::filesystem::exists(twice)) << wanted;
  }
  // What is no plain file is not replaced.
  std::filesystem::create_symlink("/dev/null", folder.path("a.txt"));
  std::filesystem::create_symlink("/dev/null", folder.path("b.json"));
  EXPECT_EQ(run({"check", path, "--trail", "/dev/null", "--report", folder.path("a.txt"),
                 "--report", folder.path("b.json")})
                .exit_code,
            1);
}

TEST(Usage, ReadsTheCommandLineAsItWasMeant) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.argos", "proc p { skip }\n");
  const auto first_line = [](const std::vector<std::string>& arguments) {
    const std::string errors = run(arguments).errors;
    return errors.substr(0, errors.find('\n'));
  };
  EXPECT_EQ(run({"check", "--", model("request")}).exit_code, 1);
  EXPECT_EQ(first_line({"check", "--", "-no-such-file"}).substr(0, 39),
            "error: cannot read file `-no-such-file`");
  EXPECT_EQ(first_line({"check", "--serach", "walk", path}),
            "panoptes: `check` has no option --serach; did you mean `--search`?");
  EXPECT_EQ(first_line({"check", path, "--js"}),
            "panoptes: `check` has no option --js; did you mean `--json`?");
  EXPECT_EQ(first_line({"show", path, "--x=3"}), "panoptes: `show` has no option --x");
  EXPECT_EQ(first_line({"check", path, "-x"}), "panoptes: `check` has no option -x");
  EXPECT_EQ(first_line({"check", path, "-D"}), "panoptes: -D: wanted NAME or NAME=VALUE");
  EXPECT_EQ(first_line({"check", path, "--json=no"}), "panoptes: --json takes no value");
  EXPECT_EQ(first_line({"check", path, "--depth", "3", "--depth=4"}),
            "panoptes: --depth is given twice");
  EXPECT_EQ(
      first_line({"--json", "check", path}),
      "panoptes: --json comes too early: a command comes first, as in `panoptes check MODEL`");
  EXPECT_EQ(first_line({path}), "panoptes: there is no command `" + path +
                                    "`; did you mean `panoptes check " + path + "`?");
}

// ---- interrupts and progress -------------------------------------------------------------------

TEST(Interrupts, EndALongRunWithWhatWasFound) {
  for (const char* order : {"breadth", "depth"}) {
    const TemporaryFolder folder;
    Child child({"check", folder.write("endless.argos", endless), "--order", order});
    ASSERT_TRUE(child.wait_for_memory(std::uint64_t{is_sanitized ? 256u : 32u} << 20));
    child.interrupt();
    const Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3) << order;
    EXPECT_TRUE(contains(result.output, "unknown: no error so far")) << result.output;
    EXPECT_TRUE(contains(result.output, "(interrupted)")) << result.output;
    EXPECT_TRUE(contains(result.output, "promise: partial")) << result.output;
    EXPECT_EQ(result.errors, "") << "a progress line in a pipe";
  }
}

TEST(Interrupts, KeepTheErrorsFoundSoFar) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("endless.argos", std::string(endless) + "proc q { assert(0) }\n");
  Child child({"check", path, "--json"});
  ASSERT_TRUE(child.wait_for_memory(std::uint64_t{is_sanitized ? 256u : 32u} << 20));
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 1);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["promise"], "partial");
  EXPECT_EQ(json["stop"], "interrupted");
  EXPECT_EQ(json["errors"].size(), 1u);
}

TEST(Progress, IsShownOnATerminalAndWipedAway) {
  const TemporaryFolder folder;
  Child child({"check", folder.write("endless.argos", endless)}, Child::Errors::to_terminal);
  ASSERT_TRUE(child.wait_for(" states/s  depth ")) << child.wait().errors;
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.errors, " waiting  ")) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("\r\033[K")) << "the line is still there";
  EXPECT_FALSE(contains(result.output, "states/s"));
}

TEST(Progress, IsNotShownWhereTheSearchIsShort) {
  Child child({"check", model("alternating_bit")}, Child::Errors::to_terminal);
  EXPECT_EQ(child.wait().errors, "");
}

TEST(TimeLimits, EndALongRun) {
  const TemporaryFolder folder;
  const Result result =
      run({"check", folder.write("endless.argos", endless), "--time", "0.3s", "--memory", "2G"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(time limit reached)")) << result.output;
}

TEST(MemoryLimits, EndALongRunWithinTheirBounds) {
  const TemporaryFolder folder;
  const Result result = run({"check", folder.write("endless.argos", endless), "--memory", "64M"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(memory limit reached)")) << result.output;
  // What the program needs without a model is apart.
  const long fixed_kilobytes = run({"--version"}).peak_kilobytes;
  EXPECT_TRUE(is_sanitized || result.peak_kilobytes - fixed_kilobytes <= 64 * 1024)
      << result.peak_kilobytes << " less " << fixed_kilobytes;
}

}  // namespace
}  // namespace panoptes::cli
