// SPDX-License-Identifier: Apache-2.0
#include "api/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/options.hpp"

namespace panoptes {
namespace {

// A parameter of an address, its name with every %XX as the character it stands for.
bool is_password(std::string_view name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned code = 0;
    if (name[i] == '%' && i + 2 < name.size() &&
        std::from_chars(&name[i + 1], &name[i + 1] + 2, code, 16).ec == std::errc{}) {
      plain += static_cast<char>(code);
      i += 2;
    } else {
      plain += name[i];
    }
  }
  return plain.ends_with("password");
}

}  // namespace

Arguments standard_arguments(std::string_view command) {
  Arguments arguments;
  arguments.command = command;
  for (const OptionInfo& option : option_table())
    if (takes(command, option) && !option.standard.empty())
      arguments.values[std::string(option.name)] = std::string(option.standard);
  return arguments;
}

ReceptionPolicy receptions_of(const Arguments& arguments) {
  if (arguments.get("receptions") == "reading") return ReceptionPolicy::reading;
  if (arguments.get("receptions") == "any") return ReceptionPolicy::any;
  return ReceptionPolicy::blocked;
}

std::map<std::string, std::string> reported_options(const Arguments& arguments) {
  std::map<std::string, std::string> options = arguments.values;
  if (const auto db = options.find("db"); db != options.end())
    db->second = without_passwords(db->second);
  for (const char* name : {"D", "fold", "weight"})
    if (const auto values = arguments.all(name); !values.empty())
      options[name] =
          fmt::format("{}", fmt::join(values, name == std::string_view("fold") ? ", " : " "));
  return options;
}

std::string without_passwords(const std::string& address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) return address;
  const std::size_t host = scheme + 3;
  std::string result = address;
  const std::size_t at = result.substr(0, result.find('/', host)).rfind('@');
  const std::size_t colon = result.find(':', host);
  if (at != std::string::npos && at >= host && colon < at)
    result.replace(colon + 1, at - colon - 1, "***");
  std::size_t next = result.find('?', host);
  while (next != std::string::npos) {
    const std::size_t begin = next + 1;
    next = result.find('&', begin);
    const std::size_t equals = result.find('=', begin);
    if (equals >= next || !is_password(std::string_view(result).substr(begin, equals - begin)))
      continue;
    const std::size_t end = std::min(next, result.size());
    result.replace(equals + 1, end - equals - 1, "***");
    next = result.find('&', equals);
  }
  return result;
}

}  // namespace panoptes
