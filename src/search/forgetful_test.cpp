// SPDX-License-Identifier: Apache-2.0
// Searches that forget: stack, cache and walk. What they visit is kept aside and held against an
// exhaustive search.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "rules/fold.hpp"
#include "search/bias.hpp"
#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "search/random_walk.hpp"
#include "step/interpreter.hpp"
#include "store/cache_store.hpp"
#include "store/exact_store.hpp"
#include "store/no_store.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes {
namespace {

using State = std::vector<Word>;

// Passes everything on, and remembers the states that were new.
class Recording final : public StateStore {
 public:
  explicit Recording(StateStore& store) : store_(store) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    store_.insert(batch, sources);
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (batch.fresh[i] != 0) order.emplace_back(batch.states[i].begin(), batch.states[i].end());
  }
  void leave() override { store_.leave(); }
  StorePromise promise() const override { return store_.promise(); }
  StoreStats stats() const override { return store_.stats(); }

  std::vector<State> order;

 private:
  StateStore& store_;
};

struct Found {
  std::vector<State> order;  // states as they were new
  std::set<State> states;
  std::set<ErrorKey> errors;
  Exploration exploration;
};

Found explore_with(const Program& program, StateStore& store, Frontier& frontier,
                   std::uint64_t depth = 0) {
  Limits limits;
  limits.depth = depth;
  Monitor monitor(limits, steady_seconds, {}, nullptr);
  std::vector<std::unique_ptr<Stepper>> steppers;
  steppers.push_back(std::make_unique<Interpreter>(program));
  Recording recording(store);
  ErrorLog errors(program);
  Found found;
  found.exploration = explore(steppers, recording, frontier, monitor, errors, {});
  found.order = recording.order;
  found.states.insert(found.order.begin(), found.order.end());
  for (const ErrorRecord& record : errors.records()) found.errors.insert(record.key);
  return found;
}

Found exhaustive(const Program& program, std::uint64_t depth = 0) {
  Interpreter interpreter(program);
  BreadthFrontier frontier(interpreter, 1, nullptr);
  ExactStore store(program.layout.words);
  return explore_with(program, store, frontier, depth);
}

Found stack(const Program& program, std::uint64_t depth = 0, StateFilter keeps = {}) {
  DepthFrontier frontier(program, nullptr);
  PathStore store(program.layout.words, std::move(keeps));
  return explore_with(program, store, frontier, depth);
}

Found cache(const Program& program, std::uint64_t places,
            Replacement replacement = Replacement::oldest, std::uint64_t depth = 0) {
  DepthFrontier frontier(program, nullptr);
  CacheStore store(program.layout.words, {places, replacement, depth, {}});
  return explore_with(program, store, frontier, depth);
}

Found walk(const Program& program, std::uint64_t walks, std::uint64_t seed, std::uint64_t depth,
           Bias* bias = nullptr) {
  RandomWalkFrontier frontier(program, walks, seed, bias);
  NoStore store;
  return explore_with(program, store, frontier, depth);
}

// As check() keeps them.
StateFilter labelled(const Program& program) {
  return [&program](StateView state) {
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      const auto at = static_cast<StateId>(read(program.layout.control[p], state));
      if (program.state(p, at).is_labelled) return true;
    }
    return false;
  };
}

constexpr Replacement every_strategy[] = {Replacement::most, Replacement::least,
                                          Replacement::largest_class, Replacement::oldest,
                                          Replacement::subtree};

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  // Sets of that many states would take minutes.
  bool is_large() const {
    CheckOptions options;
    test::StateLimit limit(test::has_all_samples() ? 20'000 : 5'000);
    limit.apply(options);
    test::check(compiled, options);
    return limit.is_reached();
  }

  const test::Compiled compiled = test::compile(test::model_text(GetParam()));
  const Program& program = compiled.program;
};
INSTANTIATE_TEST_SUITE_P(Of, EveryModel, testing::ValuesIn(test::sample_of(test::model_names())),
                         [](const auto& test) { return test.param; });

