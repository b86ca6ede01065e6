// SPDX-License-Identifier: Apache-2.0
// The one loop, with every combination of frontier, limit and misfortune.
#include "search/explore.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <new>
#include <set>

#include "search/breadth.hpp"
#include "search/depth.hpp"
#include "step/interpreter.hpp"
#include "store/numbered_store.hpp"
#include "support/edge.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using State = std::vector<Word>;
using test::Edge;

State copy(StateView state) { return {state.begin(), state.end()}; }

// An exact store that remembers its states by number, and can be made to run out of memory.
class RecordingStore final : public StateStore {
 public:
  explicit RecordingStore(std::size_t width) : store_(width) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    if (states.size() >= fails_after) throw std::bad_alloc();
    store_.insert(batch, sources);
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (batch.fresh[i] != 0) states.push_back(copy(batch.states[i]));
  }
  StorePromise promise() const override { return store_.promise(); }
  StoreStats stats() const override { return store_.stats(); }

  std::vector<State> states;
  std::size_t fails_after = SIZE_MAX;

 private:
  NumberedStore store_;
};

struct RecordingSink final : GraphSink {
  void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) override {
    edges.push_back({source, rule, target});
    if (fresh) first_seen.push_back(target);
  }
  std::vector<Edge> edges;
  std::vector<std::uint64_t> first_seen;
};

// Everything a search needs, with doors to the outside world that a test can open.
struct Search {
  Search(const std::string& text, Order order_, const test::Setup& setup = {})
      : compiled(test::compile(text, setup)),
        order(order_),
        store(compiled.program.layout.words),
        errors(compiled.program) {
    steppers.push_back(std::make_unique<Interpreter>(compiled.program));
    if (order == Order::breadth)
      frontier = std::make_unique<BreadthFrontier>(*steppers[0], 1, &sink);
    else
      frontier = std::make_unique<DepthFrontier>(compiled.program, &sink);
  }

  Exploration run() {
    const auto clock = [this] { return seconds += seconds_per_look; };
    Monitor monitor(limits, clock, observer, &interrupted);
    return explore(steppers, store, *frontier, monitor, errors, options);
  }

  test::Compiled compiled;
  Order order;
  std::vector<std::unique_ptr<Stepper>> steppers;
  RecordingStore store;
  RecordingSink sink;
  std::unique_ptr<Frontier> frontier;
  ErrorLog errors;
  Limits limits;
  ExploreOptions options;
  Monitor::Observer observer;
  std::atomic<bool> interrupted = false;
  double seconds = 0.0, seconds_per_look = 0.0;
};

// The graph by the obvious algorithm: states in the order a queue gives, edges by number.
struct PlainGraph {
  explicit PlainGraph(const Program& program, std::uint64_t deepest = UINT64_MAX) {
    Interpreter interpreter(program);
    add(copy(program.initial), 0);
    for (std::size_t i = 0; i < states.size(); ++i) {
      StateBatch batch;
      batch.width = program.layout.words;
      batch.push_back(states[i]);
      SuccessorBatch successors;
      std::vector<Finding> findings;
      interpreter.expand(batch, successors, findings);
      transitions += successors.size() + successors.failed[0];
      if (depths[i] == deepest) continue;
      for (std::size_t s = 0; s < successors.size(); ++s)
        edges.push_back({i, successors.rules[s], add(copy(successors.states[s]), depths[i] + 1)});
    }
  }

  std::uint64_t add(State state, std::uint64_t depth) {
    const auto [found, fresh] = numbers.try_emplace(state, states.size());
    if (fresh) {
      states.push_back(std::move(state));
      depths.push_back(depth);
    }
    return found->second;
  }

  std::map<State, std::uint64_t> numbers;
  std::vector<State> states;
  std::vector<std::uint64_t> depths;
  std::vector<Edge> edges;
  std::uint64_t transitions = 0;
};

// Models with one word and several, with failures and without.
std::vector<std::string> some_models() {
  return {test::model_text("alternating_bit"),
          test::model_text("alternating_bit_link"),
          test::model_text("setup_handshake"),
          test::model_text("mistakes"),
          test::model_text("dining_philosophers"),
          test::model_text("split_merge"),
          "proc p { }"};
}

