// SPDX-License-Identifier: Apache-2.0
// What makes two findings one error: that a designer would mend them at one place of the text.
//
// The copies of a procedure that one process calls several times are one place, and so are the
// members of a family. An exact key says which members a finding concerns, and the key of its group
// leaves that open: `node[0]` and `node[2]` that cannot receive the same message where they are at
// the same statement are one error. A deadlock concerns everybody, so there members count as they
// stand, whoever stands where: two deadlocks are one if each family has as many members at each
// place in the one as in the other. That takes no more than sorting. It may take deadlocks for one
// that no renaming of members turns into each other, since it does not ask who is whose neighbour;
// but a finer key would list a ring of stuck nodes once for every way to be stuck in the same
// places.
//
// Which finding of a group is kept must not depend on who came first: it is one of the least depth,
// and of those one with the least exact key.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rules/finding.hpp"
#include "rules/symmetry.hpp"

namespace panoptes {

// Findings with equal keys are one error: kind, process, control state, message; a deadlock by its
// tuple of control states, an assertion by its name and the offending event, an invariant by its
// name, and so is a temporal property; a livelock by who moves and where everybody is meanwhile.
struct ErrorKey {
  ErrorKind kind = ErrorKind::deadlock;
  std::vector<std::uint32_t> parts;
  friend auto operator<=>(const ErrorKey&, const ErrorKey&) = default;
};

// What goes on for ever in a livelock.
struct LivelockShape {
  std::vector<std::set<StateId>> places;  // by process: the control states it is in
  std::set<ProcessId> moving;             // who takes steps
};

// Members by number. REQUIRES, here and below: a finding is no livelock, which is no matter of one
// state.
ErrorKey exact_key_of(const Program& program, const Finding& finding, StateView state);
ErrorKey exact_key_of(const Program& program, const LivelockShape& shape);
// Families in place of members.
ErrorKey group_key(const Program& program, const ErrorKey& exact);
ErrorKey key_of(const Program& program, const Finding& finding, StateView state);

// A member of a family.
struct Member {
  enum class Kind : std::uint8_t { process, assertion, channel, invariant, temporal };
  Kind kind = Kind::process;
  std::uint32_t number = 0;
  friend auto operator<=>(const Member&, const Member&) = default;
};
const std::string& name_of(const Program& program, const Member& member);

// The members in which findings of one group differ, sorted: of a deadlock or livelock those that
// are at different places, else those that are concerned. None where all concern the same. They are
// the same whatever the order in which findings are added.
using Members = std::vector<Member>;
// These say whether there are more of them now.
bool add_members(const Program& program, const ErrorKey& exact, const ErrorKey& other,
                 Members& members);
bool add_members(const Members& more, Members& members);

// Those in which a finding differs from the same with members exchanged that are alike.
Members members_alike(const Symmetry& symmetry, const ErrorKey& exact);

}  // namespace panoptes
