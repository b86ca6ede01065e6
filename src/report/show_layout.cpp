// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/show.hpp"
#include "report/show_content.hpp"
#include "rules/values.hpp"

namespace panoptes {

std::vector<Part> parts(const Program& program) {
  std::vector<Part> result;
  const Protocol& protocol = program.protocol;
  const auto add = [&](std::string name, std::string kind, const Slot& slot) {
    result.push_back({std::move(name), std::move(kind), slot.word, slot.shift, slot.bits,
                      fmt::format("{}..{}", slot.minimum, slot.maximum)});
  };
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    add(protocol.processes[p].name, "control", program.layout.control[p]);
  for (VariableId v = 0; v < protocol.variables.size(); ++v)
    add(variable_name(protocol, v), "variable", program.layout.variables[v]);
  for (std::size_t a = 0; a < protocol.assertions.size(); ++a)
    add(protocol.assertions[a].name, "assertion", program.layout.assertions[a]);
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    std::string sort;
    for (const MessageType& type : protocol.channels[c].sort)
      sort += (sort.empty() ? "" : " ") + message_name(type);
    std::uint32_t first = 0;
    const ChannelLayout& layout = program.layout.channels[c];
    for (const ChannelPiece& piece : layout.pieces) {
      result.push_back({protocol.channels[c].name,
                        fmt::format("channel slots {}..{}", first, first + piece.slots - 1),
                        piece.word, piece.shift, piece.slots * layout.slot_bits, sort});
      first += piece.slots;
    }
  }
  return result;
}

std::string show_layout(const Program& program) {
  std::string out = fmt::format("{} bits in {} {} of 64\n", program.layout.bits,
                                program.layout.words, program.layout.words == 1 ? "word" : "words");
  std::size_t name_width = 0, kind_width = 0;
  for (const Part& part : parts(program)) {
    name_width = std::max(name_width, part.name.size());
    kind_width = std::max(kind_width, part.kind.size());
  }
  for (const Part& part : parts(program))
    out += fmt::format("  {:<{}}  {:<{}}  word {:<2}  bits {:>2}..{:<2}  {:>2} bits  {}\n",
                       part.name, name_width, part.kind, kind_width, part.word, part.shift,
                       part.bits == 0 ? part.shift : part.shift + part.bits - 1, part.bits,
                       part.values);
  return out;
}

}  // namespace panoptes
