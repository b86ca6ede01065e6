// SPDX-License-Identifier: Apache-2.0
// Temporal formulas by chance, about what a protocol has.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "rules/program.hpp"

namespace panoptes::differential {

class FormulaMaker {
 public:
  FormulaMaker(const Program& program, std::uint64_t seed, bool has_next = true)
      : random_(seed), has_next_(has_next) {
    const panoptes::Protocol& protocol = program.protocol;
    for (const Process& process : protocol.processes)
      for (const ControlState& state : process.automaton.states)
        if (state.name.find('|') == std::string::npos)
          atoms_.push_back(fmt::format("{}@{}", process.name, state.name));
    for (const Variable& variable : protocol.variables)
      if (variable.process == none && variable.elements == 0 && !variable.is_of_procedure)
        for (const std::int64_t value : {variable.initial, variable.range.high})
          atoms_.push_back(fmt::format("{} == {}", variable.name, value));
    for (const Channel& channel : protocol.channels) {
      if (!channel.is_rendezvous() && !channel.is_sink)
        atoms_.push_back(fmt::format("empty({})", channel.name));
      for (const MessageType& message : channel.sort)
        for (const char* const event : {"sent({}!{})", "received({}?{})"})
          atoms_.push_back(fmt::format(fmt::runtime(event), channel.name, message.name));
    }
  }

  bool has_atoms() const { return !atoms_.empty(); }

  // Of the shapes that people write, and others. What is drawn in which order is written down, and
  // not left to the compiler.
  std::string formula() {
    const std::uint64_t shape = below(8);
    if (shape > 3) return formula_of(3);
    const std::string last = atom();
    if (shape < 2) return fmt::format("{} {}", shape == 0 ? "[] <>" : "<> []", last);
    return fmt::format("{} {} {}", atom(), shape == 2 ? "leads to" : "U", last);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string atom() {
    const std::string& chosen = atoms_[below(atoms_.size())];
    return fmt::format("{}({})", below(4) == 0 ? "!" : "", chosen);
  }
  std::string formula_of(int depth) {
    if (depth == 0) return atom();
    static const char* const unary[] = {"!", "[] ", "<> ", "X "};
    const std::size_t unary_count = std::size(unary) - (has_next_ ? 0 : 1);
    static const char* const binary[] = {"U", "W", "R", "&&", "||", "->", "<->"};
    if (below(2) == 0) {
      const std::string inner = formula_of(depth - 1);
      return fmt::format("{}({})", unary[below(unary_count)], inner);
    }
    const auto depth_of_last = static_cast<int>(below(static_cast<std::uint64_t>(depth)));
    const std::string last = formula_of(depth_of_last);
    const char* const sign = binary[below(std::size(binary))];
    return fmt::format("({}) {} ({})", formula_of(depth - 1), sign, last);
  }

  std::mt19937_64 random_;
  bool has_next_;
  std::vector<std::string> atoms_;
};

}  // namespace panoptes::differential
