// SPDX-License-Identifier: Apache-2.0
// Automata with fewer states, edges and marks that accept the same words.
//
// Idea, again and again until nothing is gained:
//   - states that are not reached, or from which nothing is accepted, go;
//   - marks matter where a run can stay for ever and be accepted. In each such component those that
//     are on every edge, or wherever another mark is, are none; the rest are numbered anew;
//   - edges go that another edge of the same state is as good as, and two that differ in the sign
//   of
//     one atom become one;
//   - a state simulates another if for each edge of that one it has an edge that allows as much,
//   has
//     as many marks and leads to a state that simulates the other's target. States that simulate
//     each other become one, and an edge goes that leads to less than another one. Marks of edges
//     that are taken once mean nothing; both are tried: that they have none, and that they have
//     all.
// At last, where an edge is as good as another on a part of what that one allows, the other is kept
// for the rest, if one atom tells the two apart: fewer runs of the same words.
//
// Cost: simulation is a table of pairs of states, refined until it is one; in automata of more than
// `max_simulated` states or ten times as many edges, only states whose edges are equal up to such
// states become one. How it can be wrong: what is compared are single edges, so two edges that
// together are as good as a third are not seen to be; no word is lost or gained.
//
// Etessami, Holzmann, Optimizing Büchi automata (2000); Somenzi, Bloem, Efficient Büchi automata
// from LTL formulae (2000); Babiak, Badie, Duret-Lutz, Křetínský, Strejček, Compositional approach
// to suspension and other improvements to LTL translation (2013), for simulation with marks.
#pragma once

#include "temporal/buchi.hpp"

namespace panoptes {

inline constexpr std::size_t max_simulated = 200;

void simplify(BuchiAutomaton& automaton);

}  // namespace panoptes
