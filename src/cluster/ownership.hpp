// SPDX-License-Identifier: Apache-2.0
// Which rank owns a state.
//
// Idea: the hash of a state chooses a place in a table of ranks, in which each has as many places
// as its weight says, so that a host with twice the memory has twice the states. The hash is mixed
// once more: a store places states by the same hash, and would otherwise have all of them side by
// side.
//
// How it can be wrong: not; shares are those of the weights within one place of the table.
//
// Thread safety: owner_of() may be called concurrently.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace panoptes {

class Ownership {
 public:
  // By rank. Weights that differ little are taken for equal.
  explicit Ownership(std::span<const std::uint64_t> weights);

  std::uint32_t owner_of_hash(std::uint64_t hash) const {
    return table_[place_of(hash * 0x9e3779b97f4a7c15u, table_.size())];
  }
  std::uint32_t owner_of(StateView state) const { return owner_of_hash(hash_state(state)); }

 private:
  std::vector<std::uint16_t> table_;
};

}  // namespace panoptes
