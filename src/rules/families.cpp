// SPDX-License-Identifier: Apache-2.0
#include "rules/families.hpp"

#include <map>

namespace panoptes {
namespace {

template <typename Declared>
bool are_members(const Declared& one, const Declared& next) {
  return family_name(one.name) == family_name(next.name);
}
// The name of one that has none is its text, which may have brackets.
bool are_members(const Invariant& one, const Invariant& next) {
  return !one.index.empty() && one.place == next.place;
}
bool are_members(const TemporalProperty& one, const TemporalProperty& next) {
  return !one.index.empty() && one.place == next.place;
}

// The first member of the family of each.
template <typename Declared>
std::vector<std::uint32_t> first_members(const std::vector<Declared>& all, bool& has_several) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const bool is_next = i > 0 && are_members(all[i - 1], all[i]);
    result.push_back(is_next ? result[i - 1] : i);
    has_several = has_several || is_next;
  }
  return result;
}

}  // namespace

std::string family_name(const std::string& member) { return member.substr(0, member.find('[')); }

Families families_of(const Protocol& protocol) {
  Families result;
  result.process = first_members(protocol.processes, result.has_several);
  result.channel = first_members(protocol.channels, result.has_several);
  result.assertion = first_members(protocol.assertions, result.has_several);
  result.invariant = first_members(protocol.invariants, result.has_several);
  result.temporal = first_members(protocol.temporal, result.has_several);
  std::map<std::string, std::uint32_t> numbers;
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    if (result.channel[c] == c) numbers.clear();
    auto& messages = result.message.emplace_back();
    for (const MessageType& type : protocol.channels[c].sort)
      messages.push_back(
          numbers.try_emplace(type.name, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return result;
}

}  // namespace panoptes
