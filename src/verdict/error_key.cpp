// SPDX-License-Identifier: Apache-2.0
#include "verdict/error_key.hpp"

#include <algorithm>
#include <iterator>

namespace panoptes {
namespace {

std::uint32_t place_class(const Program& program, ProcessId process, StateId state) {
  return program.at(process, state).same_place;
}

std::uint32_t place_class(const Program& program, ProcessId process, StateView state) {
  return place_class(program, process,
                     static_cast<StateId>(read(program.layout.control[process], state)));
}

std::uint32_t message_class(const Program& program, ChannelId channel, std::uint32_t tag) {
  return program.families.message[channel][tag - 1];
}

// Where a key says which member of a family it means.
struct MemberPart {
  std::size_t index;
  Member::Kind kind;
};

// A deadlock or livelock means all of them.
std::vector<MemberPart> member_parts(const ErrorKey& key) {
  using Kind = Member::Kind;
  switch (key.kind) {
    case ErrorKind::unspecified_reception:
    case ErrorKind::overflow: return {{0, Kind::process}, {2, Kind::channel}};
    case ErrorKind::unread_messages: return {{0, Kind::channel}};
    case ErrorKind::assertion:
      if (key.parts[0] == none) return {{1, Kind::process}};
      if (key.parts[1] == none) return {{0, Kind::assertion}};
      return {{0, Kind::assertion}, {1, Kind::channel}};
    case ErrorKind::division_by_zero:
    case ErrorKind::index_out_of_range:
    case ErrorKind::out_of_range:
    case ErrorKind::endless_atomic:
    case ErrorKind::stuck: return {{0, Kind::process}};
    case ErrorKind::invariant:
    case ErrorKind::reached: return {{0, Kind::invariant}};
    case ErrorKind::ltl:
    case ErrorKind::progress:
    case ErrorKind::acceptance: return {{0, Kind::temporal}};
    case ErrorKind::deadlock:
    case ErrorKind::livelock: break;
  }
  return {};
}

std::uint32_t family_of(const Program& program, const Member& member) {
  switch (member.kind) {
    case Member::Kind::process: return program.families.process[member.number];
    case Member::Kind::assertion: return program.families.assertion[member.number];
    case Member::Kind::channel: return program.families.channel[member.number];
    case Member::Kind::invariant: return program.families.invariant[member.number];
    case Member::Kind::temporal: return program.families.temporal[member.number];
  }
  return none;
}

// Sorts what a key says of each process, within each family.
template <typename Part>
void sort_members(const Program& program, std::vector<Part>& parts) {
  const auto& family = program.families.process;
  for (ProcessId first = 0, end = 0; first < parts.size(); first = end) {
    while (end < parts.size() && family[end] == first) ++end;
    std::sort(parts.begin() + first, parts.begin() + end);
  }
}

template <typename Part>
Members unequal_members(const std::vector<Part>& parts, const std::vector<Part>& others) {
  Members result;
  for (ProcessId p = 0; p < parts.size(); ++p)
    if (parts[p] != others[p]) result.push_back({Member::Kind::process, p});
  return result;
}

// A livelock has several parts for each process, behind a `none`.
using Shares = std::vector<std::vector<std::uint32_t>>;
Shares shares_of(const ErrorKey& livelock) {
  Shares shares;
  for (const std::uint32_t part : livelock.parts) {
    if (part == none) shares.emplace_back();
    shares.back().push_back(part);
  }
  return shares;
}

}  // namespace

ErrorKey exact_key_of(const Program& program, const Finding& finding, StateView state) {
  ErrorKey key{finding.kind, {}};
  const Rule* rule = finding.rule == none ? nullptr : &program.rules[finding.rule];
  switch (finding.kind) {
    case ErrorKind::deadlock:
      for (ProcessId p = 0; p < program.control.size(); ++p)
        key.parts.push_back(place_class(program, p, state));
      break;
    case ErrorKind::unspecified_reception:
      key.parts = {finding.process, place_class(program, finding.process, state), finding.channel,
                   message_class(program, finding.channel, finding.tag)};
      break;
    case ErrorKind::unread_messages: key.parts = {finding.channel}; break;
    case ErrorKind::assertion:
      if (finding.assertion == none)
        key.parts = {none, rule->owner().process,
                     place_class(program, rule->owner().process, rule->owner().from),
                     rule->statements.front()};
      else if (!rule)
        key.parts = {finding.assertion, none};
      else
        key.parts = {finding.assertion, rule->channel, rule->written_as == ActionKind::send,
                     message_class(program, rule->channel, rule->tag)};
      break;
    case ErrorKind::overflow:
      key.parts = {rule->owner().process,
                   place_class(program, rule->owner().process, rule->owner().from), rule->channel,
                   message_class(program, rule->channel, rule->tag)};
      break;
    case ErrorKind::division_by_zero:
    case ErrorKind::index_out_of_range:
    case ErrorKind::out_of_range:
      key.parts = {rule->owner().process,
                   place_class(program, rule->owner().process, rule->owner().from),
                   rule->statements.front()};
      break;
    case ErrorKind::endless_atomic:  // of several statements any may be the one that leads back
      key.parts = {rule->owner().process,
                   place_class(program, rule->owner().process, rule->owner().from)};
      break;
    case ErrorKind::invariant:
    case ErrorKind::reached:
    case ErrorKind::ltl:
    case ErrorKind::progress:
    case ErrorKind::acceptance: key.parts = {finding.assertion}; break;
    case ErrorKind::stuck:
      key.parts = {finding.process, place_class(program, finding.process, state)};
      break;
    case ErrorKind::livelock: break;
  }
  return key;
}

ErrorKey exact_key_of(const Program& program, const LivelockShape& shape) {
  ErrorKey key{ErrorKind::livelock, {}};
  for (ProcessId p = 0; p < shape.places.size(); ++p) {
    std::set<std::uint32_t> classes;
    for (const StateId state : shape.places[p]) classes.insert(place_class(program, p, state));
    key.parts.insert(key.parts.end(), {none, shape.moving.contains(p)});
    key.parts.insert(key.parts.end(), classes.begin(), classes.end());
  }
  return key;
}

ErrorKey group_key(const Program& program, const ErrorKey& exact) {
  if (!program.families.has_several) return exact;
  ErrorKey key = exact;
  if (exact.kind == ErrorKind::deadlock) sort_members(program, key.parts);
  if (exact.kind == ErrorKind::livelock) {
    Shares shares = shares_of(exact);
    sort_members(program, shares);
    key.parts.clear();
    for (const auto& share : shares) key.parts.insert(key.parts.end(), share.begin(), share.end());
  }
  for (const MemberPart& part : member_parts(exact))
    key.parts[part.index] = family_of(program, {part.kind, exact.parts[part.index]});
  return key;
}

ErrorKey key_of(const Program& program, const Finding& finding, StateView state) {
  return group_key(program, exact_key_of(program, finding, state));
}

const std::string& name_of(const Program& program, const Member& member) {
  switch (member.kind) {
    case Member::Kind::assertion: return program.protocol.assertions[member.number].name;
    case Member::Kind::channel: return program.protocol.channels[member.number].name;
    case Member::Kind::invariant: return program.protocol.invariants[member.number].name;
    case Member::Kind::temporal: return program.protocol.temporal[member.number].name;
    case Member::Kind::process: break;
  }
  return program.protocol.processes[member.number].name;
}

bool add_members(const Program& program, const ErrorKey& exact, const ErrorKey& other,
                 Members& members) {
  if (!program.families.has_several || exact == other) return false;
  Members more;
  if (exact.kind == ErrorKind::deadlock) more = unequal_members(exact.parts, other.parts);
  if (exact.kind == ErrorKind::livelock) more = unequal_members(shares_of(exact), shares_of(other));
  for (const auto& [index, kind] : member_parts(exact)) {
    const auto [low, high] = std::minmax(exact.parts[index], other.parts[index]);
    if (low != high) more.insert(more.end(), {{kind, low}, {kind, high}});
  }
  return add_members(more, members);
}

Members members_alike(const Symmetry& symmetry, const ErrorKey& exact) {
  Members result;
  const std::vector<Belonging> no_belongings;
  const auto belongings = [&](Member::Kind kind) -> const std::vector<Belonging>& {
    switch (kind) {
      case Member::Kind::temporal: return no_belongings;  // with properties nobody is exchanged
      case Member::Kind::assertion: return symmetry.assertions;
      case Member::Kind::channel: return symmetry.channels;
      case Member::Kind::invariant: return symmetry.invariants;
      case Member::Kind::process: break;
    }
    return symmetry.processes;
  };
  const auto add_all = [&](Member::Kind kind, std::uint32_t number) {
    const std::vector<Belonging>& all = belongings(kind);
    if (number >= all.size() || all[number].first == none) return;
    for (std::uint32_t other = 0; other < all.size(); ++other)
      if (all[other].role == all[number].role) result.push_back({kind, other});
  };
  for (const auto& [index, kind] : member_parts(exact))
    if (exact.parts[index] != none) add_all(kind, exact.parts[index]);
  // Where they are not all at one place, each is at another one in some arrangement.
  if (exact.kind == ErrorKind::deadlock)
    for (ProcessId p = 0; p < exact.parts.size(); ++p)
      for (ProcessId other = 0; other < p; ++other)
        if (symmetry.processes[p].role == symmetry.processes[other].role &&
            exact.parts[p] != exact.parts[other])
          add_all(Member::Kind::process, p);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool add_members(const Members& more, Members& members) {
  if (std::includes(members.begin(), members.end(), more.begin(), more.end())) return false;
  Members all;
  std::set_union(members.begin(), members.end(), more.begin(), more.end(), std::back_inserter(all));
  members = std::move(all);
  return true;
}

}  // namespace panoptes
