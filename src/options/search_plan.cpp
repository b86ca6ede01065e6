// SPDX-License-Identifier: Apache-2.0
#include "options/search_plan.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// What a word of --search decides, and what it leaves to --order and --store. The rules of the
// table of options say the same: what is not left open may not be given.
struct SearchMeaning {
  SearchWord word;
  SearchPlan plan;
  bool takes_order = false, takes_store = false;
  bool is_bounded = false;
};
constexpr SearchMeaning searches[] = {
    {SearchWord::automatic, ExhaustiveSearch{.course = Turns{}}, true, true},
    {SearchWord::exhaustive, ExhaustiveSearch{}, true, true},
    {SearchWord::supertrace, ExhaustiveSearch{.storage = BitArena{}}, true, false},
    {SearchWord::scatter, ExhaustiveSearch{.order = Order::scatter}, false, true},
    {SearchWord::guided, ExhaustiveSearch{.order = Order::cost}, false, true},
    {SearchWord::stack, StackSearch{}, false, false, true},
    {SearchWord::cache, CacheSearch{}, false, false, true},
    {SearchWord::walk, RandomWalks{}, false, false, true},
    {SearchWord::cycles, ExhaustiveSearch{.follows_runs = true}, false, true},
};

const SearchMeaning& meaning_of(SearchWord word) {
  return *std::ranges::find(searches, word, &SearchMeaning::word);
}

struct StoreMeaning {
  StoreWord word;
  Storage storage;
};
constexpr StoreMeaning stores[] = {
    {StoreWord::exact, ExactStates{}},
    {StoreWord::compact, CompactStates{}},
    {StoreWord::hash, Fingerprints{}},
    {StoreWord::bits, BitArena{}},
};

// ---- the options that say more of each ------------------------------------------------------

class Details {
 public:
  explicit Details(const OptionValues& values) : values_(values) {}

  void operator()(ExhaustiveSearch& search) const {
    const SearchMeaning& meaning = meaning_of(values_.get(option::search));
    if (meaning.takes_order) search.order = values_.get(option::order);
    if (meaning.takes_store)
      search.storage =
          std::ranges::find(stores, values_.get(option::store), &StoreMeaning::word)->storage;
    if (values_.get(option::keep_graph)) search.storage = WholeGraph{};
    if (auto* hashes = std::get_if<Fingerprints>(&search.storage))
      hashes->bits = static_cast<unsigned>(*values_.get(option::fingerprint_bits));
    if (auto* arena = std::get_if<BitArena>(&search.storage))
      *arena = {values_.get(option::arena).value_or(0),
                static_cast<unsigned>(*values_.get(option::bits_per_state))};
    // Several runs leave no room for turns between them.
    if (const auto runs = values_.get(option::runs); runs.value_or(1) > 1)
      search.course = Runs{*runs};
    // Who asks for a way wants the shortest, and ends with it.
    if (values_.has(option::reach)) search.course = Runs{runs_of(search)};
  }
  void operator()(StackSearch& search) const {
    search.labelled_only = values_.get(option::store_labelled);
  }
  void operator()(CacheSearch& search) const {
    search.labelled_only = values_.get(option::store_labelled);
    search.states = values_.get(option::cache_states).value_or(0);
    search.replacement = values_.get(option::replace);
  }
  // As many as there is time for, where nobody says how many.
  void operator()(RandomWalks& search) const {
    if (values_.has(option::time)) search.count = UINT64_MAX;
    if (const auto runs = values_.get(option::runs)) search.count = *runs;
  }

 private:
  static std::uint64_t runs_of(const ExhaustiveSearch& search) {
    const Runs* const runs = std::get_if<Runs>(&search.course);
    return runs ? runs->count : 1;
  }

  const OptionValues& values_;
};

}  // namespace

SearchPlan search_plan(const OptionValues& values) {
  SearchPlan plan = meaning_of(values.get(option::search)).plan;
  std::visit(Details(values), plan);
  return plan;
}

bool is_bounded(SearchWord search) { return meaning_of(search).is_bounded; }

}  // namespace panoptes
