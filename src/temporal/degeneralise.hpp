// SPDX-License-Identifier: Apache-2.0
// From an automaton with any number of marks to one with exactly one.
//
// Idea: a state comes in levels, one for each mark; on level i the run waits for mark i, and an
// edge leads up as many levels as it has marks in a row from i on. One that gets past the last
// level has the mark and goes on from the lowest. Levels are counted within a strongly connected
// component: an edge into another one begins anew, and where a component accepts nothing there is
// one level. Cost: at most marks times states and edges; the result is simplified.
//
// Gastin, Oddoux, Fast LTL to Büchi automata translation (2001), on edges instead of states.
#pragma once

#include "temporal/buchi.hpp"

namespace panoptes {

// The same words, with mark_count 1; where there was no mark, all edges have it.
BuchiAutomaton degeneralise(const BuchiAutomaton& automaton);

}  // namespace panoptes
