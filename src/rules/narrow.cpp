// SPDX-License-Identifier: Apache-2.0
#include "rules/narrow.hpp"

#include <fmt/format.h>

#include "base/display.hpp"

namespace panoptes {

std::optional<Program> narrowed(const Program& program, std::uint32_t slots) {
  Protocol protocol = program.protocol;
  bool is_narrower = false;
  for (Channel& channel : protocol.channels) {
    const std::uint32_t capacity = narrowed_capacity(channel, slots);
    is_narrower = is_narrower || capacity < channel.capacity;
    channel.capacity = capacity;
  }
  if (!is_narrower) return {};
  std::string problem;
  auto result = compile_rules(std::move(protocol), {program.timeouts, program.overflow}, problem);
  if (!result || result->rules.size() != program.rules.size()) return {};
  // The pool came with the expressions of the other table.
  result->errors.first_expression = program.errors.first_expression;
  return result;
}

std::string narrowed_channels(const Protocol& protocol) {
  std::vector<std::string> texts;
  for (const Channel& channel : protocol.channels)
    if (channel.capacity != channel.declared_capacity)
      texts.push_back(fmt::format("{} to {} {} of {}", channel.name, channel.capacity,
                                  channel.capacity == 1 ? "slot" : "slots",
                                  channel.declared_capacity));
  constexpr std::size_t most = 4;
  return few_of(texts, most);
}

}  // namespace panoptes
