// SPDX-License-Identifier: Apache-2.0
// A macro of a model, and the values it is to have one after the other.
//
//   NAME, NAME=VALUE   one value, as for a single run; NAME alone is defined as 1
//   NAME:=VALUE        the same, whatever VALUE looks like
//   NAME=0,1,4         these, one after the other
//   NAME=1..4          all whole numbers from the one to the other; also among others in a list
//   NAME=1..9..2       every second of them
//   NAME?              not defined at all, then defined as 1
//   NAME?=VALUES       not defined at all, then each of the values
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace panoptes {

struct Parameter {
  // What it is defined as; nothing: it is not.
  using Value = std::optional<std::string>;

  std::string name;
  std::vector<Value> values;  // at least one, none of them twice
  bool is_varied = false;     // written as something that varies, if only over one value
  bool is_switch = false;     // there or not there: what it is defined as is of no interest
};

// The most combinations anybody gets; a single parameter has no more values either.
inline constexpr std::size_t most_combinations = 10'000;

// What the text says, or what is wrong with it, as the end of a sentence.
Result<Parameter, std::string> parse_parameter(std::string_view text);

// In how many ways values can be taken, one of each; most_combinations + 1 where that is more.
std::size_t count_combinations(std::span<const Parameter> parameters);

// A value as a number, where it is one that can be compared with others: whole, in decimal digits.
std::optional<std::int64_t> number_of(const Parameter::Value& value);

// "W=2", "FAULT"; "FAULT=-" where it is not defined.
std::string setting_text(const Parameter& parameter, std::size_t value);
// As -D takes it: "W=2", "FAULT"; nothing where it is not to be defined.
std::optional<std::string> definition_of(const Parameter& parameter, std::size_t value);

}  // namespace panoptes