class Orders : public testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(Both, Orders, testing::Values(Order::breadth, Order::depth),
                         [](const auto& order) {
                           return order.param == Order::breadth ? "Breadth" : "Depth";
                         });

// ---- the whole graph ---------------------------------------------------------------------------

TEST_P(Orders, VisitExactlyTheReachableStates) {
  for (const std::string& model : some_models()) {
    Search search(model, GetParam());
    const Exploration found = search.run();
    const PlainGraph graph(search.compiled.program);
    EXPECT_EQ(found.stop(), Stop::finished);
    EXPECT_EQ(found.states, graph.states.size());
    EXPECT_EQ(found.transitions, graph.transitions);
    EXPECT_EQ(std::set<State>(search.store.states.begin(), search.store.states.end()),
              std::set<State>(graph.states.begin(), graph.states.end()));
    if (GetParam() == Order::breadth) {
      EXPECT_EQ(search.store.states, graph.states);
      EXPECT_EQ(found.depth, graph.depths.back());
    }
  }
}

TEST_P(Orders, GiveEveryTransitionToTheSinkOnceWithTheNumbersOfTheStore) {
  for (const std::string& model : some_models()) {
    Search search(model, GetParam());
    search.run();
    const PlainGraph graph(search.compiled.program);
    std::multiset<Edge> expected;
    std::map<State, std::uint64_t> number;
    for (std::uint64_t n = 0; n < search.store.states.size(); ++n)
      number[search.store.states[n]] = n;
    for (const Edge& edge : graph.edges)
      expected.insert(
          {number.at(graph.states[edge.source]), edge.rule, number.at(graph.states[edge.target])});
    EXPECT_EQ(std::multiset<Edge>(search.sink.edges.begin(), search.sink.edges.end()), expected);
    // Every state but the initial one is seen for the first time once, in the order of its number.
    ASSERT_EQ(search.sink.first_seen.size(), graph.states.size() - 1);
    for (std::size_t i = 0; i < search.sink.first_seen.size(); ++i)
      ASSERT_EQ(search.sink.first_seen[i], i + 1);
  }
}

TEST(Depth, IsThatOfTheRecursiveAlgorithm) {
  // p0 moves first as long as it can: the last state on the first path is seen before any other.
  Search search("proc p var x; { x = 1; x = 2 } proc q var y; { y = 1 }", Order::depth);
  search.run();
  std::vector<std::pair<std::int64_t, std::int64_t>> visited;
  for (const State& state : search.store.states)
    visited.emplace_back(read(search.compiled.program.layout.variables[0], state),
                         read(search.compiled.program.layout.variables[1], state));
  EXPECT_EQ(visited, (std::vector<std::pair<std::int64_t, std::int64_t>>{
                         {0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}}));
}

TEST_P(Orders, KnowWhichRulesHaveFired) {
  Search search("proc p var x; { if :: (x == 0) -> assert(x == 1) :: (x == 1) -> x = 2 fi }",
                GetParam());
  const Exploration found = search.run();
  const auto texts = [&](const std::vector<bool>& rules) {
    std::vector<std::string> all;
    for (RuleId id = 0; id < rules.size(); ++id)
      if (rules[id]) all.push_back(search.compiled.program.rules[id].text);
    return all;
  };
  EXPECT_EQ(texts(found.fired), (std::vector<std::string>{"(x == 0)", "assert(x == 1)"}));
  EXPECT_EQ(texts(found.passed), std::vector<std::string>{"(x == 0)"});
}

// ---- limits ------------------------------------------------------------------------------------

// 8000 states: three counters go round, in any order.
const char* const cube = "proc p[i : 0..2] var x : 0..19; { do :: x +% 20 od }";

TEST(Limits, OnDepthKeepABreadthFirstSearchToTheStatesThatNear) {
  for (const std::uint64_t depth : {1u, 3u, 7u}) {
    Search search(cube, Order::breadth);
    search.limits.depth = depth;
    const Exploration found = search.run();
    EXPECT_EQ(found.stop(), Stop::depth);
    EXPECT_EQ(found.depth, depth);
    const PlainGraph graph(search.compiled.program, depth);
    EXPECT_EQ(found.states, graph.states.size());
    EXPECT_EQ(search.store.states, graph.states);
  }
}

