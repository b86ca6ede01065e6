// SPDX-License-Identifier: Apache-2.0
#include "app/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "api/check_model.hpp"
#include "api/reported_options.hpp"
#include "app/arguments.hpp"
#include "app/database.hpp"
#include "app/output.hpp"
#include "app/report_files.hpp"
#include "app/show_command.hpp"
#include "app/sweep_command.hpp"
#include "app/trails.hpp"
#include "base/parse_value.hpp"
#include "options/clashes.hpp"
#include "options/parse.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

// ---- one value ------------------------------------------------------------------------------

// Pictures are files, and not printed: "; --report FILE.svg writes that", or nothing.
std::string written_elsewhere(const OptionInfo& option, const std::string& value,
                              const std::string& command) {
  if (option.name != option::chart.name || !wrong_report({"." + value}).empty()) return {};
  const std::string report = fmt::format("--report FILE.{}", value);
  return fmt::format("; {} writes that", takes(command, row_of(option::report, command))
                                             ? report
                                             : fmt::format("`panoptes check MODEL {}`", report));
}

// A complaint about a value that its option cannot have, or nothing.
std::string wrong_values(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values()) {
    const OptionInfo* const option = find_option(name, arguments.command());
    if (!option || is_valid(*option, value)) continue;
    return wrong_value(*option, without_passwords(value),
                       written_elsewhere(*option, value, arguments.command()));
  }
  for (const OptionName name :
       {OptionName(option::weight), OptionName(option::define), OptionName(option::never),
        OptionName(option::ltl), OptionName(option::only), OptionName(option::target),
        OptionName(option::towards)})
    for (const std::string& text : arguments.texts(name))
      if (std::string problem = wrong_value(row_of(name, arguments.command()), text);
          !problem.empty())
        return problem;
  if (arguments.command() == "sweep") return {};  // it has files of its own
  return wrong_report(arguments.texts(option::report));
}

std::string clash(const Arguments& arguments) { return options_that_clash(arguments); }

// ---- what is more than that -----------------------------------------------------------------

// A complaint about files to lay out, or nothing.
std::string wrong_files(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.operands.at("FILE");
  const bool is_input = files.empty() || std::ranges::find(files, "-") != files.end();
  if (arguments.has(option::write) && is_input) return "--write needs files; `-` is none";
  if (files.size() > 1 && !arguments.has(option::write) && !arguments.has(option::check))
    return "several files: --write puts each text back, --check only looks";
  return {};
}

// The same for a model from standard input, from where other things may be wanted.
std::string wrong_input(const Arguments& arguments) {
  if (arguments.model != "-") return {};
  if (arguments.has(option::watch)) return "--watch needs a file; `-` is none";
  if (arguments.has(option::interactive))
    return "--interactive reads commands from standard input, where `-` reads the model";
  if (arguments.command() == "query" && arguments.operand("SQL").empty() &&
      !arguments.has(option::named) && !arguments.has(option::schema))
    return "`-` reads the model from standard input: give the query as an operand";
  return {};
}

// The same for what is asked of a space.
std::string wrong_question(const Arguments& arguments) {
  if (arguments.operand("SQL").empty()) return {};
  if (arguments.has(option::schema)) return "--schema answers no query";
  if (arguments.has(option::named)) return "--named and a query of your own: one of them, please";
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
  if (const auto address = arguments.get(option::db); address && address->engine == Engine::duckdb)
    add("the database", address->where, false);
  add("--output", arguments.get(option::output), true);
  add("--trail", arguments.get(option::trail), true);
  add("--certificate", arguments.get(option::certificate), true);
  for (const std::string& path : arguments.all(option::report)) add("--report", path, true);
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
  const std::string problem = wrong_trail_name(arguments.get(option::trail));
  return problem.empty() ? "" : "--trail " + problem;
}

}  // namespace

std::string validate(const Arguments& arguments) {
  for (const auto check :
       {wrong_values, clash, wrong_input, overwritten, wrong_trail, too_little_memory})
    if (std::string complaint = check(arguments); !complaint.empty()) return complaint;
  const std::string& command = arguments.command();
  if (command == "check") return wrong_folder(arguments);
  if (command == "sweep") {
    const std::string problem = wrong_sweep(arguments);
    return problem.empty() ? wrong_folder(arguments) : problem;
  }
  if (command == "show") return wrong_view(arguments);
  if (command == "format") return wrong_files(arguments);
  if (command == "query") return wrong_question(arguments);
  const std::string db = arguments.text(option::db);
  if (command == "relate" && arguments.has(option::keep_in) && db.starts_with("duckdb:"))
    return fmt::format("--db {} and --keep both name a file: --keep alone is enough", db);
  if (command == "explain" && arguments.has(option::example) && arguments.operand("KIND").empty())
    return "an example of what? `panoptes explain` lists the kinds";
  return {};
}

}  // namespace panoptes
