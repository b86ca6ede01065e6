// SPDX-License-Identifier: Apache-2.0
// The command line: one table of options, one function per command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "base/diagnostic.hpp"
#include "base/options.hpp"
#include "base/version.hpp"
#include "usage/help.hpp"

namespace panoptes {
namespace {

struct Command {
  std::string_view name;
  int (*run)(const Arguments&);
};

constexpr Command commands[] = {
    {"check", check_command},
    {"show", show_command},
    {"relate", relate_command},
    {"query", query_command},
    {"replay", replay_command},
    {"simulate", simulate_command},
    {"format", format_command},
    {"explain", explain_command},
    {"help", help_command},
    {"manual", manual_command},
    {"completion", completion_command},
};

// What CLI11 writes to while it parses.
struct Parsed {
  std::map<std::string, std::vector<std::string>> operands;
  std::map<std::string, std::string> values;
  std::map<std::string, bool> switches;
};

void add_options(CLI::App& app, const CommandInfo& command, Arguments& arguments, Parsed& parsed) {
  for (const Operand& operand : operands_of(command)) {
    const std::string name(operand.info.name);
    std::vector<std::string>& words = parsed.operands[name];
    CLI::Option* added =
        operand.repeats ? app.add_option(name, words) : app.add_option(name, words.emplace_back());
    added->required(!operand.is_optional);
  }
  for (const OptionInfo& option : option_table()) {
    if (!takes(command.name, option)) continue;
    const std::string name(option.name);
    const std::string flag = flag_of(option);
    if (option.argument.empty()) {
      app.add_flag(flag, parsed.switches[name]);
    } else if (name == "fold") {
      app.add_option(flag, arguments.folds);
    } else if (option.repeats) {
      app.add_option(flag, name == "D"        ? arguments.definitions
                           : name == "weight" ? arguments.weights
                                              : arguments.reports)
          ->expected(1)
          ->allow_extra_args(false)
          ->take_all();
    } else {
      app.add_option(flag, parsed.values[name]);
    }
  }
}

// Values as given, and switches that are on.
void collect(const Parsed& parsed, Arguments& arguments) {
  arguments.operands = parsed.operands;
  arguments.model = arguments.operand("MODEL");
  const auto give = [&](const std::string& name, const std::string& value) {
    arguments.values[name] = value;
    arguments.given.insert(name);
  };
  for (const auto& [name, is_on] : parsed.switches)
    if (is_on) give(name, "on");
  for (const auto& [name, value] : parsed.values)
    if (!value.empty()) give(name, value);
}

// `command`: the one that was given, "" where there was none.
int usage_error(const std::string& message, std::string_view command) {
  fmt::print(stderr, "panoptes: {}\nTry `panoptes {}{}--help`.\n", message, command,
             command.empty() ? "" : " ");
  return ExitCode::bad_input;
}

std::string no_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandInfo& command : command_table()) names.emplace_back(command.name);
  const std::string suggestion = did_you_mean(name, names);
  return fmt::format("there is no command `{}`{}{}", name, suggestion.empty() ? "" : "; ",
                     suggestion);
}

// A complaint about an operand that is none of the words it may be; "" where there is none.
std::string wrong_operand(const CommandInfo& command, const Arguments& arguments) {
  for (const Operand& operand : operands_of(command)) {
    const std::string word = arguments.operand(std::string(operand.info.name));
    if (word.empty()) continue;
    if (operand.info.name == "COMMAND" && !find_command(word)) return no_command(word);
    if (!is_choice(operand.info, word))
      return fmt::format("{} {}: wanted one of {}", operand.info.name, word, operand.info.choices);
  }
  return {};
}

// What is wrong with the words of a command line that could not be parsed, and what was meant.
std::string explain(const std::string& message, int argc, char** argv) {
  std::vector<std::string> option_names;
  for (const OptionInfo& option : option_table())
    option_names.push_back(fmt::format("--{}", option.name));
  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.empty() && first[0] != '-' && !find_command(first)) return no_command(first);
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
  if (argc <= 1) {
    fmt::print(stderr, "panoptes: which command?\n\n{}\nTry `panoptes --help`.\n", short_help());
    return ExitCode::bad_input;
  }
  CLI::App app;
  app.set_version_flag("--version", std::string("panoptes ") + version);
  app.require_subcommand(1);
  std::vector<Arguments> arguments;
  for (const Command& command : commands) arguments.push_back(standard_arguments(command.name));
  std::vector<Parsed> parsed(std::size(commands));
  std::vector<CLI::App*> apps;
  for (std::size_t i = 0; i < std::size(commands); ++i) {
    const CommandInfo& info = *find_command(commands[i].name);
    apps.push_back(app.add_subcommand(std::string(info.name)));
    add_options(*apps.back(), info, arguments[i], parsed[i]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version_text) {
    return print_or_fail(fmt::format("{}\n", version_text.what()));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return print_or_fail(chosen.empty() ? program_help()
                                        : command_help(*find_command(chosen.front()->get_name())));
  } catch (const CLI::ParseError& error) {
    const std::string first = argc > 1 ? argv[1] : "";
    return usage_error(explain(error.what(), argc, argv), find_command(first) ? first : "");
  }
  for (std::size_t i = 0; i < apps.size(); ++i) {
    if (!apps[i]->parsed()) continue;
    collect(parsed[i], arguments[i]);
    arguments[i].fixed_bytes = fixed_bytes;
    if (const std::string problem = wrong_operand(*find_command(commands[i].name), arguments[i]);
        !problem.empty())
      return usage_error(problem, commands[i].name);
    if (const std::string problem = validate(arguments[i]); !problem.empty())
      return usage_error(problem, commands[i].name);
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
