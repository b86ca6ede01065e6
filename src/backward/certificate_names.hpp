// SPDX-License-Identifier: Apache-2.0
// What certificates call the parts of a program: each by a word that no other of its kind has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// Words for things that are numbered from 0 on.
class UniqueWords {
 public:
  explicit UniqueWords(const std::vector<std::string>& names);

  const std::string& operator[](std::size_t number) const { return words_[number]; }
  std::optional<std::uint32_t> number_of(std::string_view word) const;
  std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct CertificateNames {
  explicit CertificateNames(const Program& program);

  UniqueWords processes, channels, variables, assertions;
  std::vector<UniqueWords> states;    // by process
  std::vector<UniqueWords> messages;  // by channel; that of tag 1 comes first
};

inline constexpr std::uint8_t reception_policies = 3;

// A text in one line of printable characters, and back; nothing where it is none of those.
std::string escaped(std::string_view text);
std::optional<std::string> unescaped(std::string_view text);

}  // namespace panoptes
