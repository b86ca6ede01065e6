// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <xxhash.h>

namespace panoptes {

std::uint64_t hash_words(StateView state) {
  return XXH3_64bits(state.data(), state.size() * sizeof(Word));
}

}  // namespace panoptes
