// SPDX-License-Identifier: Apache-2.0
// Options of the command line: what they change, and what is said of those that make no sense.
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "options/table.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

TEST(Options, ChangeWhatIsChecked) {
  const auto states = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"check", model("alternating_bit_link"), "--json"};
    if (std::ranges::find(options, "--reduce") == options.end())
      arguments.insert(arguments.end(), {"--reduce", "none"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::parse_json(run(arguments).output)["states"].get<int>();
  };
  EXPECT_EQ(states({"--no-minimise"}), 2416);
  EXPECT_EQ(states({}), 2320);
  EXPECT_LT(states({"--reduce", "auto"}), 2320);
  EXPECT_EQ(states({"--timeouts", "lock", "--no-minimise"}), 88);
  EXPECT_EQ(states({"--timeouts=lock", "--order=depth"}), 86);
}

// Who forgets states comes to one with an error again and again.
TEST(Options, ThatLeaveFaultyStatesCountVisitsWhereStatesAreForgotten) {
  const auto line = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"check", model("hang_up"), "-D",
                                       "AGAIN", "--expand",       "sound"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string text = run(arguments).output;
    const std::size_t at = text.find("not expanded: ");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(line({}), "not expanded: 1 state with an error");
  for (const char* more : {"--seed=2", "--count-distinct"})
    EXPECT_TRUE(line({"--search", "walk", more}).ends_with(" visits to states with an error"))
        << line({"--search", "walk", more});
  EXPECT_EQ(line({"--search", "supertrace", "--runs", "3"}), "not expanded: 1 state with an error");
}

// What a report says of the search has happened to it.
TEST(Options, ChangeHowItIsSearched) {
  const auto analysed = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"check", model("sliding_window"), "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::parse_json(run(arguments).output)["states_analysed"].get<int>();
  };
  for (const std::string search : {"stack", "cache"}) {
    const int all = analysed({"--search", search, "--depth", "9"});
    EXPECT_LT(analysed({"--search", search, "--depth", "9", "--fold", "process", "sender"}), all);
  }
  const auto transitions = [](const std::string& choice) {
    const Result result = run({"check", model("sliding_window"), "--json", "--search", "walk",
                               "--runs", "100", "--choose", choice});
    return test::parse_json(result.output)["transitions"].get<int>();
  };
  EXPECT_NE(transitions("transit"), transitions("written"));
  EXPECT_NE(transitions("scatter"), transitions("written"));
}

