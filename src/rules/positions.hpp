// SPDX-License-Identifier: Apache-2.0
// Where processes are in the text, which a state alone does not always say: minimisation makes one
// control state of several.
//
// Idea: a rule keeps the transitions it was made of, so what a process has done tells which of the
// merged statements it is at. It is the same for every engine, which is why none of them needs it:
// it is for people.
//
// How it may be wrong: never. Where two merged options lead from one statement to different ones,
// nobody can tell which was taken, and both are named.
//
// Cost: a search in the transitions of a rule for each step. Thread safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By process: where it is, each place once, in the order of the text. Empty where nobody knows how
// the state was reached.
using Whereabouts = std::vector<std::vector<Place>>;

class Positions {
 public:
  // At the start. REQUIRES: `program` outlives it.
  explicit Positions(const Program& program);

  // Follows a step. REQUIRES: the rule can be fired where its process is.
  void take(RuleId rule);

  // The statements that the rule would execute, of those it stands for. REQUIRES: as take().
  std::vector<StatementId> statements(RuleId rule) const;
  // The statements its process could execute next, whatever it takes to execute them.
  std::vector<StatementId> ahead(ProcessId process) const;

  std::vector<Place> of(ProcessId process) const;
  Whereabouts of_all() const;

 private:
  const Program* program_;
  std::vector<StateId> state_;              // by process
  std::vector<std::vector<StateId>> made_;  // by process: which of those it is made of it can be
};

// Whether a control state has a name of its own: a label, or it is the end.
bool has_name(const ControlState& state);

// Where a process is, for people: a label, `end`, or line:column; several places, where nobody can
// tell, joined by "|". All of the control state where `places` are none.
std::string position_text(const Program& program, ProcessId process, StateId state,
                          const std::vector<Place>& places, const SourceSet& sources);
// The places of one process, none where they are not known.
std::vector<Place> places_of(const Whereabouts& whereabouts, ProcessId process);

// Of the statements of a rule, the one to show: the first. Unknown where it has none.
Place place_of(const Program& program, const Rule& rule);

// The names of the control states of a process, each its own: copies of a procedure's state are
// told apart by #2, #3 and so on behind the name.
std::vector<std::string> control_state_names(const Process& process);

}  // namespace panoptes
