// SPDX-License-Identifier: Apache-2.0
// What a check has to say, before anyone decides how to print it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/promise.hpp"
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
  selection,  // successors that were not chosen
  folding,    // states taken for one that are none
};
std::string_view to_string(Stop stop);

struct ErrorReport {
  ErrorDescription description;
  Finding finding;
  std::uint64_t count = 0;
  std::uint64_t depth = 0;  // of the state it was found in
  Trail trail;
  bool is_shortest = false;
  bool is_warning = false;  // unread messages, unless strict
  std::string cause;        // a deadlock that follows from an unspecified reception says so
};

// A statement that no reachable state can execute (after a partial search: that none reached).
struct DeadStatement {
  StatementId statement;
  std::vector<StatementId> merged_with;  // statements minimisation made one with it
};

struct Verdict {
  Outcome outcome = Outcome::unknown;
  Promise promise = Promise::partial;
  Stop stop = Stop::finished;
  std::uint64_t states = 0, transitions = 0, depth = 0;
  std::uint64_t store_bytes = 0, trail_bytes = 0, frontier_bytes = 0;
  std::uint64_t first_error_states = 0;  // states known when the first error was found
  double seconds = 0.0;                  // of the search
  double first_error_seconds = 0.0;
  std::vector<ErrorReport> errors;  // shortest first
  std::vector<ErrorReport> warnings;
  std::vector<DeadStatement> dead_code;
  // True where the statements of dead_code can indeed never be executed: everything was seen, and
  // no step ended in an error that hides what lies behind it.
  bool is_dead_code_certain = false;
};

}  // namespace panoptes
