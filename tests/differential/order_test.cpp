// SPDX-License-Identifier: Apache-2.0
// Random protocols: with independent steps in one order, every finding and every rule that can fire
// is still there, state for state where nobody can move; and a reduction with a fault in its tables
// is caught.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <unordered_set>

#include "base/hash.hpp"
#include "differential/engine.hpp"
#include "differential/generator.hpp"
#include "differential/random_table.hpp"
#include "rules/make_error_table.hpp"
#include "search/reduce_order.hpp"
#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"

namespace panoptes::differential {
namespace {

constexpr std::uint64_t order_protocols = 6000;
constexpr std::uint64_t order_shards = 4;

test::Setup order_setup(std::uint64_t seed) {
  test::Setup setup;
  setup.minimise = seed % 4 < 2;
  if (seed % 3 == 1) setup.timeouts = TimeoutPolicy::lock;
  if (seed % 3 == 2 && seed % 2 == 0) setup.timeouts = TimeoutPolicy::quiet;
  if (seed % 5 == 4) setup.overflow = OverflowPolicy::error;
  return setup;
}

// What a search finds.
struct Found {
  std::set<std::string> findings;
  std::set<RuleId> rules;  // that were enabled somewhere
  std::size_t states = 0;
  bool is_whole = true;
};

// The plainest search there is: nothing of the engine but its steps, its errors and the selector.
class PlainSearch {
 public:
  PlainSearch(const Program& program, const Selector* selector, std::uint64_t most_states)
      : program_(program),
        selector_(selector),
        most_states_(most_states),
        stepper_(in_whole_sequences(std::make_unique<Interpreter>(program))) {}

  bool forgives_failures = false;  // a planted fault: what fails is not told to the selector

  Found run() {
    Found found;
    come_to({program_.initial.begin(), program_.initial.end()});
    while (!waiting_.empty()) {
      if (known_.size() > most_states_) {
        found.is_whole = false;
        break;
      }
      StateBatch batch;
      batch.width = program_.layout.words;
      batch.assign(waiting_.back());
      waiting_.pop_back();
      expand(batch, found);
    }
    found.states = known_.size();
    return found;
  }

 private:
  using State = std::vector<Word>;
  struct Hash {
    std::size_t operator()(const State& state) const { return hash_state(state); }
  };

  void come_to(State state) {
    if (known_.insert(state).second) waiting_.push_back(std::move(state));
  }

  void expand(const StateBatch& batch, Found& found) {
    SuccessorBatch successors;
    std::vector<Finding> findings;
    stepper_->expand(batch, successors, findings);
    examine(program_, batch, successors, ReceptionPolicy::blocked, findings);
    found.rules.insert(successors.rules.begin(), successors.rules.end());
    found.rules.insert(successors.inside.begin(), successors.inside.end());
    for (const Finding& finding : findings) {
      std::string text = fmt::format("{} rule {} process {} channel {} tag {} assertion {}",
                                     to_string(finding.kind), finding.rule, finding.process,
                                     finding.channel, finding.tag, finding.assertion);
      // Those of states in which nobody can move are of that state.
      if (finding.rule == none && finding.kind != ErrorKind::unspecified_reception &&
          finding.kind != ErrorKind::invariant)
        text += fmt::format(" in {:x}", fmt::join(batch.words, " "));
      found.findings.insert(std::move(text));
      if (finding.rule != none) found.rules.insert(finding.rule);
    }
    if (forgives_failures) successors.failed[0] = 0;
    if (selector_) selector_->select(batch, successors, 0, scratch_);
    for (std::size_t s = 0; s < successors.size(); ++s)
      come_to({successors.states[s].begin(), successors.states[s].end()});
  }

