// SPDX-License-Identifier: Apache-2.0
#include "api/asked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/check_model.hpp"
#include "api/trails.hpp"
#include "options/clashes.hpp"
#include "options/parse.hpp"

namespace panoptes {
namespace {

constexpr std::string_view of_command = "check";

// What a program does with a verdict, or while there is none.
constexpr OptionName of_programs[] = {
    option::json,    option::report,  option::trail,      option::watch,  option::progress,
    option::confirm, option::towards, option::checkpoint, option::resume, option::every};

bool is_of_model(std::string_view name) {
  return is_rule_option(name) || name == option::define.name || name == option::cost.name ||
         name == option::never.name || name == option::ltl.name || name == option::fold.name;
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
  return fmt::format("there is no option {}{}", name, suggestion(name, names));
}

}  // namespace

bool is_asked_of(AskedOf what, const OptionInfo& option) {
  if (!takes(of_command, option)) return false;
  if (is_of_model(option.name)) return what == AskedOf::model;
  return what == AskedOf::check &&
         std::ranges::find(of_programs, option.name, &OptionName::text) == std::end(of_programs);
}

Result<OptionValues, std::string> with_options(AskedOf what, OptionValues values,
                                               const GivenOptions& given) {
  for (const auto& [name, value] : given) {
    const OptionInfo* const option = find_option(name, of_command);
    if (!option || !is_asked_of(what, *option)) return unknown_option(what, name);
    if (std::string problem = wrong_value(*option, value); !problem.empty()) return problem;
    std::vector<std::string> texts;
    if (option->repeats) texts = values.texts_of(name);
    texts.push_back(value);
    values.read(*option, std::move(texts));
  }
  // Options of a model may need some of a check, which come later.
  if (what == AskedOf::check)
    for (const auto check : {options_that_clash, wrong_folder})
      if (std::string problem = check(values); !problem.empty()) return problem;
  return values;
}

}  // namespace panoptes
