// SPDX-License-Identifier: Apache-2.0
// The parts of a search, as the options want them.
#pragma once

#include <memory>
#include <vector>

#include "base/budget.hpp"
#include "search/bias.hpp"
#include "search/by_level.hpp"
#include "search/check_options.hpp"
#include "search/state_cost.hpp"
#include "store/arranged_store.hpp"
#include "store/cache_store.hpp"
#include "store/counting_store.hpp"
#include "store/folded_store.hpp"
#include "store/numbered_store.hpp"

namespace panoptes {

// The store of a search, and what it may say beside its answers.
struct Stores {
  std::unique_ptr<StateStore> own;
  CacheStore* cache = nullptr;              // `own`, where that is a cache ...
  const NumberedStore* numbered = nullptr;  // ... or numbers states
  std::unique_ptr<CountingStore> counting;  // around `own`
  std::unique_ptr<FoldedStore> folded;      // around those ...
  std::unique_ptr<ArrangedStore> arranged;  // ... or this

  StateStore& unfolded() const {
    if (counting) return *counting;
    return *own;
  }
  StateStore& used() const {
    if (folded) return *folded;
    if (arranged) return *arranged;
    return unfolded();
  }
  // Gives all memory back. Nothing may be asked any more.
  void forget() {
    folded.reset();
    arranged.reset();
    counting.reset();
    own.reset();
    cache = nullptr;
    numbered = nullptr;
  }
};

struct Parts {
  // `program`, `options` and `sink`, which is for a search that keeps the whole graph, outlive the
  // parts.
  Parts(const Program& program, const CheckOptions& options, GraphSink* sink = nullptr);

  const Selector* selector() const { return selectors.empty() ? nullptr : &selectors; }

  MemoryBudget budget;
  std::vector<std::unique_ptr<Stepper>> steppers;  // one for each thread
  Stores stores;
  Reductions used;                    // of steps, by `selectors`
  SelectByLevel* by_level = nullptr;  // one of these, if there is one
  SelectorSequence selectors;
  std::unique_ptr<StateCost> guide;  // of a best-first search; null else
  std::unique_ptr<Bias> bias;        // of a walk; may be null
  std::unique_ptr<Frontier> frontier;
};

}  // namespace panoptes
