// SPDX-License-Identifier: Apache-2.0
// Every command and every option of the command line, each in one table: parsing, help, manual,
// completions, documentation and fuzzing are made from them. Of an option it has name, kind of
// value, range or words, standard value, who takes it and what it does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parts.hpp"
#include "options/choice.hpp"
#include "options/option.hpp"

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
  std::string_view name;                     // without brackets and dots
  std::string_view sentence;                 // what it is
  std::string_view files = "*";              // what names of files look like; "" where it is none
  std::span<const ChoiceInfo> choices = {};  // the words it may be; none where anything fits
};
std::span<const OperandInfo> operand_table();
struct Operand {
  OperandInfo info;
  bool is_optional = false;
  bool repeats = false;
};
std::vector<Operand> operands_of(const CommandInfo& command);

// Whole numbers from `least` to `most`.
struct CountRange {
  std::uint64_t least = 1, most = UINT64_MAX;
};

struct OptionInfo {
  std::string_view name = {};      // without dashes; one letter means a single dash
  std::string_view commands = {};  // the commands that take it, separated by spaces
  std::string_view argument = {};  // what to write after it; "" for a switch
  ValueKind kind = ValueKind::on_off;
  CountRange range = {};                     // of a count
  std::span<const ChoiceInfo> choices = {};  // of a word
  std::string_view standard = {};  // the value it has when it is not given; "" where it has none
  std::string_view sentence = {};  // what it does
  bool repeats = false;

  // What it wants as one value: `--fold` wants two words.
  std::size_t word_count() const { return parts_of(argument, ' ').size(); }
};

std::span<const OptionInfo> option_table();
// Those of the program itself: --help, which every command takes too, and --version.
std::span<const OptionInfo> general_options();
// The option that somebody calls so; of those that `command` takes, where one is given. Null where
// there is none.
const OptionInfo* find_option(std::string_view name, std::string_view command = {});
// The row of an option: that of `command`, or its first one where the command does not take it.
const OptionInfo& row_of(OptionName option, std::string_view command);

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

// True where `command` takes the option.
bool takes(std::string_view command, const OptionInfo& option);

}  // namespace panoptes
