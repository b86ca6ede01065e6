// SPDX-License-Identifier: Apache-2.0
#include "app/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/arguments.hpp"
#include "app/database.hpp"
#include "app/output.hpp"
#include "app/report_files.hpp"
#include "app/show_command.hpp"
#include "app/trails.hpp"
#include "app/unparsed.hpp"
#include "base/parse_value.hpp"
#include "protocol/build.hpp"
#include "relational/open.hpp"
#include "report/chart.hpp"
#include "search/spill_file.hpp"
#include "session/choose_step.hpp"
#include "session/walk.hpp"
#include "store/bit_store.hpp"
#include "store/hash_store.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

// ---- one value ------------------------------------------------------------------------------

struct Range {
  std::string_view option;
  std::uint64_t least, most;
};
constexpr Range ranges[] = {
    {"length", 1, Walk::most_steps},
    {"step", 0, UINT64_MAX},
    {"threads", 1, 1024},
    {"width", least_chart_width, most_chart_width},
    {"capacity", 1, BuildLimits::capacity},
    {"at-most-slots", 1, BuildLimits::capacity},
    {"states", 1, GlobalGraph::most_states},
    {"bits-per-state", 1, BitStore::most_bits_per_state},
    {"fingerprint-bits", HashStore::least_fingerprint_bits, HashStore::most_fingerprint_bits},
};

// Of an option whose value is a number.
Range range_of(const OptionInfo& option) {
  const auto* const found = std::ranges::find(ranges, option.name, &Range::option);
  return found == std::end(ranges) ? Range{option.name, 1, UINT64_MAX} : *found;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

bool is_valid(const OptionInfo& option, const std::string& value) {
  if (value.empty()) return false;
  if (option.argument == "SIZE") return parse_size(value).value_or(0) > 0;
  if (option.argument == "TIME") return parse_duration(value).value_or(0.0) > 0.0;
  if (option.argument == "DATABASE") return parse_database_address(value).has_value();
  if (option.argument == "N") {
    const Range range = range_of(option);
    const auto count = parse_count(value);
    return count && *count >= range.least && *count <= range.most;
  }
  return is_choice(option.choices, value);
}

// Pictures are files, and not printed: "; --report FILE.svg writes that", or nothing.
std::string written_elsewhere(const OptionInfo& option, const std::string& value,
                              const std::string& command) {
  if (option.name != "chart" || !wrong_report({"." + value}).empty()) return {};
  const std::string report = fmt::format("--report FILE.{}", value);
  return fmt::format("; {} writes that", takes(command, *find_option("report"))
                                             ? report
                                             : fmt::format("`panoptes check MODEL {}`", report));
}

// A complaint about a value that its option cannot have, or nothing.
std::string wrong_value(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values) {
    const OptionInfo* option = find_option(name, arguments.command);
    if (!option || option->argument.empty() || is_valid(*option, value)) continue;
    std::string hint = written_elsewhere(*option, value, arguments.command);
    if (hint.empty()) hint = suggestion(value, words_in(option->choices));
    return fmt::format("{} {}: wanted {}{}", flag_of(*option),
                       value.empty() ? "''" : without_passwords(value), wanted_by(*option), hint);
  }
  for (const std::string& text : arguments.all("weight")) {
    const std::size_t equals = text.find('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_count(text.substr(equals + 1));
    if (equals == 0 || !weight || *weight > StepChooser::most_weight)
      return fmt::format("--weight {}: wanted {}", text, wanted_by(*find_option("weight")));
  }
  for (const std::string& text : arguments.all("D"))
    if (!is_name(std::string_view(text).substr(0, text.find('='))))
      return fmt::format("-D {}: wanted {}", text, wanted_by(*find_option("D")));
  return wrong_report(arguments.all("report"));
}

// ---- one beside the other -------------------------------------------------------------------

// `name`, or `name=value`, of an OptionRule.
struct Term {
  std::string name, value;

  explicit Term(std::string_view text)
      : name(text.substr(0, text.find('='))),
        value(name.size() == text.size() ? "" : text.substr(name.size() + 1)) {}

  bool is_there(const Arguments& arguments) const {
    if (!value.empty()) return arguments.get(name) == value;
    return arguments.has(name) || arguments.given.contains(name);
  }
  bool is_given(const Arguments& arguments) const {
    return arguments.given.contains(name) && is_there(arguments);
  }
  std::string typed(const Arguments& arguments) const {
    const std::string flag = flag_of(*find_option(name, arguments.command));
    return value.empty() ? flag : fmt::format("{} {}", flag, value);
  }
};

std::vector<Term> terms_of(std::string_view text) {
  std::vector<Term> terms;
  for (const std::string_view part : parts_of(text, ' ')) terms.emplace_back(part);
  return terms;
}

// The first of `terms` that is there, or null.
const Term* first_there(const std::vector<Term>& terms, const Arguments& arguments) {
  const auto found =
      std::ranges::find_if(terms, [&](const Term& term) { return term.is_there(arguments); });
  return found == terms.end() ? nullptr : &*found;
}

// "--search stack, --search cache or --store bits"
std::string choice_of(const std::vector<Term>& terms, const Arguments& arguments) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i)
    text += (i == 0 ? "" : i + 1 < terms.size() ? ", " : " or ") + terms[i].typed(arguments);
  return text;
}

