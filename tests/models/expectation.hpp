// SPDX-License-Identifier: Apache-2.0
// What a model says of itself in the comments it begins with:
//
//   // expect --capacity 2 --reduce none: 176 states, 290 transitions, violated, 1 deadlock
//   // rows --capacity 2 --reduce none: channel setup, channel r_setup, receiver setup, sender
//   setup
//   // sizes: sender 11 raw, 10 without transit states, 10 minimised
//
// What stands before the colon of `expect` and `rows` are options of `panoptes check`. Lines with
// the same options are one expectation. Rows are those of the column report of the first error:
// the channel, and the message, in brackets where nobody received it, or `tau` for a timeout.
//
// What is expected with `--reduce none`, of the plain graph, is so without it, too, but for numbers
// of states and transitions and for trails; how many states there are then, `N by default` says.
//
// Items: N states, N by default, N transitions, N bits, N warnings, N dead, holds, violated,
// unknown, no errors, N KIND, KIND after N events, KIND after N steps, KIND with a cause. Where a
// kind of error is counted, the kinds that are not must not occur.
#pragma once

#include <array>
#include <cstdint>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes::models {

enum class ItemKind {
  count,
  by_default,
  warnings,
  dead,
  verdict,
  no_errors,
  groups,
  events,
  steps,
  cause
};

struct Item {
  ItemKind kind;
  std::string name;  // a field of the report, a verdict or a kind of error
  std::uint64_t number = 0;
};

struct Expectation {
  std::string options;
  std::vector<Item> items;
  std::vector<std::string> rows;
};

struct Size {
  std::string process;
  std::uint64_t raw = 0, without_transit_states = 0, minimised = 0;
};

struct Expectations {
  std::vector<Expectation> checks;
  std::vector<Size> sizes;
  std::vector<std::string> problems;  // lines and items that make no sense
};

namespace details {

inline constexpr std::array<std::string_view, 16> error_kinds = {
    "deadlock",
    "unspecified_reception",
    "assertion",
    "overflow",
    "division_by_zero",
    "index_out_of_range",
    "unread_messages",
    "livelock",
    "endless_atomic",
    "invariant",
    "reached",
    "out_of_range",
    "ltl",
    "progress",
    "acceptance",
    "stuck",
};

// The kind that `word` names, "" if none; more than one may have an s.
inline std::string error_kind(const std::string& word) {
  for (const std::string_view kind : error_kinds)
    if (word == kind || word == std::string(kind) + "s") return std::string(kind);
  return {};
}

inline std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

// One item; false if it is none.
inline bool read_item(const std::string& text, std::vector<Item>& into) {
  static const std::regex counted("(\\d+) ([a-z_]+)");
  static const std::regex far("([a-z_]+) after (\\d+) (event|step)s?");
  static const std::regex reduced("(\\d+) by default");
  static const std::regex caused("([a-z_]+) with a cause");
  std::smatch match;
  if (text == "holds" || text == "violated" || text == "unknown") {
    into.push_back({ItemKind::verdict, text});
  } else if (text == "no errors") {
    into.push_back({ItemKind::no_errors, {}});
  } else if (std::regex_match(text, match, far)) {
    const std::string kind = error_kind(match[1]);
    into.push_back(
        {match[3] == "event" ? ItemKind::events : ItemKind::steps, kind, std::stoull(match[2])});
    return !kind.empty();
  } else if (std::regex_match(text, match, reduced)) {
    into.push_back({ItemKind::by_default, "states", std::stoull(match[1])});
  } else if (std::regex_match(text, match, caused)) {
    into.push_back({ItemKind::cause, error_kind(match[1])});
    return !into.back().name.empty();
  } else if (std::regex_match(text, match, counted)) {
    const std::uint64_t number = std::stoull(match[1]);
    const std::string word = match[2];
    if (word == "state" || word == "states") {
      into.push_back({ItemKind::count, "states", number});
    } else if (word == "transition" || word == "transitions") {
      into.push_back({ItemKind::count, "transitions", number});
    } else if (word == "bit" || word == "bits") {
      into.push_back({ItemKind::count, "state_bits", number});
    } else if (word == "warning" || word == "warnings") {
      into.push_back({ItemKind::warnings, {}, number});
    } else if (word == "dead") {
      into.push_back({ItemKind::dead, {}, number});
    } else {
      into.push_back({ItemKind::groups, error_kind(word), number});
      return !into.back().name.empty();
    }
  } else {
    return false;
  }
  return true;
}

inline Expectation& check_with(const std::string& options, Expectations& expectations) {
  for (Expectation& known : expectations.checks)
    if (known.options == options) return known;
  return expectations.checks.emplace_back(Expectation{options, {}, {}});
}

inline void read_sizes(const std::string& line, const std::string& text,
                       Expectations& expectations) {
  static const std::regex sizes(
      "(\\S+) (\\d+) raw, (\\d+) without transit states, (\\d+) minimised");
  std::smatch match;
  if (std::regex_match(text, match, sizes)) {
    expectations.sizes.push_back(
        {match[1], std::stoull(match[2]), std::stoull(match[3]), std::stoull(match[4])});
  } else {
    expectations.problems.push_back("cannot read: " + line);
  }
}

}  // namespace details

// The expectations in the text of a model.
inline Expectations read_expectations(const std::string& model) {
  static const std::regex expecting("// *(expect|rows|sizes)\\b([^:]*):(.*)");
  Expectations expectations;
  std::istringstream stream(model);
  for (std::string line; std::getline(stream, line) && line.starts_with("//");) {
    std::smatch match;
    if (!std::regex_match(line, match, expecting)) {
      if (line.starts_with("// expect") || line.starts_with("// rows"))
        expectations.problems.push_back("cannot read: " + line);
      continue;
    }
    if (match[1] == "sizes") {
      details::read_sizes(line, details::trimmed(match[3]), expectations);
      continue;
    }
    Expectation& check = details::check_with(details::trimmed(match[2]), expectations);
    for (const std::string& part : details::split(match[3], ',')) {
      if (match[1] == "rows") {
        check.rows.push_back(part);
      } else if (!details::read_item(part, check.items)) {
        expectations.problems.push_back("cannot read `" + part + "`: " + line);
      }
    }
  }
  return expectations;
}

}  // namespace panoptes::models
