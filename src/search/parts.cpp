// SPDX-License-Identifier: Apache-2.0
#include "search/parts.hpp"

#include <algorithm>

#include "search/arrangement.hpp"
#include "search/batch_size.hpp"
#include "search/best_first.hpp"
#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "search/random_walk.hpp"
#include "search/reduce_internal.hpp"
#include "search/reduce_order.hpp"
#include "step/indivisible.hpp"
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

bool is_breadth_first(const CheckOptions& options) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  return search && search->order == Order::breadth;
}

bool walks_by_chance(const CheckOptions& options) {
  return std::holds_alternative<RandomWalks>(options.search);
}

// One stepper for each thread; machine code is compiled once.
std::vector<std::unique_ptr<Stepper>> make_steppers(const Program& program,
                                                    const CheckOptions& options) {
  const bool alone = !is_breadth_first(options) || !options.folded.empty();
  const unsigned count = alone ? 1
                               : workers_with_room(program, std::max(1u, options.threads),
                                                   options.limits.memory_bytes);
  std::vector<std::unique_ptr<Stepper>> steppers;
  if (options.stepper == StepperKind::native)
    if (auto native = NativeStepper::make(program)) {
      for (unsigned i = 1; i < count; ++i)
        steppers.push_back(in_whole_sequences(native->another()));
      steppers.push_back(in_whole_sequences(std::move(native)));
      return steppers;
    }
  for (unsigned i = 0; i < count; ++i)
    steppers.push_back(in_whole_sequences(std::make_unique<Interpreter>(program)));
  return steppers;
}

const CostExpression* cost_of(const CheckOptions& options) {
  return options.cost ? &*options.cost : nullptr;
}

// What is left out because it need not be seen, then what is left out by choice.
SelectorSequence make_selectors(const Program& program, const CheckOptions& options,
                                Reductions& used, SelectByLevel*& by_level) {
  SelectorSequence result;
  const Symmetry* const symmetry = options.reduce.symmetry ? options.symmetry.get() : nullptr;
  // That of orders includes that of internal steps, where it does anything.
  // Where states in which something is wrong lead nowhere, the order of steps matters.
  std::unique_ptr<Selector> order;
  if (options.reduce.order && options.explore.expands_faulty)
    order = make_order_reduction(program, options.explore.receptions, symmetry);
  if (order && options.steps_that_tell > 0) {
    auto where_it_pays = std::make_unique<SelectByLevel>(std::move(order), options.steps_that_tell);
    by_level = where_it_pays.get();
    order = std::move(where_it_pays);
  }
  result.add(std::move(order));
  used.order = !result.empty();
  if (options.reduce.internal && result.empty())
    result.add(make_internal_reduction(program, options.explore.receptions, symmetry));
  used.internal = !used.order && !result.empty();
  if (!walks_by_chance(options))  // which has a bias instead
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
  if (!kept_as<BitArena>(options)) return UINT64_MAX;
  const std::uint64_t left = left_of_memory(options);
  return std::max(left / 16, (left - std::min(left, budget.store_bytes())) / 2);
}

// By which the next state is chosen; null where it is not.
std::unique_ptr<StateCost> make_guide(const Program& program, const CheckOptions& options) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  if (search && search->order == Order::scatter)
    return make_cost(program, Preference::scatter, cost_of(options));
  if (search && search->order == Order::cost)
    return make_cost(program, Preference::cost, cost_of(options));
  return nullptr;
}

