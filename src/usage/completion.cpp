// SPDX-License-Identifier: Apache-2.0
#include "usage/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "options/table.hpp"

namespace panoptes {
namespace {

std::string command_names() {
  std::string names;
  for (const CommandInfo& command : command_table())
    names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
  return names;
}

std::string words_of(std::span<const ChoiceInfo> choices) {
  return fmt::format("{}", fmt::join(words_in(choices), " "));
}

// The words an operand may be, with their meanings; none where it may be anything.
std::vector<ChoiceInfo> choices_of(const OperandInfo& operand) {
  if (operand.name != "COMMAND") return {operand.choices.begin(), operand.choices.end()};
  std::vector<ChoiceInfo> commands;
  for (const CommandInfo& command : command_table())
    commands.push_back({command.name, command.sentence});
  return commands;
}

// The words alone.
std::string words_of(const OperandInfo& operand) {
  return operand.name == "COMMAND" ? command_names() : words_of(operand.choices);
}

// `text` in single quotes, for any of the shells; `inside` writes a single quote within them.
std::string quoted(std::string_view text, std::string_view inside) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string(inside) : std::string(1, c);
  return out + "'";
}

// ---- bash ----------------------------------------------------------------------------------

std::string bash_flags(const CommandInfo& command) {
  std::string flags;
  for (const OptionInfo& option : option_table())
    if (takes(command.name, option)) flags += flag_of(option) + " ";
  return flags + "--help";
}

// A case for every option of a command that takes values: how many.
std::string bash_counts() {
  std::string out;
  for (const CommandInfo& command : command_table())
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option) && !option.argument.empty())
        out += fmt::format("      '{} {}') values={} option=$word ;;\n", command.name,
                           flag_of(option), option.word_count());
  return out;
}

std::string bash_values() {
  std::string out;
  for (const CommandInfo& command : command_table())
    for (const OptionInfo& option : option_table()) {
      if (!takes(command.name, option)) continue;
      const std::string head = fmt::format("      '{} {}')", command.name, flag_of(option));
      if (!option.choices.empty())
        out += fmt::format("{} words='{}' ;;\n", head, words_of(option.choices));
      else if (option.kind == ValueKind::file)
        out += fmt::format("{} files='*' ;;\n", head);
      else if (option.kind == ValueKind::folder)
        out += fmt::format("{} folders=yes ;;\n", head);
    }
  return out;
}

std::string bash_operands() {
  std::string out;
  for (const CommandInfo& command : command_table()) {
    std::size_t position = 0;
    for (const Operand& operand : operands_of(command)) {
      const std::string at = operand.repeats ? "*" : fmt::format("{}", position++);
      const std::string words = words_of(operand.info);
      if (!words.empty())
        out += fmt::format("      '{} '{}) words='{}' ;;\n", command.name, at, words);
      else if (!operand.info.files.empty())
        out += fmt::format("      '{} '{}) files='{}' folders=yes ;;\n", command.name, at,
                           operand.info.files);
    }
  }
  return out;
}

// ---- zsh -----------------------------------------------------------------------------------

// As _arguments and _describe want it, quotes included.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_quoted(std::string_view text) { return quoted(text, "'\\''"); }

std::string zsh_files(std::string_view pattern) {
  return pattern == "*" ? "_files" : fmt::format("_files -g \"{}\"", pattern);
}

// An action of _arguments: each word with its meaning. What stands in it is evaluated once more,
// and a colon of it would end it.
std::string zsh_choices(std::span<const ChoiceInfo> choices) {
  std::string out;
  for (const ChoiceInfo& choice : choices)
    for (const char c : zsh_quoted(fmt::format("{}:{}", choice.word, choice.meaning)) + " ")
      out += c == ':' ? std::string("\\:") : std::string(1, c);
  return fmt::format("(({}))", out);
}

