// SPDX-License-Identifier: Apache-2.0
// What a check is asked for: which search, of which parts, within which limits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "rules/symmetry.hpp"
#include "search/choose.hpp"
#include "search/explore.hpp"
#include "search/ranks.hpp"
#include "search/reductions.hpp"
#include "store/replacement.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

enum class StepperKind { native, interpreter };

// ---- which search ---------------------------------------------------------------------------

// Which states come first: the nearest, the last that were found, those near a deadlock, or those
// of the least cost. Trails are the shortest only in the first.
enum class Order { breadth, depth, scatter, cost };

// How an exhaustive search keeps states; of those that may be wrong, see their headers.
struct ExactStates {};
struct CompactStates {};  // exact too; less memory, more time
struct Fingerprints {
  unsigned bits = 64;
};
struct BitArena {           // a few bits for each: supertrace
  std::uint64_t bytes = 0;  // 0: half of the memory
  unsigned bits_per_state = 4;
};
struct WholeGraph {                 // every transition too, for temporal properties ...
  bool looks_for_livelocks = true;  // ... and cycles, livelocks and stuck processes
};
using Storage = std::variant<ExactStates, CompactStates, Fingerprints, BitArena, WholeGraph>;

// How often it is made: so many times, each with another hash, or once where states are not taken
// for others; or once with scatter searches in between, one with one slot in each channel.
struct Runs {
  std::uint64_t count = 1;
};
struct Turns {};
using Course = std::variant<Runs, Turns>;

// Every state once.
struct ExhaustiveSearch {
  Order order = Order::breadth;
  Storage storage = {};
  Course course = {};
  // Temporal properties are looked at on the fly, before all else, where no graph is kept for them.
  bool follows_runs = false;
};
// Depth first, only the path in memory.
struct StackSearch {
  bool labelled_only = false;  // keep only states with a labelled control state
};
// Depth first, the path and a bounded cache in memory.
struct CacheSearch {
  bool labelled_only = false;
  std::uint64_t states = 0;  // 0: what half of the memory has room for
  Replacement replacement = Replacement::oldest;
};
struct RandomWalks {
  std::uint64_t count = 1000;
};
using SearchPlan = std::variant<ExhaustiveSearch, StackSearch, CacheSearch, RandomWalks>;

// ---- and what of it -------------------------------------------------------------------------

struct CheckOptions {
  SearchPlan search;
  std::uint64_t seed = 1;  // of hashes and walks
  Choice choice;           // of successors; walks, which keep none of them, are biased by it
  std::optional<CostExpression> cost;  // for Preference::cost and Order::cost
  Reductions reduce;
  // Of orders: where next to nothing of so many steps is left out they have a break (by_level.hpp);
  // 0: never.
  std::uint64_t steps_that_tell = 0;
  std::shared_ptr<const Symmetry> symmetry;  // for reduce.symmetry
  std::string unreduced;  // what might have been reduced and is not, and why; to be told
  bool shortest = false;  // where trails are perhaps not the shortest, one more search finds those
  bool count_distinct = false;  // keep every state aside, where the search may forget some
  std::string spill_folder;     // where a breadth-first search may put what has no room in memory
  StateWords folded;  // bits of a state the store does not look at; empty: it looks at all
  StepperKind stepper = StepperKind::native;  // the interpreter where there is no native one
  unsigned threads = 1;  // at most; only breadth first, without folding, has use for more
  Limits limits;
  ExploreRequest explore;
  bool strict = false;  // unread messages are errors
  // Where one breadth-first search is written down, or gone on with; null for others.
  Checkpoints* checkpoints = nullptr;
  const std::atomic<bool>* interrupted = nullptr;
  Monitor::Clock clock = steady_seconds;
  Monitor::Observer observer;
  Ranks* ranks = nullptr;  // of a search over several; breadth first, once
  std::function<void(const ErrorReport&)> announce;  // told errors before the search has ended
};

// The search, where it is an exhaustive one; null for others.
inline const ExhaustiveSearch* exhaustive_search(const CheckOptions& options) {
  return std::get_if<ExhaustiveSearch>(&options.search);
}
// How it keeps states, where it does so that way; null for others.
template <typename Kind>
const Kind* kept_as(const CheckOptions& options) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  return search ? std::get_if<Kind>(&search->storage) : nullptr;
}

}  // namespace panoptes
