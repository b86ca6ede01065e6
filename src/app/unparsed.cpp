// SPDX-License-Identifier: Apache-2.0
#include "app/unparsed.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "app/trails.hpp"
#include "options/parse.hpp"
#include "options/table.hpp"

namespace panoptes {
namespace {

std::string no_option(const std::string& word, std::string_view command) {
  if (const OptionInfo* other = word.starts_with("--") ? find_option(word.substr(2)) : nullptr)
    return fmt::format("`{}` does not take {}; `{}` does", command, word,
                       other->commands.substr(0, other->commands.find(' ')));
  std::vector<std::string> names{"--help"};
  for (const OptionInfo& option : option_table())
    if (takes(command, option) && option.name.size() > 1) names.push_back(flag_of(option));
  return fmt::format("`{}` has no option {}{}", command, word, suggestion(word, names));
}

// Words as a parser goes through them, of one command.
class Reader {
 public:
  Reader(const CommandInfo& command, const std::vector<std::string>& words)
      : command_(command), words_(words) {
    for (const Operand& operand : operands_of(command))
      operands_ += operand.repeats ? words.size() : 1;
  }

  std::string complaint() {
    for (next_ = 1; next_ < words_.size();) {
      const std::string& word = words_[next_++];
      std::string wrong;
      if (is_over_ || word.size() < 2 || word[0] != '-')
        wrong = read_operand(word);
      else if (word == "--")
        is_over_ = true;
      else
        wrong = read_option(word);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  std::string read_operand(const std::string& word) {
    if (operands_ > 0) {
      --operands_;
      return {};
    }
    return fmt::format("`{}` was not expected: `{}` takes {}", word, command_.name,
                       command_.operands.empty() ? "no operands" : command_.operands);
  }

  std::string read_option(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const std::size_t end = is_long ? word.find('=') : 2;
    const std::string flag = word.substr(0, end);
    if (flag == "--help" || flag == "-h") return {};
    const OptionInfo* option = find_option(flag.substr(is_long ? 2 : 1), command_.name);
    if (!option || flag_of(*option) != flag) return no_option(flag, command_.name);
    std::size_t wanted = option->word_count();
    if (is_long && end != std::string::npos && wanted == 0)
      return fmt::format("{} takes no value", flag);
    if (wanted > 0 && !option->repeats && !seen_.insert(flag).second)
      return fmt::format("{} is given twice", flag);
    const std::size_t joined = is_long ? end == std::string::npos ? 0 : end + 1 : 2;
    if (joined > 0 && word.size() > joined) --wanted;  // its value stands in the same word
    if (next_ + wanted > words_.size())
      return fmt::format("{}: wanted {}", flag, wanted_by(*option));
    next_ += wanted;
    return {};
  }

  const CommandInfo& command_;
  const std::vector<std::string>& words_;
  std::size_t operands_ = 0;  // that may still come
  std::size_t next_ = 0;
  bool is_over_ = false;  // no options behind `--`
  std::set<std::string> seen_;
};

}  // namespace

std::string no_command(const std::string& name) {
  std::error_code error;
  if (std::filesystem::is_regular_file(name, error))
    return fmt::format("there is no command `{}`; did you mean `panoptes check {}`?", name,
                       as_word(name));
  std::vector<std::string> names;
  for (const CommandInfo& command : command_table()) names.emplace_back(command.name);
  return fmt::format("there is no command `{}`{}", name, suggestion(name, names));
}

std::string why_not_parsed(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words[0].starts_with('-'))
    return fmt::format("{} comes too early: a command comes first, as in `panoptes check MODEL`",
                       words[0]);
  const CommandInfo* command = find_command(words[0]);
  return command ? Reader(*command, words).complaint() : no_command(words[0]);
}

}  // namespace panoptes
