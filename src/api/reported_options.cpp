// SPDX-License-Identifier: Apache-2.0
#include "api/reported_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

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

std::map<std::string, std::string> reported_options(const OptionValues& values) {
  std::map<std::string, std::string> options = values.values();
  const auto set = [&](OptionName option, std::string text) {
    if (!text.empty()) options[std::string(option.text())] = std::move(text);
  };
  set(option::db, without_passwords(values.text(option::db)));
  for (const OptionName option : {OptionName(option::define), OptionName(option::weight)})
    set(option, fmt::format("{}", fmt::join(values.texts(option), " ")));
  set(option::never, fmt::format("{}", fmt::join(values.texts(option::never), "; ")));
  set(option::ltl, fmt::format("{}", fmt::join(values.texts(option::ltl), "; ")));
  set(option::only, fmt::format("{}", fmt::join(values.texts(option::only), ", ")));
  set(option::towards, fmt::format("{}", fmt::join(values.texts(option::towards), ", ")));
  set(option::target, fmt::format("{}", fmt::join(values.texts(option::target), ", ")));
  set(option::fold, fmt::format("{}", fmt::join(values.texts(option::fold), ", ")));
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
