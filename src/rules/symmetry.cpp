// SPDX-License-Identifier: Apache-2.0
#include "rules/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "rules/alignment.hpp"
#include "rules/find_exchanges.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t most_arrangements = UINT64_MAX;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > most_arrangements / b ? most_arrangements : a * b;
}

// "node[0..2]", "client[0..2] and server[0..2]"
std::string name_of_group(const Program& program, const MemberNumbers& numbers,
                          const MarkedKinds& marked, std::uint32_t group) {
  std::string result;
  const auto& family = program.families.process;
  for (ProcessId p = 0; p < family.size(); ++p) {
    if (family[p] != p || marked.group_of(numbers.of_process(p)) != group) continue;
    ProcessId last = p;
    while (last + 1 < family.size() && family[last + 1] == p) ++last;
    if (last == p) continue;
    result += fmt::format("{}{}[{}..{}]", result.empty() ? "" : " and ",
                          family_name(program.protocol.processes[p].name),
                          numbers.number_of_process(p), numbers.number_of_process(last));
  }
  return result;
}

// Makes the tables of a symmetry out of what is marked.
class Belongings {
 public:
  Belongings(const Program& program, const MemberNumbers& numbers, const MarkedKinds& marked,
             Symmetry& symmetry)
      : program_(program), numbers_(numbers), marked_(marked), symmetry_(symmetry) {}

  void fill() {
    std::uint32_t first = 0;
    for (const MemberGroup& group : symmetry_.groups) {
      symmetry_.first_member.push_back(first);
      first += static_cast<std::uint32_t>(group.size());
    }
    const Protocol& protocol = program_.protocol;
    for (ProcessId p = 0; p < protocol.processes.size(); ++p)
      symmetry_.processes.push_back(of(0, program_.families.process[p], numbers_.of_process(p),
                                       numbers_.number_of_process(p)));
    for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
      symmetry_.channels.push_back(of(1, program_.families.channel[c], numbers_.of_channel(c),
                                      numbers_.number_of_channel(c)));
      add_fields(c);
    }
    for (std::uint32_t a = 0; a < protocol.assertions.size(); ++a)
      symmetry_.assertions.push_back(of(2, program_.families.assertion[a], numbers_.of_assertion(a),
                                        numbers_.number_of_assertion(a)));
    for (std::uint32_t i = 0; i < protocol.invariants.size(); ++i)
      symmetry_.invariants.push_back(of(4, program_.families.invariant[i], numbers_.of_invariant(i),
                                        numbers_.number_of_invariant(i)));
    for (VariableId v = 0; v < protocol.variables.size(); ++v) add_variable(v);
  }

 private:
  std::uint32_t member(MemberNumbers::Site site, std::int64_t number) const {
    const std::uint32_t group = marked_.group_of(site);
    if (group == none) return none;
    const MemberGroup& members = symmetry_.groups[group];
    if (number < members.low || number > members.high) return none;
    return symmetry_.first_member[group] + static_cast<std::uint32_t>(number - members.low);
  }

  // What is not of a member has a role of its own.
  Belonging of(std::int64_t sort, std::uint32_t family, MemberNumbers::Site site,
               std::int64_t number) {
    const std::uint32_t who = member(site, number);
    return {role({sort, family, who == none ? number : INT64_MIN}), who, none, none};
  }

  void add_variable(VariableId v) {
    const std::uint32_t number = numbers_.role_of(v);
    const auto& [value, index] = numbers_.role(number);
    const ProcessId owner = program_.protocol.variables[v].process;
    Belonging belonging;
    if (owner != none)
      belonging.first = member(numbers_.of_process(owner), numbers_.number_of_process(owner));
    const std::uint32_t element = index == none ? none : member(index, numbers_.element_of(v));
    belonging.role = role({3, number, owner != none && belonging.first == none ? owner : INT64_MIN,
                           element == none ? numbers_.element_of(v) : INT64_MIN});
    (belonging.first == none ? belonging.first : belonging.second) = element;
    belonging.holds = marked_.group_of(value);
    symmetry_.variables.push_back(belonging);
  }

  void add_fields(ChannelId channel) {
    auto& tags = symmetry_.fields.emplace_back();
    const auto& sort = program_.protocol.channels[channel].sort;
    for (std::uint32_t tag = 1; tag <= sort.size(); ++tag) {
      auto& fields = tags.emplace_back();
      for (std::uint32_t i = 0; i < sort[tag - 1].values.size(); ++i)
        fields.push_back(marked_.group_of(numbers_.of_field(channel, tag, i)));
    }
  }

  std::uint32_t role(const std::vector<std::int64_t>& key) {
    return roles_.try_emplace(key, static_cast<std::uint32_t>(roles_.size())).first->second;
  }

  const Program& program_;
  const MemberNumbers& numbers_;
  const MarkedKinds& marked_;
  Symmetry& symmetry_;
  std::map<std::vector<std::int64_t>, std::uint32_t> roles_;
};

