// SPDX-License-Identifier: Apache-2.0
#include "options/table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "options/parse.hpp"

namespace panoptes {
namespace {

TEST(OptionTable, HasEveryNameOncePerCommandAndFindsIt) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const OptionInfo& option : option_table()) {
    EXPECT_NE(find_option(option.name), nullptr);
    for (const CommandInfo& command : command_table()) {
      if (!takes(command.name, option)) continue;
      EXPECT_TRUE(names.insert({option.name, command.name}).second) << option.name;
      EXPECT_EQ(find_option(option.name, command.name), &option);
    }
  }
  EXPECT_EQ(find_option("keep", "show"), nullptr);
  EXPECT_EQ(find_option("no-such-option"), nullptr);
  EXPECT_EQ(find_option(""), nullptr);
}

TEST(OptionTable, SaysOfEveryOptionWhatItDoesAndWhoTakesIt) {
  for (const OptionInfo& option : option_table()) {
    EXPECT_FALSE(option.sentence.empty()) << option.name;
    std::istringstream words{std::string(option.commands)};
    std::string word;
    while (words >> word)
      EXPECT_NE(find_command(word), nullptr) << option.name << ": " << option.commands;
    EXPECT_FALSE(word.empty()) << option.name;
  }
}

TEST(OptionTable, GivesStandardValuesThatAreValidAndNoneToSwitches) {
  for (const OptionInfo& option : option_table()) {
    EXPECT_TRUE(option.standard.empty() || is_valid(option, std::string(option.standard)))
        << option.name;
    EXPECT_EQ(option.kind == ValueKind::on_off, option.argument.empty()) << option.name;
    if (option.argument.empty()) {
      EXPECT_TRUE(option.choices.empty()) << option.name;
      EXPECT_EQ(option.standard, "") << option.name;
    }
  }
}

TEST(OptionTable, KnowsTheChoicesOfAnOption) {
  const OptionInfo& receptions = *find_option("receptions");
  for (const char* choice : {"blocked", "reading", "any"})
    EXPECT_TRUE(is_choice(receptions.choices, choice)) << choice;
  for (const char* other : {"", "block", "blocked|reading", "anything", "ANY", "|"})
    EXPECT_FALSE(is_choice(receptions.choices, other)) << other;
  EXPECT_TRUE(is_choice(find_option("depth")->choices, "whatever"));  // it has no choices
}

// A word that stands twice, or alone, helps nobody.
void expect_words_with_meanings(std::string_view name, std::span<const ChoiceInfo> choices) {
  std::set<std::string_view> words;
  for (const ChoiceInfo& choice : choices) {
    EXPECT_TRUE(words.insert(choice.word).second) << name << " " << choice.word;
    EXPECT_EQ(choice.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << name << " " << choice.word;
    EXPECT_FALSE(choice.meaning.empty()) << name << " " << choice.word;
    EXPECT_FALSE(choice.meaning.ends_with('.')) << name << " " << choice.word;
  }
  EXPECT_NE(words.size(), 1u) << name;
}

TEST(OptionTable, SaysOfEveryWordOfAnOptionOrOperandWhatItMeans) {
  for (const OptionInfo& option : option_table())
    expect_words_with_meanings(option.name, option.choices);
  for (const CommandInfo& command : command_table())
    for (const Operand& operand : operands_of(command))
      expect_words_with_meanings(operand.info.name, operand.info.choices);
}

TEST(OptionGroups, NameOptionsThereAreAndEachOnce) {
  std::set<std::string_view> names;
  for (const OptionGroup& group : option_groups())
    for (const std::string_view name : parts_of(group.options, ' ')) {
      EXPECT_TRUE(names.insert(name).second) << name;
      const std::size_t dot = name.find('.');
      if (dot == std::string_view::npos)
        EXPECT_NE(find_option(name), nullptr) << name;
      else
        EXPECT_NE(find_option(name.substr(dot + 1), name.substr(0, dot)), nullptr) << name;
    }
}

TEST(OptionGroups, HaveEveryOptionOfACommandOnce) {
  for (const CommandInfo& command : command_table()) {
    std::multiset<const OptionInfo*> wanted, grouped;
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option)) wanted.insert(&option);
    for (const HeadedOptions& group : headed_options(command.name)) {
      EXPECT_FALSE(group.options.empty()) << command.name << ": " << group.heading;
      grouped.insert(group.options.begin(), group.options.end());
    }
    EXPECT_EQ(grouped, wanted) << command.name;
  }
}

// `name` or `name=value`, of a command.
void expect_there(std::string_view command, std::string_view term) {
  const std::size_t equals = term.find('=');
  const OptionInfo* option = find_option(term.substr(0, equals), command);
  ASSERT_NE(option, nullptr) << command << " " << term;
  if (equals == std::string_view::npos) return;
  EXPECT_FALSE(option->argument.empty()) << command << " " << term;
  EXPECT_TRUE(is_choice(option->choices, term.substr(equals + 1))) << command << " " << term;
}

TEST(OptionRules, NameCommandsOptionsAndValuesThereAre) {
  for (const OptionRule& rule : option_rules()) {
    EXPECT_FALSE(rule.commands.empty() || rule.options.empty() || rule.others.empty());
    for (const std::string_view command : parts_of(rule.commands, ' ')) {
      EXPECT_NE(find_command(command), nullptr) << command;
      for (const std::string_view terms : {rule.options, rule.others, rule.unless})
        for (const std::string_view term : parts_of(terms, ' ')) expect_there(command, term);
    }
  }
}

TEST(CommandTable, SaysOfEveryCommandWhatItDoesAndHow) {
  for (const CommandInfo& command : command_table()) {
    EXPECT_EQ(find_command(command.name), &command);
    EXPECT_TRUE(command.sentence.ends_with('.')) << command.name;
    EXPECT_FALSE(command.exit_codes.empty()) << command.name;
    EXPECT_FALSE(command.examples.empty()) << command.name;
    for (const std::string_view example : parts_of(command.examples, '\n'))
      EXPECT_NE(example.find("panoptes " + std::string(command.name)), std::string::npos)
          << example;
    for (const Operand& operand : operands_of(command))
      EXPECT_FALSE(operand.info.sentence.empty()) << operand.info.name;
  }
}

}  // namespace
}  // namespace panoptes
