// SPDX-License-Identifier: Apache-2.0
// The command line: one table of options, one function per command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <span>
#include <thread>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/memory.hpp"
#include "app/ranks.hpp"
#include "app/show_command.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/unparsed.hpp"
#include "app/validate.hpp"
#include "base/clock.hpp"
#include "base/version.hpp"
#include "options/parse.hpp"
#include "options/table.hpp"
#include "usage/help.hpp"

namespace panoptes {
namespace {

struct Command {
  std::string_view name;
  int (*run)(const Arguments&);
};

constexpr Command commands[] = {
    {"check", check_command},
    {"sweep", sweep_command},
    {"show", show_command},
    {"backward", backward_command},
    {"certify", certify_command},
    {"plan", plan_command},
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

// What CLI11 writes to while it parses, by name.
struct Parsed {
  CLI::App* app = nullptr;
  std::map<std::string, std::vector<std::string>> operands;
  std::map<std::string, std::string> values;
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> repeated;  // word for word
};

void add_options(const CommandInfo& command, Parsed& parsed) {
  CLI::App& app = *parsed.app;
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
    if (option.kind == ValueKind::on_off)
      app.add_flag(flag, parsed.switches[name])->disable_flag_override();
    else if (option.repeats)
      app.add_option(flag, parsed.repeated[name])
          ->type_size(static_cast<int>(option.word_count()))
          ->expected(1)
          ->allow_extra_args(false)
          ->take_all();
    else
      app.add_option(flag, parsed.values[name]);
  }
}

// Every `count` words, with blanks between them.
std::vector<std::string> joined(const std::vector<std::string>& words, std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % count == 0)
      result.push_back(words[i]);
    else
      result.back() += " " + words[i];
  }
  return result;
}

// Everything that was given, an empty value included: whether it makes sense is judged later.
void collect(const Parsed& parsed, Arguments& arguments) {
  arguments.operands = parsed.operands;
  arguments.model = arguments.operand("MODEL");
  for (const OptionInfo& option : option_table()) {
    if (!takes(arguments.command(), option)) continue;
    const std::string name(option.name);
    if (parsed.app->get_option(flag_of(option))->count() == 0) continue;
    if (option.kind == ValueKind::on_off)
      arguments.read(option, {});
    else if (option.repeats)
      arguments.read(option, joined(parsed.repeated.at(name), option.word_count()));
    else
      arguments.read(option, {parsed.values.at(name)});
  }
}

// `command`: the one that was given, "" where there was none. Where all ranks are asked the same
// the first one says so, and mpirun ends the others meanwhile; another one that is asked something
// else is waited for, and must say so itself.
int usage_error(const std::string& message, std::string_view command) {
  tell(fmt::format("panoptes: {}\nTry `panoptes {}{}--help`.\n", message, command,
                   command.empty() ? "" : " "));
  if (is_quiet_rank()) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    tell_as_rank(message + "\n");
  }
  return ExitCode::bad_input;
}

// Of bad input that all ranks have met together, the first one complains: mpirun ends all where
// another one does.
int complained_once(int code) {
  return code == ExitCode::bad_input && is_quiet_rank() ? ExitCode::holds : code;
}

// The choices of an operand that `word` may stand for: itself, in whatever letters, or those that
// begin like it.
std::vector<std::string> choices_for(const OperandInfo& operand, const std::string& word) {
  std::string plain;
  for (const char c : word)
    plain += c == '-' ? '_' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  if (is_choice(operand.choices, plain)) return {plain};
  std::vector<std::string> found = words_in(operand.choices);
  std::erase_if(found, [&](const std::string& choice) { return !choice.starts_with(plain); });
  return found;
}

