// SPDX-License-Identifier: Apache-2.0
#include "backward/certificate_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace panoptes {
namespace {

// Words that stand for something else where a name may stand.
constexpr std::array reserved_words{std::string_view("alone"),   std::string_view("and"),
                                    std::string_view("any"),     std::string_view("at"),
                                    std::string_view("channel"), std::string_view("assertion"),
                                    std::string_view("in"),      std::string_view("nobody"),
                                    std::string_view("not"),     std::string_view("or")};

bool is_word(std::string_view name) {
  const auto is_plain = [](char c) {
    return c > ' ' && c < '\x7f' && std::string_view("#,(){}").find(c) == std::string_view::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain) &&
         std::find(reserved_words.begin(), reserved_words.end(), name) == reserved_words.end();
}

template <typename List, typename Name>
std::vector<std::string> names_of(const List& list, const Name& name) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(name(one));
  return names;
}

// With its process before it where another process has one of that name.
std::vector<std::string> variable_names(const Protocol& protocol) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const Variable& variable : protocol.variables) ++counts[variable.name];
  return names_of(protocol.variables, [&](const Variable& variable) {
    if (counts[variable.name] == 1 || variable.process == none) return variable.name;
    return protocol.processes[variable.process].name + "." + variable.name;
  });
}

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

UniqueWords::UniqueWords(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const std::string& name : names) ++counts[name];
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string word = is_word(names[i]) ? names[i] : std::string();
    if (word.empty() || counts[names[i]] > 1) word += fmt::format("#{}", i);
    numbers_.emplace(word, static_cast<std::uint32_t>(i));
    words_.push_back(std::move(word));
  }
}

std::optional<std::uint32_t> UniqueWords::number_of(std::string_view word) const {
  const auto found = numbers_.find(std::string(word));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

CertificateNames::CertificateNames(const Program& program)
    : processes(names_of(program.protocol.processes, [](const Process& p) { return p.name; })),
      channels(names_of(program.protocol.channels, [](const Channel& c) { return c.name; })),
      variables(variable_names(program.protocol)),
      assertions(names_of(program.protocol.assertions, [](const Assertion& a) { return a.name; })) {
  for (const Process& process : program.protocol.processes)
    states.emplace_back(
        names_of(process.automaton.states, [](const ControlState& s) { return s.name; }));
  for (const Channel& channel : program.protocol.channels)
    messages.emplace_back(names_of(channel.sort, [](const MessageType& m) { return m.name; }));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < ' ' || text[i] == '\x7f') return {};
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const std::string_view rest = text.substr(i + 1);
    if (rest.starts_with('\\') || rest.starts_with('n')) {
      out += rest.front() == 'n' ? '\n' : '\\';
      i += 1;
      continue;
    }
    if (rest.size() < 3 || rest[0] != 'x') return {};
    const std::size_t high = hex_digits.find(rest[1]), low = hex_digits.find(rest[2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    out += static_cast<char>(high * 16 + low);
    i += 3;
  }
  return out;
}

}  // namespace panoptes