std::string zsh_option(const OptionInfo& option) {
  std::string text = fmt::format("{}{}{}[{}]", option.repeats ? "*" : "", flag_of(option),
                                 option.argument.empty()   ? ""
                                 : option.name.size() == 1 ? "+"
                                                           : "=",
                                 zsh_text(option.sentence));
  const auto arguments = parts_of(option.argument, ' ');
  if (arguments.size() > 1) text.erase(text.find('='), 1);  // no `=` before several values
  for (const std::string_view argument : arguments)
    text += fmt::format(":{}:{}", zsh_text(argument),
                        !option.choices.empty()            ? zsh_choices(option.choices)
                        : option.kind == ValueKind::file   ? "_files"
                        : option.kind == ValueKind::folder ? "_files -/"
                                                           : " ");
  return zsh_quoted(text);
}

std::string zsh_operand(const Operand& operand, std::size_t position) {
  const std::vector<ChoiceInfo> choices = choices_of(operand.info);
  const std::string action = !choices.empty()             ? zsh_choices(choices)
                             : operand.info.files.empty() ? " "
                                                          : zsh_files(operand.info.files);
  return zsh_quoted(fmt::format("{}{}:{}:{}", operand.repeats ? "*" : fmt::format("{}", position),
                                operand.is_optional && !operand.repeats ? ":" : "",
                                zsh_text(operand.info.name), action));
}

std::string zsh_command(const CommandInfo& command) {
  std::string out = fmt::format("    {})\n      _arguments", command.name);
  const auto add = [&](const std::string& spec) { out += " \\\n        " + spec; };
  add("'(- *)--help[print help]'");
  for (const OptionInfo& option : option_table())
    if (takes(command.name, option)) add(zsh_option(option));
  std::size_t position = 0;
  for (const Operand& operand : operands_of(command)) add(zsh_operand(operand, ++position));
  return out + "\n      ;;\n";
}

// ---- fish ----------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return quoted(escaped, "\\'");
}

// An argument of -a: each word with its meaning behind a tab. It is evaluated once more.
std::string fish_choices(std::span<const ChoiceInfo> choices) {
  std::string out;
  for (const ChoiceInfo& choice : choices)
    out +=
        fmt::format("{}{}\\t{}", out.empty() ? "" : " ", choice.word, fish_quoted(choice.meaning));
  return fish_quoted(out);
}

// Where the command line has no command yet, or this one, with that many operands where that
// matters.
std::string fish_line(std::string_view command, const std::string& rest,
                      std::string_view operands = {}) {
  return fmt::format("complete -c panoptes -n '__panoptes_is {}{}{}' {}\n", command,
                     operands.empty() ? "" : " ", operands, rest);
}

// A case for every option of a command that takes values: how many.
std::string fish_counts() {
  std::string out;
  for (const CommandInfo& command : command_table())
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option) && !option.argument.empty())
        out += fmt::format("            case '{} {}'\n                set values {}\n",
                           command.name, flag_of(option), option.word_count());
  return out;
}

std::string fish_option(const OptionInfo& option) {
  std::string out = fmt::format("{} {}", option.name.size() == 1 ? "-s" : "-l", option.name);
  if (!option.choices.empty())
    out += " -x -a " + fish_choices(option.choices);
  else if (option.kind == ValueKind::file)
    out += " -r -F";
  else if (option.kind == ValueKind::folder)
    out += " -x -a '(__fish_complete_directories)'";
  else if (!option.argument.empty())
    out += " -x";
  return out + fmt::format(" -d {}", fish_quoted(option.sentence));
}

std::string fish_operand(const Operand& operand) {
  const std::vector<ChoiceInfo> choices = choices_of(operand.info);
  if (!choices.empty()) return "-a " + fish_choices(choices);
  if (operand.info.files == "*") return "-F";
  return fmt::format("-k -a '(__fish_complete_suffix {})'", operand.info.files.substr(1));
}

// Commands, values, operands and flags are put in.
constexpr std::string_view bash_script =
    R"(# bash completion for panoptes, made by `panoptes completion bash`.
