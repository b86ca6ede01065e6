// SPDX-License-Identifier: Apache-2.0
// What a check has to say, before anyone decides how to print it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/promise.hpp"
#include "verdict/sample_log.hpp"
#include "verdict/trail.hpp"

namespace panoptes {

enum class Outcome : std::uint8_t { holds, violated, unknown };
std::string_view to_string(Outcome outcome);
std::string_view to_string(Promise promise);

// Why a search ended before it had seen everything, or what it left out.
enum class Stop : std::uint8_t {
  finished,
  interrupted,
  time,
  memory,
  depth,
  first_error,
  sample,      // all random walks were made
  selection,   // successors that were not chosen
  unexpanded,  // what lies behind states with errors
  folding,     // states taken for one that are none
  omission,    // a store that may be wrong has probably missed some
};
std::string_view to_string(Stop stop);

// What several runs with stores that may be wrong say together (search/coverage.hpp).
struct Coverage {
  double at_most = 1.0;               // the share of all states that the run with the most has seen
  std::uint64_t states_at_least = 0;  // there are in all
  std::uint64_t states_together = 0;  // seen by the runs together; of a sample, an estimate
  std::uint64_t sampled_states = 0;
  double sampled_share = 1.0;  // of all states; 1: none was left out
};

// Why the trail of an error is not there.
enum class TrailGap : std::uint8_t {
  no_gap,   // it is
  unasked,  // nobody has asked for it: its way is there, of which it can be made again
  time,     // it would have taken too long
  memory,   // it would have taken too much
  steps,    // those before it took all the work there is for trails
};
std::string_view to_string(TrailGap gap);

// What is kept of a trail that was replayed: 4 bytes a step instead of some hundred.
struct Way {
  std::vector<RuleId> rules;  // of its steps, that of one that fails included
  std::uint64_t events = 0;   // rows of its column report
};
std::string_view to_string(Kept kept);

struct ErrorReport {
  ErrorKey key;
  ErrorDescription description;
  Finding finding;
  std::uint64_t count = 0;  // states or steps that show it; 0: nobody has counted
  Members members;          // of families, in which findings of its group differ
  std::uint64_t depth = 0;  // of the state it was found in
  Trail trail;  // without steps where there is a gap; its last state is that of the error even so
  TrailGap gap = TrailGap::no_gap;
  Way way;  // where the gap is that nobody has asked for it
  // Of a run without end: what repeats for ever behind `trail`. Empty where nobody can move there.
  Trail cycle;
  bool is_shortest = false;
  bool is_warning = false;  // unread messages, unless strict
  std::string cause;        // a deadlock or livelock with an unspecified reception in it says so

  // Of its trail, also where that is not there: statements, and the steps of a search, to which an
  // indivisible sequence is one. The latter are the fewest where it is the shortest.
  std::uint64_t step_count() const;
  std::uint64_t search_step_count() const { return depth + (finding.rule != none ? 1 : 0); }
  // The same; nothing where it was never made.
  std::optional<std::uint64_t> event_count(const Program& program) const;
  // The rules of its steps, as far as they are known.
  std::vector<RuleId> rules() const;
};

// What became of a temporal property.
struct PropertyReport {
  std::string name, formula;
  Outcome answer = Outcome::unknown;
  std::string reason = {};             // why it is not known
  std::uint64_t automaton_states = 0;  // of what accepts the runs that violate it
  std::uint64_t product_states = 0;    // pairs of a state and one of those
};

// A statement that no reachable state can execute (after a partial search: that none reached).
struct DeadStatement {
  StatementId statement;
  std::vector<StatementId> merged_with;  // statements minimisation made one with it
};

// A statement of a family that these members can never execute, though others can.
struct DeadInMembers {
  StatementId statement;
  std::vector<ProcessId> members;
};

// What a search has measured, by the symbols of Holzmann's table of parameters.
struct Parameters {
  std::uint64_t memory_bytes = 0;     // M: the most the search may take
  double bytes_per_state = 0.0;       // S: to store one
  double successors_per_state = 0.0;  // L
  double seconds_per_state = 0.0;     // E
  double sequence_states = 0.0;       // D: average length of an execution sequence, in states
  std::uint64_t longest_sequence_states = 0;
};

// What a cache of states has measured.
struct CacheReport {
  std::uint64_t places = 0;        // the most states it may hold
  std::uint64_t given_up = 0;      // states, for others
  std::uint64_t nearer = 0;        // states expanded again for being met at a lesser depth
  double looked_at = 0.0;          // entries, for each state given up
  double replacement_share = 0.0;  // of the run time
};

// What was learnt from a graph that was kept.
struct GraphReport {
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;
  // Cycles and livelocks are known only of a graph that is complete.
  bool is_complete = false;
  std::uint64_t cyclic_components = 0;  // strong ones with a cycle
  std::uint64_t cyclic_states = 0;      // states on cycles: those in such components
  std::uint64_t largest_component = 0;  // states in the largest of them
  std::uint64_t livelocked_states = 0;
};

// What a search in a database has beside the rest.
struct RelationalReport {
  std::string engine;
  std::uint64_t faulty_states = 0;  // from which an error can be reached
  double search_seconds = 0.0;      // of the recursive query alone
};

// What a search over several ranks has beside the rest.
struct ClusterReport {
  // What the workers of a rank have spent beside expanding states and looking up its own.
  struct Seconds {
    double waiting = 0.0;       // for other ranks
    double handing_over = 0.0;  // states to their owners
    double taking_in = 0.0;     // states from others
  };
  std::vector<std::uint64_t> states;  // by rank
  std::vector<Seconds> seconds;       // by rank
  double dividing_seconds = 0.0;      // before the search, to find out who should own which state
  std::uint64_t handed_over = 0;      // states that were sent to their owners
  std::uint64_t lent = 0;             // states that others than their owner were given to expand
  std::uint64_t sent_bytes = 0;       // of all messages between ranks, until the search had ended
  std::uint64_t state_bytes = 0;      // of a packed state
  std::uint64_t others_bytes = 0;     // memory of the ranks that do not judge, as they ended
};

// What a backward search has beside the rest.
struct BackwardReport {
  struct Target {
    std::string what;
    Place place;         // unknown where it concerns everybody
    std::string answer;  // reachable, unreachable or unknown
    std::string by;      // the step of pruning or the engine that has settled it
    std::string reason;  // why it is not, or not known whether there are other ways
    std::vector<std::vector<RuleId>> ways;
  };
  std::string engine;
  bool is_chosen = false;  // somebody wanted only some of the targets
  std::vector<Target> targets;
  // How many were left behind each step of pruning; the first is all of them.
  std::vector<std::pair<std::string, std::uint64_t>> left;
  std::uint64_t facts = 0;          // of which was asked whether they can be true together
  std::uint64_t sample_states = 0;  // found forwards, to guess by
  std::uint64_t questions = 0;      // to the solver, and claims met
  std::uint64_t claims = 0;         // that exclude what cannot be reached
  std::string reason;               // why there are no targets at all