// What is wrong with `option`, which is given, by that rule; "" where nothing is.
std::string broken(const OptionRule& rule, const Term& option, const Arguments& arguments) {
  const std::vector<Term> others = terms_of(rule.others);
  const Term* const there = first_there(others, arguments);
  const std::string typed = option.typed(arguments);
  switch (rule.kind) {
    case OptionRule::Kind::is_for:
      if (there) return {};
      return fmt::format("{} is for {}{}", typed, choice_of(others, arguments), rule.reason);
    case OptionRule::Kind::not_for:
      if (!there) return {};
      return fmt::format("{} is not for {}{}", typed, there->typed(arguments), rule.reason);
    case OptionRule::Kind::needs:
      if (there) return {};
      return fmt::format("{} needs {} {}{}", typed, choice_of(others, arguments),
                         find_option(others[0].name, arguments.command)->argument, rule.reason);
  }
  return {};
}

// ---- what is more than that -----------------------------------------------------------------

// A complaint about files to lay out, or nothing.
std::string wrong_files(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.operands.at("FILE");
  const bool is_input = files.empty() || std::ranges::find(files, "-") != files.end();
  if (arguments.has("write") && is_input) return "--write needs files; `-` is none";
  if (files.size() > 1 && !arguments.has("write") && !arguments.has("check"))
    return "several files: --write puts each text back, --check only looks";
  return {};
}

// The same for a model from standard input, from where other things may be wanted.
std::string wrong_input(const Arguments& arguments) {
  if (arguments.model != "-") return {};
  if (arguments.has("watch")) return "--watch needs a file; `-` is none";
  if (arguments.has("interactive"))
    return "--interactive reads commands from standard input, where `-` reads the model";
  if (arguments.command == "query" && arguments.operand("SQL").empty() && !arguments.has("named") &&
      !arguments.has("schema"))
    return "`-` reads the model from standard input: give the query as an operand";
  return {};
}

// The same for what is asked of a space.
std::string wrong_question(const Arguments& arguments) {
  if (arguments.operand("SQL").empty()) return {};
  if (arguments.has("schema")) return "--schema answers no query";
  if (arguments.has("named")) return "--named and a query of your own: one of them, please";
  return {};
}

// A file that something is written to, or read from.
struct NamedFile {
  std::string role;  // "the model", "--trail"
  fs::path path;
  bool is_output = true;
};

