// SPDX-License-Identifier: Apache-2.0
// The command line: one table of options, one function per command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "base/diagnostic.hpp"
#include "base/options.hpp"
#include "base/version.hpp"

namespace panoptes {
namespace {

struct Command {
  std::string_view name;
  std::string_view sentence;
  std::string_view examples;
  int (*run)(const Arguments&);
};

constexpr Command commands[] = {
    {"check", "Search a protocol for errors; each comes with the shortest way there.",
     "Examples:\n"
     "  panoptes check protocol.argos\n"
     "  panoptes check protocol.argos --timeouts lock --first --steps\n"
     "  panoptes check protocol.argos --json -D WINDOW=4 --time 5m\n"
     "Exit codes: 0 holds, 1 errors found, 2 bad input or usage, 3 unknown, 4 internal failure.",
     check_command},
    {"show", "Show what a model is compiled to.",
     "Examples:\n"
     "  panoptes show protocol.argos --automata\n"
     "  panoptes show protocol.argos --layout --format json",
     show_command},
    {"relate", "Search a protocol for errors in a database, by queries.",
     "Examples:\n"
     "  panoptes relate protocol.argos\n"
     "  panoptes relate protocol.argos --db postgresql://user@host/name\n"
     "  panoptes relate protocol.argos --steps --keep relations.db\n"
     "Exit codes are those of check.",
     relate_command},
    {"query", "Ask the state space of a protocol anything, in SQL.",
     "Examples:\n"
     "  panoptes query protocol.argos \"SELECT count(*) FROM states\"\n"
     "  panoptes query protocol.argos \"FROM path_to(17)\" --format json\n"
     "  panoptes query protocol.argos --named deadlocks --db duckdb:space.db\n"
     "  panoptes query protocol.argos --schema\n"
     "Exit codes: 0 answered, 2 bad input, usage or SQL, 3 answered but the space is partial, "
     "4 internal failure.",
     query_command},
};

// What CLI11 writes to while it parses.
struct Parsed {
  std::map<std::string, std::string> values;
  std::map<std::string, bool> switches;
};

std::string help_sentence(const OptionInfo& option) {
  std::string text(option.sentence);
  if (!option.choices.empty()) text += fmt::format(" ({})", option.choices);
  if (!option.standard.empty()) text += fmt::format("; {} if not given", option.standard);
  return text;
}

void add_options(CLI::App& app, std::string_view command, Arguments& arguments, Parsed& parsed) {
  app.add_option("MODEL", arguments.model, "the protocol, a file in Argos")->required();
  if (command == "query")
    app.add_option("SQL", arguments.sql, "the question; from standard input if not given");
  for (const OptionInfo& option : option_table()) {
    if (!takes(command, option)) continue;
    const std::string name(option.name);
    const std::string flag = (name.size() == 1 ? "-" : "--") + name;
    if (option.argument.empty()) {
      app.add_flag(flag, parsed.switches[name], help_sentence(option));
    } else if (name == "fold") {
      app.add_option(flag, arguments.folds, help_sentence(option))
          ->type_name(std::string(option.argument));
    } else if (option.repeats) {
      app.add_option(flag, arguments.definitions, help_sentence(option))
          ->type_name(std::string(option.argument))
          ->expected(1)
          ->allow_extra_args(false)
          ->take_all();
    } else {
      app.add_option(flag, parsed.values[name], help_sentence(option))
          ->type_name(std::string(option.argument));
    }
  }
}

// Values as given, standard ones where nothing was, switches that are on.
void collect(std::string_view command, const Parsed& parsed, Arguments& arguments) {
  for (const OptionInfo& option : option_table()) {
    if (!takes(command, option)) continue;
    const std::string name(option.name);
    if (const auto on = parsed.switches.find(name); on != parsed.switches.end() && on->second)
      arguments.values[name] = "on";
    const auto given = parsed.values.find(name);
    if (given != parsed.values.end() && !given->second.empty())
      arguments.values[name] = given->second;
    if (arguments.has(name))
      arguments.given.insert(name);
    else if (!option.standard.empty())
      arguments.values[name] = std::string(option.standard);
  }
}

// `command`: the one that was given, "" where there was none.
int usage_error(const std::string& message, std::string_view command) {
  fmt::print(stderr, "panoptes: {}\nTry `panoptes {}{}--help`.\n", message, command,
             command.empty() ? "" : " ");
  return ExitCode::bad_input;
}

// What is wrong with the words of a command line that could not be parsed, and what was meant.
std::string explain(const std::string& message, int argc, char** argv) {
  std::vector<std::string> command_names, option_names;
  for (const Command& command : commands) command_names.emplace_back(command.name);
  for (const OptionInfo& option : option_table())
    option_names.push_back(fmt::format("--{}", option.name));
  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.empty() && first[0] != '-' &&
      std::find(command_names.begin(), command_names.end(), first) == command_names.end()) {
    const std::string suggestion = did_you_mean(first, command_names);
    return fmt::format("there is no command `{}`{}{}", first, suggestion.empty() ? "" : "; ",
                       suggestion);
  }
  // An option of another command: this one cannot do that.
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!word.starts_with("--") || message.find(word) == std::string::npos) continue;
    const OptionInfo* option = find_option(word.substr(2));
    if (option && !find_option(word.substr(2), first))
      return fmt::format("`{}` does not take {}; `{}` does", first, word,
                         option->commands.substr(0, option->commands.find(' ')));
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!word.starts_with("--") || message.find(word) == std::string::npos ||
        std::find(option_names.begin(), option_names.end(), word) != option_names.end())
      continue;
    const std::string suggestion = did_you_mean(word, option_names);
    if (!suggestion.empty()) return fmt::format("{}; {}", message, suggestion);
  }
  return message;
}

