// SPDX-License-Identifier: Apache-2.0
// Temporal properties of random protocols where orders of steps are left out: they have the answers
// of the whole graph; and a reduction is caught that overlooks what properties need of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "differential/formulas.hpp"
#include "differential/generator.hpp"
#include "protocol/quiet_moments.hpp"
#include "search/reduce_order.hpp"
#include "search/temporal.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

// Protocols that go on for ever, and in which much is independent.
const char* const endless_orders[] = {
    "var x : 0..2, y : 0..1; proc p { do :: x = (x + 1) % 3 od } proc q { do :: y = 1 - y od }\n",
    "var x : 0..1, y : 0..1; proc p { do :: x = 1; x = 0 od } proc q { a: skip; b: y = 1; skip }\n",
    "channel c[1], d[1]; var x : 0..1; proc p { do :: c!m -> x = 1 - x od } "
    "proc q { do :: c?m -> d!m od } proc r { do :: d?m :: skip od }\n",
    "channel c[2] lossy; var x : 0..1; proc p { do :: c!m :: c!n od } "
    "proc q { do :: c?m -> x = 1 :: c?n -> x = 0 od } proc r { var y : 0..2; do :: y = (y + 1) % 3 "
    "od }\n",
    "channel c[0]; var x : 0..1, y : 0..1; proc p { do :: c!m -> x = 1; x = 0 od } "
    "proc q { do :: c?m -> y = 1; y = 0 od }\n",
    "channel c[1]; var x : 0..1; proc p { do :: atomic { c!m; x = 1 - x } od } "
    "proc q { var z : 0..1; do :: c?m -> z = 1; z = 0 od }\n",
    "var x : 0..3, y : 0..3; proc p { do :: (x < 3) -> x++ :: (x == 3) -> break od } "
    "proc q { do :: (y < 3) -> y++ :: (y == 3) -> y = 0 od }\n",
};

constexpr std::uint64_t most_ordered_states = 3'000;

struct OrderedRuns {
  test::Compiled compiled;
  std::string text;
};

std::optional<OrderedRuns> subject(std::uint64_t seed, bool wants_next = false) {
  const std::string protocol =
      seed % 3 != 0 ? endless_orders[seed / 3 % std::size(endless_orders)] : random_protocol(seed);
  const test::Setup setup = test::setup_for(seed);
  FormulaMaker maker(test::compile(protocol, setup).program, seed, wants_next);
  if (!maker.has_atoms()) return {};
  const std::string text = fmt::format("{}\nltl {{ {} }}\n", protocol, maker.formula());
  return OrderedRuns{test::compile(text, setup), text};
}

struct GraphAnswer {
  std::string outcome;
  std::uint64_t states = 0;
};

// Of the graph that a selector leaves; nothing where that is too large, or nothing is known.
std::optional<GraphAnswer> answer_by(const OrderedRuns& subject, const Selector* selector) {
  const Program& program = subject.compiled.program;
  NumberedStore store(program.layout.words);
  StateGraph graph;
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program));
  StateBatch batch{program.layout.words, {}};
  SuccessorBatch successors;
  SelectorScratch scratch;
  std::vector<Finding> findings;
  successors.clear(program.layout.words);
  successors.states.push_back(program.initial);
  successors.rules.push_back(none);
  successors.close_state(0);
  store.insert(successors, batch);
  bool has_failures = false;
  for (std::uint64_t state = 0; state < store.stats().states; ++state) {
    if (store.stats().states > most_ordered_states) return {};
    batch.assign(store.state(state));
    findings.clear();
    stepper->expand(batch, successors, findings);
    for (const Finding& finding : findings) {
      if (finding.kind == ErrorKind::endless_atomic) return {};
      has_failures = has_failures || finding.rule != none;
    }
    if (selector) selector->select(batch, successors, 0, scratch);
    store.insert(successors, batch);
    graph.transitions(0, state, successors, 0, successors.size());
  }
  graph.finish(store.stats().states);
  std::string problem;
  const auto found =
      find_violations(program, {graph, store, has_failures}, subject.compiled.sources, problem);
  if (!found) throw std::runtime_error(problem);
  return GraphAnswer{std::string(to_string(found->properties.at(0).answer)), store.stats().states};
}

