// SPDX-License-Identifier: Apache-2.0
// A second opinion: a deliberately plain checker that works on the syntax tree.
//
// It explores every state of a protocol breadth first, with maps, vectors and strings, and reports
// what the engine must report for the plain graph: no minimisation, no reduction, transit states
// removed. It links `base` and shares nothing with the engine, so that a mistake made in
// one of them is not made in the other. It is meant to be read, not to be fast.
//
// The model should be free of errors. Where one leaves a name without meaning, a std::exception is
// thrown; recursion is not noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "argos/syntax.hpp"
#include "base/source.hpp"
#include "differential/plain_protocol.hpp"

namespace panoptes::differential {

// Mistakes about who is stuck, each of which the comparison must notice.
struct PlainStuckFaults {
  bool forgets_receptions = false;  // that they explain it
  bool forgets_failures = false;
  bool forgets_livelocks = false;
  bool forgets_ends = false;       // where a process may stop
  bool looks_at_one_step = false;  // and not at what comes behind
};

struct PlainOptions {
  enum class Timeouts { empty, lock, quiet };
  enum class Receptions { blocked, reading, any };
  Timeouts timeouts = Timeouts::empty;
  Receptions receptions = Receptions::blocked;
  bool overflow_is_error = false;
  bool ranges_wrap = false;  // what does not fit into any declared range is no error
  bool livelocks = false;    // looks for them too, and for who is stuck
  PlainStuckFaults stuck_faults = {};
  bool expands_faulty = true;  // false: a state with an error is reported, and nothing behind it
  int default_capacity = 2;
  std::size_t state_limit = 1'000'000;
};

// One group of errors: equal in kind, process, place and message, by the names of families: `node`
// for `node[2]`. Where all processes are concerned, the places of the members of each family are
// sorted, since it makes no difference which of them is where.
//
// A control state has two names. `place` is "line:column" of its statement, or "end"; `state` is
// its first label where it has one. Labels pass from transit states in no particular order, so
// comparisons go by `place`.
struct PlainError {
  std::string kind;
  std::string process;  // "" where no single process is to blame; of a livelock, all that move
  std::string place;    // of a deadlock: those of all processes, with commas between; of a
                        // livelock too, and all that a process is at, in order, with | between,
                        // behind a * where it moves
  std::string message;  // "channel?message", "channel!message", a channel, "assertion event",
                        // or the place of the statement that fails by itself
  std::string state;    // as `place`, with labels
  // Members of families in which it was found; none where it was found in one only. Where all
  // processes are concerned, those that are at different places.
  std::set<std::string> members = {};
  std::uint64_t count = 0;  // states that have it, or firings that end in it
  std::uint64_t steps = 0;  // rule firings of the shortest trail
};

struct PlainResult {
  bool complete = true;  // false: the state limit was reached
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;         // steps to the farthest state
  std::vector<PlainError> errors;  // in order of kind, process, place, message
};

// Its groups, without what depends on the order of a search.
std::set<std::string> groups_of(const PlainResult& result);

// `node!m` for `node[2]!m`.
std::string without_indices(const std::string& text);
// What is said of each process, by its name: sorted within each family, with commas between.
std::string by_family(const std::vector<std::pair<std::string, std::string>>& said);

// What moved, and what others can see of it.
struct PlainMove {
  std::set<std::size_t> processes;  // that moved; of a sequence, who has begun it
  std::vector<PlainEvent> events;   // sends and receives, in order; of a sequence, none
  bool is_sequence = false;         // an atomic of several steps: a search sees its two ends
};

// Whoever wants the whole graph. A step that fails is none.
class PlainWatcher {
 public:
  virtual ~PlainWatcher() = default;
  // Before anything else; `protocol` is there until plain_check() returns.
  virtual void begin(const PlainProtocol& protocol) = 0;
  virtual void step(const PlainState& before, const PlainMove& move, const PlainState& after) = 0;
};

PlainResult plain_check(const argos::Model& model, const SourceSet& sources,
                        const PlainOptions& options, PlainWatcher* watcher = nullptr);

}  // namespace panoptes::differential
