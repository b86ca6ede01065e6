// SPDX-License-Identifier: Apache-2.0
// From a formula to an automaton that accepts the words of which it holds.
//
// Idea: the formula is brought into negation normal form and rewritten to a simpler one
// (`temporal/normal_form.hpp`). A state of the automaton is a set of formulas that the rest of the
// word must satisfy. One position is unfolded: `a U b` is `b`, or `a` now and `a U b` next, with
// the promise of b; `a R b` is `b` and `a` now, or `b` now and `a R b` next. What remains is a
// disjunction of edges: what must hold now, what is left for the next position, what was promised.
// An edge that asks for more than another one is left out, and sets that unfold alike are one
// state. For every b that is promised there is a mark, on all edges without the promise: who takes
// them infinitely often has not put b off for ever. At last the automaton is simplified
// (`temporal/simplify.hpp`).
//
// Cost: exponential in the formula at worst, in states and in edges of a state; there are limits to
// both, and to the work. What people write has less than ten states.
//
// How it can be wrong: if a rewriting rule is. Formulas are rewritten before they are unfolded and
// never after: to replace a state by an equal formula again and again could put a promise off.
//
// Couvreur, On-the-fly verification of linear temporal logic (1999); Gerth, Peled, Vardi, Wolper,
// Simple on-the-fly automatic verification of linear temporal logic (1995); Gastin, Oddoux, Fast
// LTL to Büchi automata translation (2001).
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "protocol/formula.hpp"
#include "temporal/buchi.hpp"

namespace panoptes {

struct TranslationLimits {
  std::size_t formulas = 20'000;  // that are made on the way
  std::size_t states = 1024;
  std::size_t edges_of_state = 1024;
  std::size_t edges = 32'768;
  std::size_t comparisons = 200'000'000;  // of two edges: about a second
};

// Why there is no automaton: what the formula has too many of, in words.
struct TranslationFailure {
  std::string reason;
};

Result<BuchiAutomaton, TranslationFailure> translate(const Formula& formula,
                                                     const TranslationLimits& limits = {});

}  // namespace panoptes
