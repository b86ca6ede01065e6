// SPDX-License-Identifier: Apache-2.0
#include "report/alike_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/display.hpp"

namespace panoptes {

std::vector<std::string> names_of(const Program& program, const Members& members) {
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(name_of(program, member));
  return names;
}

std::vector<std::string> names_of(const Program& program, const std::vector<ProcessId>& processes) {
  std::vector<std::string> names;
  for (const ProcessId p : processes) names.push_back(program.protocol.processes[p].name);
  return names;
}

std::string alike_text(const Program& program, const ErrorReport& error) {
  const Members& members = error.members;
  if (members.empty()) return {};
  const ErrorKind kind = error.description.kind;
  if (kind == ErrorKind::deadlock || kind == ErrorKind::livelock)
    return fmt::format("also with {} in each other's places", few_of(names_of(program, members)));
  // Mostly each has its own channel, so it is the processes or assertions that are counted.
  const auto rest_begins = std::find_if(members.begin(), members.end(), [&](const Member& member) {
    return member.kind != members.front().kind;
  });
  const Members counted(members.begin(), rest_begins), rest(rest_begins, members.end());
  const std::vector<std::string> names = names_of(program, counted),
                                 others = names_of(program, rest);
  std::string text = fmt::format("in {} members: {}", counted.size(), few_of(names));
  if (others.empty() || others == names) return text;
  const bool are_channels = std::all_of(rest.begin(), rest.end(), [](const Member& member) {
    return member.kind == Member::Kind::channel;
  });
  return fmt::format("{}, with {}{}", text, are_channels ? "channels " : "", few_of(others));
}

}  // namespace panoptes
