// SPDX-License-Identifier: Apache-2.0
// The state-space cache: the states of the current path, and as many others as there is room for.
//
// Idea: a depth-first search needs only its path to end; every other state it remembers saves it
// from visiting that state again. So the cache has a fixed number of places, gives up a state that
// is not on the path when it needs one (see replacement.hpp), and its size changes how much work is
// done twice, never what is found. States lie side by side; an index of chains finds them.
// A path that is longer than there are places goes on behind them: what lies there is its end,
// comes and goes as on a stack, and is forgotten when it is left. Where a depth bound has cut
// something off, a state that is met again nearer to the initial state than it was expanded is
// expanded again, for more lies within the bound behind it now.
//
// Cost: 8 bytes per word of state, and 24 to 32 bytes, the path included.
// How it can be wrong: it calls states new that it has given up; never the reverse.
// Source: Holzmann, Automated Protocol Validation in Argos, section V.
#pragma once

#include <vector>

#include "store/path_store.hpp"
#include "store/recurrence.hpp"
#include "store/replacement.hpp"

namespace panoptes {

struct CacheStats {
  std::uint64_t places = 0;        // the most states it may hold, unless the path has more
  std::uint64_t states = 0;        // it holds
  std::uint64_t given_up = 0;      // states, for others, or for being beyond the places
  std::uint64_t looked_at = 0;     // entries, in searching for those
  std::uint64_t nearer = 0;        // states expanded again because they were met nearer
  double replacement_seconds = 0;  // that took, estimated from a sample
  Recurrence recurrence;           // visits of a state while it was in the cache
};

class CacheStore final : public StateStore {
 public:
  struct Options {
    std::uint64_t places = 1 << 20;
    Replacement replacement = Replacement::oldest;
    std::uint64_t depth_bound = 0;  // of the search; 0: none
    StateFilter keeps;              // as for a PathStore
  };
  CacheStore(std::size_t width, Options options);

  void insert(SuccessorBatch& batch, const StateBatch& sources) override;
  void expect(StateView state) const override;
  void leave() override;
  // As long as nothing was given up, nothing is new twice.
  StorePromise promise() const override {
    return {.may_repeat = given_up_ + forgotten_ > 0 || nearer_ > 0 || options_.keeps != nullptr};
  }
  // `states` counts those that were new, as often as they were.
  StoreStats stats() const override;
  CacheStats cache_stats() const;

  // What a place takes, the index included.
  static std::uint64_t bytes_per_state(std::size_t width);

 private:
  static constexpr std::uint32_t not_kept = UINT32_MAX;

  bool enter(StateView state);
  bool meet_again(std::uint32_t number);
  std::uint32_t find(StateView state, std::uint64_t hash) const;
  std::uint32_t free_place();
  std::uint32_t new_place();
  std::uint32_t give_up_one();
  void forget_last();
  void unlink(std::uint32_t number);
  void link(std::uint32_t number, std::uint64_t hash);
  void grow_index();
  std::uint64_t depth() const { return path_.size(); }
  void put_on_path(std::uint32_t number);

  Options options_;
  StateBatch states_;
  std::vector<CacheEntry> entries_;   // by number, as the states
  std::vector<std::uint32_t> index_;  // first of a chain: number + 1; 0 is none
  std::vector<std::uint32_t> path_;   // numbers; not_kept where the filter keeps nothing
  Replacer replacer_;
  std::uint64_t entered_ = 0, given_up_ = 0, nearer_ = 0, deepest_ = 0;
  std::uint64_t on_path_ = 0;    // entries
  std::uint64_t forgotten_ = 0;  // states that left the path beyond the places
  bool has_cut_ = false;         // the depth bound was reached
  double sampled_seconds_ = 0.0;
  Recurrence recurrence_;  // of the states given up
};

}  // namespace panoptes
