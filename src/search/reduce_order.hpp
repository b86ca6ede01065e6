// SPDX-License-Identifier: Apache-2.0
// Orders of independent steps: of a state, the steps of a few processes are followed where those of
// the others can as well come later. Stubborn sets, by process.
//
// Idea: choose a set P of processes such that, as long as none of them moves, nothing the others do
// disturbs their enabled rules or enables one that is disabled: whoever may still come to a rule
// that depends on an enabled one of P, or that may enable a disabled one, is in P too; who moves
// together with one of P by an enabled rule is. (rules/dependence.hpp says who may come.) Then
// T, the enabled rules of P, is kept and the rest is left out. Any P will do; the one with the
// fewest successors is taken, of several the first; where members are exchanged, of those around
// members that are alike that of the furthest, so that mostly no name decides (step_reduction.hpp).
//
// Why nothing is lost, by induction on the length of a run w from a state s that is visited. If w
// has a step of T, the first one, t, depends on nothing before it: it can be made first, w leads to
// the same state, and behind t a shorter run is left. If it has none, every t of T stays enabled
// along w, can be made before it, and w can be made behind it.
//   - A state in which nobody can move, hence deadlocks, ends and messages left unread: w has a
//     step of T, since T would be enabled there.
//   - A step r that fails, or a rule that can be taken at all, behind w: if r is of T and w has no
//     step of T, r is enabled in s already, where all rules are looked at, and fails there if it
//     does behind w. Else it can be made, and fails, behind t and w as it does behind w.
//   - A predicate on states, of an invariant or a question: no t is visible (rules/visible.hpp), so
//     it has the same value behind t and w. A process that is stuck on a message stays so.
//   - Rules of a later class wait for those of the first. T has one that stays enabled, so w has
//     none of a later class before a step of T. Quiet timeouts wait for sends and receives alone:
//     where there are some, T must have one of those.
//   - Temporal properties: what is visible to one, its events included, happens in the same order
//     on a run of the reduced graph. What differs is where quiet moments lie, and properties that
//     see these are judged without a reduction (protocol/quiet_moments.hpp).
// Where t is put before w and w is not shorter, this could go on for ever: every circle of the
// reduced graph must have a state with all its successors (the cycle proviso). Of every circle some
// step is of a rule that was chosen beforehand (rules/circles.hpp), and T has none of these unless
// it is everything. The choice is static, so any number of workers, any order and any store reduce
// alike. For the same reason a state with a step that fails keeps all its successors: what fails
// leads nowhere, and must not justify that others are left out.
//
// With this, internal steps need no reduction of their own (reduce_internal.hpp): who is about to
// make some is a set P. The two do not mix, since each breaks circles in its own way, so this one
// does the work of both where both are wanted.
//
// Cost: where no process could be chosen, a look at the rules of the successors; else some bits for
// every rule of the processes that are looked at. How it can be wrong: kinds and groups of errors
// stay the same, and which code is dead; how often an error is seen, lengths of trails and numbers
// of states do not. A livelock can be hidden, and receptions other than `blocked` would be.
// A. Valmari, Stubborn Sets for Reduced State Space Generation (1989); P. Godefroid, Partial-Order
// Methods for the Verification of Concurrent Systems (1996).
#pragma once

#include <memory>
#include <vector>

#include "rules/dependence.hpp"
#include "rules/finding.hpp"
#include "rules/symmetry.hpp"
#include "search/selector.hpp"

namespace panoptes {

// What the reduction knows of a program before it begins.
struct OrderTables {
  // Where members are exchanged, `symmetry`, which may be null, says which: a circle of states that
  // stand for others has a step that breaks circles under some names, so it does under all.
  explicit OrderTables(const Program& program, const Symmetry* symmetry = nullptr);

  Dependence dependence;
  std::vector<bool> is_visible, breaks_circles;  // by rule
  std::vector<bool> is_never_chosen;             // by rule: by a step of it, T is everything
  // By rule: what is known of it is not what is known of it with members exchanged, as where it
  // waits for one of them before it waits for the other.
  std::vector<bool> is_known_by_name;
};

// Null where nothing can be left out, or would not be known to be sound: there are too many
// processes, or receptions are looked for in states that need not be visited.
std::unique_ptr<Selector> make_order_reduction(const Program& program, ReceptionPolicy receptions,
                                               const Symmetry* symmetry = nullptr);
std::unique_ptr<Selector> make_order_reduction(const Program& program, OrderTables tables,
                                               const Symmetry* symmetry = nullptr);

}  // namespace panoptes