// A verdict on narrowed channels never reads as if it were one on the model as it is written.
TEST(Options, ThatNarrowChannelsAreSaidToWhereverSomethingIsSaid) {
  const std::string name = model("sliding_window");
  const std::string warning = "warning: --at-most-slots narrows receiver to 1 slot of 2\n";
  const Result check = run({"check", name, "--reduce", "none", "--at-most-slots", "1"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_EQ(check.errors, warning);
  EXPECT_TRUE(contains(check.output, name + ": holds with narrowed channels: no deadlock"));
  EXPECT_TRUE(contains(check.output,
                       "\nnarrowed: receiver to 1 slot of 2; nothing is said about the model as "
                       "written\npromise: exhaustive\n17,790 states,"));
  const Json json = test::parse_json(run({"check", name, "--at-most-slots", "1", "--json"}).output);
  EXPECT_EQ(json["narrowed"],
            test::parse_json(R"([{"channel": "receiver", "slots": 1, "declared": 2}])"));
  EXPECT_EQ(json["options"]["at-most-slots"], "1");
  EXPECT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(run({"check", name, "--at-most-slots", "1", "-D", "MODULUS=2"}).exit_code, 1);
  for (const std::vector<std::string>& other : {std::vector<std::string>{"show", name, "--layout"},
                                                {"simulate", name},
                                                {"query", name, "SELECT count(*) FROM states"}}) {
    std::vector<std::string> arguments = other;
    arguments.insert(arguments.end(), {"--at-most-slots", "1"});
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << other[0];
    EXPECT_TRUE(contains(result.errors, warning)) << other[0] << result.errors;
    EXPECT_NE(result.output, run(other).output) << other[0];
  }
  const Result wide = run({"check", name, "--at-most-slots", "2"});
  EXPECT_EQ(wide.errors, "");
  EXPECT_TRUE(contains(wide.output, name + ": holds: no deadlock")) << "there is nothing to narrow";
  EXPECT_FALSE(contains(wide.output, "narrowed"));
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
      {{"relate", abp, "--memory", "63M"},
       "--memory 63M is too little: DuckDB takes 48M for itself; --memory 64M would do"},
      {{"query", abp, "--named", "deadlocks", "--memory", "1K"},
       "--memory 1K is too little: DuckDB takes 48M for itself; --memory 64M would do"},
      {{"check", abp, "--time", "soon"}, "--time soon: wanted a time, e.g. 60s, 5m or 1h"},
      {{"check", abp, "--capacity", "5000"},
       "--capacity 5000: wanted a whole number, from 1 to 4096"},
      {{"check", abp, "--at-most-slots", "0"},
       "--at-most-slots 0: wanted a whole number, from 1 to 4096"},
      {{"check", abp, "--expand", "none"}, "--expand none: wanted one of all|sound"},
      {{"check", abp, "--threads", "0"}, "--threads 0: wanted a whole number, from 1 to 1024"},
      {{"check", abp, "--threads", "1025"},
       "--threads 1025: wanted a whole number, from 1 to 1024"},
      {{"check", abp, "-D", "1x=2"}, "-D 1x=2: wanted NAME or NAME=VALUE"},
      {{"check", abp, "--search", "guided"}, "needs --cost or --towards EXPRESSION"},
      {{"check", abp, "--choose", "cost"}, "needs --cost or --towards EXPRESSION"},
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
      {{"check", abp, "--keep", "1", "--search", "walk"},
       "--keep is not for --search walk, which goes on with one successor by chance"},
      {{"check", abp, "--search", "walk", "--fold", "process", "sender"},
       "--fold is not for --search walk, which remembers no states"},
      {{"check", abp, "--search", "stack", "--store-labelled", "--fold", "process", "sender"},
       "--store-labelled is not for --fold, which hides where processes are"},
      {{"check", abp, "--fold", "process"}, "--fold: wanted KIND NAME"},
      {{"check", abp, "--order"}, "--order: wanted one of breadth|depth"},
      {{"check", abp, "x", "y"}, "`x` was not expected: `check` takes MODEL"},
      {{"show", abp},
       "show what? --automata, --tables, --channels, --holes, --graph, --rules or --layout"},
      {{"show", abp, "--automata", "--backward"}, "--backward is for --tables"},
      {{"show", abp, "--graph", "--states", "10001"}, "--states 10001: wanted "},
      {{"show", abp, "--holes", "--states", "10"}, "--states is for --graph"},
      {{"show", abp, "--automata", "--strict"}, "--strict is for --graph"},
      {{"show", abp, "--holes", "--format", "dot"},
       "--holes has no --format dot; it has text, json, csv, svg"},
      {{"show", abp, "--holes", "--by", "place", "--format", "json"},
       "--by is not for --format json, which has both"},
      {{"show", abp, "--graph", "--by", "place"}, "--by is for --holes"},
      {{"show", abp, "--automata", "--rules", "--format", "dot"},
       "--rules has no --format dot; it has text, json, c"},
      {{"show", abp, "--automata", "--format", "c"},
       "--automata has no --format c; it has text, json, dot, svg"},
      {{"show", abp, "--automata", "--channels", "--format", "dot"},
       "--format dot shows one thing at a time"},
      {{"show", abp, "--rules", "--layout", "--format", "json"},
       "--format json shows one thing at a time"},
      {{"show", abp, "--automata", "--format", "png"},
       "--format png: wanted one of text|json|csv|dot|svg|c"},
      {{"show", abp, "--json"}, "`show` does not take --json; `check` does"},
      {{"show", abp, "--rules", "--report", "r.xml"},
       "`show` does not take --report; `check` does"},
      {{"check", abp, "--report", "r.pdf"}, "wanted a name that ends in one of .txt, "},
      {{"check", abp, "--report", ".XML"}, "--report .XML: wanted a name that ends in one of .txt"},
      {{"relate", abp, "--steps", "--report", "r.xml"}, "--report is not for --steps"},
      {{"help", "chek"}, "there is no command `chek`; did you mean `check`?"},
      {{"chek", "--help"}, "there is no command `chek`; did you mean `check`?"},
      {{"frobnicate", "-h"}, "there is no command `frobnicate`"},
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

// A slip of the finger would be another model, and its all-clear a false one.
TEST(Definitions, ThatTheModelDoesNotKnowAreWarnedOf) {
  const TemporaryFolder folder;
  folder.write("part.inc", "#ifndef DEPTH\n#define DEPTH 2\n#endif\n");
  const std::string path = folder.write(
      "m.argos",
      "#include \"part.inc\"\nchannel c[DEPTH];\n#ifdef CRASH\nproc q { assert(LEVEL == 1) }\n"
      "#endif\nproc p { c!m }\nproc r { c?m }\n");
  const std::string warning =
      "warning: -D CRAHS: the model has no such name\n  did you mean `CRASH`?\n";
  const std::string trail = folder.path("trail.json");
  EXPECT_EQ(run({"simulate", path, "-D", "CRAHS", "--trail", trail}).errors, warning);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", path},
                                                  {"show", path, "--rules"},
                                                  {"relate", path},
                                                  {"query", path, "SELECT 1"},
                                                  {"simulate", path},
                                                  {"replay", path, trail}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-D", "CRAHS"});
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, 0) << command[0];
    EXPECT_EQ(result.errors, warning) << command[0];
  }
  EXPECT_EQ(run({"check", path, "-D", "FROG=2"}).errors,
            "warning: -D FROG: the model has no such name\n");
  const auto json = test::parse_json(run({"check", path, "-D", "CRAHS", "--json"}).output);
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(json["warnings"][0]["kind"], "input_warning");
  EXPECT_EQ(json["warnings"][0]["suggestion"], "did you mean `CRASH`?");
  // In an included text, in a part that is left out, in another definition: all are mentioned.
  for (const char* known : {"DEPTH=1", "LEVEL=1"})
    EXPECT_EQ(run({"show", path, "--rules", "-D", known}).errors, "") << known;
  EXPECT_EQ(run({"show", path, "--rules", "-D", "CRASH", "-D", "LEVEL=ONE", "-D", "ONE=1"}).errors,
            "");
}

TEST(Usage, RefusesEmptyValues) {
  for (const OptionInfo& option : option_table()) {
    if (option.argument.empty() || option.argument == "KIND NAME") continue;
    const std::string command(option.commands.substr(0, option.commands.find(' ')));
    std::vector<std::string> arguments{command, model("request")};
    if (command == "replay") arguments.emplace_back("trail.json");
    if (command == "certify") arguments.emplace_back("proof.txt");
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
      {{"simulate", "--interactive", "--time", "1s"},
       "--time is not for --interactive, which ends when you do"},
      {{"replay", "t.json", "--interactive", "--time", "1s"}, "--time is not for --interactive"},
      {{"simulate", "--json", "--chart", "text"}, "--chart is not for --json"},
      {{"relate", "--steps", "--chart", "text"}, "--chart is not for --steps"},
      {{"relate", "--json", "--chart", "text"}, "--chart is not for --json"},
      {{"check", "--json", "--chart", "auto"}, "--chart is not for --json, which has every step"},
      {{"check", "--json", "--width", "80"}, "--width is not for --json, which has no charts"},
      {{"check", "--chart", "mermaid", "--width", "80"}, "--width is for --chart auto"},
      {{"replay", "t.json", "--width", "80"}, "--width is for --chart text, --chart full"},
      {{"relate", "--steps", "--width", "80"}, "--width is not for --steps"},
      {{"check", "--state"}, "--state is for --steps, --json or --report"},
      {{"replay", "t.json", "--chart", "text", "--state"},
       "--state is for --chart steps, and for --json"},
      {{"simulate", "--interactive", "--state"},
       "--state is not for --interactive, which has `state`"},
      {{"check", "--json", "--steps"}, "--steps is not for --json, which has all of it anyway"},
      {{"check", "--json", "--stats"}, "--stats is not for --json, which has all of it anyway"},
      {{"query", "--schema", "--depth", "3"}, "--depth is not for --schema"},
      {{"query", "--schema", "--time", "1s"}, "--time is not for --schema"},
      {{"query", "--schema", "--memory", "1G"}, "--memory is not for --schema"},
      {{"query", "--schema", "--stepper", "interpreter"}, "--stepper is not for --schema"},
      {{"query", "--schema", "--threads", "1"}, "--threads is not for --schema"},
      {{"query", "SELECT 1", "--threads", "2", "--memory", "64M"}, "--threads is not for --memory"},
      {{"query", "--schema", "--relational"}, "--relational is not for --schema"},
      {{"query", "--schema", "--strict"}, "--strict is not for --schema"},
      {{"query", "--named", "list", "--time", "1s"}, "--time is not for --named list"},
      {{"query", "--named", "list", "-D", "N=1"}, "-D is not for --named list"},
      {{"check", "--search", "walk", "--order", "breadth"}, "--order is for --search auto"},
      {{"check", "--search", "stack", "--threads", "2"},
       "--threads is not for --search stack, which uses one core"},
      {{"check", "--search", "scatter", "--threads", "2"}, "--threads is not for --search scatter"},
      {{"check", "--order", "depth", "--threads", "2"}, "--threads is not for --order depth"},
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

TEST(Usage, SaysWhereAPictureComesFrom) {
  const auto first_line = [](const std::vector<std::string>& arguments) {
    const std::string errors = run(arguments).errors;
    return errors.substr(0, errors.find('\n'));
  };
  EXPECT_EQ(
      first_line({"check", model("request"), "--chart", "svg"}),
      "panoptes: --chart svg: wanted one of auto|columns|text|full|mermaid|plantuml; --report "
      "FILE.svg writes that");
  EXPECT_EQ(first_line({"simulate", model("request"), "--chart", "svg"}),
            "panoptes: --chart svg: wanted one of steps|columns|text|full|mermaid|plantuml; "
            "`panoptes check MODEL --report FILE.svg` writes that");
  EXPECT_EQ(first_line({"check", model("request"), "--chart", "png"}),
            "panoptes: --chart png: wanted one of auto|columns|text|full|mermaid|plantuml");
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

}  // namespace
}  // namespace panoptes::cli
