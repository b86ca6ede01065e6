// SPDX-License-Identifier: Apache-2.0
// The second opinion on temporal formulas, on graphs whose answers are plain to see; and against
// automata of the same formulas, with what is fair as a part of the formula.
#include "differential/plain_temporal.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "support/lassos.hpp"
#include "support/sample.hpp"
#include "temporal/components.hpp"
#include "temporal/translate.hpp"

namespace panoptes::differential {
namespace {

PlainFormula plain(const Formula& formula, FormulaId id) {
  static const char* const names[] = {"",   "atom", "!",   "X", "<>", "[]", "&&",
                                      "||", "->",   "<->", "U", "W",  "R",  "M"};
  const FormulaNode& node = formula[id];
  if (node.op == FormulaOp::constant) return {node.a != 0 ? "true" : "false"};
  PlainFormula result{names[static_cast<std::size_t>(node.op)]};
  if (node.op == FormulaOp::atom) {
    result.atom = static_cast<int>(node.a);
    return result;
  }
  result.parts.push_back(plain(formula, node.a));
  if (is_binary(node.op)) result.parts.push_back(plain(formula, node.b));
  return result;
}

enum class Fairness { none, weak, strong };

std::vector<PlainDemand> demands(const PlainStateGraph& graph, Fairness fairness) {
  if (fairness == Fairness::none) return {};
  return process_demands(graph, 2, fairness == Fairness::strong);
}

bool fails(const PlainStateGraph& graph, const char* text, Fairness fairness = Fairness::none) {
  const Formula formula = test::formula_of(text);
  return has_counterexample(graph, plain(formula, formula.root), demands(graph, fairness));
}

// Which of none, weak and strong leave a run of which the formula does not hold.
std::string failing(const PlainStateGraph& graph, const char* text) {
  std::string names;
  if (fails(graph, text, Fairness::none)) names += "none ";
  if (fails(graph, text, Fairness::weak)) names += "weak ";
  if (fails(graph, text, Fairness::strong)) names += "strong ";
  return names;
}

// Atoms: p is 0, q is 1, r is 2.

TEST(PlainTemporal, WhoCanAlwaysMoveDoesWhereThatIsFair) {
  // Process 0 goes round in the first state, in which process 1 can leave it.
  const PlainStateGraph graph{{{}, {1}}, {{{0, {0}}, {1, {1}}}, {}}};
  EXPECT_EQ(failing(graph, "<> q"), "none ");
  EXPECT_EQ(failing(graph, "<> p"), "none weak strong ");
  EXPECT_EQ(failing(graph, "!q"), "");
}

TEST(PlainTemporal, WhoCanMoveAgainAndAgainDoesWhereThatIsStronglyFair) {
  // Process 0 goes to and fro; process 1 can move in one of the two states.
  PlainStateGraph graph{{{}, {0}, {1}}, {{{1, {0}}, {2, {1}}}, {{0, {0}}}, {}}};
  EXPECT_EQ(failing(graph, "<> q"), "none weak ");
  EXPECT_EQ(failing(graph, "([] <> p) || (<> q)"), "");
  // It may also stay where process 1 cannot move, and owes it nothing.
  graph.steps[1].push_back({1, {0}});
  EXPECT_EQ(failing(graph, "<> q"), "none weak strong ");
  EXPECT_EQ(failing(graph, "(<> q) || (<> [] p)"), "none weak ");
}

TEST(PlainTemporal, ARendezvousIsAMoveOfBoth) {
  const PlainStateGraph graph{{{}, {1}}, {{{1, {0, 1}}, {0, {0}}}, {{0, {0, 1}}}}};
  EXPECT_EQ(failing(graph, "[] <> q"), "none ");
  const PlainStateGraph alone{{{}, {1}}, {{{0, {0, 1}}, {1, {1}}}, {{0, {0, 1}}}}};
  EXPECT_EQ(failing(alone, "[] <> q"), "none weak strong ");
}

TEST(PlainTemporal, TheLastStateOfARunGoesOnWithoutEvents) {
  const PlainStateGraph graph{{{}, {0}}, {{{1, {0}, {2}}}, {}}};
  EXPECT_EQ(failing(graph, "<> [] p"), "");
  EXPECT_EQ(failing(graph, "X (p && (r && X (p && !r)))"), "");
  EXPECT_EQ(failing(graph, "<> r"), "");
  EXPECT_EQ(failing(graph, "[] <> r"), "none weak strong ");
  EXPECT_EQ(failing(graph, "!r"), "");
  EXPECT_EQ(failing(graph, "r"), "none weak strong ");
  const PlainStateGraph nothing{{{0}}, {{}}};
  EXPECT_EQ(failing(nothing, "[] p"), "");
  EXPECT_EQ(failing(nothing, "<> q"), "none weak strong ");
}

TEST(PlainTemporal, EventsAreOfTheStepThatLedToAState) {
  // Two steps lead to the same state, one of them with an event.
  const PlainStateGraph graph{{{}, {0}}, {{{1, {0}, {2}}, {1, {0}}}, {{0, {0}}}}};
  EXPECT_EQ(failing(graph, "[] (r -> p)"), "");
  EXPECT_EQ(failing(graph, "[] (p -> r)"), "none weak strong ");
  EXPECT_EQ(failing(graph, "[] <> r"), "none weak strong ");
  EXPECT_EQ(failing(graph, "[] !r"), "none weak strong ");
}

TEST(PlainTemporal, KnowsEveryOperator) {
  // p for three positions, then q for ever.
  const PlainStateGraph graph{{{0}, {0}, {0}, {1}}, {{{1}}, {{2}}, {{3}}, {}}};
  for (const char* const holds :
       {"p U q", "p W q", "!q R p", "q R (p || q)", "q M (p || q)", "<> [] q", "X X X q",
        "(X X p) && !(X X X p)", "[] (p <-> !q)", "true U q", "[] (p -> <> q)", "!(q U p) -> p"})
    EXPECT_FALSE(fails(graph, holds)) << holds;
  for (const char* const fail : {"[] p", "<> (p && q)", "p M q", "X X X p", "false", "p R q",
                                 "[] (p -> X p)", "q W (p && q)"})
    EXPECT_TRUE(fails(graph, fail)) << fail;
}

// ---- against automata ---------------------------------------------------------------------------

constexpr int event = 2, can_move = 3, has_moved = 5;  // atoms; of the first of two processes

void add_step(PlainStateGraph& graph, std::size_t state, PlainStep step) {
  for (const std::size_t process : step.processes) {
    step.events.insert(has_moved + static_cast<int>(process));
    graph.atoms[state].insert(can_move + static_cast<int>(process));
  }
  graph.steps[state].push_back(std::move(step));
}

// Steps from anywhere to anywhere.
PlainStateGraph tangle(std::uint64_t seed) {
  const auto draw = [&](std::uint64_t below) { return next_random(seed) % below; };
  const std::size_t states = 2 + draw(5);
  PlainStateGraph graph;
  graph.atoms.resize(states);
  graph.steps.resize(states);
  for (std::size_t state = 0; state < states; ++state) {
    if (draw(2) == 0) graph.atoms[state].insert(0);
    if (draw(3) == 0) graph.atoms[state].insert(1);
    for (std::uint64_t steps = draw(4); steps > 0; --steps) {
      PlainStep step{draw(states)};
      const std::uint64_t who = draw(5);  // 4: both
      if (who != 0) step.processes.insert(who % 2);
      if (who == 4) step.processes.insert(1);
      if (draw(3) == 0) step.events.insert(event);
      add_step(graph, state, std::move(step));
    }
  }
  return graph;
}

// Two processes of three control states, each with steps that need the other to be somewhere.
PlainStateGraph two_processes(std::uint64_t seed) {
  const auto draw = [&](std::uint64_t below) { return next_random(seed) % below; };
  PlainStateGraph graph;
  graph.atoms.resize(9);
  graph.steps.resize(9);
  for (std::size_t state = 0; state < 9; ++state) {
    if (state / 3 == 1) graph.atoms[state].insert(0);
    if (state % 3 == 1) graph.atoms[state].insert(1);
  }
  for (const std::size_t process : {std::size_t{0}, std::size_t{1}}) {
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::uint64_t steps = 1 + draw(2); steps > 0; --steps) {
        const std::uint64_t others = 1 + draw(7), to = draw(3);
        const bool has_event = draw(3) == 0;
        for (std::size_t other = 0; other < 3; ++other) {
          if ((others >> other & 1) == 0) continue;
          const std::size_t source = process == 0 ? from * 3 + other : other * 3 + from;
          const std::size_t target = process == 0 ? to * 3 + other : other * 3 + to;
          PlainStep step{target, {process}};
          if (has_event) step.events.insert(event);
          add_step(graph, source, std::move(step));
        }
      }
    }
  }
  return graph;
}