// ---- stack -------------------------------------------------------------------------------------

// Its repeats explode: small models as a whole, the others to a depth of twelve steps.
TEST_P(EveryModel, HasTheSameStatesAndErrorsInAStackSearch) {
  if (is_large()) return;
  const bool is_small = exhaustive(program).states.size() <= 100;
  const std::uint64_t depth = is_small ? 0 : 12;
  const Found wanted = exhaustive(program, depth);
  for (const StateFilter& keeps : {StateFilter{}, labelled(program)}) {
    const Found found = stack(program, depth, keeps);
    EXPECT_EQ(found.states, wanted.states);
    EXPECT_EQ(found.errors, wanted.errors);
    EXPECT_EQ(found.exploration.stop(), wanted.exploration.stop());
    EXPECT_GE(found.exploration.states, wanted.exploration.states);
  }
}

// A search that keeps only labelled states ends because no process can go round without one.
TEST_P(EveryModel, HasALabelledStateInEveryCycleOfAProcess) {
  for (const bool minimise : {true, false}) {
    const auto built = test::compile(test::model_text(GetParam()), {.minimise = minimise});
    for (const Process& process : built.program.protocol.processes) {
      const auto& states = process.automaton.states;
      // Take away states without a way to one that is left, until none goes.
      std::set<StateId> left;
      for (StateId s = 0; s < states.size(); ++s)
        if (!states[s].is_labelled) left.insert(s);
      const auto leads_nowhere = [&](StateId s) {
        return std::none_of(states[s].transitions.begin(), states[s].transitions.end(),
                            [&](const Transition& t) { return left.contains(t.target); });
      };
      while (std::erase_if(left, leads_nowhere) > 0) {
      }
      EXPECT_TRUE(left.empty()) << process.name;
    }
  }
}

TEST(StackSearch, ForgetsWhatIsNotOnThePath) {
  // Two processes of three steps each: 16 states, and 20 ways through them.
  const auto compiled = test::compile(
      "proc p var x; { x = 1; x = 2; x = 3 }\n"
      "proc q var y; { y = 1; y = 2; y = 3 }");
  const Found found = stack(compiled.program);
  EXPECT_EQ(found.states.size(), 16u);
  EXPECT_EQ(found.order.size(), 69u) << "the sum of ways to each of them";
  EXPECT_EQ(found.exploration.sequences.count, 20u);
  EXPECT_EQ(found.exploration.sequences.states, 20u * 7);
}

// ---- cache -------------------------------------------------------------------------------------

TEST_P(EveryModel, HasTheSameGraphInACacheWithRoomForAll) {
  if (is_large()) return;
  const Found wanted = exhaustive(program);
  const Found found = cache(program, wanted.states.size());
  EXPECT_EQ(found.states, wanted.states);
  EXPECT_EQ(found.errors, wanted.errors);
  EXPECT_EQ(found.exploration.states, wanted.exploration.states);
  EXPECT_EQ(found.exploration.transitions, wanted.exploration.transitions);
  EXPECT_EQ(found.exploration.stop(), Stop::finished);
}

// A state first met far away is expanded again when it is met nearer, so nothing near is left out.
TEST_P(EveryModel, HasTheSameStatesInACacheUnderADepthBound) {
  for (const std::uint64_t depth : {5, 12}) {
    const Found wanted = exhaustive(program, depth);
    const Found found = cache(program, wanted.states.size(), Replacement::oldest, depth);
    EXPECT_EQ(found.states, wanted.states);
    EXPECT_EQ(found.errors, wanted.errors);
    if (wanted.exploration.stop() == Stop::depth) {
      EXPECT_EQ(found.exploration.stop(), Stop::depth);
    }
  }
}

