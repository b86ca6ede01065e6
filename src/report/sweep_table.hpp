// SPDX-License-Identifier: Apache-2.0
// What a sweep has found out: a verdict for every combination of the values of some parameters.
//
// Combinations are numbered; the last parameter changes fastest. One is smaller than another where
// none of its values is greater and one is less. Numbers are compared as such, and "not defined" is
// less than any value; of two names neither is less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// What became of a combination.
enum class SweepEnd : std::uint8_t {
  not_run,
  checked,
  not_compiled,  // the model has errors
  no_memory,     // there was none left before anything was known
  failed,        // Panoptes itself has
};

// What the shortest trail of a run leads to.
struct ShortestError {
  std::string kind, text;
  std::optional<std::uint64_t> events;  // nothing where there was no room for the trail
  std::uint64_t steps = 0;
  bool is_shortest = false;  // no trail has fewer steps, an `atomic` being one
};

struct SweepRun {
  SweepEnd end = SweepEnd::not_run;
  std::string problem = {};  // of one that was not checked: why
  // Those of its verdict; of what was not checked, nothing is known.
  Outcome outcome = Outcome::unknown;
  Promise promise = Promise::partial;
  Stop stop = Stop::finished;
  std::optional<std::uint64_t> states = {};  // nothing where nobody knows how many are distinct
  std::uint64_t states_analysed = 0, transitions = 0, depth = 0;
  std::uint64_t errors = 0;
  std::optional<ShortestError> shortest = {};
  // What was checked instead of the model as it is written, in words; "" where nothing was:
  // channels with fewer slots (--at-most-slots), lines that do something else to messages
  // (--faults).
  std::string narrowed = {}, lines = {};
  // Of the whole run, compiling included.
  double seconds = 0.0;
  std::uint64_t memory_bytes = 0;
};

struct SweepTable {
  std::string model;
  std::vector<Parameter> parameters;  // those that vary
  std::vector<SweepRun> runs;         // by the number of the combination
  Stop ended_by = Stop::finished;     // why some were not run
  // Of --reach: what is looked for is no error.
  bool is_question = false;
};

// Which value each parameter has in a combination, by its number.
std::vector<std::size_t> values_in(const std::vector<Parameter>& parameters,
                                   std::size_t combination);

// All combinations, each behind those that are smaller.
std::vector<std::size_t> smaller_first(const std::vector<Parameter>& parameters);

// "W=2 LOSS=0"; of a combination of no parameters "nothing defined".
std::string combination_text(const SweepTable& table, std::size_t combination);

// The combinations with an error of which none that is smaller has one, as far as is known.
struct SmallestError {
  std::size_t combination = 0;
  bool is_certain = false;  // every smaller one that is a protocol at all holds, exhaustively
};
std::vector<SmallestError> smallest_errors(const SweepTable& table);

// How large runs are: by their distinct states, or by visits where those of a run are not known.
class SweepSize {
 public:
  explicit SweepSize(const SweepTable& table);
  std::string_view word() const { return are_distinct_ ? "states" : "visits"; }
  // REQUIRES: the run was checked.
  std::uint64_t of(const SweepRun& run) const {
    return are_distinct_ ? run.states.value_or(0) : run.states_analysed;
  }

 private:
  bool are_distinct_ = true;
};

// The verdict of a run in a word, of whatever was not checked too.
std::string_view verdict_word(const SweepRun& run);

// Of all runs together: violated where one is, holds where all do.
Outcome outcome_of(const SweepTable& table);

// How many runs there are of each verdict: "3 hold, 1 violated, 2 not run".
std::string tally(const SweepTable& table);

}  // namespace panoptes