TEST(RunsInOrder, HaveThePropertiesOfAllRuns) {
  std::uint64_t compared = 0, smaller = 0, violated = 0, with_events = 0;
  const std::uint64_t count = test::sample_of(6000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto asked = subject(seed);
    if (!asked || !why_orders_matter(asked->compiled.program.protocol).empty()) continue;
    const auto whole = answer_by(*asked, nullptr);
    if (!whole) continue;
    const auto selector = make_order_reduction(asked->compiled.program, ReceptionPolicy::blocked);
    const auto reduced = answer_by(*asked, selector.get());
    ASSERT_EQ(reduced->outcome, whole->outcome) << "seed " << seed << "\n" << asked->text;
    ++compared;
    smaller += reduced->states < whole->states;
    violated += whole->outcome == "violated" && reduced->states < whole->states;
    with_events += asked->text.find("(c!") != std::string::npos;
    // The engine does the same, on any number of threads.
    CheckOptions options;
    options.search = ExhaustiveSearch{.storage = WholeGraph{.looks_for_livelocks = false}};
    options.reduce.order = true;
    options.threads = seed % 2 == 0 ? 1 : 2;
    if (seed % 4 != 1) continue;
    const Verdict verdict = test::check(asked->compiled, options);
    ASSERT_EQ(to_string(verdict.properties.at(0).answer), whole->outcome) << asked->text;
    ASSERT_EQ(verdict.states, reduced->states) << asked->text;
  }
  EXPECT_GT(compared, count / 4);
  EXPECT_GT(smaller, compared / 4);
  EXPECT_GT(violated, compared / 20);
  EXPECT_GT(with_events, compared / 40);
}

// What a reduction may overlook, or who asks it.
enum class RunOrderFault { visibility, proviso, next, events };

std::unique_ptr<Selector> faulty_reduction(const Program& program, RunOrderFault fault) {
  Program asked = program;
  if (fault == RunOrderFault::visibility) asked.protocol.temporal.clear();
  OrderTables tables(asked);
  if (fault == RunOrderFault::proviso) tables.is_never_chosen = tables.is_visible;
  return make_order_reduction(program, std::move(tables));
}

class PlantedOrderFaults : public testing::TestWithParam<std::pair<const char*, RunOrderFault>> {};

TEST_P(PlantedOrderFaults, AreCaught) {
  const RunOrderFault fault = GetParam().second;
  const bool is_asked_anyway = fault == RunOrderFault::next || fault == RunOrderFault::events;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    if (seed % 3 == 0) continue;  // there they show sooner
    const auto asked = subject(seed, fault == RunOrderFault::next);
    if (!asked) continue;
    const panoptes::Protocol& protocol = asked->compiled.program.protocol;
    const std::string reason = why_orders_matter(protocol);
    if (reason.empty() == is_asked_anyway) continue;
    if (is_next_free(protocol.temporal[0].formula) == (fault == RunOrderFault::next)) continue;
    const auto whole = answer_by(*asked, nullptr);
    const auto selector = faulty_reduction(asked->compiled.program, fault);
    const auto wrong = answer_by(*asked, selector.get());
    if (whole && wrong && whole->outcome != wrong->outcome) return;
  }
  FAIL() << "nobody has noticed";
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedOrderFaults,
                         testing::Values(std::pair{"Visibility", RunOrderFault::visibility},
                                         std::pair{"Proviso", RunOrderFault::proviso},
                                         std::pair{"Next", RunOrderFault::next},
                                         std::pair{"Events", RunOrderFault::events}),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace panoptes::differential