_panoptes() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} prefix=
  local word option= words= files= folders=
  local -i i values=0 position=0
  COMPREPLY=()

  # Operands so far, and whether an option waits for its value. To bash, `=`, `:` and `@` are words:
  # what stands on both sides of one belongs together.
  for ((i = 2; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    if [[ $word == [=:@]* ]]; then
      i=i+1
      if ((i == COMP_CWORD)); then
        ((values > 0)) || return
        break
      fi
      ((values == 0)) || values=values-1
      continue
    fi
    if ((values > 0)); then
      values=values-1
      continue
    fi
    case "$command $word" in
{}      *' -'*) ;;
      *) position=position+1 ;;
    esac
  done
  if [[ $current == [=:@]* ]]; then
    ((values > 0)) || return
    current=
  elif [[ $current == --*=* ]]; then
    values=1 option=${{current%%=*}} prefix=$option= current=${{current#*=}}
  fi

  if ((COMP_CWORD == 1)); then
    words='{} --help --version'
  elif ((values > 0)); then
    case "$command $option" in
{}    esac
  elif [[ $current != -* ]]; then
    case "$command $position" in
{}    esac
  fi
  if ((COMP_CWORD > 1 && values == 0)) && [[ -z $words$files$folders ]]; then
    case $command in
{}    esac
  fi

  [[ -z $words ]] || COMPREPLY+=($(compgen -W "$words" -P "$prefix" -- "$current"))
  if [[ -n $files$folders ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
      COMPREPLY+=("$prefix$word")
    done < <(
      [[ -z $files ]] || compgen -f -X "!$files" -- "$current"
      [[ -z $folders ]] || compgen -d -- "$current"
    )
  fi
}}
complete -F _panoptes panoptes
)";

}  // namespace

std::string bash_completion() {
  std::string flags;
  for (const CommandInfo& command : command_table())
    flags += fmt::format("      {}) words='{}' ;;\n", command.name, bash_flags(command));
  return fmt::format(bash_script, bash_counts(), command_names(), bash_values(), bash_operands(),
                     flags);
}

std::string zsh_completion() {
  std::string described, cases;
  for (const CommandInfo& command : command_table()) {
    described += fmt::format(
        "      {}\n", zsh_quoted(fmt::format("{}:{}", command.name, zsh_text(command.sentence))));
    cases += zsh_command(command);
  }
  return fmt::format(R"(#compdef panoptes
# zsh completion for panoptes, made by `panoptes completion zsh`.
_panoptes() {{
  if ((CURRENT == 2)); then
    local -a commands=(
{}    )
    local -a flags=('--help:print help' '--version:print the version')
    if [[ $words[2] == -* ]]; then
      _describe option flags
    else
      _describe command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
if [[ $funcstack[1] == _panoptes ]]; then
  _panoptes "$@"
else
  compdef _panoptes panoptes
fi
)",
                     described, cases);
}

std::string fish_completion() {
  std::string out =
      fmt::format(R"(# fish completion for panoptes, made by `panoptes completion fish`.
# Whether the command is this one; without an argument, whether there is none yet. With a second
# argument, whether it has that many operands so far.
function __panoptes_is
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
        return
    end
    test (count $words) -gt 1; and test $words[2] = $argv[1]; or return 1
    test (count $argv) -gt 1; or return 0
    set -l values 0
    set -l operands 0
    for word in $words[3..-1]
        if test $values -gt 0
            set values (math $values - 1)
            continue
        end
        switch "$argv[1] $word"
{}            case '* -*'
            case '*'
                set operands (math $operands + 1)
        end
    end
    test $operands -eq $argv[2]
end
complete -c panoptes -f
)",
                  fish_counts());
  for (const OptionInfo& option : general_options()) out += fish_line("", fish_option(option));
  for (const CommandInfo& command : command_table()) {
    out += fish_line("", fmt::format("-a {} -d {}", command.name, fish_quoted(command.sentence)));
    out += fish_line(command.name, "-l help -d 'print help'");
    for (const OptionInfo& option : option_table())
      if (takes(command.name, option)) out += fish_line(command.name, fish_option(option));
    std::size_t position = 0;
    for (const Operand& operand : operands_of(command)) {
      const std::string at = operand.repeats ? "" : fmt::format("{}", position++);
      if (!operand.info.files.empty() || !choices_of(operand.info).empty())
        out += fish_line(command.name, fish_operand(operand), at);
    }
  }
  return out;
}

std::string completion_for(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  assert(shell == "fish");
  return fish_completion();
}

}  // namespace panoptes
