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

#include <map>
#include <string>
#include <vector>

#include "rules/program.hpp"

namespace panoptes {

// By process: where it is, by the numbers control states had before minimisation; several where
// nobody can tell. Empty where nobody knows how the state was reached.
using Whereabouts = std::vector<std::vector<StateId>>;

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

  const std::vector<StateId>& of(ProcessId process) const { return made_[process]; }
  const Whereabouts& of_all() const { return made_; }

 private:
  const Program* program_;
  std::vector<StateId> state_;  // by process
  Whereabouts made_;            // which of those it is made of it can be, sorted
};

// Follows the processes that a rule moves beside its own: to all that their control states were
// made of, since nobody knows which of their statements it was.
void move_others(const Program& program, const Rule& rule, Whereabouts& whereabouts);

// Whether a process is where there is a name for it: at a label, or the end.
bool has_name(const Program& program, ProcessId process, const std::vector<StateId>& at);

// Where a process is, for people: a label, `end`, or line:column; several, where nobody can tell,
// joined by "|". All that the control state was made of where `at` is empty.
std::string position_text(const Program& program, ProcessId process, StateId state,
                          const std::vector<StateId>& at, const SourceSet& sources);
// The same for people alone, who take `end` for the closing brace: a label of that name is shown
// with its place, `12:3 (end:)`.
std::string position_words(const Program& program, ProcessId process, StateId state,
                           const std::vector<StateId>& at, const SourceSet& sources);
// Where one process is, empty where that is not known.
std::vector<StateId> places_of(const Whereabouts& whereabouts, ProcessId process);
// The same as places in the text, each once and in its order.
std::vector<Place> text_places(const Program& program, ProcessId process,
                               const std::vector<StateId>& at);

// Of the statements of a rule, the one to show: the first. Unknown where it has none.
Place place_of(const Program& program, const Rule& rule);

// Names that are given out one after the other, each its own: those that were there before are told
// apart by #2, #3 and so on behind the name.
class OwnNames {
 public:
  std::string next(const std::string& name);

 private:
  std::map<std::string, std::size_t> copies_;
};

// The names of the control states of a process, each its own: a procedure that is called twice has
// two of a name.
std::vector<std::string> control_state_names(const Process& process);

}  // namespace panoptes
