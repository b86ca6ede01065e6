// SPDX-License-Identifier: Apache-2.0
// Several threads that look for accepted runs, a large component of the product being looked
// through by all: they see what one sees.
#include "search/accepting_runs.hpp"

#include <gtest/gtest.h>

#include "search/numbered_search.hpp"
#include "search/state_graph.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "temporal/translate.hpp"

namespace panoptes {
namespace {

// All states of a protocol, and the product with the negation of its only property.
class AllRuns {
 public:
  explicit AllRuns(const std::string& text)
      : compiled_(test::compile(text)),
        search_(std::make_unique<Interpreter>(compiled_.program)),
        automaton_(*translate(negation(property().formula))) {
    const CheckOptions options;
    Monitor monitor(options.limits, options.clock, {}, nullptr);
    EXPECT_EQ(search_.run(links_, monitor, {}, UINT64_MAX).stop(), Stop::finished);
    links_.finish(search_.store().stats().states);
    graph_.emplace(compiled_.program, property(), links_, search_.store(), false);
    EXPECT_TRUE(graph_->make(1, {}));
    product_.emplace(*graph_, automaton_);
  }

  // How many nodes are reached, and in how many states a run can be that violates the property.
  std::pair<std::uint64_t, std::uint64_t> look(unsigned threads, std::size_t large) {
    AcceptingRuns runs(compiled_.program, *product_);
    EXPECT_TRUE(runs.look(threads, {}, large));
    looked_through_together_ += runs.looked_through_together();
    return {runs.visited(), runs.states()};
  }
  // Components, so far.
  std::uint64_t looked_through_together() const { return looked_through_together_; }

 private:
  const TemporalProperty& property() const { return compiled_.program.protocol.temporal.at(0); }

  const test::Compiled compiled_;
  StateGraph links_;
  NumberedSearch search_;
  const BuchiAutomaton automaton_;
  std::optional<RunGraph> graph_;
  std::optional<Product> product_;
  std::uint64_t looked_through_together_ = 0;
};

// Counters go round in two stages, from the one of which there is one way to the other, and may
// stay where they are for ever after that. The automaton goes along from one component to the next,
// and some of what is behind the first one is not in any. So whoever has looked through the first
// one has much left to reach, or comes upon the second one, or helps with that when he has nothing
// left.
TEST(ThreadsThatLookForRuns, SeeWhatOneSees) {
  AllRuns all(
      "var x[2] : 0..40, stage : 0..2, a : 0..1;"
      "proc p[i : 0..1] { do :: x[i] = stage / 2 * x[i] + (1 - stage / 2) * (x[i] % 40 + 1) od }"
      "proc q { do :: stage = stage + (2 - stage) / 2 * (x[0] / 40) * (x[1] / 40)"
      "           :: stage = stage + stage % 2 :: a = stage / 2 * (1 - a) od }"
      "ltl { !((<> a == 1 && stage == 0) W ((stage == 1 && ((<> a == 1) W ([] stage == 2)))"
      "         || X X X X [] stage == 2)) }");
  const auto alone = all.look(1, 1);
  EXPECT_GT(alone.second, 0u);
  const int times = test::has_all_samples() ? 1000 : 100;
  for (int time = 0; time < times; ++time)
    EXPECT_EQ(all.look(2 + time % 3, 16 << time % 3), alone) << time;
  EXPECT_GT(all.looked_through_together(), static_cast<std::uint64_t>(times) / 2);
}

}  // namespace
}  // namespace panoptes