// Of "request" the path alone is longer than that.
TEST(Cache, OfAFifthOfTheStatesFindsThemAllByEveryStrategy) {
  for (const std::string model : {"flow_control", "two_phase_commit", "request"}) {
    const auto compiled = test::compile(test::model_text(model));
    const Found wanted = exhaustive(compiled.program);
    for (const Replacement strategy : every_strategy) {
      const Found found = cache(compiled.program, wanted.states.size() / 5, strategy);
      EXPECT_EQ(found.exploration.stop(), Stop::finished) << static_cast<int>(strategy);
      EXPECT_EQ(found.states, wanted.states) << static_cast<int>(strategy);
      EXPECT_EQ(found.errors, wanted.errors) << static_cast<int>(strategy);
      EXPECT_GT(found.order.size(), wanted.states.size()) << "no work was done twice";
    }
  }
}

// Its size changes how much is done twice, and nothing else: one place is enough.
TEST(Cache, OfAnySizeFindsEverything) {
  const auto compiled = test::compile("proc p var x : 0..99; { do :: x +% 100 od }");
  for (const std::uint64_t places : {1, 50, 99, 100}) {
    CheckOptions options;
    options.search = CacheSearch{.states = places};
    const Verdict verdict = test::check(compiled, options);
    EXPECT_EQ(verdict.outcome, Outcome::holds) << places;
    EXPECT_EQ(verdict.promise, Promise::exhaustive) << places;
    EXPECT_EQ(verdict.states_analysed, 100u) << places;
  }
  const auto flow_control = test::compile(test::model_text("flow_control"));
  const Found wanted = exhaustive(flow_control.program);
  for (const std::uint64_t places : {10, 20}) {
    const Found found = cache(flow_control.program, places);
    EXPECT_EQ(found.exploration.stop(), Stop::finished) << places;
    EXPECT_EQ(found.states, wanted.states) << places;
    EXPECT_EQ(found.errors, wanted.errors) << places;
  }
}

// ---- walk --------------------------------------------------------------------------------------

TEST_P(EveryModel, HasStatesThatAWalkCanReachAndNoOthers) {
  if (is_large()) return;
  const Found wanted = exhaustive(program);
  const Found found = walk(program, 100, 1, 200);
  EXPECT_TRUE(std::includes(wanted.states.begin(), wanted.states.end(), found.states.begin(),
                            found.states.end()));
  EXPECT_TRUE(std::includes(wanted.errors.begin(), wanted.errors.end(), found.errors.begin(),
                            found.errors.end()));
}

TEST(Walk, IsTheSameForTheSameSeed) {
  const auto compiled = test::compile(test::model_text("sliding_window"));
  const Found first = walk(compiled.program, 70, 1, 100);
  EXPECT_EQ(walk(compiled.program, 70, 1, 100).order, first.order);
  EXPECT_NE(walk(compiled.program, 70, 2, 100).order, first.order);
  EXPECT_EQ(first.exploration.sequences.count, 70u);
  EXPECT_LE(first.order.size(), 70u * 101);
}

// Walk 1 alone is walk 1 of many: a longer run repeats a shorter one.
TEST(Walk, DependsOnItsNumberAndNotOnTheOthers) {
  const auto compiled = test::compile(test::model_text("sliding_window"));
  const Found alone = walk(compiled.program, 1, 5, 50);
  const Found many = walk(compiled.program, 64, 5, 50);
  for (const State& state : alone.order) EXPECT_TRUE(many.states.contains(state));
}

TEST(Walk, EndsWhereNothingCanMoveAndBeginsAgain) {
  const auto compiled = test::compile("proc p var x; { if :: x = 1 :: x = 2 fi }");
  const Found found = walk(compiled.program, 100, 1, 10);
  EXPECT_EQ(found.order.size(), 200u);
  EXPECT_EQ(found.states.size(), 3u) << "both options come up";
  EXPECT_EQ(found.exploration.stop(), Stop::finished);
}

// ---- biased walks ------------------------------------------------------------------------------

Found biased(const Program& program, Preference preference, std::uint64_t walks,
             std::uint64_t depth) {
  const auto bias = make_bias(program, {preference}, nullptr);
  return walk(program, walks, 1, depth, bias.get());
}

