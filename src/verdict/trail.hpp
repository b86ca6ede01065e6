// SPDX-License-Identifier: Apache-2.0
// Trails: how an error is reached, replayed on the reference before anyone sees them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "rules/positions.hpp"
#include "step/interpreter.hpp"
#include "verdict/error.hpp"

namespace panoptes {

// What a rule sends or receives in `state`, as text; its name alone, where it fails because one of
// its values has none; "" where it does neither.
std::string message_of(const Interpreter& interpreter, RuleId rule, StateView state);

// One firing, with what passed through a channel.
struct TrailStep {
  RuleId rule;
  StateWords before;    // the state the rule fired in
  std::string message;  // sent or received, with its values; "" otherwise
  // Send: the step that received this very message; it is the same one in a rendezvous.
  std::optional<std::size_t> taken_at;
  std::vector<StatementId> statements;  // of those the rule stands for, the ones executed here
  std::vector<StateId> to;              // where the process is then; none where the step fails
  // Receive, be it of a copy: the step that sent this very message; none where it was in the
  // channel from the start, or the step is a rendezvous.
  std::optional<std::size_t> sent_at = {};
  bool begins_inside = false;  // `before` lies inside of an indivisible sequence
};

struct Trail {
  std::vector<TrailStep> steps;
  StateWords last;               // the state after the last step that has one
  Whereabouts whereabouts;       // ... and where everybody is then
  bool ends_in_failure = false;  // the last step fired into the error and has no state after it

  // The state after step `index`; before it, where it fails.
  StateView after(std::size_t index) const {
    return index + 1 < steps.size() ? steps[index + 1].before : last;
  }

  // Rows of the column report.
  std::size_t event_count(const Program& program) const;
};

// Whether a step has a row in the column report: a send, lost or not, and a timeout; of receives
// and flushes only what the order of the sends does not tell: a copy, a message that was not the
// first, a flush of a channel that was not empty.
bool is_event(const Program& program, const TrailStep& step);

// The statement of a step to show: the first of those it may be. Unknown where it has none.
Place place_of(const Program& program, const TrailStep& step);

// Fires `rules` from the initial state, then looks for an error with the key of `finding`. A rule
// that is not enabled, or an error that does not show, is a fault of the engine: nothing is
// returned, with the reason in `problem`; without one where it takes too long.
std::optional<Trail> replay(const Program& program, const std::vector<RuleId>& rules,
                            const Finding& finding, const ErrorKey& key, ReceptionPolicy receptions,
                            std::string& problem, const Deadline& deadline = {});

// The same for a walk that leads to nothing in particular.
std::optional<Trail> follow(const Program& program, const std::vector<RuleId>& rules,
                            std::string& problem);

// Fills in which of `steps` received what each sent, and the other way round; they begin in
// `start`.
void match_sends(const Program& program, StateView start, std::vector<TrailStep>& steps);

// A run without end, by rules: `way` once, and then `cycle` again and again. Without a cycle nobody
// can move where the way ends, and the run stays there.
struct Lasso {
  std::vector<RuleId> way, cycle;
};

// The same, walked. Numbers of steps that are in the cycle count from its beginning.
struct LassoTrail {
  Trail way, cycle;
};

// Fires `way` from the initial state and then `cycle`, twice, which must lead back to where it
// began; without one, looks whether nobody can move. What is not so is a fault of the engine.
std::optional<LassoTrail> replay_lasso(const Program& program, const Lasso& lasso,
                                       std::string& problem, const Deadline& deadline = {});

// Replays a cycle, which must be internal, and looks at what else can happen from there, in 10,000
// states at most: any way out is a fault of the engine, too. What can happen there, as far as it
// was looked at, goes to `shape`.
std::optional<LassoTrail> replay_livelock(const Program& program, const Lasso& lasso,
                                          LivelockShape& shape, std::string& problem,
                                          const Deadline& deadline = {});

// Fires `way` from the initial state. Then looks at what can happen from there, in 10,000 states at
// most: a step that moves the process, or one that fails, is a fault of the engine.
std::optional<Trail> replay_stuck(const Program& program, const std::vector<RuleId>& way,
                                  ProcessId process, std::string& problem,
                                  const Deadline& deadline = {});

// How deep a search is behind `rules`: an indivisible sequence is one step, and where the last rule
// fails, the step that it is part of leads nowhere.
std::uint64_t search_depth(const Program& program, const std::vector<RuleId>& rules,
                           bool ends_in_failure);

// Whether a rule changes what other processes can see: it sends, receives, moves one of them or
// assigns to a shared variable.
bool is_external(const Program& program, const Rule& rule);

// The same for all rules, with what may follow them inside of an indivisible sequence.
std::vector<bool> external_moves(const Program& program);

// Whether every process is where it may stop.
bool may_end(const Program& program, StateView state);

}  // namespace panoptes
