// SPDX-License-Identifier: Apache-2.0
// What a check is asked for: which search, of which parts, within which limits.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "search/choose.hpp"
#include "search/explore.hpp"
#include "store/replacement.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

enum class Order { breadth, depth, best_first };
enum class StepperKind { native, interpreter };

enum class SearchKind {
  exhaustive,
  automatic,  // exhaustive, and after a second scatter searches in between, one with one slot each
  stack,      // depth first, only the path in memory
  cache,      // depth first, the path and a bounded cache in memory
  walk,       // random walks
};

// How an exhaustive search keeps states; of those that may be wrong, see their headers.
enum class StoreKind {
  exact,
  compact,  // exact too; less memory, more time
  hash,     // fingerprints
  bits,     // a few bits each in a fixed arena: supertrace
};
struct StoreOptions {
  StoreKind kind = StoreKind::exact;
  std::uint64_t arena_bytes = 0;   // bits; 0: half of the memory
  unsigned bits_per_state = 4;     // bits
  unsigned fingerprint_bits = 64;  // hash
  std::uint64_t runs = 1;          // hash, bits: searches, each with another hash
};

// For searches that forget.
struct ForgetfulOptions {
  bool labelled_only = false;      // stack, cache: keep only states with a labelled control state
  std::uint64_t cache_states = 0;  // 0: what half of the memory has room for
  Replacement replacement = Replacement::oldest;
  std::uint64_t walks = 1000;
  std::uint64_t seed = 1;
  bool count_distinct = false;  // keep every state aside
};

struct CheckOptions {
  SearchKind search = SearchKind::exhaustive;
  Order order = Order::breadth;  // of an exhaustive search
  StoreOptions store;            // of an exhaustive search without a sink
  ForgetfulOptions forgetful;
  // Best-first: by this cost. A successor is chosen by that of `choice`; a walk, which keeps none,
  // is biased by it.
  Preference guide = Preference::scatter;
  Choice choice;
  std::optional<CostExpression> cost;  // for Preference::cost
  bool reduce_internal = false;
  std::string spill_folder;  // of a breadth-first search: for what has no room in memory; may be ""
  StateWords folded;         // bits of a state the store does not look at; empty: it looks at all
  StepperKind stepper = StepperKind::native;  // the interpreter where there is no native one
  unsigned threads = 1;  // of a breadth-first search without sink or folding; others use one
  Limits limits;
  ExploreOptions explore;
  bool strict = false;  // unread messages are errors
  const std::atomic<bool>* interrupted = nullptr;
  Monitor::Clock clock = steady_seconds;
  Monitor::Observer observer;
  std::function<void(const ErrorReport&)> announce;  // told errors before the search has ended
  GraphSink* sink = nullptr;                         // of an exhaustive search
  // Look for cycles and livelocks too. REQUIRES: an exhaustive search without a sink.
  bool keep_graph = false;
};

}  // namespace panoptes