// Completes the operands that are some of a few words; a complaint about one that is none of them,
// "" where there is none.
std::string choose_operands(const CommandInfo& command, Arguments& arguments) {
  for (const Operand& operand : operands_of(command)) {
    const std::string name(operand.info.name);
    const std::string word = arguments.operand(name);
    if (word.empty()) continue;
    if (name == "COMMAND" && !find_command(word)) return no_command(word);
    if (operand.info.choices.empty()) continue;
    const std::vector<std::string> found = choices_for(operand.info, word);
    if (found.size() > 1)
      return fmt::format("{} {}: that may be {}", name, word, fmt::join(found, " or "));
    if (found.empty()) {
      const std::vector<std::string> words = words_in(operand.info.choices);
      return fmt::format("{} {}: wanted one of {}{}", name, word, fmt::join(words, "|"),
                         suggestion(word, words));
    }
    arguments.operands[name].front() = found.front();
  }
  return {};
}

// Whether it is neither a search nor a query: those keep to their memory by other means.
bool is_plain(const Arguments& arguments) {
  constexpr std::string_view plain[] = {"certify", "replay", "simulate", "format"};
  if (arguments.command() == "show") return !shows_what_a_search_finds(arguments);
  return std::ranges::find(plain, arguments.command()) != std::end(plain);
}

// However a command ends: what an alarm prints is gone when main() has returned.
struct TimeLimit {
  explicit TimeLimit(const Arguments& arguments) { limit_time(arguments); }
  ~TimeLimit() { end_time_limit(); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
};

// Runs a command that may take so much time and memory.
int run(const Command& command, const Arguments& arguments) {
  const TimeLimit limit(arguments);
  try {
    std::optional<LoadCeiling> ceiling;
    if (is_plain(arguments)) ceiling.emplace(arguments);
    return command.run(arguments);
  } catch (const std::bad_alloc&) {
    return out_of_memory(arguments);
  }
}

int run(int argc, char** argv) {
  const double started = steady_seconds();
  const std::uint64_t fixed_bytes = peak_resident_bytes();
  if (argc <= 1) {
    tell(fmt::format("panoptes: which command?\n\n{}\nTry `panoptes --help`.\n", short_help()));
    return ExitCode::bad_input;
  }
  CLI::App app;
  app.set_version_flag("--version", std::string("panoptes ") + version);
  app.require_subcommand(1);
  std::vector<Parsed> parsed(std::size(commands));
  const std::span<char*> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < std::size(commands); ++i) {
    const CommandInfo& info = *find_command(commands[i].name);
    parsed[i].app = app.add_subcommand(std::string(info.name));
    // A third of the time of a short run would go into options of commands that nobody named.
    if (std::ranges::find(words, info.name) != words.end()) add_options(info, parsed[i]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version_text) {
    return print_or_fail(fmt::format("{}\n", version_text.what()));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    // What stands before it may be meant for a command that is not there.
    if (const std::string first = argv[1]; chosen.empty() && !first.starts_with('-'))
      return usage_error(no_command(first), "");
    return print_or_fail(chosen.empty() ? program_help()
                                        : command_help(*find_command(chosen.front()->get_name())));
  } catch (const CLI::ParseError& error) {
    const std::string reason = why_not_parsed({words.begin(), words.end()});
    return usage_error(reason.empty() ? error.what() : reason,
                       find_command(words[0]) ? words[0] : "");
  }
  for (std::size_t i = 0; i < std::size(commands); ++i) {
    if (!parsed[i].app->parsed()) continue;
    Arguments arguments(commands[i].name);
    collect(parsed[i], arguments);
    arguments.fixed_bytes = fixed_bytes;
    arguments.started = started;
    std::string problem = choose_operands(*find_command(commands[i].name), arguments);
    if (problem.empty()) problem = validate(arguments);
    if (problem.empty()) problem = why_not_on_ranks(arguments);
    return problem.empty() ? complained_once(run(commands[i], arguments))
                           : usage_error(problem, commands[i].name);
  }
  return ExitCode::bad_input;
}

}  // namespace
}  // namespace panoptes

int main(int argc, char** argv) {
  panoptes::catch_interrupts();
  panoptes::be_quiet_unless_first();
  try {
    return panoptes::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("panoptes: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "panoptes: internal failure: %s\n", error.what());
  }
  return panoptes::ExitCode::internal_failure;
}
