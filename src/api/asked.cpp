// SPDX-License-Identifier: Apache-2.0
#include "api/asked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/option_clashes.hpp"
#include "api/option_values.hpp"
#include "api/trails.hpp"
#include "base/diagnostic.hpp"

namespace panoptes {
namespace {

constexpr std::string_view of_command = "check";

// What a program does with a verdict, or while there is none.
constexpr std::string_view of_programs[] = {"json", "report", "trail", "watch", "progress"};

bool is_of_model(std::string_view name) {
  return is_rule_option(name) || name == "D" || name == "cost" || name == "fold";
}

std::string unknown_option(AskedOf what, const std::string& name) {
  const OptionInfo* const known = find_option(name, of_command);
  if (known && is_asked_of(AskedOf::model, *known))
    return fmt::format("{} is an option of a model, given when it is loaded", name);
  if (known && is_asked_of(AskedOf::check, *known))
    return fmt::format("{} is an option of a check, not of a model", name);
  std::vector<std::string> names;
  for (const OptionInfo& option : option_table())
    if (is_asked_of(what, option)) names.emplace_back(option.name);
  const std::string hint = did_you_mean(name, names);
  return fmt::format("there is no option {}{}{}", name, hint.empty() ? "" : "; ", hint);
}

// Adds one; a complaint, "" where there is none.
std::string add_option(const OptionInfo& option, const std::string& value, Arguments& arguments) {
  const std::string name(option.name);
  if (option.argument.empty() ? value != "on" : !is_valid(option, value))
    return fmt::format("{} {}: wanted {}", flag_of(option), value.empty() ? "''" : value,
                       option.argument.empty() ? "on" : wanted_by(option));
  arguments.given.insert(name);
  if (option.repeats)
    arguments.repeated[name].push_back(value);
  else
    arguments.values[name] = value;
  return {};
}

}  // namespace

bool is_asked_of(AskedOf what, const OptionInfo& option) {
  if (!takes(of_command, option)) return false;
  if (is_of_model(option.name)) return what == AskedOf::model;
  return what == AskedOf::check &&
         std::ranges::find(of_programs, option.name) == std::end(of_programs);
}

Result<Arguments, std::string> with_options(AskedOf what, Arguments arguments,
                                            const GivenOptions& given) {
  for (const auto& [name, value] : given) {
    const OptionInfo* const option = find_option(name, of_command);
    if (!option || !is_asked_of(what, *option)) return unknown_option(what, name);
    if (std::string problem = add_option(*option, value, arguments); !problem.empty())
      return problem;
  }
  // Options of a model may need some of a check, which come later.
  if (what == AskedOf::check)
    if (std::string problem = options_that_clash(arguments); !problem.empty()) return problem;
  return arguments;
}

}  // namespace panoptes