// All that the command line names; of those that are read, only what is replaced would be lost.
std::vector<NamedFile> files_of(const Arguments& arguments) {
  std::vector<NamedFile> files;
  const auto add = [&](std::string role, const std::string& path, bool is_output) {
    if (!path.empty() && path != "-") files.push_back({std::move(role), path, is_output});
  };
  add("the model", arguments.model, false);
  if (const auto address = parse_database_address(arguments.get("db"));
      address && address->engine == Engine::duckdb)
    add("the database", address->where, false);
  for (const std::string option : {"output", "trail"})
    add("--" + option, arguments.get(option), true);
  for (const std::string& path : arguments.all("report")) add("--report", path, true);
  return files;
}

// A complaint about a file that would take the place of another one, or nothing.
std::string overwritten(const Arguments& arguments) {
  const std::vector<NamedFile> files = files_of(arguments);
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const NamedFile &first = files[i], &second = files[j];
      if (!second.is_output || !is_replaced(first.path, second.path)) continue;
      if (!first.is_output)
        return fmt::format("{} {}: that is {}, which would be lost", second.role,
                           second.path.string(), first.role);
      return fmt::format("{} {}: {} goes there already", second.role, second.path.string(),
                         first.role == second.role ? "another " + first.role : first.role);
    }
  return {};
}

std::string wrong_trail(const Arguments& arguments) {
  const std::string problem = wrong_trail_name(arguments.get("trail"));
  return problem.empty() ? "" : "--trail " + problem;
}

std::string wrong_folder(const std::string& folder) {
  std::string problem;
  if (folder.empty() || SpillFile::make(folder, problem)) return {};
  return fmt::format("--spill {}: cannot write there: {}", folder, problem);
}

}  // namespace

std::string wanted_by(const OptionInfo& option) {
  if (option.argument == "SIZE") return "a size, e.g. 64M or 4G";
  if (option.argument == "TIME") return "a time, e.g. 60s, 5m or 1h";
  if (option.argument == "DATABASE") return "duckdb, duckdb:FILE or postgresql://...";
  if (option.argument == "N") {
    const Range range = range_of(option);
    return range.most == UINT64_MAX
               ? fmt::format("a whole number, from {} on", range.least)
               : fmt::format("a whole number, from {} to {}", range.least, range.most);
  }
  if (option.name == "D") return "NAME or NAME=VALUE";
  if (option.name == "weight")
    return fmt::format("NAME=N, N from 0 to {}", StepChooser::most_weight);
  if (option.choices.empty()) return std::string(option.argument);
  return fmt::format("one of {}", fmt::join(words_in(option.choices), "|"));
}

std::string options_that_clash(const Arguments& arguments) {
  for (const OptionRule& rule : option_rules()) {
    const auto commands = parts_of(rule.commands, ' ');
    if (std::ranges::find(commands, arguments.command) == commands.end()) continue;
    if (first_there(terms_of(rule.unless), arguments)) continue;
    for (const Term& option : terms_of(rule.options))
      if (option.is_given(arguments))
        if (std::string complaint = broken(rule, option, arguments); !complaint.empty())
          return complaint;
  }
  return {};
}

std::string validate(const Arguments& arguments) {
  for (const auto check :
       {wrong_value, options_that_clash, wrong_input, overwritten, wrong_trail, too_little_memory})
    if (std::string complaint = check(arguments); !complaint.empty()) return complaint;
  const std::string& command = arguments.command;
  if (command == "check") return wrong_folder(arguments.get("spill"));
  if (command == "show") return wrong_view(arguments);
  if (command == "format") return wrong_files(arguments);
  if (command == "query") return wrong_question(arguments);
  const std::string db = arguments.get("db");
  if (command == "relate" && arguments.has("keep") && db.starts_with("duckdb:"))
    return fmt::format("--db {} and --keep both name a file: --keep alone is enough", db);
  if (command == "explain" && arguments.has("example") && arguments.operand("KIND").empty())
    return "an example of what? `panoptes explain` lists the kinds";
  return {};
}

}  // namespace panoptes
