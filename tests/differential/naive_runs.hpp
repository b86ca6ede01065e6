// SPDX-License-Identifier: Apache-2.0
// Whether a temporal property holds of all fair runs, found in the plainest way there is.
//
// No automaton is made. At every moment of a run it is guessed which temporal parts of the formula
// hold from there on; each guess must agree with the next one by the definition of its operator,
// and what it puts off must come: `a U b` that is so again and again without b being so is a wrong
// guess. A run violates the property if there is such a sequence of guesses of which the first says
// that the formula is not so. All that must come again and again, promises and fairness alike, are
// pairs: if steps of the one kind are taken again and again, so are steps of the other. Where a
// component has no step of the other, those of the one are taken out of it, and it is looked at
// again.
//
// Nothing of the search, of the automata or of the judge is used; rules are fired by the
// interpreter, one at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/program.hpp"

namespace panoptes::differential {

// What such a checker may get wrong, to see that somebody would notice.
struct NaiveRunFaults {
  bool forgets_ended_runs = false;
  bool takes_events_early = false;  // of the step to come
  bool forgets_a_promise = false;   // what is put off need not come
  bool forgets_fair_processes = false;
  bool forgets_fair_lines = false;
  bool demands_room = false;  // of a line that is full, which then owes what it cannot carry
  bool takes_strong_for_weak = false;
  bool enabled_without_failing = false;  // steps that fail do not count as steps that can be taken
};

// Nothing where there are more than so many states, or guesses.
std::optional<bool> naively_holds(const Program& program, const TemporalProperty& property,
                                  std::size_t most_states, const NaiveRunFaults& faults = {});

}  // namespace panoptes::differential