TEST(Limits, OnDepthKeepADepthFirstSearchToPathsThatLong) {
  Search search(cube, Order::depth);
  search.limits.depth = 5;
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::depth);
  EXPECT_EQ(found.depth, 5u);
  EXPECT_LT(found.states, 8000u);
}

TEST_P(Orders, AreCompleteUnderADepthLimitThatIsNeverReached) {
  Search search("proc p var x; { x = 1; x = 2; x = 3 }", GetParam());
  search.limits.depth = 4;
  EXPECT_EQ(search.run().stop(), Stop::finished);
  // The state at depth three has no successor that could be cut off.
  Search exact("proc p var x; { x = 1; x = 2; x = 3 }", GetParam());
  exact.limits.depth = 3;
  EXPECT_EQ(exact.run().stop(), Stop::finished);
  Search short_of("proc p var x; { x = 1; x = 2; x = 3 }", GetParam());
  short_of.limits.depth = 2;
  EXPECT_EQ(short_of.run().stop(), Stop::depth);
}

TEST_P(Orders, EndWhenTheClockSaysSo) {
  Search search(cube, GetParam());
  search.limits.seconds = 3.0;
  search.seconds_per_look = 1.0;
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::time);
  EXPECT_GT(found.states, 1u);
  EXPECT_LT(found.states, 8000u);
}

TEST_P(Orders, EndWhenMemoryIsUsedUp) {
  Search whole(cube, GetParam());
  const std::uint64_t needed = whole.run().store_bytes;
  Search search(cube, GetParam());
  search.limits.memory_bytes = needed / 4 * 3;
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::memory);
  EXPECT_GT(found.states, 1u);
  EXPECT_LT(found.states, 8000u);
}

TEST_P(Orders, EndWhenInterrupted) {
  Search search(cube, GetParam());
  search.seconds_per_look = 1.0;
  search.observer = [&](const Progress& progress) {
    if (progress.states > 100) search.interrupted = true;
  };
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::interrupted);
  EXPECT_GT(found.states, 100u);
  EXPECT_LT(found.states, 8000u);
}

TEST_P(Orders, AreNotCompleteWhenInterruptedBeforeTheFirstState) {
  Search search(cube, GetParam());
  search.interrupted = true;
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::interrupted);
  EXPECT_EQ(found.states, 1u);
  EXPECT_EQ(found.transitions, 0u);
}

TEST_P(Orders, AreCompleteWhenInterruptedAfterTheLastState) {
  Search search("proc p { }", GetParam());
  search.seconds_per_look = 1.0;
  int looks = 0;
  search.observer = [&](const Progress&) { search.interrupted = ++looks > 0; };
  EXPECT_EQ(search.run().stop(), Stop::finished);
}

TEST_P(Orders, KeepWhatWasFoundWhenMemoryRunsOut) {
  Search search("proc p var x; { do :: (x < 1000) -> x++ :: assert(x != 3) od }", GetParam());
  search.store.fails_after = 500;
  const Exploration found = search.run();
  EXPECT_EQ(found.stop(), Stop::memory);
  EXPECT_GE(found.states, 500u);
  ASSERT_EQ(search.errors.records().size(), 1u);
  const ErrorRecord& record = search.errors.records()[0];
  EXPECT_EQ(record.key.kind, ErrorKind::assertion);
  EXPECT_EQ(search.frontier->path(record.marked, {}).value().size(), record.depth);
}

TEST(Progress, IsReportedNowAndThen) {
  Search search(cube, Order::depth);
  search.seconds_per_look = 0.1;
  std::vector<Progress> reports;
  search.observer = [&](const Progress& progress) { reports.push_back(progress); };
  search.run();
  ASSERT_GT(reports.size(), 3u);
  EXPECT_GE(reports[0].seconds, 0.5);
  for (std::size_t i = 1; i < reports.size(); ++i) {
    EXPECT_GE(reports[i].seconds, reports[i - 1].seconds + 0.2);
    EXPECT_GE(reports[i].states, reports[i - 1].states);
    EXPECT_GE(reports[i].transitions, reports[i - 1].transitions);
    EXPECT_GT(reports[i].memory_bytes, 0u);
    EXPECT_GT(reports[i].depth, 0u);
  }
}