int run(int argc, char** argv) {
  const std::uint64_t fixed_bytes = peak_resident_bytes();
  CLI::App app{
      "Panoptes: does this protocol have a fault, and what is the shortest exchange of "
      "messages that shows it?"};
  app.set_version_flag("--version", std::string("panoptes ") + version);
  app.require_subcommand(1);
  std::vector<Arguments> arguments(std::size(commands));
  std::vector<Parsed> parsed(std::size(commands));
  std::vector<CLI::App*> apps;
  for (std::size_t i = 0; i < std::size(commands); ++i) {
    apps.push_back(
        app.add_subcommand(std::string(commands[i].name), std::string(commands[i].sentence)));
    apps.back()->footer(std::string(commands[i].examples));
    add_options(*apps.back(), commands[i].name, arguments[i], parsed[i]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::string first = argc > 1 ? argv[1] : "";
    const bool is_command = std::any_of(std::begin(commands), std::end(commands),
                                        [&](const Command& c) { return c.name == first; });
    return usage_error(explain(error.what(), argc, argv), is_command ? first : "");
  }
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (!apps[i]->parsed()) continue;
    collect(commands[i].name, parsed[i], arguments[i]);
    arguments[i].fixed_bytes = fixed_bytes;
    arguments[i].command = commands[i].name;
    if (const std::string problem = validate(arguments[i]); !problem.empty())
      return usage_error(problem, commands[i].name);
    if (commands[i].name == "show" && !arguments[i].has("automata") && !arguments[i].has("rules") &&
        !arguments[i].has("layout"))
      return usage_error("show what? --automata, --rules or --layout", commands[i].name);
    return commands[i].run(arguments[i]);
  }
  return ExitCode::bad_input;
}

}  // namespace
}  // namespace panoptes

int main(int argc, char** argv) {
  panoptes::catch_interrupts();
  try {
    return panoptes::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("panoptes: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "panoptes: internal failure: %s\n", error.what());
  }
  return panoptes::ExitCode::internal_failure;
}
