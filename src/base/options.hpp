// SPDX-License-Identifier: Apache-2.0
// Every option of the command line in one table: parsing, help, documentation and fuzzing are made
// from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace panoptes {

struct OptionInfo {
  std::string_view name;      // without dashes; one letter means a single dash
  std::string_view commands;  // the commands that take it, separated by spaces
  std::string_view argument;  // what to write after it; "" for a switch
  std::string_view choices;   // the words it takes, separated by |; "" where anything fits
  std::string_view standard;  // the value it has when it is not given; "" where it has none
  std::string_view sentence;  // what it does
  bool repeats = false;
};

std::span<const OptionInfo> option_table();
// The option of that name; of those that `command` takes, where one is given.
const OptionInfo* find_option(std::string_view name, std::string_view command = {});

// True where `command` takes the option.
bool takes(std::string_view command, const OptionInfo& option);

// True where `value` is one of the option's choices, or it has none.
bool is_choice(const OptionInfo& option, std::string_view value);

// "64M" (binary multiples: K, M, G, T), "60s", "5m", "2h". Nothing where the text is no such thing.
std::optional<std::uint64_t> parse_size(std::string_view text);
std::optional<double> parse_duration(std::string_view text);
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace panoptes
