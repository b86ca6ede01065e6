// SPDX-License-Identifier: Apache-2.0
#include "cluster/strangers.hpp"

#include <algorithm>

namespace panoptes {

// States of several words: strangers leave, and the others move up in runs.
void Strangers::part(StateBatch& states) {
  const std::size_t width = states.width;
  Word *const words = states.words.data(), *kept = words, *away = away_.data();
  const Word* next = words;
  const auto keep_until = [&](const Word* end) {
    if (kept != next) std::copy(next, end, kept);
    kept += end - next;
  };
  for (const Stranger stranger : strangers_) {
    const Word* const state = words + stranger.at * width;
    away = std::copy_n(state, width, away);
    keep_until(state);
    next = state + width;
  }
  keep_until(words + states.words.size());
}

std::span<const std::uint32_t> Strangers::find_new() {
  const std::size_t width = recent_.width(), count = strangers_.size();
  const Word* const words = away_.data();
  places_.resize(count);
  new_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    places_[i] = recent_.place_of(words + i * width);
    recent_.expect(places_[i]);
  }
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    new_[found] = i;
    found += recent_.knows(words + i * width, places_[i]) ? 0 : 1;
  }
  return std::span(new_).first(found);
}

}  // namespace panoptes