// `sink` is for a search that keeps the graph.
std::unique_ptr<Frontier> make_frontier(const Parts& parts, const CheckOptions& options,
                                        GraphSink* sink, MemoryBudget& budget) {
  Stepper& stepper = *parts.steppers[0];
  if (const auto* walks = std::get_if<RandomWalks>(&options.search))
    return std::make_unique<RandomWalkFrontier>(stepper.program(), walks->count, options.seed,
                                                parts.bias.get(), options.limits.memory_bytes);
  if (parts.guide)
    return std::make_unique<BestFirstFrontier>(stepper.program(), *parts.guide, sink,
                                               options.limits.memory_bytes);
  if (!is_breadth_first(options))
    return std::make_unique<DepthFrontier>(stepper.program(), sink,
                                           most_bytes_of_path(options, budget));
  auto frontier = std::make_unique<BreadthFrontier>(
      stepper, static_cast<unsigned>(parts.steppers.size()), sink, parts.selector(), &budget,
      options.spill_folder, options.ranks);
  frontier->tell_levels(parts.by_level);
  return frontier;
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

// Makes the store of a search, whichever it is.
class StoreMaker {
 public:
  StoreMaker(const Program& program, std::size_t threads, const CheckOptions& options,
             MemoryBudget& budget)
      : program_(program),
        threads_(static_cast<unsigned>(threads)),
        options_(options),
        budget_(budget) {}

  Stores operator()(const ExhaustiveSearch& search) const {
    return std::visit([&](const auto& storage) { return of(storage); }, search.storage);
  }
  Stores operator()(const StackSearch& search) const {
    return only(std::make_unique<PathStore>(width(), filter(search.labelled_only)));
  }
  Stores operator()(const CacheSearch& search) const {
    const std::uint64_t room =
        options_.limits.memory_bytes / 2 / CacheStore::bytes_per_state(width());
    auto cache = std::make_unique<CacheStore>(
        width(), CacheStore::Options{search.states > 0 ? search.states : room, search.replacement,
                                     options_.limits.depth, filter(search.labelled_only)});
    Stores stores;
    stores.cache = cache.get();
    stores.own = std::move(cache);
    return stores;
  }
  Stores operator()(const RandomWalks&) const { return only(std::make_unique<NoStore>()); }

 private:
  Stores of(const ExactStates&) const {
    return only(std::make_unique<ExactStore>(width(), threads_, &budget_));
  }
  Stores of(const CompactStates&) const {
    return only(std::make_unique<CompactStore>(width(), program_.layout.bits, threads_));
  }
  Stores of(const Fingerprints& wanted) const {
    return only(std::make_unique<HashStore>(
        width(), HashStoreOptions{wanted.bits, options_.seed, threads_}));
  }
  // Half for the bits, half for the states that wait and the way back, if nobody says otherwise.
  Stores of(const BitArena& wanted) const {
    const std::uint64_t arena = wanted.bytes > 0 ? wanted.bytes : left_of_memory(options_) / 2;
    budget_.take_anyway(arena);
    return only(std::make_unique<BitStore>(
        width(), BitStoreOptions{arena, wanted.bits_per_state, options_.seed, program_.layout.bits,
                                 threads_}));
  }
  Stores of(const WholeGraph&) const {
    auto numbered = std::make_unique<NumberedStore>(width());
    Stores stores;
    stores.numbered = numbered.get();
    stores.own = std::move(numbered);
    return stores;
  }

  static Stores only(std::unique_ptr<StateStore> store) {
    Stores stores;
    stores.own = std::move(store);
    return stores;
  }
  StateFilter filter(bool labelled_only) const {
    return labelled_only ? labelled_states(program_) : StateFilter{};
  }
  std::size_t width() const { return program_.layout.words; }

  const Program& program_;
  unsigned threads_;
  const CheckOptions& options_;
  MemoryBudget& budget_;
};

// Each thread has a scratch of its own.
ArrangedStore::Arrange arrange_by(const Program& program, const Symmetry& symmetry) {
  const auto arranger = std::make_shared<const Arranger>(program, symmetry);
  const std::size_t width = program.layout.words;
  return [arranger, width](std::span<const Word> from, std::span<Word> to) {
    static thread_local Arranger::Scratch scratch;
    for (std::size_t i = 0; i < from.size(); i += width)
      arranger->arrange(from.subspan(i, width), to.subspan(i, width), scratch);
  };
}

Stores make_stores(const Program& program, std::size_t threads, const CheckOptions& options,
                   MemoryBudget& budget) {
  Stores stores = std::visit(StoreMaker(program, threads, options, budget), options.search);
  if (options.count_distinct)
    stores.counting = std::make_unique<CountingStore>(*stores.own, program.layout.words);
  if (!options.folded.empty())
    stores.folded = std::make_unique<FoldedStore>(stores.unfolded(), options.folded);
  if (options.reduce.symmetry && options.symmetry && !options.symmetry->empty())
    stores.arranged =
        std::make_unique<ArrangedStore>(stores.unfolded(), arrange_by(program, *options.symmetry));
  return stores;
}

}  // namespace

Parts::Parts(const Program& program, const CheckOptions& options, GraphSink* sink)
    : budget(options.limits.memory_bytes),
      steppers(make_steppers(program, options)),
      stores(make_stores(program, steppers.size(), options, budget)),
      selectors(make_selectors(program, options, used, by_level)),
      guide(make_guide(program, options)),
      bias(walks_by_chance(options) ? make_bias(program, options.choice, cost_of(options))
                                    : nullptr),
      frontier(make_frontier(*this, options, sink, budget)) {}

}  // namespace panoptes
