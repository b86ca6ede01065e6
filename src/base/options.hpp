// SPDX-License-Identifier: Apache-2.0
// Every command and every option of the command line, each in one table: parsing, help, manual,
// completions, documentation and fuzzing are made from them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes {

struct CommandInfo {
  std::string_view name;
  // What it wants besides options, separated by blanks: `NAME`, `[NAME]` where it may be left out,
  // `NAME...` where there may be several.
  std::string_view operands;
  std::string_view sentence;    // what it does
  std::string_view examples;    // one a line, each a whole command
  std::string_view exit_codes;  // "0 done, 2 bad input ..."
};
std::span<const CommandInfo> command_table();
const CommandInfo* find_command(std::string_view name);

// One of the words of CommandInfo::operands.
struct OperandInfo {
  std::string_view name;          // without brackets and dots
  std::string_view sentence;      // what it is
  std::string_view files = "*";   // what names of files look like; "" where it is no file
  std::string_view choices = {};  // the words it may be, as choices_in() reads them
};
std::span<const OperandInfo> operand_table();
struct Operand {
  OperandInfo info;
  bool is_optional = false;
  bool repeats = false;
};
std::vector<Operand> operands_of(const CommandInfo& command);

struct OptionInfo {
  std::string_view name;      // without dashes; one letter means a single dash
  std::string_view commands;  // the commands that take it, separated by spaces
  std::string_view argument;  // what to write after it; "" for a switch
  std::string_view choices;   // the words it takes, as choices_in() reads them
  std::string_view standard;  // the value it has when it is not given; "" where it has none
  std::string_view sentence;  // what it does
  bool repeats = false;
};

std::span<const OptionInfo> option_table();
// Those of the program itself: --help, which every command takes too, and --version.
std::span<const OptionInfo> general_options();
// The option of that name; of those that `command` takes, where one is given.
const OptionInfo* find_option(std::string_view name, std::string_view command = {});

// `--name`, or `-n` where the name has one letter.
std::string flag_of(const OptionInfo& option);

// How help and manual sort options: those of a heading together, the rest behind them.
struct OptionGroup {
  std::string_view heading;
  // Their names, separated by blanks; `relate.keep` is the one of that command alone.
  std::string_view options;
};
std::span<const OptionGroup> option_groups();

// The options of `command` under their headings, both as the tables have them. Options without a
// heading come last, under "Other options", or under "Options" where there are no others.
struct HeadedOptions {
  std::string_view heading;
  std::vector<const OptionInfo*> options;
};
std::vector<HeadedOptions> headed_options(std::string_view command);

// What an option asks of the others on the same command line, so that none is taken and ignored. An
// option that is not given asks nothing, whatever its standard value is.
struct OptionRule {
  enum class Kind {
    is_for,   // one of the others must be there: nothing else looks at it
    not_for,  // none of the others may be there: it would be ignored
    needs,    // one of the others must be given: it says what is left open
  };
  std::string_view commands;
  std::string_view options;  // that it is about; `name=value` is an option with that value
  Kind kind;
  std::string_view others;       // likewise; a standard value counts as being there
  std::string_view reason = {};  // said behind the complaint, from the comma or semicolon on
  std::string_view unless = {};  // likewise; where one of these is there, all is well
};
// Commands and options are separated by blanks.
std::span<const OptionRule> option_rules();

// The parts of `text` between separators; none of an empty text.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

// True where `command` takes the option.
bool takes(std::string_view command, const OptionInfo& option);

// One of the words that an option or operand takes, and what it means.
struct ChoiceInfo {
  std::string_view word, meaning;
};
// `text` has one a line, "word: meaning"; it is empty where anything fits.
std::vector<ChoiceInfo> choices_in(std::string_view text);
std::vector<std::string> words_in(std::string_view text);
// True where `value` is one of those words, or there are none.
bool is_choice(std::string_view text, std::string_view value);

}  // namespace panoptes