// The share of first steps that lead to states of which `is_meant` is true.
template <typename IsMeant>
double first_steps(const Program& program, Preference preference, IsMeant is_meant) {
  constexpr int walks = 20'000;
  const Found found = biased(program, preference, walks, 1);
  const State initial(program.initial.begin(), program.initial.end());
  const auto count = std::count_if(found.order.begin(), found.order.end(), [&](const State& state) {
    return state != initial && is_meant(state);
  });
  return static_cast<double>(count) / walks;
}

std::uint64_t messages_in(const Program& program, const State& state) {
  std::uint64_t count = 0;
  for (const ChannelLayout& channel : program.layout.channels)
    count += static_cast<std::uint64_t>(length(channel, state));
  return count;
}

double mean_messages(const Program& program, const Found& found) {
  std::uint64_t sum = 0;
  for (const State& state : found.order) sum += messages_in(program, state);
  return static_cast<double>(sum) / static_cast<double>(found.order.size());
}

// Four sends, two internal steps and a receive: all alike by fair dice; sends are taken four times
// and internal steps twice as often as the receive where messages in transit are preferred.
TEST(BiasedWalk, TakesWhatIsPreferredMoreOftenAndTheRestToo) {
  const auto compiled = test::compile(
      "channel c[2] = { x }, d[2];\n"
      "proc p { if :: d!a :: skip :: c?x :: d!b fi }\n"
      "proc q { if :: c!y :: c!z :: skip fi; d?default }\n",
      {.minimise = false});
  const Program& program = compiled.program;
  const auto with = [&](std::uint64_t messages) {
    return [&program, messages](const State& state) {
      return messages_in(program, state) == messages;
    };
  };
  EXPECT_NEAR(first_steps(program, Preference::as_written, with(2)), 4.0 / 7, 0.01);
  EXPECT_NEAR(first_steps(program, Preference::transit, with(2)), 16.0 / 21, 0.01);
  EXPECT_NEAR(first_steps(program, Preference::transit, with(1)), 4.0 / 21, 0.01);
  EXPECT_NEAR(first_steps(program, Preference::transit, with(0)), 1.0 / 21, 0.01);
  EXPECT_GT(first_steps(program, Preference::scatter, with(0)), 1.0 / 4);
}

// In flow control there is little to choose from: the difference is small there.
TEST(BiasedWalk, HasMoreMessagesInTransitOrFewer) {
  for (const auto& [model, factor] : {std::pair{"sliding_window", 1.1}, {"flow_control", 1.01}}) {
    const auto compiled = test::compile(test::model_text(model));
    const auto mean = [&](Preference preference) {
      return mean_messages(compiled.program, biased(compiled.program, preference, 500, 100));
    };
    const double fair = mean(Preference::as_written);
    EXPECT_GT(mean(Preference::transit), fair * factor) << model;
    EXPECT_LT(mean(Preference::scatter), fair / factor) << model;
  }
}

// Whoever moves is as likely as before; of the options of one process those tagged high are.
TEST(BiasedWalk, ByTagsDecidesWithinAProcessOnly) {
  const auto compiled = test::compile(
      "var x, y;\n"
      "proc p { if :: [low] x = 1 :: x = 2 :: [high] x = 3 fi }\n"
      "proc q { y = 1 }\n",
      {.minimise = false});
  const Program& program = compiled.program;
  const auto has = [&](VariableId variable, std::int64_t value) {
    return [&program, variable, value](const State& state) {
      return read(program.layout.variables[variable], state) == value;
    };
  };
  EXPECT_NEAR(first_steps(program, Preference::tags, has(1, 1)), 1.0 / 4, 0.01);
  for (const auto& [value, share] : {std::pair{1, 1.0 / 7}, {2, 2.0 / 7}, {3, 4.0 / 7}})
    EXPECT_NEAR(first_steps(program, Preference::tags, has(0, value)), 3.0 / 4 * share, 0.01);
}

