// SPDX-License-Identifier: Apache-2.0
#include "store/path_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/hash.hpp"

namespace panoptes {

PathStore::PathStore(std::size_t width, StateFilter keeps)
    : keeps_(std::move(keeps)), states_{width, {}}, index_(1u << 8) {}

void PathStore::insert(SuccessorBatch& batch, const StateBatch&) {
  batch.fresh.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) batch.fresh[i] = enter(batch.states[i]);
}

std::size_t PathStore::find(StateView state) const {
  const std::size_t mask = index_.size() - 1;
  std::size_t place = hash_state(state) & mask;
  while (index_[place] != 0 && !std::ranges::equal(states_[index_[place] - 1], state))
    place = (place + 1) & mask;
  return place;
}

bool PathStore::enter(StateView state) {
  const bool keep = !keeps_ || keeps_(state);
  if (keep) {
    if (places_.size() * 2 >= index_.size()) grow();
    const std::size_t place = find(state);
    if (index_[place] != 0) return false;
    states_.push_back(state);
    places_.push_back(static_cast<std::uint32_t>(place));
    index_[place] = static_cast<std::uint32_t>(places_.size());
  }
  is_kept_.push_back(keep);
  ++entered_;
  return true;
}

void PathStore::leave() {
  const bool was_kept = is_kept_.back() != 0;
  is_kept_.pop_back();
  if (!was_kept) return;
  index_[places_.back()] = 0;
  places_.pop_back();
  states_.words.resize(states_.words.size() - states_.width);
}

// States are entered again in the order of the path, so that the last one is still the first out.
void PathStore::grow() {
  if (index_.size() > std::size_t{1} << 31) throw std::bad_alloc();  // places are of 32 bits
  index_.assign(index_.size() * 2, 0);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::size_t place = find(states_[i]);
    index_[place] = static_cast<std::uint32_t>(i + 1);
    places_[i] = static_cast<std::uint32_t>(place);
  }
}

// What grows is copied: the index into one twice as large, the states when there is no room for a
// few more.
StoreStats PathStore::stats() const {
  constexpr std::size_t few = 128;
  const std::size_t room = states_.words.capacity() - states_.words.size();
  const std::uint64_t copied_bytes =
      room < few * states_.width ? states_.words.size() * sizeof(Word) : 0;
  const std::uint64_t index_bytes = index_.capacity() * sizeof(std::uint32_t);
  return {entered_,
          states_.words.capacity() * sizeof(Word) + places_.capacity() * sizeof(std::uint32_t) +
              is_kept_.capacity() + index_bytes,
          std::max(index_bytes * 2, copied_bytes)};
}

}  // namespace panoptes
