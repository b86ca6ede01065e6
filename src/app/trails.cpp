// SPDX-License-Identifier: Apache-2.0
#include "app/trails.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "api/files.hpp"
#include "api/replay.hpp"
#include "app/arguments.hpp"
#include "app/system.hpp"
#include "options/table.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_file_bytes = 64u << 20;

// An option as it is given; "" where it has its standard value.
std::string as_given(const std::string& name, const std::string& value) {
  const OptionInfo& option = *find_option(name, "replay");
  if (value.empty() || value == option.standard) return {};
  if (option.kind == ValueKind::on_off) return fmt::format(" --{}", name);
  return fmt::format(" --{} {}", name, as_word(value));
}

// Each value of an option that may be repeated.
std::string repeated_text(std::string_view flag, const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values)
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", flag, as_word(value));
  return text;
}

using Repeated = std::pair<std::string_view, const std::vector<std::string>&>;
std::array<Repeated, 3> repeated_of(const TrailFile& file) {
  return {Repeated{"--never", file.never}, Repeated{"--ltl", file.ltl},
          Repeated{"-D", file.definitions}};
}

std::string value_of(const std::map<std::string, std::string>& values, OptionName option) {
  const auto found = values.find(std::string(option.text()));
  return found == values.end() ? std::string{} : found->second;
}

// How an option stands in a sentence: something was made ...
std::string in_words(OptionName option, const std::string& value) {
  if (value.empty()) return fmt::format("without --{}", option.text());
  const bool is_switch = row_of(option, "replay").kind == ValueKind::on_off;
  return fmt::format("with --{}{}", option.text(), is_switch ? "" : " " + value);
}

// `recorded`: "with --capacity 3". `given`: what the user says instead; "" where that is clear.
std::string contradiction(const std::string& recorded, const std::string& given) {
  return fmt::format("made {}{}{}", recorded, given.empty() ? "" : ", not ", given);
}

// Of several definitions of a name the last one counts.
std::set<std::string> in_force(OptionName option, const std::vector<std::string>& values) {
  std::map<std::string, std::string> last;  // by name, where it has one
  for (const std::string& value : values)
    last[option.text() == option::define.name ? value.substr(0, value.find('=')) : value] = value;
  std::set<std::string> all;
  for (const auto& [name, value] : last) all.insert(value);
  return all;
}

// Whether what is given was recorded, in whatever order.
bool has_all(OptionName option, const std::vector<std::string>& recorded,
             const std::vector<std::string>& given) {
  return std::ranges::includes(in_force(option, recorded), in_force(option, given));
}

}  // namespace

std::string as_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=./,:+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string fitting_command(const TrailFile& file, const Arguments& arguments) {
  std::string command = fmt::format("panoptes replay {} {}", as_word(arguments.model),
                                    as_word(arguments.operand("TRAIL")));
  for (const auto& [name, value] : file.options) command += as_given(name, value);
  for (const std::string& name : arguments.given()) {
    if (is_rule_option(name) || name == option::define.name || name == option::never.name ||
        name == option::ltl.name)
      continue;
    for (const std::string& value : arguments.texts_of(name)) command += as_given(name, value);
  }
  for (const auto& [flag, values] : repeated_of(file))
    if (!values.empty()) command += " " + repeated_text(flag, values);
  return command;
}

bool write_trails(const TrailFile& file, const Program& program, const SourceSet& sources,
                  Output& output) {
  return write_trail_file(file, program, sources, output.sink()) && output.keep();
}

std::optional<TrailFile> read_trails(const std::string& path, std::string& problem) {
  const auto text = read_file(path, most_file_bytes);
  if (!text) {
    problem = cannot_read(path);
    return {};
  }
  if (text->size() > most_file_bytes) {
    problem = fmt::format("{}: is larger than {} bytes", path, most_file_bytes);
    return {};
  }
  auto file = read_trail_file(*text);
  if (file) {
    for (const auto& [name, value] : file->options)
      if (!is_rule_option(name)) {
        problem = fmt::format("{}: options: `{}` is not known here", path, name);
        return {};
      }
    return std::move(*file);
  }
  problem = fmt::format("{}: {}", path, file.failure());
  return {};
}

std::string adopt_options(const TrailFile& file, Arguments& arguments) {
  for (const OptionName option : rule_options()) {
    const std::string recorded = value_of(file.options, option);
    const std::string wanted = arguments.text(option);
    if (arguments.is_given(option) && wanted != recorded)
      return contradiction(in_words(option, recorded),
                           recorded.empty() ? "" : in_words(option, wanted));
    if (recorded.empty())
      arguments.erase(option);
    else
      arguments.set(option, recorded);
  }
  constexpr std::array<OptionName, 3> options{option::never, option::ltl, option::define};
  const auto recorded_of = repeated_of(file);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto& [flag, values] = recorded_of[i];
    if (const auto given = arguments.texts(options[i]); !has_all(options[i], values, given)) {
      const std::string recorded = repeated_text(flag, values);
      return recorded.empty()
                 ? contradiction(fmt::format("without {}", flag), "")
                 : contradiction("with " + recorded, "with " + repeated_text(flag, given));
    }
    arguments.set_all(options[i], values);
  }
  return {};
}

std::string other_model(const TrailFile& file, const Arguments& arguments, const Loaded& loaded) {
  if (are_trails_of(file, loaded)) return {};
  if (file.model != arguments.model)
    return fmt::format("the trail is one of {}, whose rules are not those of {}", file.model,
                       arguments.model);
  return fmt::format(
      "{} has changed since the trail was made: its rules are others\n"
      "`panoptes check {} --trail {}` makes new ones",
      arguments.model, as_word(arguments.model), as_word(arguments.operand("TRAIL")));
}

std::string wrong_trail_name(const std::string& path) {
  return path.ends_with(".argos") ? path + ": that is a name for a model; trails are JSON" : "";
}

}  // namespace panoptes
