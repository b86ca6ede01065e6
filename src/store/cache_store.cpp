// SPDX-License-Identifier: Apache-2.0
#include "store/cache_store.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "store/region.hpp"

namespace panoptes {
namespace {

// One replacement in so many is timed: looking at the clock takes as long as a short one.
constexpr std::uint64_t replacements_per_look = 64;

}  // namespace

CacheStore::CacheStore(std::size_t width, Options options)
    : options_(std::move(options)),
      states_{width, {}},
      index_(1u << 8),
      replacer_(options_.replacement) {
  options_.places = std::clamp<std::uint64_t>(options_.places, 1, not_kept - 1);
  // Addresses for all of them: a vector that grows needs room for itself twice, where half of the
  // memory is for this one. More than the machine has will never be needed.
  if (options_.places > address_room() / bytes_per_state(width)) return;
  entries_.reserve(options_.places);
  states_.words.reserve(options_.places * width);
}

std::uint64_t CacheStore::bytes_per_state(std::size_t width) {
  return width * sizeof(Word) + sizeof(CacheEntry) + 3 * sizeof(std::uint32_t);
}

void CacheStore::insert(SuccessorBatch& batch, const StateBatch&) {
  batch.fresh.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) batch.fresh[i] = enter(batch.states[i]);
}

void CacheStore::expect(StateView state) const {
  __builtin_prefetch(&index_[hash_state(state) & (index_.size() - 1)]);
}

// Number + 1; 0 where it is not here.
std::uint32_t CacheStore::find(StateView state, std::uint64_t hash) const {
  std::uint32_t at = index_[hash & (index_.size() - 1)];
  while (at != 0 && !std::ranges::equal(states_[at - 1], state)) at = entries_[at - 1].next;
  return at;
}

bool CacheStore::enter(StateView state) {
  std::uint32_t number = not_kept;
  if (!options_.keeps || options_.keeps(state)) {
    const std::uint64_t hash = hash_state(state);
    if (const std::uint32_t known = find(state, hash); known != 0) return meet_again(known - 1);
    number = free_place();
    std::ranges::copy(state,
                      states_.words.begin() + static_cast<std::ptrdiff_t>(number * states_.width));
    entries_[number].visits = 1;
    link(number, hash);
  }
  put_on_path(number);
  return true;
}

// A known state is new again only where it is nearer now and the depth bound has cut something off.
bool CacheStore::meet_again(std::uint32_t number) {
  CacheEntry& entry = entries_[number];
  replacer_.revisit(entry);
  entry.met_at = static_cast<std::uint32_t>(depth());
  if (entry.is_on_path || !has_cut_ || depth() >= entry.expanded_at) return false;
  replacer_.protect(entry);
  ++nearer_;
  put_on_path(number);
  return true;
}

void CacheStore::put_on_path(std::uint32_t number) {
  deepest_ = std::max(deepest_, depth());
  if (options_.depth_bound > 0 && depth() >= options_.depth_bound) has_cut_ = true;
  if (number != not_kept) {
    CacheEntry& entry = entries_[number];
    entry.met_at = static_cast<std::uint32_t>(depth());
    entry.expanded_at = entry.met_at;
    entry.is_on_path = true;
    ++on_path_;
  }
  path_.push_back(number);
  ++entered_;
}

void CacheStore::leave() {
  const std::uint32_t number = path_.back();
  path_.pop_back();
  if (number == not_kept) return;
  entries_[number].is_on_path = false;
  --on_path_;
  if (number >= options_.places)
    forget_last();
  else
    replacer_.release(entries_[number]);
}

// Beyond the places lies the end of a path that fills them: the last one there is the first to go.
void CacheStore::forget_last() {
  ++forgotten_;
  recurrence_.add(entries_.back().visits);
  unlink(static_cast<std::uint32_t>(entries_.size() - 1));
  entries_.pop_back();
  states_.words.resize(states_.words.size() - states_.width);
}

std::uint32_t CacheStore::free_place() {
  const bool is_full = entries_.size() >= options_.places;
  return is_full && on_path_ < entries_.size() ? give_up_one() : new_place();
}

std::uint32_t CacheStore::new_place() {
  if (entries_.size() + 1 >= not_kept) throw std::bad_alloc();  // numbers are of 32 bits
  entries_.push_back({});
  states_.words.resize(states_.words.size() + states_.width);
  if (entries_.size() > index_.size()) grow_index();
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

// REQUIRES: some state is not on the path.
std::uint32_t CacheStore::give_up_one() {
  const bool is_timed = given_up_ % replacements_per_look == 0;
  const double start = is_timed ? steady_seconds() : 0.0;
  const auto victim = replacer_.victim(entries_, deepest_);
  if (is_timed) sampled_seconds_ += steady_seconds() - start;
  ++given_up_;
  const auto number = static_cast<std::uint32_t>(*victim);
  recurrence_.add(entries_[number].visits);
  replacer_.protect(entries_[number]);
  unlink(number);
  return number;
}

void CacheStore::link(std::uint32_t number, std::uint64_t hash) {
  std::uint32_t& first = index_[hash & (index_.size() - 1)];
  entries_[number].next = first;
  first = number + 1;
}

void CacheStore::unlink(std::uint32_t number) {
  std::uint32_t* at = &index_[hash_state(states_[number]) & (index_.size() - 1)];
  while (*at != number + 1) at = &entries_[*at - 1].next;
  *at = entries_[number].next;
}

// The last entry has no state yet.
void CacheStore::grow_index() {
  index_.assign(index_.size() * 2, 0);
  for (std::uint32_t number = 0; number + 1 < entries_.size(); ++number)
    link(number, hash_state(states_[number]));
}

// What is behind the places grows, and is copied when there is no room for a few more.
StoreStats CacheStore::stats() const {
  constexpr std::size_t few = 128;
  const std::uint64_t bytes =
      states_.words.size() * sizeof(Word) + entries_.size() * sizeof(CacheEntry);
  const bool is_growing =
      entries_.size() >= options_.places && entries_.capacity() - entries_.size() < few;
  return {entered_, bytes + (index_.capacity() + path_.capacity()) * sizeof(std::uint32_t),
          is_growing ? bytes : 0};
}

CacheStats CacheStore::cache_stats() const {
  CacheStats stats;
  stats.places = options_.places;
  stats.states = entries_.size();
  stats.given_up = given_up_ + forgotten_;
  stats.looked_at = replacer_.looked_at();
  stats.nearer = nearer_;
  stats.replacement_seconds = sampled_seconds_ * static_cast<double>(replacements_per_look);
  stats.recurrence = recurrence_;
  for (const CacheEntry& entry : entries_) stats.recurrence.add(entry.visits);
  return stats;
}

}  // namespace panoptes