TEST(BiasedWalk, FollowsTheUsersCost) {
  const auto compiled = test::compile("var x, y; proc p { do :: x++ od } proc q { do :: y++ od }");
  const auto cost =
      read_expression(front_end_of("m"), "--cost", "x - y", compiled.program.protocol);
  const auto bias = make_bias(compiled.program, {Preference::cost}, &*cost);
  const Found found = walk(compiled.program, 64, 1, 300, bias.get());
  std::int64_t x = 0, y = 0;
  for (auto state = found.order.end() - 64; state != found.order.end(); ++state) {
    x += read(compiled.program.layout.variables[0], *state);
    y += read(compiled.program.layout.variables[1], *state);
  }
  EXPECT_EQ(x + y, 64 * 300);
  EXPECT_NEAR(static_cast<double>(x), 64 * 100, 500) << "every third step";
}

TEST(BiasedWalk, IsAnotherOneEachTimeAndTheSameForTheSameSeed) {
  const auto compiled = test::compile(test::model_text("sliding_window"));
  for (const Preference preference : {Preference::transit, Preference::scatter}) {
    const Found found = biased(compiled.program, preference, 64, 50);
    EXPECT_EQ(biased(compiled.program, preference, 64, 50).order, found.order);
    const std::set<State> ends(found.order.end() - 64, found.order.end());
    EXPECT_GT(ends.size(), 16u) << "walks repeat each other";
  }
}

// ---- foldings ----------------------------------------------------------------------------------

// A cache with room for all follows what a depth-first search follows; a stack forgets, so it may
// follow another state of a class, but none twice on a path.
TEST(Folding, TakesStatesForOneInSearchesThatForgetToo) {
  const auto compiled = test::compile(test::model_text("alternating_bit"));
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::depth};
  const std::uint64_t all = test::check(compiled, options).states;
  std::string problem;
  options.folded = *folded_bits(compiled.program, "process sender", problem);
  const std::uint64_t classes = test::check(compiled, options).states;
  EXPECT_LT(classes, all);
  options.count_distinct = true;
  for (const SearchPlan& search : {SearchPlan(CacheSearch{}), SearchPlan(StackSearch{})}) {
    options.search = search;
    const Verdict folded = test::check(compiled, options);
    EXPECT_EQ(folded.stop, Stop::folding);
    EXPECT_EQ(folded.promise, Promise::partial);
    EXPECT_NE(folded.outcome, Outcome::holds);
    EXPECT_LT(folded.states, all) << "all states were told apart";
    if (std::holds_alternative<CacheSearch>(search)) {
      EXPECT_EQ(folded.states, classes);
      EXPECT_EQ(folded.states_analysed, classes);
    }
  }
}

// ---- whole checks ------------------------------------------------------------------------------

// Which member of a family is named depends on the order of the search.
std::set<std::string> error_texts(const Verdict& verdict) {
  static const std::regex member("\\[[0-9]+\\]");
  std::set<std::string> texts;
  for (const ErrorReport& error : verdict.errors)
    texts.insert(std::regex_replace(error.description.text, member, "[]"));
  return texts;
}

// Trails are replayed by check() itself, which throws here where one does not.
TEST_P(EveryModel, GivesTheSameVerdictWhereNothingIsCutOff) {
  const Verdict wanted = test::check(compiled);
  CheckOptions options;
  options.search = CacheSearch{};
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.outcome, wanted.outcome);
  EXPECT_EQ(found.promise, wanted.promise);
  EXPECT_EQ(found.states, wanted.states);
  EXPECT_TRUE(found.is_distinct);
  EXPECT_EQ(error_texts(found), error_texts(wanted));
  if (wanted.states > 60) return;
  for (const bool labelled_only : {false, true}) {
    options.search = StackSearch{labelled_only};
    options.count_distinct = true;
    const Verdict deep = test::check(compiled, options);
    EXPECT_EQ(deep.outcome, wanted.outcome);
    EXPECT_EQ(deep.states, wanted.states);
    EXPECT_GE(deep.states_analysed, wanted.states);
    EXPECT_EQ(error_texts(deep), error_texts(wanted));
  }
}