// ---- errors ------------------------------------------------------------------------------------

std::vector<std::string> error_texts(const Search& search) {
  std::vector<std::string> texts;
  for (const ErrorRecord& record : search.errors.records())
    texts.push_back(search.compiled.program.rules[record.finding.rule].text +
                    fmt::format(" at {}", record.depth));
  return texts;
}

// Two errors after five steps, a third after nine.
const char* const levels =
    "var x;\n"
    "proc p { do :: (x < 4) -> x = x + 1 od }\n"
    "proc a { do :: (x == 2) -> assert(x != 2) od }\n"
    "proc b { do :: (x == 2) -> assert(x == 0) od }\n"
    "proc c { do :: (x == 4) -> assert(x != 4) od }\n";

TEST(FirstError, EndsWithTheLevelItIsFoundIn) {
  Search search(levels, Order::breadth);
  const Exploration all = search.run();
  EXPECT_EQ(error_texts(search),
            (std::vector<std::string>{"assert(x != 2) at 5", "assert(x == 0) at 5",
                                      "assert(x != 4) at 9"}));
  Search first(levels, Order::breadth);
  first.options.first_error_only = true;
  const Exploration found = first.run();
  EXPECT_EQ(error_texts(first),
            (std::vector<std::string>{"assert(x != 2) at 5", "assert(x == 0) at 5"}));
  EXPECT_EQ(found.stop(), Stop::first_error);
  EXPECT_EQ(found.depth, 5u);
  EXPECT_LT(found.states, all.states);
  EXPECT_EQ(found.first_error_states, all.first_error_states);
}

// 1000 states in one level, many batches: the errors in the first and the last of them both count.
TEST(FirstError, FinishesALevelOfManyBatches) {
  std::string text = "proc p var x : 0..1000; { if";
  for (int i = 1; i <= 1000; ++i) text += fmt::format(" :: x = {}", i);
  text += " fi; do :: assert(x != 1 && x != 1000) :: x = 0 od }";
  Search search(text, Order::breadth);
  search.options.first_error_only = true;
  EXPECT_EQ(search.run().stop(), Stop::first_error);
  ASSERT_EQ(search.errors.records().size(), 1u);
  EXPECT_EQ(search.errors.records()[0].count, 2u);
}

TEST(FirstError, EndsADepthFirstSearchAtOnce) {
  Search search(levels, Order::depth);
  search.options.first_error_only = true;
  EXPECT_EQ(search.run().stop(), Stop::first_error);
  EXPECT_EQ(search.errors.records().size(), 1u);
}

TEST(FirstError, OfTheLastLevelLeavesNothingOut) {
  Search search("proc p { assert(0) }", Order::breadth);
  search.options.first_error_only = true;
  EXPECT_EQ(search.run().stop(), Stop::finished);
}

TEST(FirstError, IsNoMessageLeftUnreadUnlessThatIsAnError) {
  const std::string text =
      "channel c[1]; proc p { if :: c!m :: skip -> skip fi }\n"
      "proc q var x; { if :: x = 1 -> x = 2 -> x = 3 :: skip fi }";
  for (const bool strict : {false, true}) {
    Search search(text, Order::breadth);
    search.options.first_error_only = true;
    search.options.unread_messages_are_errors = strict;
    EXPECT_EQ(search.run().stop(), strict ? Stop::first_error : Stop::finished);
  }
}

TEST_P(Orders, CountEveryFindingAndKeepTheFirstOfAGroup) {
  Search search("proc p var x; { do :: (x < 3) -> x++ :: assert(x == 0) od } proc q { skip; skip }",
                GetParam());
  search.run();
  ASSERT_EQ(search.errors.records().size(), 1u);
  const ErrorRecord& record = search.errors.records()[0];
  EXPECT_EQ(record.count, 3u);
  EXPECT_EQ(record.depth, 2u);
  const std::vector<RuleId> path = search.frontier->path(record.marked, {}).value();
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(search.compiled.program.rules[path[1]].text, "x = x + 1");
}

}  // namespace
}  // namespace panoptes
