// SPDX-License-Identifier: Apache-2.0
// Every option of every command with values at and beyond its limits: it is done or refused, and
// what is refused is said and ends with exit code 2, before anything else happens.
#include <algorithm>
#include <set>

#include "cli/child.hpp"
#include "options/table.hpp"
#include "support/sample.hpp"

namespace panoptes::cli {
namespace {

constexpr const char* tiny =
    "channel c[1], d[1];\n"
    "proc p[i : -1..0] var x : 0..3; { if :: (i == 0) -> c!m :: (i == -1) -> d!m(x) fi }\n"
    "proc q { end: do :: c?m :: d?m(_) :: c?timeout -> skip od }\n";

using Words = std::vector<std::string>;

const Words& numbers() {
  static const Words all{"",
                         "0",
                         "-1",
                         "1",
                         "1.5",
                         "1e30",
                         "2147483648",
                         "4294967296",
                         "9223372036854775807",
                         "9223372036854775808",
                         "18446744073709551615",
                         "18446744073709551616",
                         std::string(50'000, '9'),
                         "text",
                         "\xc3\xa4\xe2\x82\xac"};
  return all;
}

Words values_of(const OptionInfo& option) {
  const std::string long_word(50'000, 'x'), unicode = "\xc3\xa4\xe2\x82\xac", broken = "\xff\xfe";
  if (option.argument.empty()) return {};
  if (!option.choices.empty()) {
    Words values = words_in(option.choices);
    values.insert(values.end(), {"", "0", "Text", long_word, unicode, values[0] + "|" + values[1]});
    return values;
  }
  if (option.argument == "FILE" || option.argument == "DIR" || option.argument == "WHERE")
    return {
        "",         ".",     "/",     "/nowhere/x.txt", "/dev/null", long_word, unicode + ".txt",
        "a b.json", "'.txt", "\".txt"};
  if (option.argument == "DATABASE")
    return {"",
            "text",
            "duckdb:",
            "duckdb:/nowhere/x.db",
            "duckdb:/dev/null",
            "DUCKDB",
            "postgresql://",
            "postgresql://:0",
            long_word,
            unicode};
  if (option.argument == "KIND NAME")
    return {"process p",
            "process p[-1]",
            "process nobody",
            "channel c",
            "variable p[0].x",
            "variable x",
            "thing p",
            " ",
            "process " + long_word,
            "process " + unicode};
  if (option.argument == "NAME=N")
    return {"p=1",
            "p[-1]=0",
            "p[0]=1000",
            "p[0]=1001",
            "p[0]=-1",
            "=1",
            "p[0]=",
            "nobody=1",
            "",
            "timeout=18446744073709551616",
            long_word + "=1",
            unicode + "=1",
            "m=2"};
  if (option.argument == "NAME=VALUE")
    return {"",           "A",    "A=",  "=",     "1=2",     "A=2147483648",   "c=proc",
            "p={",        "A=\"", "A=#", unicode, long_word, "A=" + long_word, "A=\\",
            "A=" + broken};
  if (option.argument == "NAME=VALUES")
    return {"",
            "A?",
            "A=",
            "A=..",
            "A=1..",
            "A=2..1",
            "A=1..2..0",
            "A=1..9223372036854775808",
            "A=-2147483648..2147483647",
            "A=1..20",
            "A=1..5001",
            "A=,",
            "A=1,1",
            "A:=1..2,3",
            "W=1..2",
            "c={,;",
            unicode + "=1..2",
            "A=" + unicode + "," + broken,
            "A=" + long_word + ",1",
            "A=1.." + std::string(10'000, '9')};
  Words values = numbers();
  if (option.argument == "SIZE")
    values.insert(values.end(), {"1K", "1T", "16777215T", "16777216T", "1KB", "K", "-1M", "32M"});
  if (option.argument == "TIME") values.insert(values.end(), {"1e300h", "0s", "1ms", "nan", "inf"});
  if (option.argument == "EXPRESSION")
    values.insert(values.end(),
                  {"1 / 0", "depth / (depth - depth)", "-2147483647 - 2147483647", "((((",
                   "p[-1].x", "p[-1]@end", "len(c) * 2147483647 * 2147483647", "len(nobody)", "p.x",
                   "x @", "#", "depth depth", "true", long_word + " + " + long_word});
  return values;
}

std::string named_value(const std::string& name, std::string_view command) {
  const OptionInfo& option = *find_option(name, command);
  return option.argument.empty() ? "" : option.argument == "EXPRESSION" ? "depth" : "1";
}

// What must stand beside `option`, by the rules, so that its value is looked at at all.
Words companions(std::string_view command, const std::string& option) {
  Words words;
  std::set<std::string> there{option};
  const auto add = [&](std::string_view term) {
    const std::string name(term.substr(0, term.find('=')));
    if (!there.insert(name).second) return;
    words.push_back("--" + name);
    const std::string value = name.size() == term.size()
                                  ? named_value(name, command)
                                  : std::string(term.substr(name.size() + 1));
    if (!value.empty()) words.push_back(value);
  };
  for (const OptionRule& rule : option_rules()) {
    const auto commands = parts_of(rule.commands, ' '), options = parts_of(rule.options, ' ');
    if (std::ranges::find(commands, command) == commands.end()) continue;
    if (std::ranges::find(options, option) == options.end()) continue;
    if (rule.kind != OptionRule::Kind::not_for) add(parts_of(rule.others, ' ').front());
  }
  return words;
}

// A limit that was too small for an answer is said, too, but nothing is refused.
bool is_too_little(const Result& result) {
  return result.exit_code == 3 &&
         (contains(result.errors, "--memory") || contains(result.errors, "--time"));
}

bool is_refusal(const std::string& errors) {
  return errors.starts_with("panoptes: ") || contains(errors, "\npanoptes: ") ||
         errors.starts_with("error: ") || contains(errors, ": error: ");
}

void expect_done_or_refused(const Words& arguments) {
  std::string typed;
  for (const std::string& word : arguments) typed += " '" + word.substr(0, 60) + "'";
  const Result result = run(arguments);
  EXPECT_EQ(result.signal, 0) << typed;
  EXPECT_GE(result.exit_code, 0) << typed;
  EXPECT_LE(result.exit_code, 3) << typed << "\n" << result.errors.substr(0, 1000);
  EXPECT_EQ(result.exit_code == 2, is_refusal(result.errors) && !is_too_little(result))
      << typed << " ends with " << result.exit_code << "\n"
      << result.errors.substr(0, 1000);
  EXPECT_TRUE(result.exit_code != 2 || result.output.empty()) << typed;
  EXPECT_LT(result.peak_kilobytes, memory_limit_kilobytes) << typed;
}

// Files that are written go to a folder of their own, and nothing is read from the terminal.
class Limits : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    std::filesystem::current_path(folder_.path(""));
    folder_.write("m.argos", tiny);
    EXPECT_EQ(run({"simulate", "m.argos", "--trail", "t.json"}).exit_code, 0);
  }
  void TearDown() override { std::filesystem::current_path(PANOPTES_SOURCE_DIR); }

  // The command with operands that it can do something with.
  static Words begun(const std::string& option) {
    const std::string command = GetParam();
    Words words{command};
    if (operands_of(*find_command(command))[0].info.name == "MODEL") words.emplace_back("m.argos");
    if (command == "replay") words.emplace_back("t.json");
    if (command == "format") words.emplace_back("m.argos");
    if (command == "show") words.emplace_back("--automata");
    if (command == "sweep") words.insert(words.end(), {"-D", "W=1..2"});
    if (command == "query" && option != "named" && option != "schema")
      words.emplace_back("SELECT count(*) FROM states");
    return words;
  }

  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Commands, Limits,
                         testing::Values("check", "sweep", "show", "relate", "query", "replay",
                                         "simulate", "format", "explain"),
                         [](const auto& command) { return command.param; });

TEST_P(Limits, OfEveryOptionAreKept) {
  const std::string command = GetParam();
  const std::size_t one_of = is_sanitized ? 20 : test::has_all_samples() ? 1 : 3;
  std::size_t tried = 0;
  for (const OptionInfo& option : option_table()) {
    if (!takes(command, option)) continue;
    // A database takes its time; what is the same for `check` is looked at there.
    const bool is_slow = command == "relate" || command == "query";
    if (is_slow && takes("check", option)) continue;
    const std::string name(option.name);
    Words words = begun(name);
    const Words beside = companions(command, name);
    words.insert(words.end(), beside.begin(), beside.end());
    // Who asks for very many runs gets them, one after the other.
    if ((command == "check" || command == "sweep") && name != "time")
      words.insert(words.end(), {"--time", "0.1"});
    for (const std::string& value : values_of(option)) {
      if (is_slow && !option.choices.empty() && is_choice(option.choices, value)) continue;
      if (++tried % one_of != 0) continue;
      Words all = words;
      all.push_back(flag_of(option));
      const auto parts = parts_of(value, ' ');
      if (option.argument == "KIND NAME")
        all.insert(all.end(), parts.begin(), parts.end());
      else
        all.push_back(value);
      expect_done_or_refused(all);
    }
    if (option.argument.empty()) {
      words.push_back(flag_of(option) + "=1");
      EXPECT_EQ(run(words).exit_code, 2) << words.back();
    }
  }
}

TEST_P(Limits, OfEveryOperandAreKept) {
  const std::string command = GetParam();
  for (const std::string& value :
       {std::string(), std::string("."), std::string("/nowhere"), std::string(50'000, 'x'),
        std::string("\xc3\xa4\xe2\x82\xac"), std::string("--"), std::string("\xff")}) {
    for (std::size_t i = 0; i < operands_of(*find_command(command)).size(); ++i) {
      Words words{command};
      for (std::size_t before = 0; before < i; ++before) words.emplace_back("m.argos");
      words.push_back(value);
      if (command == "show") words.emplace_back("--rules");
      if (command == "query" && i == 0) words.emplace_back("SELECT 1");
      if (command == "query" && i == 1 && value.empty())
        continue;  // standard input, which is empty
      if (command == "replay" && i == 0) words.emplace_back("t.json");
      expect_done_or_refused(words);
    }
  }
}

// The number of a cost that is none was told of, and then the search began all the same.
TEST(Refused, IsWhateverIsSaidToBeAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.argos", tiny);
  const Result cost = run({"check", path, "--search", "guided", "--cost", "2147483648"});
  EXPECT_EQ(cost.exit_code, 2);
  EXPECT_EQ(cost.output, "");
  EXPECT_TRUE(contains(cost.errors, "--cost:1:1: error: ")) << cost.errors;
  const Result capacity = run({"check", path, "--capacity", "4097"});
  EXPECT_EQ(capacity.exit_code, 2);
}

}  // namespace
}  // namespace panoptes::cli
