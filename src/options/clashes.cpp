// SPDX-License-Identifier: Apache-2.0
#include "options/clashes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "options/table.hpp"

namespace panoptes {
namespace {

// `name`, or `name=value`, of an OptionRule.
struct Term {
  std::string name, value;

  explicit Term(std::string_view text)
      : name(text.substr(0, text.find('='))),
        value(name.size() == text.size() ? "" : text.substr(name.size() + 1)) {}

  bool is_there(const OptionValues& values) const { return values.is_there(name, value); }
  bool is_given(const OptionValues& values) const {
    return values.given().contains(name) && is_there(values);
  }
  std::string typed(const OptionValues& values) const {
    const std::string flag = flag_of(*find_option(name, values.command()));
    return value.empty() ? flag : fmt::format("{} {}", flag, value);
  }
};

std::vector<Term> terms_of(std::string_view text) {
  std::vector<Term> terms;
  for (const std::string_view part : parts_of(text, ' ')) terms.emplace_back(part);
  return terms;
}

// The first of `terms` that is there, or null.
const Term* first_there(const std::vector<Term>& terms, const OptionValues& values) {
  const auto found =
      std::ranges::find_if(terms, [&](const Term& term) { return term.is_there(values); });
  return found == terms.end() ? nullptr : &*found;
}

// "--search stack, --search cache or --store bits"
std::string choice_of(const std::vector<Term>& terms, const OptionValues& values) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i)
    text += (i == 0 ? "" : i + 1 < terms.size() ? ", " : " or ") + terms[i].typed(values);
  return text;
}

// What is wrong with `option`, which is given, by that rule; "" where nothing is.
std::string broken(const OptionRule& rule, const Term& option, const OptionValues& values) {
  const std::vector<Term> others = terms_of(rule.others);
  const Term* const there = first_there(others, values);
  const std::string typed = option.typed(values);
  switch (rule.kind) {
    case OptionRule::Kind::is_for:
      if (there) return {};
      return fmt::format("{} is for {}{}", typed, choice_of(others, values), rule.reason);
    case OptionRule::Kind::not_for:
      if (!there) return {};
      return fmt::format("{} is not for {}{}", typed, there->typed(values), rule.reason);
    case OptionRule::Kind::needs:
      if (there) return {};
      return fmt::format("{} needs {} {}{}", typed, choice_of(others, values),
                         find_option(others[0].name, values.command())->argument, rule.reason);
  }
  return {};
}

}  // namespace

std::string options_that_clash(const OptionValues& values) {
  for (const OptionRule& rule : option_rules()) {
    const auto commands = parts_of(rule.commands, ' ');
    if (std::ranges::find(commands, values.command()) == commands.end()) continue;
    if (first_there(terms_of(rule.unless), values)) continue;
    for (const Term& option : terms_of(rule.options))
      if (option.is_given(values))
        if (std::string complaint = broken(rule, option, values); !complaint.empty())
          return complaint;
  }
  return {};
}

}  // namespace panoptes