TEST_P(EveryModel, IsNeverSaidToHoldAfterAWalk) {
  const Verdict wanted = test::check(compiled);
  CheckOptions options;
  options.search = RandomWalks{200};
  options.limits.depth = default_depth_limit(program);
  const Verdict found = test::check(compiled, options);
  EXPECT_NE(found.outcome, Outcome::holds);
  EXPECT_EQ(found.promise, Promise::partial);
  EXPECT_EQ(found.stop, Stop::sample);
  EXPECT_FALSE(found.is_distinct);
  const std::set<std::string> known = error_texts(wanted), texts = error_texts(found);
  EXPECT_TRUE(std::includes(known.begin(), known.end(), texts.begin(), texts.end()));
}

TEST(DepthLimit, IsTenTimesTheControlStatesIfNobodySaysOtherwise) {
  const std::string text = test::model_text("alternating_bit_link");
  EXPECT_EQ(default_depth_limit(test::compile(text).program), 220u);
  EXPECT_EQ(default_depth_limit(test::compile(text, {.minimise = false}).program), 240u);
}

TEST(DepthLimit, ThatCutsSomethingOffMakesASearchPartial) {
  const auto compiled = test::compile("proc p var x : 0..99; { do :: x +% 100 od }");
  for (const SearchPlan& search : {SearchPlan(StackSearch{}), SearchPlan(CacheSearch{})}) {
    CheckOptions options;
    options.search = search;
    options.limits.depth = 20;
    const Verdict verdict = test::check(compiled, options);
    EXPECT_EQ(verdict.outcome, Outcome::unknown);
    EXPECT_EQ(verdict.stop, Stop::depth);
    EXPECT_EQ(verdict.states_analysed, 21u);
    options.limits.depth = 200;
    EXPECT_EQ(test::check(compiled, options).outcome, Outcome::holds);
  }
}

// ---- what is measured --------------------------------------------------------------------------

TEST(Parameters, AreThoseOfTheSearch) {
  // A tree: one state, two successors, each with one more.
  const auto compiled =
      test::compile("proc p var x; { if :: x = 1 -> x = 3 :: x = 2 -> x = 4 fi }");
  for (const Order order : {Order::breadth, Order::depth}) {
    CheckOptions options;
    options.search = ExhaustiveSearch{.order = order};
    options.limits.memory_bytes = 1 << 30;
    const Verdict verdict = test::check(compiled, options);
    EXPECT_EQ(verdict.states, 5u);
    EXPECT_EQ(verdict.parameters.memory_bytes, 1u << 30);
    EXPECT_DOUBLE_EQ(verdict.parameters.successors_per_state, 4.0 / 5);
    EXPECT_DOUBLE_EQ(verdict.parameters.sequence_states, 3.0);
    EXPECT_EQ(verdict.parameters.longest_sequence_states, 3u);
    EXPECT_GT(verdict.parameters.bytes_per_state, 0.0);
  }
}

TEST(Parameters, OfACacheSayHowOftenStatesRecur) {
  // A square of 4 x 4: the corner is visited once, the edges once, inner states twice.
  const auto compiled = test::compile(
      "proc p var x; { x = 1; x = 2; x = 3 }\n"
      "proc q var y; { y = 1; y = 2; y = 3 }");
  CheckOptions options;
  options.search = CacheSearch{};
  const Verdict verdict = test::check(compiled, options);
  ASSERT_TRUE(verdict.cache.has_value());
  EXPECT_EQ(verdict.cache->given_up, 0u);
  EXPECT_EQ(verdict.recurrence, (std::vector<std::uint64_t>{0, 7, 9}));
}

}  // namespace
}  // namespace panoptes