// What is fair to both processes, and the formula does not hold.
Formula fair_and_not(Formula formula, Fairness fairness) {
  FormulaId all = formula.unary(FormulaOp::negation, formula.root);
  for (std::uint32_t process = 0; process < 2 && fairness != Fairness::none; ++process) {
    const auto twice = [&](FormulaOp outer, FormulaOp inner, FormulaId id) {
      return formula.unary(outer, formula.unary(inner, id));
    };
    const bool is_strong = fairness == Fairness::strong;
    const FormulaId asks = formula.atom(can_move + process);
    const FormulaId asked = is_strong ? twice(FormulaOp::always, FormulaOp::eventually, asks)
                                      : twice(FormulaOp::eventually, FormulaOp::always, asks);
    const FormulaId moved =
        twice(FormulaOp::always, FormulaOp::eventually, formula.atom(has_moved + process));
    all = formula.binary(FormulaOp::conjunction, all,
                         formula.binary(FormulaOp::implication, asked, moved));
  }
  return formula;
}

Valuation valuation(const PlainStateGraph& graph, std::size_t state, const std::set<int>& events) {
  Valuation atoms = 0;
  for (const int atom : graph.atoms[state]) atoms |= Valuation{1} << atom;
  for (const int atom : events) atoms |= Valuation{1} << atom;
  return atoms;
}

