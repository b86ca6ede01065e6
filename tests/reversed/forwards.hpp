// SPDX-License-Identifier: Apache-2.0
// What a search forwards sees, for comparison: a plain one, of single states.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes::backward {

// Calls `use` for every state that can be reached, as a batch of one, with what is wrong there.
// False where there are more than `most` of them.
template <typename Use>
bool for_each_reachable(const Program& program, ReceptionPolicy receptions, std::size_t most,
                        Use use) {
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program));
  std::set<std::vector<Word>> known;
  std::vector<std::vector<Word>> waiting{{program.initial.begin(), program.initial.end()}};
  known.insert(waiting.front());
  for (std::size_t at = 0; at < waiting.size(); ++at) {
    if (waiting.size() > most) return false;
    StateBatch batch{.width = waiting[at].size(), .words = {}};
    batch.push_back(waiting[at]);
    SuccessorBatch successors;
    std::vector<Finding> findings;
    stepper->expand(batch, successors, findings);
    examine(program, batch, successors, receptions, findings);
    use(batch, findings);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const StateView next = successors.states[i];
      std::vector<Word> words(next.begin(), next.end());
      if (known.insert(words).second) waiting.push_back(std::move(words));
    }
  }
  return true;
}

}  // namespace panoptes::backward