  const Program& program_;
  const Selector* selector_;
  std::uint64_t most_states_;
  std::unique_ptr<Stepper> stepper_;
  SelectorScratch scratch_;
  std::unordered_set<State, Hash> known_;
  std::vector<State> waiting_;
};

// An invariant is broken in many states; of those where nobody can move, all must be there.
void expect_same(const Found& reduced, const Found& whole, const std::string& which) {
  const auto missing = [](const auto& all, const auto& some) {
    std::vector<std::string> result;
    for (const auto& one : all)
      if (!some.contains(one)) result.push_back(fmt::format("{}", one));
    return result;
  };
  ASSERT_EQ(missing(whole.findings, reduced.findings), std::vector<std::string>{}) << which;
  ASSERT_EQ(missing(reduced.findings, whole.findings), std::vector<std::string>{}) << which;
  ASSERT_EQ(missing(whole.rules, reduced.rules), std::vector<std::string>{}) << which;
  ASSERT_LE(reduced.states, whole.states) << which;
}

class Orders : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Orders, OfIndependentStepsMakeNoDifference) {
  std::uint64_t compared = 0, reduced_ones = 0, states = 0, reduced_states = 0;
  const std::uint64_t count = test::sample_of(order_protocols) / order_shards;
  const std::uint64_t begin = first_seed() + GetParam() * count;
  for (std::uint64_t seed = begin; seed < begin + count; ++seed) {
    const std::string text = random_protocol(seed);
    const test::Compiled compiled = test::compile(text, order_setup(seed));
    const Found whole = PlainSearch(compiled.program, nullptr, compared_states() / 5).run();
    if (!whole.is_whole) continue;
    ++compared;
    const auto selector = make_order_reduction(compiled.program, ReceptionPolicy::blocked);
    if (!selector) continue;
    const Found reduced = PlainSearch(compiled.program, selector.get(), whole.states).run();
    expect_same(reduced, whole, fmt::format("seed {}\n{}", seed, text));
    if (HasFatalFailure()) return;
    reduced_ones += reduced.states < whole.states;
    states += whole.states;
    reduced_states += reduced.states;
  }
  EXPECT_GE(compared, count / 2);
  EXPECT_GE(reduced_ones, compared / 4) << "too few had anything to reduce";
  EXPECT_LE(reduced_states, states * 9 / 10);
}

// With what no language says: rules that move several processes, channels with several readers.
TEST(OrdersOfTables, OfIndependentStepsMakeNoDifference) {
  std::uint64_t compared = 0, reduced_ones = 0;
  const std::uint64_t count = test::sample_of(3000);
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
    const Program program = random_table(seed);
    const Found whole = PlainSearch(program, nullptr, 2000).run();
    const auto selector = make_order_reduction(program, ReceptionPolicy::blocked);
    if (!whole.is_whole || !selector) continue;
    ++compared;
    const Found reduced = PlainSearch(program, selector.get(), whole.states).run();
    expect_same(reduced, whole, fmt::format("seed {}", seed));
    if (HasFatalFailure()) return;
    reduced_ones += reduced.states < whole.states;
  }
  EXPECT_GE(reduced_ones, count / 200) << compared;
}

TEST(OrdersOfModels, OfIndependentStepsMakeNoDifference) {
  std::uint64_t states = 0, reduced_states = 0;
  for (const std::string& name : test::model_names())
    for (const TimeoutPolicy timeouts : {TimeoutPolicy::empty, TimeoutPolicy::lock}) {
      const test::Compiled compiled = test::compile(test::model_text(name), {.timeouts = timeouts});
      const Found whole = PlainSearch(compiled.program, nullptr, compared_states() / 2).run();
      const auto selector = make_order_reduction(compiled.program, ReceptionPolicy::blocked);
      if (!whole.is_whole || !selector) continue;
      const Found reduced = PlainSearch(compiled.program, selector.get(), whole.states).run();
      expect_same(reduced, whole, name);
      states += whole.states;
      reduced_states += reduced.states;
    }
  EXPECT_LT(reduced_states * 10, states * 8) << "it should be worth something";
}

// ---- faults ------------------------------------------------------------------------------------

struct OrderFault {
  std::string name;
  std::function<void(const Program&, OrderTables&)> plant;  // in the tables
  bool forgives_failures = false;                           // or in what is done with failures
};