// The members of a family by their numbers, if these follow each other.
std::optional<MemberGroup> group_of_family(const Program& program, const MemberNumbers& numbers,
                                           ProcessId first) {
  const auto& family = program.families.process;
  ProcessId end = first;
  while (end < family.size() && family[end] == first) ++end;
  MemberGroup group;
  group.low = numbers.number_of_process(first);
  group.high = group.low + (end - first) - 1;
  for (ProcessId p = first; p < end; ++p)
    if (numbers.number_of_process(p) != group.low + (p - first)) return {};
  if (end - first < 2) return {};
  return group;
}

}  // namespace

std::uint64_t MemberGroup::arrangements() const {
  if (is_ring) return size();
  std::uint64_t result = 1;
  for (std::size_t i = 2; i <= size(); ++i) result = product(result, i);
  return result;
}

std::uint64_t Symmetry::arrangements() const {
  std::uint64_t result = 1;
  for (const MemberGroup& group : groups) result = product(result, group.arrangements());
  return result;
}

Symmetry find_symmetry(const Program& program, const CostExpression* cost) {
  Symmetry symmetry;
  if (!program.families.has_several) return symmetry;
  const MemberNumbers numbers(program, cost);
  ExchangeFinder finder(program, numbers, cost);
  MarkedKinds marked(numbers);
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    if (program.families.process[p] != p || marked.group_of(numbers.of_process(p)) != none)
      continue;
    std::optional<MemberGroup> group = group_of_family(program, numbers, p);
    if (!group) continue;
    const auto number = static_cast<std::uint32_t>(symmetry.groups.size());
    NotAlike why, why_no_ring;
    if (auto all = finder.find(p, *group, number, marked, why)) {
      marked = std::move(*all);
    } else if (group->is_ring = true;
               auto ring = group->size() > 2 ? finder.find(p, *group, number, marked, why_no_ring)
                                             : std::nullopt) {
      marked = std::move(*ring);
    } else {
      why.family = family_name(program.protocol.processes[p].name);
      why.ring_reason = std::move(why_no_ring.reason);
      why.ring_place = why_no_ring.place;
      symmetry.others.push_back(std::move(why));
      continue;
    }
    group->name = name_of_group(program, numbers, marked, number);
    symmetry.groups.push_back(*group);
  }
  Belongings(program, numbers, marked, symmetry).fill();
  symmetry.same_rule = finder.same_rules();
  symmetry.exchanged_rules = finder.images();
  return symmetry;
}

std::string symmetry_text(const Symmetry& symmetry) {
  std::string result;
  for (const MemberGroup& group : symmetry.groups)
    result += fmt::format("{}{}{}", result.empty() ? "" : ", ", group.name,
                          group.is_ring ? " (a ring)" : "");
  const std::uint64_t count = symmetry.arrangements();
  return count == most_arrangements ? result + ", more than 10^19 arrangements"
                                    : fmt::format("{}, {} arrangements", result, count);
}

}  // namespace panoptes
