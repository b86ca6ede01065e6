// SPDX-License-Identifier: Apache-2.0
#include "backward/claim_index.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace panoptes {

std::uint64_t ClaimIndex::places_of(const Claim& claim) const {
  std::uint64_t places = 0;
  for (std::size_t i = 0; i < claim.size(); ++i)
    if (claim[i] != space_.everything()[i]) places |= std::uint64_t{1} << i % 64;
  return places;
}

std::uint64_t ClaimIndex::control_of(const Claim& claim) const {
  std::uint64_t hash = 1;
  for (ProcessId p = 0; p < space_.program().control.size(); ++p) {
    if (!space_.number(claim, space_.control(p)).is_one()) return 0;
    hash = hash_word(claim[p], hash);
  }
  return std::max<std::uint64_t>(hash, 1);
}

void ClaimIndex::add(const Claim& claim) {
  const std::uint64_t control = control_of(claim);
  std::vector<Entry>& entries = control == 0 ? open_ : by_control_[control];
  entries.push_back({places_of(claim), claim});
  bytes_ += sizeof(Entry) + claim.size() * sizeof(claim[0]) + 16;
}

bool ClaimIndex::has_around(const std::vector<Entry>& entries, std::uint64_t places,
                            const Claim& claim) const {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return (entry.places & ~places) == 0 && space_.is_within(claim, entry.claim);
  });
}

bool ClaimIndex::has_around(const Claim& claim) const {
  const std::uint64_t places = places_of(claim);
  if (has_around(open_, places, claim)) return true;
  const std::uint64_t control = control_of(claim);
  if (control == 0) return false;
  const auto same = by_control_.find(control);
  return same != by_control_.end() && has_around(same->second, places, claim);
}

}  // namespace panoptes