// What the rows of rules would be if they did less than they do.
void disturbed_as_if(const Program& program, OrderTables& tables,
                     const std::function<void(Rule&)>& change) {
  Program other = program;
  for (Rule& rule : other.rules) change(rule);
  make_error_table(other);
  const OrderTables wrong(other);
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Dependence::Row row = wrong.dependence.rules[id].disturbed;
    const Dependence::Row mine = tables.dependence.rules[id].disturbed;
    if (wrong.dependence.width(row) < tables.dependence.width(mine))
      tables.dependence.rules[id].disturbed = Dependence::nobody;
  }
}

void forget_reasons(OrderTables& tables, const std::function<void(Dependence::OfRule&)>& forget) {
  for (Dependence::OfRule& rule : tables.dependence.rules) forget(rule);
}

// As they are, with a set of rules that T may have.
void choose_anyway(const Program& program, OrderTables& tables, bool visible, bool circles) {
  for (RuleId id = 0; id < program.rules.size(); ++id)
    tables.is_never_chosen[id] = program.class_of(id) > 0 || (!visible && tables.is_visible[id]) ||
                                 (!circles && tables.breaks_circles[id]);
}

std::vector<OrderFault> order_faults() {
  return {
      {"a circle need not be broken",
       [](const Program& program, OrderTables& tables) {
         choose_anyway(program, tables, false, true);
       }},
      {"what is visible may be chosen",
       [](const Program& program, OrderTables& tables) {
         choose_anyway(program, tables, true, false);
       }},
      {"sends of several processes to one channel are independent",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) {
           if (rule.kind == ActionKind::send) rule.kind = ActionKind::lose;
         });
       }},
      {"a timeout is independent of what is sent",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) {
           if (rule.kind == ActionKind::timeout) rule.kind = ActionKind::internal;
         });
       }},
      {"assignments to shared variables are independent",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) { rule.assignments.clear(); });
       }},
      {"conditions on shared variables are independent of who writes them",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) { rule.conditions.clear(); });
       }},
      {"assertions are independent of the order of what they see",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) { rule.assertion_moves.clear(); });
       }},
      {"what is atomic is its first step",
       [](const Program& program, OrderTables& tables) {
         disturbed_as_if(program, tables, [](Rule& rule) { rule.ends_inside = false; });
       }},
      {"nobody sends what a receive waits for",
       [](const Program&, OrderTables& tables) {
         forget_reasons(tables, [](auto& rule) { rule.sent = Dependence::nobody; });
       }},
      {"nobody takes what keeps a send waiting",
       [](const Program&, OrderTables& tables) {
         forget_reasons(tables, [](auto& rule) { rule.taken = Dependence::nobody; });
       }},
      {"nobody makes a condition hold",
       [](const Program&, OrderTables& tables) {
         forget_reasons(tables, [](auto& rule) {
           for (auto& condition : rule.conditions) condition.changed = Dependence::nobody;
         });
       }},
      {"nobody comes to a rendezvous",
       [](const Program&, OrderTables& tables) {
         forget_reasons(tables, [](auto& rule) {
           for (auto& row : rule.arrived) row = Dependence::nobody;
         });
       }},
      {"a step that fails justifies leaving others out", {}, true},
  };
}

bool is_caught(const OrderFault& fault, std::uint64_t seed) {
  const test::Compiled compiled = test::compile(random_protocol(seed), order_setup(seed));
  const Found whole = PlainSearch(compiled.program, nullptr, 2000).run();
  if (!whole.is_whole) return false;
  OrderTables tables(compiled.program);
  if (fault.plant) fault.plant(compiled.program, tables);
  const auto selector = make_order_reduction(compiled.program, std::move(tables));
  if (!selector) return false;
  PlainSearch search(compiled.program, selector.get(), whole.states);
  search.forgives_failures = fault.forgives_failures;
  const Found reduced = search.run();
  return reduced.findings != whole.findings || reduced.rules != whole.rules;
}

TEST(OrderFaults, AreCaught) {
  for (const OrderFault& fault : order_faults()) {
    std::uint64_t seed = 0;
    while (seed < 3000 && !is_caught(fault, seed)) ++seed;
    EXPECT_LT(seed, 3000u) << "nobody notices that " << fault.name;
    RecordProperty(fault.name, static_cast<int>(seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, Orders, testing::Range<std::uint64_t>(0, order_shards));

}  // namespace
}  // namespace panoptes::differential
