// SPDX-License-Identifier: Apache-2.0
#include "rules/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/diagnostic.hpp"

namespace panoptes {
namespace {

// The names that were there, for a suggestion, and whether any was meant.
struct Search {
  std::string wanted;
  std::vector<std::string> names;
  bool found = false;

  // A part goes by its whole name, or by a shorter one that it shares with others.
  bool is_meant(const std::string& name, std::initializer_list<std::string> shorter) {
    names.push_back(name);
    const bool meant =
        name == wanted || std::find(shorter.begin(), shorter.end(), wanted) != shorter.end();
    found = found || meant;
    return meant;
  }
};

void add(const Slot& slot, StateWords& bits) {
  if (slot.bits > 0) bits[slot.word] |= slot.mask() << slot.shift;
}

}  // namespace

std::optional<StateWords> folded_bits(const Program& program, const std::string& part,
                                      std::string& problem) {
  const std::size_t blank = part.find(' ');
  const std::string kind = part.substr(0, blank);
  Search search{blank == std::string::npos ? "" : part.substr(blank + 1), {}, false};
  StateWords bits(program.layout.words, 0);
  const Protocol& protocol = program.protocol;
  if (kind == "process") {
    for (ProcessId p = 0; p < protocol.processes.size(); ++p)
      if (search.is_meant(protocol.processes[p].name, {protocol.processes[p].declaration}))
        add(program.layout.control[p], bits);
  } else if (kind == "channel") {
    for (ChannelId c = 0; c < protocol.channels.size(); ++c)
      if (search.is_meant(protocol.channels[c].name, {family_name(protocol.channels[c].name)}))
        for (const ChannelPiece& piece : program.layout.channels[c].pieces)
          bits[piece.word] |= piece.mask;
  } else if (kind == "variable") {
    for (VariableId v = 0; v < protocol.variables.size(); ++v) {
      const Variable& variable = protocol.variables[v];
      const std::string all = variable.elements > 0 ? array_name(variable.name) : variable.name;
      if (variable.process == none) {
        if (search.is_meant(variable.name, {all})) add(program.layout.variables[v], bits);
        continue;
      }
      const Process& owner = protocol.processes[variable.process];
      if (search.is_meant(owner.name + "." + variable.name,
                          {owner.declaration + "." + variable.name, variable.name,
                           owner.name + "." + all, owner.declaration + "." + all, all}))
        add(program.layout.variables[v], bits);
    }
  } else {
    problem = fmt::format("wanted process NAME, channel NAME or variable NAME, found `{}`", part);
    return {};
  }
  if (search.found) return bits;
  const std::string suggestion = did_you_mean(search.wanted, search.names);
  problem = fmt::format("no {} is called `{}`{}{}", kind, search.wanted,
                        suggestion.empty() ? "" : "; ", suggestion);
  return {};
}

}  // namespace panoptes
