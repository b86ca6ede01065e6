// SPDX-License-Identifier: Apache-2.0
// Members of a family that are alike: with some of them exchanged, the program is the same.
//
// Idea: an exchange of members acts on all that belongs to them (their processes, variables and
// channels, elements of arrays that are chosen by a member's number) and on all that holds the
// number of a member. It is an automorphism if the image of every rule, of every row of the error
// table, of what control states accept, of the channels and of the initial state is there, too.
// Neighbours exchanged, (0 1), (1 2), ..., make all permutations, so it is enough to compare the
// program with its image under each of those; where they fail, a ring may still have rotations.
// Which families go together, and what holds members' numbers, is found out by laying rules that
// should correspond side by side (alignment.hpp), and then proved by comparing all of the program
// (exchanged_terms.hpp): nothing is believed. Groups act on different things, so each may be
// exchanged whatever the others do.
//
// Why one state may stand for all its arrangements: let g be an automorphism. A step s -> t by rule
// r is a step g(s) -> g(t) by rule g(r), so from g(s) the same can happen as from s, under other
// names and after as many steps; what is wrong with s is wrong with g(s), in the same group of
// errors, since groups are by family. The initial state is its own image. So all arrangements of a
// reachable state are reachable, at the same depth, and whoever looks at one has seen them all.
//
// How it can be wrong: not, as far as the comparison is complete. It may refuse what is alike: two
// texts that mean the same are not the same text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/cost.hpp"
#include "rules/member_group.hpp"
#include "rules/program.hpp"

namespace panoptes {

// Where a part of the state vector goes when members are exchanged: to that part of the same role
// which belongs to their images.
struct Belonging {
  std::uint32_t role = 0;
  std::uint32_t first = none, second = none;  // members it belongs to, numbered over all groups
  std::uint32_t holds = none;                 // group of which it holds a member's number
};

struct Symmetry {
  std::vector<MemberGroup> groups;
  std::vector<NotAlike> others;             // families that are in none
  std::vector<std::uint32_t> first_member;  // by group: the number of its first member over all
  std::vector<Belonging> processes, variables, channels, assertions, invariants;
  // By channel, tag - 1, value: the group whose members' numbers it holds.
  std::vector<std::vector<std::vector<std::uint32_t>>> fields;
  std::vector<RuleId> same_rule;  // by rule: the first that members exchanged make of it
  // Group by group, for the first two members exchanged, the second and the third, and so on; of a
  // ring once, for all moved on by one: what becomes of each rule. All rules of a broadcast become
  // the first of another.
  std::vector<std::vector<RuleId>> exchanged_rules;

  bool empty() const { return groups.empty(); }
  std::size_t members() const {
    return groups.empty() ? 0 : first_member.back() + groups.back().size();
  }
  std::uint64_t arrangements() const;
};

// `cost`, which may be null, has to be the same for all arrangements as well.
Symmetry find_symmetry(const Program& program, const CostExpression* cost = nullptr);

// "node[0..5], 720 arrangements"; of several groups each, and of all together.
std::string symmetry_text(const Symmetry& symmetry);

}  // namespace panoptes
