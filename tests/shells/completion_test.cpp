// SPDX-License-Identifier: Apache-2.0
// What the completions offer, asked in the shells themselves: every command, every option of a
// command, every word of an option, and files; nothing that is not in the tables.
#include "options/table.hpp"
#include "shells/ask.hpp"

namespace panoptes::shells {
namespace {

class Completion : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shells, Completion, testing::Values("bash", "zsh", "fish"),
                         [](const auto& shell) { return shell.param; });

std::set<std::string> flags_of(const CommandInfo& command) {
  std::set<std::string> flags{"--help"};
  for (const OptionInfo& option : option_table())
    if (takes(command.name, option)) flags.insert(flag_of(option));
  return flags;
}

std::set<std::string> words_of(std::span<const ChoiceInfo> choices) {
  const std::vector<std::string> words = words_in(choices);
  return {words.begin(), words.end()};
}

// Those that begin with two dashes: shells differ in what they offer after one.
std::set<std::string> long_ones(const std::set<std::string>& flags) {
  std::set<std::string> result;
  for (const std::string& flag : flags)
    if (flag.starts_with("--")) result.insert(flag);
  return result;
}

TEST_P(Completion, OffersEveryCommand) {
  std::set<std::string> wanted;
  for (const CommandInfo& command : command_table()) wanted.insert(std::string(command.name));
  Offers offers = ask(GetParam(), {"panoptes ", "panoptes che", "panoptes --", "panoptes help "});
  std::set<std::string> bare;
  for (const std::string& word : offers["panoptes "])
    if (!word.starts_with('-')) bare.insert(word);
  EXPECT_EQ(bare, wanted);
  EXPECT_TRUE(offers["panoptes che"].contains("check"));
  EXPECT_EQ(offers["panoptes --"], (std::set<std::string>{"--help", "--version"}));
  EXPECT_EQ(offers["panoptes help "], wanted);
}

TEST_P(Completion, OffersTheOptionsOfEveryCommandAndNoOthers) {
  std::vector<std::string> lines;
  for (const CommandInfo& command : command_table())
    for (const char* dashes : {" -", " --"})
      lines.push_back("panoptes " + std::string(command.name) + dashes);
  Offers offers = ask(GetParam(), lines);
  for (const CommandInfo& command : command_table()) {
    const std::string line = "panoptes " + std::string(command.name);
    EXPECT_EQ(offers[line + " --"], long_ones(flags_of(command))) << line;
    for (const std::string& flag : flags_of(command))
      EXPECT_TRUE(offers[line + " -"].contains(flag)) << line << " " << flag;
  }
}

TEST_P(Completion, OffersTheWordsOfEveryOptionBehindABlankOrAnEqualsSign) {
  std::map<std::string, std::set<std::string>> wanted;
  for (const CommandInfo& command : command_table())
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option) && !option.choices.empty())
        wanted["panoptes " + std::string(command.name) + " " + flag_of(option)] =
            words_of(option.choices);
  ASSERT_FALSE(wanted.empty());
  std::vector<std::string> lines;
  for (const auto& [line, words] : wanted) {
    lines.push_back(line + " ");
    lines.push_back(line + "=");
  }
  Offers offers = ask(GetParam(), lines);
  for (const auto& [line, words] : wanted) {
    EXPECT_EQ(offers[line + " "], words) << line;
    // Some shells offer the whole word, some what stands behind the sign.
    std::set<std::string> values;
    for (const std::string& offer : offers[line + "="])
      values.insert(offer.substr(offer.find('=') + 1));
    EXPECT_EQ(values, words) << line << "=";
  }
}

TEST(FishCompletion, SaysWhatAWordMeans) {
  const cli::TemporaryFolder folder;
  folder.write("script", cli::run({"completion", "fish"}).output);
  const auto offered = [&](const std::string& line) {
    return models::run_shell("cd '" + folder.path("") +
                             "' && HOME=$PWD fish --no-config -c \"source "
                             "./script; complete -C '" +
                             line + "'\" 2>&1")
        .output;
  };
  const std::string searches = offered("panoptes check --search ");
  for (const ChoiceInfo& choice : find_option("search")->choices)
    EXPECT_TRUE(cli::contains(searches,
                              std::string(choice.word) + "\t" + std::string(choice.meaning) + "\n"))
        << searches;
  EXPECT_TRUE(cli::contains(offered("panoptes explain dead"),
                            "dead_code\tstatements that no reachable state executes\n"));
}

