// SPDX-License-Identifier: Apache-2.0
#include "verdict/ending.hpp"

namespace panoptes {
namespace {

Stop stop_of_loop(const Ending& ending) {
  if (ending.has_waiting) {
    if (ending.told != Stop::finished) return ending.told;
    return ending.had_enough ? Stop::first_error : Stop::memory;
  }
  if (ending.has_lost_states) return ending.told;
  if (ending.dropped > 0) return Stop::memory;
  if (ending.is_cut_off) return Stop::depth;
  if (ending.deselected > 0) return Stop::selection;
  return ending.unexpanded > 0 ? Stop::unexpanded : Stop::finished;
}

Promise promise_of(Stop stop, const StorePromise& store) {
  if (stop != Stop::finished) return Promise::partial;
  if (!store.may_omit) return Promise::exhaustive;
  return store.expected_omissions < 0.01 ? Promise::hashed : Promise::partial;
}

}  // namespace

Stop stop_of(const Ending& ending) {
  const Stop stop = stop_of_loop(ending);
  const bool is_over = stop == Stop::finished || stop == Stop::depth || stop == Stop::unexpanded;
  if (ending.is_sample && is_over) return Stop::sample;
  return stop == Stop::finished && ending.is_folded ? Stop::folding : stop;
}

Conclusion conclusion_of(const Ending& ending, const StorePromise& store) {
  return conclusion_of(stop_of(ending), store);
}

Conclusion conclusion_of(Stop stop, const StorePromise& store) {
  Conclusion conclusion{stop, promise_of(stop, store)};
  if (conclusion.stop == Stop::finished && conclusion.promise == Promise::partial)
    conclusion.stop = Stop::omission;
  return conclusion;
}

bool has_all_to(std::uint64_t depth, const Ending& ending, const StorePromise& store) {
  return ending.deselected == 0 && ending.dropped == 0 && !ending.is_reduced && !ending.is_folded &&
         !store.may_omit && depth <= ending.unexpanded_depth;
}

bool ended_by_itself(Stop stop) { return stop == Stop::finished || stop == Stop::omission; }

}  // namespace panoptes
