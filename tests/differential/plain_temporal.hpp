// SPDX-License-Identifier: Apache-2.0
// A second opinion on temporal formulas: is there a fair run of which one does not hold?
//
// By the book, and without any thought of cost. A run is a path from state 0 that never ends; where
// nothing can happen any more, the last state is there again and again, and no event. Beside each
// state that a run passes it is guessed what will hold of the rest of the run, by all subsets of
// those subformulas that speak of later; guesses that do not fit together go. What is left is a
// graph of states, events and guesses, and a run is a way to a strongly connected part of it in
// which every until is met and everything fair that is demanded is given.
//
// An atom holds of a state, or is an event: of the step that has just led there. At the beginning
// no event holds.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace panoptes::differential {

struct PlainFormula {
  // "true", "false", "atom"; of one part "!", "X", "<>", "[]"; of two "&&", "||", "->", "<->", "U",
  // "W" (weak until), "R" (release), "M" (strong release).
  std::string op;
  int atom = 0;
  std::vector<PlainFormula> parts = {};
};

struct PlainStep {
  std::size_t target = 0;
  std::set<std::size_t> processes = {};  // that move: two in a rendezvous
  std::set<int> events = {};             // atoms that it makes true
};

// All states that are reached and all steps that do not fail. State 0 is the initial one.
struct PlainStateGraph {
  std::vector<std::set<int>> atoms;           // by state: those that hold of it
  std::vector<std::vector<PlainStep>> steps;  // by state
};

// What a fair run owes. Strong: if it asks infinitely often, it is given infinitely often. Weak: if
// from some step on it asks all the time.
struct PlainDemand {
  using Steps = std::function<bool(std::size_t state, const PlainStep& step)>;
  bool is_strong = false;
  Steps asks, gives;  // of a step and the state before it
};

// A process asks where it has a step, and is given where it moves.
std::vector<PlainDemand> process_demands(const PlainStateGraph& graph, std::size_t processes,
                                         bool is_strong);

// Whether a run that meets all demands is one of which the formula does not hold.
bool has_counterexample(const PlainStateGraph& graph, const PlainFormula& formula,
                        const std::vector<PlainDemand>& demands);

}  // namespace panoptes::differential
