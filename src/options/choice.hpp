// SPDX-License-Identifier: Apache-2.0
// A choice among a few words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes {

// One of the words that an option or operand takes: what it means to people, and to the program.
struct ChoiceInfo {
  std::string_view word, meaning;
  int value = 0;              // an enumerator, where the option has an enum
  bool stands_alone = false;  // where several words may be joined: not this one with others
};
// True where `value` is one of those words, or there are none.
constexpr bool is_choice(std::span<const ChoiceInfo> choices, std::string_view value) {
  for (const ChoiceInfo& choice : choices)
    if (choice.word == value) return true;
  return choices.empty();
}
std::vector<std::string> words_in(std::span<const ChoiceInfo> choices);

}  // namespace panoptes