  std::uint64_t count_of(std::string_view answer) const;
  // Targets of which not everything is known: not whether they can be reached, or where else.
  std::uint64_t unsettled() const;
  bool is_settled() const { return reason.empty() && unsettled() == 0; }
};

// What need not be seen, and was left out.
struct ReductionReport {
  std::vector<std::string> used;  // those that had something to do, as they are asked for
  std::string unused;             // what was not chosen, and why; "" where that is nothing
  // Of the steps of states that were visited; nothing where it was not counted.
  std::optional<std::uint64_t> steps_left_out;
  std::string symmetry;           // which members were exchanged freely; "" where none were
  bool leaves_out_steps = false;  // trails may then be longer than they need be
};

// A search that came after another one, for the shortest trails of what that had found.
struct ShortestReport {
  std::uint64_t depth = 0;  // how far it was to look
  std::uint64_t states = 0;
  double seconds = 0.0;
  Stop ended = Stop::finished;  // by what, before it had found them all
};

// What an engine has counted and measured, whatever it means.
struct Measured {
  std::uint64_t states = 0, transitions = 0, depth = 0;
  std::uint64_t states_analysed = 0;     // those visited again counted again
  bool is_distinct = true;               // `states` are distinct; else nobody knows how many are
  std::uint64_t depth_limit = 0;         // 0: none
  std::uint64_t runs = 1;                // searches this is made of
  std::uint64_t needed_bytes = 0;        // of memory, where there was too little to begin with
  std::uint64_t states_waiting = 0;      // known, and never expanded when the search ended
  std::uint64_t successors_waiting = 0;  // never looked at: those that wait in a depth-first search
  std::optional<Coverage> coverage;      // where it can be told
  Parameters parameters;
  std::optional<CacheReport> cache;
  std::optional<GraphReport> graph;
  std::optional<RelationalReport> relational;
  std::optional<BackwardReport> backward;
  std::optional<ClusterReport> cluster;
  // [N]: states visited N times; [0] is nobody. Empty where it was not counted.
  std::vector<std::uint64_t> recurrence;
  std::uint64_t store_bytes = 0, trail_bytes = 0, frontier_bytes = 0;
  std::uint64_t first_error_states = 0;  // states known when the first error was found
  double seconds = 0.0;                  // of the search, as a clock on the wall has it
  double processor_seconds = 0.0;        // ... and as the processors do, of all threads together
  double first_error_seconds = 0.0;
  std::vector<SearchSample> samples;  // as time went by; empty where nobody took any
  ReductionReport reductions;
  std::optional<ShortestReport> shortest;  // where there was such a search
};

// Made by verdict/judge.hpp and changed by verdict/merge.hpp, and by nobody else.
struct Verdict : Measured {
  Outcome outcome = Outcome::unknown;
  Promise promise = Promise::partial;
  Stop stop = Stop::finished;
  std::uint64_t unexpanded = 0;  // states with an error that were left at that, by request
  std::uint64_t dropped = 0;     // states neither expanded nor waiting, for want of memory
  // Of a store that may be wrong, states it probably took for others; of several runs, that of the
  // run with the most states. What lies behind those is not in it.
  std::optional<double> expected_omissions;
  Kept kept = Kept::whole;              // of each state, where all of it was to be kept
  std::vector<ErrorReport> errors;      // shortest first (rank.hpp)
  std::uint64_t findings_left_out = 0;  // in groups of errors for which there was no room
  std::vector<ErrorReport> warnings;
  std::vector<PropertyReport> properties;  // as the protocol has them
  std::vector<DeadStatement> dead_code;
  // True where the statements of dead_code can indeed never be executed: everything was seen, and
  // no step ended in an error that hides what lies behind it.
  bool is_dead_code_certain = false;
  std::vector<DeadInMembers> dead_in_members;  // only where that is certain
  // By rule: it was executed; it was, and a state lies behind it. Dead code is what neither has.
  std::vector<bool> fired, passed;
};

// Whether some error ended a step that failed, so that nobody knows what lies behind it: errors of
// other kinds may, even where everything that can be reached was seen.
bool hides_errors(const Verdict& verdict);

}  // namespace panoptes
