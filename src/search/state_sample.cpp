// SPDX-License-Identifier: Apache-2.0
#include "search/state_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/hash.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t hash_seed = 0x9e3779b97f4a7c15u;  // no store's, whatever --seed says
constexpr std::uint64_t least_entries = 1024;

bool is_in(std::uint64_t hash, unsigned halved) {
  return halved == 0 || hash >> (64 - halved) == 0;
}

}  // namespace

StateSample::StateSample(std::uint64_t bytes)
    : table_(std::max(least_entries, std::bit_floor(bytes / sizeof(Entry)))) {}

void StateSample::add(const StateBatch& expanded, const StateBatch& successors) {
  if (begun_ == 0 || (begun_ > most_runs && !are_walks_)) return;
  const std::uint64_t run = are_walks_ ? walks : std::uint64_t{1} << (begun_ - 1);
  add(expanded, run, are_walks_ ? 0 : run);
  add(successors, run, 0);
}

// Hashes are made without the others waiting; few of a large search are in the sample.
void StateSample::add(const StateBatch& states, std::uint64_t known, std::uint64_t seen) {
  static thread_local std::vector<std::uint64_t> hashes;
  hashes.clear();
  const unsigned halved = halved_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::uint64_t hash = hash_words(states[i], hash_seed);
    if (is_in(hash, halved)) hashes.push_back(std::max<std::uint64_t>(hash, 1));
  }
  if (hashes.empty()) return;
  const std::lock_guard lock(guard_);
  for (const std::uint64_t hash : hashes)
    if (is_in(hash, halved_)) note(hash, known, seen);
}

StateSample::Entry& StateSample::find(std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  while (table_[at].hash != 0 && table_[at].hash != hash) at = (at + 1) & mask;
  return table_[at];
}

void StateSample::note(std::uint64_t hash, std::uint64_t known, std::uint64_t seen) {
  Entry& entry = find(hash);
  size_ += entry.hash == 0;
  entry.hash = hash;
  entry.known |= known;
  entry.seen |= seen;
  if (size_ > table_.size() / 2) halve();
}

void StateSample::halve() {
  std::vector<Entry> old(table_.size());
  old.swap(table_);
  size_ = 0;
  ++halved_;
  for (const Entry& entry : old) {
    if (entry.hash == 0 || !is_in(entry.hash, halved_)) continue;
    find(entry.hash) = entry;
    ++size_;
  }
}

double StateSample::share() const { return std::ldexp(1.0, -static_cast<int>(halved_.load())); }

std::uint64_t StateSample::seen_by(unsigned run) const {
  return static_cast<std::uint64_t>(std::count_if(
      table_.begin(), table_.end(), [&](const Entry& entry) { return entry.seen >> run & 1; }));
}

Incidence StateSample::incidence(unsigned left_out) const {
  const std::uint64_t all = left_out == nobody ? ~walks : ~walks & ~(std::uint64_t{1} << left_out);
  Incidence result;
  for (const Entry& entry : table_) {
    const int known = std::popcount(entry.known & all), seen = std::popcount(entry.seen & all);
    result.known += known > 0;
    result.known_once += known == 1;
    result.known_twice += known == 2;
    result.walked += (entry.known & walks) != 0;
    result.walked_and_known += (entry.known & walks) != 0 && known > 0;
    result.seen += seen > 0;
    result.seen_once += seen == 1;
  }
  return result;
}

}  // namespace panoptes