TEST_P(Completion, OffersModelsAndFolders) {
  const std::vector<std::string> lines{
      "panoptes check ",           "panoptes check --strict mo",
      "panoptes check --depth 3 ", "panoptes check --fold process timer ",
      "panoptes completion ",      "panoptes completion f",
      "panoptes explain "};
  Offers offers = ask(GetParam(), lines);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_TRUE(offers[lines[i]].contains("model.argos")) << lines[i];
  EXPECT_TRUE(offers["panoptes check "].contains("folder") ||
              offers["panoptes check "].contains("folder/"));
  // fish offers other files behind the models.
  EXPECT_EQ(offers["panoptes check "].contains("notes.txt"), GetParam() == "fish");
  EXPECT_EQ(offers["panoptes completion "], (std::set<std::string>{"bash", "zsh", "fish"}));
  EXPECT_EQ(offers["panoptes completion f"], std::set<std::string>{"fish"});
  EXPECT_EQ(offers["panoptes explain "],
            words_of(operands_of(*find_command("explain"))[0].info.choices));
}

// To bash, some characters within a word are words.
TEST_P(Completion, IsNotConfusedByWhatStandsInAValue) {
  const std::vector<std::string> models{"panoptes check -D N=4 mo",
                                        "panoptes check -DN=4 mo",
                                        "panoptes check --depth=3 mo",
                                        "panoptes simulate --weight timeout=0 mo",
                                        "panoptes simulate --weight=timeout=0 mo",
                                        "panoptes query --db duckdb:x.db mo",
                                        "panoptes query --db=duckdb:x.db mo",
                                        "panoptes query --db postgresql://me@host:1/x mo"};
  const std::vector<std::string> none{"panoptes check -D N=", "panoptes check -D N=4",
                                      "panoptes query --db duckdb:"};
  const std::string words = "panoptes check -D N=4 --timeouts=em";
  std::vector<std::string> lines = models;
  lines.insert(lines.end(), none.begin(), none.end());
  lines.push_back(words);
  Offers offers = ask(GetParam(), lines);
  for (const std::string& line : models) EXPECT_TRUE(offers[line].contains("model.argos")) << line;
  for (const std::string& line : none) EXPECT_FALSE(offers[line].contains("model.argos")) << line;
  EXPECT_EQ(offers[words].size(), 1u);
}

TEST_P(Completion, OffersNoOperandTwice) {
  const std::vector<std::string> done{"panoptes completion bash ", "panoptes explain deadlock ",
                                      "panoptes query model.argos ", "panoptes help check ",
                                      "panoptes check --depth 3 model.argos "};
  std::vector<std::string> lines = done;
  lines.insert(lines.end(), {"panoptes format model.argos ", "panoptes replay model.argos "});
  Offers offers = ask(GetParam(), lines);
  for (const std::string& line : done)
    for (const std::string& offer : offers[line])
      EXPECT_TRUE(offer.starts_with('-')) << line << ": " << offer;
  EXPECT_TRUE(offers["panoptes format model.argos "].contains("model.argos"));
}

TEST_P(Completion, OffersFilesForOptionsThatTakeOneAndNothingForNumbers) {
  Offers offers = ask(
      GetParam(), {"panoptes check model.argos --report ", "panoptes check model.argos --spill ",
                   "panoptes check model.argos --depth "});
  EXPECT_TRUE(offers["panoptes check model.argos --report "].contains("notes.txt"));
  const std::set<std::string> folders = offers["panoptes check model.argos --spill "];
  EXPECT_TRUE(folders.contains("folder") || folders.contains("folder/"));
  EXPECT_FALSE(folders.contains("notes.txt"));
  EXPECT_EQ(offers["panoptes check model.argos --depth "], std::set<std::string>{});
}

}  // namespace
}  // namespace panoptes::shells
