// SPDX-License-Identifier: Apache-2.0
#include "search/parts.hpp"

#include <algorithm>

#include "search/batch_size.hpp"
#include "search/best_first.hpp"
#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "search/random_walk.hpp"
#include "search/reduce_internal.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"
#include "store/bit_store.hpp"
#include "store/compact_store.hpp"
#include "store/exact_store.hpp"
#include "store/hash_store.hpp"
#include "store/no_store.hpp"
#include "store/path_store.hpp"

namespace panoptes {
namespace {

// One stepper for each thread; machine code is compiled once.
std::vector<std::unique_ptr<Stepper>> make_steppers(const Program& program,
                                                    const CheckOptions& options) {
  const bool alone = options.search != SearchKind::exhaustive || options.order != Order::breadth ||
                     options.sink || !options.folded.empty();
  const unsigned count = alone ? 1
                               : workers_with_room(program, std::max(1u, options.threads),
                                                   options.limits.memory_bytes);
  std::vector<std::unique_ptr<Stepper>> steppers;
  if (options.stepper == StepperKind::native)
    if (auto native = NativeStepper::make(program)) {
      for (unsigned i = 1; i < count; ++i) steppers.push_back(native->another());
      steppers.push_back(std::move(native));
      return steppers;
    }
  for (unsigned i = 0; i < count; ++i) steppers.push_back(std::make_unique<Interpreter>(program));
  return steppers;
}

const CostExpression* cost_of(const CheckOptions& options) {
  return options.cost ? &*options.cost : nullptr;
}

// What is left out because it need not be seen, then what is left out by choice.
SelectorSequence make_selectors(const Program& program, const CheckOptions& options) {
  SelectorSequence result;
  if (options.reduce_internal)
    result.add(make_internal_reduction(program, options.explore.receptions));
  if (options.search != SearchKind::walk)  // which has a bias instead
    result.add(make_selector(program, options.choice, cost_of(options)));
  return result;
}

// What the program itself has taken for this model is no longer there.
std::uint64_t left_of_memory(const CheckOptions& options) {
  const std::uint64_t limit = options.limits.memory_bytes;
  if (!options.explore.resident) return limit;
  const std::uint64_t resident = options.explore.resident();
  const std::uint64_t taken = resident - std::min(resident, options.explore.fixed_bytes);
  return limit - std::min(taken, limit / 4 * 3);
}

// What a depth-first search may keep waiting: bits of a fixed size never run out of memory, so a
// path that is too long for the rest is not followed; other stores grow, and end the search.
std::uint64_t most_bytes_of_path(const CheckOptions& options, const MemoryBudget& budget) {
  const bool has_fixed_size = options.search == SearchKind::exhaustive &&
                              options.store.kind == StoreKind::bits && !options.sink;
  if (!has_fixed_size) return UINT64_MAX;
  const std::uint64_t left = left_of_memory(options);
  return std::max(left / 16, (left - std::min(left, budget.store_bytes())) / 2);
}

// `cost` is for a best-first search, `bias` for a walk.
std::unique_ptr<Frontier> make_frontier(const std::vector<std::unique_ptr<Stepper>>& steppers,
                                        const CheckOptions& options, const Selector* selector,
                                        const StateCost* cost, Bias* bias, MemoryBudget& budget) {
  if (options.search == SearchKind::walk)
    return std::make_unique<RandomWalkFrontier>(steppers[0]->program(), options.forgetful.walks,
                                                options.forgetful.seed, bias,
                                                options.limits.memory_bytes);
  if (options.search != SearchKind::exhaustive || options.order == Order::depth)
    return std::make_unique<DepthFrontier>(steppers[0]->program(), options.sink,
                                           most_bytes_of_path(options, budget));
  if (options.order == Order::best_first)
    return std::make_unique<BestFirstFrontier>(steppers[0]->program(), *cost, options.sink,
                                               options.limits.memory_bytes);
  return std::make_unique<BreadthFrontier>(*steppers[0], static_cast<unsigned>(steppers.size()),
                                           options.sink, selector, &budget, options.spill_folder);
}

// Where some process is at a jump target or the start of a `do`: every cycle has such a state.
StateFilter labelled_states(const Program& program) {
  struct Labelled {
    Slot slot;
    std::vector<bool> states;
  };
  std::vector<Labelled> processes;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    processes.push_back({program.layout.control[p], {}});
    for (const ControlState& state : program.protocol.processes[p].automaton.states)
      processes.back().states.push_back(state.is_labelled);
  }
  return [processes](StateView state) {
    return std::any_of(processes.begin(), processes.end(), [&](const Labelled& process) {
      return process.states[static_cast<std::size_t>(read(process.slot, state))];
    });
  };
}

std::unique_ptr<CacheStore> make_cache(const Program& program, const CheckOptions& options,
                                       StateFilter keeps) {
  const std::size_t width = program.layout.words;
  const ForgetfulOptions& wanted = options.forgetful;
  const std::uint64_t room = options.limits.memory_bytes / 2 / CacheStore::bytes_per_state(width);
  return std::make_unique<CacheStore>(
      width, CacheStore::Options{wanted.cache_states > 0 ? wanted.cache_states : room,
                                 wanted.replacement, options.limits.depth, std::move(keeps)});
}

std::unique_ptr<StateStore> make_store(const Program& program, unsigned threads,
                                       const CheckOptions& options, MemoryBudget& budget) {
  const std::size_t width = program.layout.words;
  switch (options.store.kind) {
    case StoreKind::exact: break;
    case StoreKind::compact:
      return std::make_unique<CompactStore>(width, program.layout.bits, threads);
    case StoreKind::hash:
      return std::make_unique<HashStore>(
          width, HashStoreOptions{options.store.fingerprint_bits, options.forgetful.seed, threads});
    case StoreKind::bits: {
      // Half for the bits, half for the states that wait and the way back, if nobody says
      // otherwise.
      const std::uint64_t arena =
          options.store.arena_bytes > 0 ? options.store.arena_bytes : left_of_memory(options) / 2;
      budget.take_anyway(arena);
      return std::make_unique<BitStore>(
          width, BitStoreOptions{arena, options.store.bits_per_state, options.forgetful.seed,
                                 program.layout.bits, threads});
    }
  }
  return std::make_unique<ExactStore>(width, threads, &budget);
}

Stores make_stores(const Program& program, std::size_t threads, const CheckOptions& options,
                   MemoryBudget& budget) {
  const std::size_t width = program.layout.words;
  StateFilter keeps;
  if (options.forgetful.labelled_only) keeps = labelled_states(program);
  Stores stores;
  switch (options.search) {
    case SearchKind::exhaustive:
    case SearchKind::automatic:
      if (options.sink) {
        auto numbered = std::make_unique<NumberedStore>(width);
        stores.numbered = numbered.get();
        stores.own = std::move(numbered);
        break;
      }
      stores.own = make_store(program, static_cast<unsigned>(threads), options, budget);
      break;
    case SearchKind::stack:
      stores.own = std::make_unique<PathStore>(width, std::move(keeps));
      break;
    case SearchKind::cache: {
      auto cache = make_cache(program, options, std::move(keeps));
      stores.cache = cache.get();
      stores.own = std::move(cache);
      break;
    }
    case SearchKind::walk: stores.own = std::make_unique<NoStore>(); break;
  }
  if (options.forgetful.count_distinct)
    stores.counting = std::make_unique<CountingStore>(*stores.own, width);
  if (!options.folded.empty())
    stores.folded = std::make_unique<FoldedStore>(stores.unfolded(), options.folded);
  return stores;
}

}  // namespace

Parts::Parts(const Program& program, const CheckOptions& options)
    : budget(options.limits.memory_bytes),
      steppers(make_steppers(program, options)),
      stores(make_stores(program, steppers.size(), options, budget)),
      selectors(make_selectors(program, options)),
      cost(make_cost(program, options.guide, cost_of(options))),
      bias(options.search == SearchKind::walk ? make_bias(program, options.choice, cost_of(options))
                                              : nullptr),
      frontier(make_frontier(steppers, options, selector(), cost.get(), bias.get(), budget)) {}

}  // namespace panoptes
