// SPDX-License-Identifier: Apache-2.0
// Rewrites a batch of successors in place, state by state, with what is kept of it.
#pragma once

#include <algorithm>

#include "search/selector.hpp"

namespace panoptes {

// Calls `choose(state, begin, end)` for every state of the batch, with the range its successors
// have; what that leaves in `scratch.candidates` is kept, in that order. Gives how many successors
// are gone.
template <typename Choose>
std::uint64_t keep_chosen(SuccessorBatch& successors, SelectorScratch& scratch, Choose choose) {
  const std::size_t width = successors.states.width;
  const std::size_t before = successors.size();
  std::uint32_t begin = 0, written = 0;
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i) {
    const std::uint32_t end = successors.first[i + 1];
    scratch.candidates.clear();
    choose(i, begin, end);
    // Kept ones may move to where others of the same state still are: through a copy.
    const Word* words = successors.states.words.data();
    scratch.states.words.assign(words + begin * width, words + end * width);
    scratch.rules.assign(successors.rules.begin() + begin, successors.rules.begin() + end);
    for (const auto& kept : scratch.candidates) {
      std::copy_n(scratch.states.words.data() + (kept.index - begin) * width, width,
                  successors.states.words.data() + written * width);
      successors.rules[written++] = scratch.rules[kept.index - begin];
    }
    successors.first[i + 1] = written;
    begin = end;
  }
  successors.states.words.resize(written * width);
  successors.rules.resize(written);
  return before - written;
}

}  // namespace panoptes