// Whether some run of the graph is accepted: the product, as an automaton that reads nothing.
bool has_accepted_run(const PlainStateGraph& graph, const BuchiAutomaton& automaton) {
  using Pair = std::tuple<std::size_t, std::set<int>, BuchiStateId>;
  std::map<Pair, BuchiStateId> numbers;
  std::vector<Pair> pairs;
  const auto reach = [&](const Pair& pair) {
    const auto [at, is_new] = numbers.emplace(pair, static_cast<BuchiStateId>(pairs.size()));
    if (is_new) pairs.push_back(pair);
    return at->second;
  };
  BuchiAutomaton product{0, automaton.mark_count, {}};
  reach({0, {}, automaton.initial});
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const auto [state, events, control] = pairs[at];
    std::vector<PlainStep> steps = graph.steps[state];
    if (steps.empty()) steps.push_back({state});
    std::vector<BuchiEdge> edges;
    for (const BuchiEdge& edge : automaton.edges[control])
      if (edge.allows(valuation(graph, state, events)))
        for (const PlainStep& step : steps)
          edges.push_back({reach({step.target, step.events, edge.target}), 0, 0, edge.marks});
    product.edges.push_back(edges);
  }
  const std::vector<bool> accepts = components_of(product).accepts;
  return std::find(accepts.begin(), accepts.end(), true) != accepts.end();
}

// Every second one is about what happens in the end, or again and again: to whom that matters
// what is fair does.
Formula random_formula(std::uint64_t seed) {
  const auto size = static_cast<unsigned>(1 + seed % 5);
  Formula formula = test::random_formula(seed, 3, size, seed % 4 == 0);
  if (seed % 2 == 0) return formula;
  formula.unary(FormulaOp::eventually, formula.root);
  if (seed % 4 == 1) formula.unary(FormulaOp::always, formula.root);
  return formula;
}

TEST(PlainTemporal, SaysWhatAutomataSay) {
  const std::uint64_t count = test::sample_of(3'000);
  std::size_t failures[3] = {};
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const PlainStateGraph graph = seed % 3 == 0 ? tangle(seed) : two_processes(seed);
    const Formula formula = random_formula(seed);
    for (const Fairness fairness : {Fairness::none, Fairness::weak, Fairness::strong}) {
      const Result<BuchiAutomaton, TranslationFailure> automaton =
          translate(fair_and_not(formula, fairness));
      ASSERT_TRUE(automaton);
      const bool expected = has_accepted_run(graph, *automaton);
      failures[static_cast<std::size_t>(fairness)] += expected;
      ASSERT_EQ(has_counterexample(graph, plain(formula, formula.root), demands(graph, fairness)),
                expected)
          << to_text(formula, test::atom_names()) << ", seed " << seed << ", fairness "
          << static_cast<int>(fairness);
    }
  }
  // What is fair makes a difference, and not always.
  EXPECT_GT(failures[0], failures[1]);
  EXPECT_GT(failures[1], failures[2]);
  EXPECT_GT(failures[2], count / 5);
  EXPECT_LT(failures[0], count * 4 / 5);
}

}  // namespace
}  // namespace panoptes::differential
