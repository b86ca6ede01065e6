// SPDX-License-Identifier: Apache-2.0
// A model as text, taken as far as a checked protocol, and the models of the repository. Where a
// text that should compile does not, this throws with the diagnostics as the message, which
// GoogleTest shows as the failure. What needs rules is in program.hpp, what needs a search in
// model.hpp.
//
// Everything is inline: a test program links only the folders it uses.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "load/front_ends.hpp"

namespace panoptes {

// How GoogleTest shows an interval.
inline void PrintTo(const Interval& interval, std::ostream* out) {
  *out << interval.low << ".." << interval.high;
}

}  // namespace panoptes

namespace panoptes::test {

struct Built {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<Protocol> protocol;  // nothing where there are errors

  std::string shown() const { return diagnostics.render(sources); }
};

inline Built build(std::string text, const BuildOptions& options = {}) {
  Built built;
  const auto read = [&](const std::string&) { return std::optional(std::move(text)); };
  const auto model = front_end_of("m").parse("m", read, {}, built.sources, built.diagnostics);
  built.protocol = model->build(options, built.sources, built.diagnostics);
  return built;
}

inline Protocol protocol_of(std::string text, const BuildOptions& options = {}) {
  Built built = build(std::move(text), options);
  if (!built.protocol) throw std::runtime_error(built.shown());
  return std::move(*built.protocol);
}

// The names of the models, in order.
inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  const auto folder = std::filesystem::path(PANOPTES_SOURCE_DIR) / "models";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".argos") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The text of models/<name>.argos, with macros defined as by -D.
inline std::string model_text(const std::string& name, const std::string& definitions = {}) {
  const std::string path = fmt::format("{}/models/{}.argos", PANOPTES_SOURCE_DIR, name);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return definitions + std::string(std::istreambuf_iterator<char>(file), {});
}

// `x`, or `a[i]`.
inline std::string assigned(const Protocol& protocol, const Assignment& a) {
  const std::string& name = protocol.variables[a.variable].name;
  if (a.index == none) return name;
  return array_name(name) + "[" + to_text(protocol.expressions, a.index, protocol.names()) + "]";
}

// An automaton, a line for each state: number, labels, and every transition as written, the
// condition of a channel action after `if`, the assignments in braces, the target. `*` marks states
// in which the process may stop.
inline std::string shape(const Protocol& protocol, const Automaton& automaton) {
  const auto text = [&](ExpressionId id) {
    return to_text(protocol.expressions, id, protocol.names());
  };
  std::string out;
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    const ControlState& state = automaton.states[s];
    out += std::to_string(s) + (state.is_end ? " end" : state.may_stop ? "*" : "");
    for (const std::string& label : state.labels) out += " " + label + ":";
    for (std::size_t i = 0; i < state.transitions.size(); ++i) {
      const Transition& t = state.transitions[i];
      out += (i == 0 ? " " : " | ") + t.text;
      if (t.channel != none || t.kind == ActionKind::bad_index)
        for (const ExpressionId condition : t.conditions) out += " if " + text(condition);
      for (std::size_t a = 0; a < t.assignments.size(); ++a)
        out += (a == 0 ? " {" : ", ") + assigned(protocol, t.assignments[a]) + " = " +
               text(t.assignments[a].value);
      out += fmt::format("{} -> {}", t.assignments.empty() ? "" : "}", t.target);
    }
    out += "\n";
  }
  return out;
}

// The shape of the first process, not minimised.
inline std::string first_shape(std::string text) {
  const Protocol protocol = protocol_of(std::move(text), {.minimise = false});
  return shape(protocol, protocol.processes[0].automaton);
}

}  // namespace panoptes::test
