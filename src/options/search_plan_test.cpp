// SPDX-License-Identifier: Apache-2.0
#include "options/search_plan.hpp"

#include <gtest/gtest.h>

#include "options/clashes.hpp"

namespace panoptes {
namespace {

OptionValues check_with(std::initializer_list<std::pair<OptionName, std::string_view>> options) {
  OptionValues values("check");
  for (const auto& [option, text] : options) values.give(option, std::string(text));
  return values;
}

template <typename Kind>
const Kind& as(const SearchPlan& plan) {
  return std::get<Kind>(plan);
}

TEST(SearchPlans, AreExhaustiveWithTurnsIfNobodySaysOtherwise) {
  const SearchPlan plan = search_plan(OptionValues("check"));
  EXPECT_EQ(as<ExhaustiveSearch>(plan).order, Order::breadth);
  EXPECT_TRUE(std::holds_alternative<ExactStates>(as<ExhaustiveSearch>(plan).storage));
  EXPECT_TRUE(std::holds_alternative<Turns>(as<ExhaustiveSearch>(plan).course));
}

// What may be given is not ignored, and what would be ignored may not be given.
TEST(SearchPlans, HaveWhatMayBeGiven) {
  for (const ChoiceInfo& word : row_of(option::search, "check").choices) {
    SCOPED_TRACE(word.word);
    const auto search = [&](OptionName option, std::string_view text) {
      OptionValues values = check_with({{option::search, word.word}, {option, text}});
      if (values.get(option::search) == SearchWord::guided) values.give(option::cost, "depth");
      return values;
    };
    const auto clashes = [](const OptionValues& values) {
      return !options_that_clash(values).empty();
    };
    const OptionValues depth = search(option::order, "depth"), hash = search(option::store, "hash"),
                       graph = search(option::keep_graph, "on");
    const SearchPlan by_depth = search_plan(depth), hashed = search_plan(hash),
                     kept = search_plan(graph);
    const auto* ordered = std::get_if<ExhaustiveSearch>(&by_depth);
    EXPECT_EQ(ordered && ordered->order == Order::depth, !clashes(depth));
    const auto* stored = std::get_if<ExhaustiveSearch>(&hashed);
    EXPECT_EQ(stored && std::holds_alternative<Fingerprints>(stored->storage), !clashes(hash));
    const auto* whole = std::get_if<ExhaustiveSearch>(&kept);
    EXPECT_TRUE(clashes(graph) || (whole && std::holds_alternative<WholeGraph>(whole->storage)));
  }
}

TEST(SearchPlans, TakeTheDetailsOfTheirKind) {
  const SearchPlan bits = search_plan(check_with({{option::search, "supertrace"},
                                                  {option::arena, "1M"},
                                                  {option::bits_per_state, "7"},
                                                  {option::runs, "5"}}));
  const BitArena& arena = std::get<BitArena>(as<ExhaustiveSearch>(bits).storage);
  EXPECT_EQ(arena.bytes, 1u << 20);
  EXPECT_EQ(arena.bits_per_state, 7u);
  EXPECT_EQ(std::get<Runs>(as<ExhaustiveSearch>(bits).course).count, 5u);

  const SearchPlan cache = search_plan(check_with({{option::search, "cache"},
                                                   {option::cache_states, "9"},
                                                   {option::replace, "class"},
                                                   {option::store_labelled, "on"}}));
  EXPECT_EQ(as<CacheSearch>(cache).states, 9u);
  EXPECT_EQ(as<CacheSearch>(cache).replacement, Replacement::largest_class);
  EXPECT_TRUE(as<CacheSearch>(cache).labelled_only);

  EXPECT_EQ(as<RandomWalks>(search_plan(check_with({{option::search, "walk"}}))).count, 1000u);
  EXPECT_EQ(
      as<RandomWalks>(search_plan(check_with({{option::search, "walk"}, {option::time, "1"}})))
          .count,
      UINT64_MAX);
}

TEST(SearchPlans, WithOneRunMayHaveTurns) {
  for (const char* runs : {"1", "2"}) {
    const SearchPlan plan =
        search_plan(check_with({{option::store, "hash"}, {option::runs, runs}}));
    EXPECT_EQ(std::holds_alternative<Turns>(as<ExhaustiveSearch>(plan).course), *runs == '1');
  }
}

}  // namespace
}  // namespace panoptes
