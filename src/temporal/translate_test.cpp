// SPDX-License-Identifier: Apache-2.0
// Automata accept the words of which the formula holds, as it is defined: tried on random formulas
// and short words. And faults that are planted are noticed.
#include "temporal/translate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "support/lassos.hpp"
#include "support/sample.hpp"
#include "temporal/degeneralise.hpp"
#include "temporal/normal_form.hpp"

namespace panoptes {
namespace {

using test::Lasso;

BuchiAutomaton automaton_of(const Formula& formula) {
  Result<BuchiAutomaton, TranslationFailure> made = translate(formula);
  EXPECT_TRUE(made) << made.failure().reason;
  return made ? std::move(*made) : BuchiAutomaton{0, 0, {{}}};
}

BuchiAutomaton automaton_of(const char* text) { return automaton_of(test::formula_of(text)); }

// Lassos to try formula number `seed` on: all where they are few, else a sample of its own.
std::vector<Lasso> some_lassos(unsigned atoms, std::uint64_t seed) {
  static const std::vector<Lasso> all[] = {test::all_lassos(1), test::all_lassos(2),
                                           test::all_lassos(3)};
  const std::vector<Lasso>& lassos = all[atoms - 1];
  constexpr std::size_t most = 100;
  if (lassos.size() <= most) return lassos;
  std::vector<Lasso> sample;
  while (sample.size() < most) sample.push_back(lassos[next_random(seed) % lassos.size()]);
  return sample;
}

struct RandomCase {
  unsigned atoms;
  Formula formula;
  std::vector<Lasso> lassos;
};

RandomCase random_case(std::uint64_t seed) {
  const auto atoms = static_cast<unsigned>(1 + seed % 3);
  const auto size = static_cast<unsigned>(1 + seed / 3 % 12);
  return {atoms, test::random_formula(seed, atoms, size, seed % 2 == 0), some_lassos(atoms, seed)};
}

// A lasso on which automaton and formula do not agree.
std::optional<Lasso> difference(const BuchiAutomaton& automaton, const Formula& formula,
                                const std::vector<Lasso>& lassos) {
  for (const Lasso& lasso : lassos)
    if (accepts(automaton, lasso) != holds_on_lasso(formula, lasso.stem, lasso.cycle)) return lasso;
  return {};
}

std::string lasso_text(const Lasso& lasso) {
  std::string text;
  for (const Valuation at : lasso.stem) text += std::to_string(at) + " ";
  text += "(";
  for (const Valuation at : lasso.cycle) text += " " + std::to_string(at);
  return text + " )";
}

TEST(Translation, AcceptsTheWordsOfWhichTheFormulaHolds) {
  const std::uint64_t count = test::sample_of(9'000);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomCase random = random_case(seed);
    for (const Formula& formula : {random.formula, negation(random.formula)}) {
      const BuchiAutomaton plain = automaton_of(formula);
      const BuchiAutomaton one = degeneralise(plain);
      EXPECT_EQ(one.mark_count, 1u);
      for (const BuchiAutomaton& automaton : {plain, one}) {
        const std::optional<Lasso> lasso = difference(automaton, formula, random.lassos);
        ASSERT_FALSE(lasso) << to_text(formula, test::atom_names()) << " on " << lasso_text(*lasso)
                            << (automaton == one ? " degeneralised" : "") << ", seed " << seed;
      }
    }
  }
}

// Larger formulas of the kinds that people write: patterns over random small formulas.
TEST(Translation, AcceptsTheWordsOfWhichPatternsHold) {
  const std::uint64_t count = test::sample_of(1'500);
  constexpr FormulaOp unary[] = {FormulaOp::eventually, FormulaOp::always};
  constexpr FormulaOp binary[] = {FormulaOp::implication, FormulaOp::conjunction,
                                  FormulaOp::disjunction, FormulaOp::equivalence};
  for (std::uint64_t number = 1; number <= count; ++number) {
    std::uint64_t seed = number;
    Formula formula;
    std::vector<FormulaId> parts;
    for (unsigned part = 0; part < 3; ++part) {
      FormulaId id = test::add_random(formula, seed, 3, 1 + number % 4, number % 3 == 0);
      for (unsigned i = 0; i < 2; ++i) id = formula.unary(unary[next_random(seed) % 2], id);
      parts.push_back(id);
    }
    const FormulaId left = formula.binary(binary[next_random(seed) % 4], parts[0], parts[1]);
    formula.binary(binary[next_random(seed) % 4], left, parts[2]);
    const std::vector<Lasso> lassos = some_lassos(3, number);
    for (const Formula& each : {formula, negation(formula)}) {
      const std::optional<Lasso> lasso = difference(automaton_of(each), each, lassos);
      ASSERT_FALSE(lasso) << to_text(each, test::atom_names()) << " on " << lasso_text(*lasso);
      const BuchiAutomaton one = degeneralise(automaton_of(each));
      ASSERT_FALSE(difference(one, each, lassos)) << to_text(each, test::atom_names());
    }
  }
}

TEST(Translation, MakesSmallAutomata) {
  struct Expectation {
    const char* formula;
    std::size_t states;
    std::uint32_t marks;
  };
  const Expectation expected[] = {
      {"true", 1, 0},
      {"false", 1, 0},
      {"[] p", 1, 0},
      {"<> p", 2, 1},
      {"[] <> p", 1, 1},
      {"<> [] p", 2, 1},
      {"<> [] <> p", 1, 1},
      {"[] <> X p", 1, 1},
      {"X X p", 4, 0},
      {"p U q", 2, 1},
      {"p W q", 2, 0},
      {"[] (p -> <> q)", 2, 1},
      {"([] <> p) && ([] <> q)", 1, 2},
      {"[] <> (p U q)", 1, 1},
      {"([] <> p) -> ([] <> q)", 3, 1},
  };
  for (const Expectation& each : expected) {
    const BuchiAutomaton automaton = automaton_of(each.formula);
    EXPECT_EQ(automaton.states(), each.states) << each.formula;
    EXPECT_EQ(automaton.mark_count, each.marks) << each.formula;
  }
  EXPECT_TRUE(automaton_of("false").edges[0].empty());
  EXPECT_TRUE(automaton_of("(<> p) && ([] !p)").edges[0].empty());
}

TEST(Translation, KeepsEdgesApartWhereOneAtomCan) {
  const BuchiAutomaton automaton = automaton_of("[] <> p");
  ASSERT_EQ(automaton.edges[0].size(), 2u);
  EXPECT_EQ(automaton.edges[0][0], (BuchiEdge{0, 0, 1, 0}));
  EXPECT_EQ(automaton.edges[0][1], (BuchiEdge{0, 1, 0, 1}));
}

TEST(Translation, RefusesWhatIsTooLarge) {
  const auto reason = [](const Formula& formula, const TranslationLimits& limits) {
    const Result<BuchiAutomaton, TranslationFailure> made = translate(formula, limits);
    return made ? "" : made.failure().reason;
  };
  Formula promises, always, far;
  promises.constant(true);
  for (std::uint32_t atom = 0; atom < 40; ++atom) {
    const FormulaId so_far = promises.root;
    const FormulaId eventually = promises.unary(FormulaOp::eventually, promises.atom(atom));
    promises.binary(FormulaOp::conjunction, so_far, eventually);
  }
  EXPECT_NE(reason(promises, {}), "");
  far.atom(0);
  for (int i = 0; i < 100; ++i) far.unary(FormulaOp::next, far.root);
  EXPECT_EQ(reason(far, {}), "");
  TranslationLimits few;
  few.states = 50;
  EXPECT_EQ(reason(far, few), "too many states");
  few = {};
  few.formulas = 50;
  EXPECT_EQ(reason(far, few), "too many subformulas");
  few = {};
  few.edges = 50;
  EXPECT_EQ(reason(far, few), "too many edges");
  few = {};
  few.edges_of_state = 3;
  TranslationLimits little;
  little.comparisons = 5;
  EXPECT_EQ(reason(far, little), "too many edges to compare");
  const char* const two = "([] <> p) && ([] <> q)";
  EXPECT_EQ(reason(test::formula_of(two), few), "too many edges of one state");
}

TEST(Translation, IsTheSameWithinItsLimitsOrRefused) {
  unsigned refused = 0, made = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Formula formula = random_case(seed).formula;
    TranslationLimits few;
    few.edges_of_state = 1 + seed % 7;
    const Result<BuchiAutomaton, TranslationFailure> automaton = translate(formula, few);
    ++(automaton ? made : refused);
    if (automaton) {
      EXPECT_EQ(*automaton, automaton_of(formula)) << to_text(formula, test::atom_names());
    }
  }
  EXPECT_GT(refused, 50u);
  EXPECT_GT(made, 50u);
}

TEST(Translation, MakesOneStateOfManyThatAreMetAgainAndAgain) {
  Formula formula;
  formula.constant(true);
  for (std::uint32_t atom = 0; atom < 8; ++atom) {
    const FormulaId so_far = formula.root;
    const FormulaId eventually = formula.unary(FormulaOp::eventually, formula.atom(atom));
    const FormulaId again = formula.unary(FormulaOp::always, eventually);
    formula.binary(FormulaOp::conjunction, so_far, again);
  }
  const BuchiAutomaton automaton = automaton_of(formula);
  EXPECT_EQ(automaton.states(), 1u);
  EXPECT_EQ(automaton.edges[0].size(), 256u);
  EXPECT_EQ(automaton.mark_count, 8u);
  EXPECT_EQ(degeneralise(automaton).states(), 8u);
}

// ---- planted faults -----------------------------------------------------------------------------

using FormulaFault = std::function<void(Formula&)>;
using AutomatonFault = std::function<void(BuchiAutomaton&)>;

FormulaFault exchange(FormulaOp from, FormulaOp to) {
  return [=](Formula& formula) {
    for (FormulaNode& node : formula.nodes)
      if (node.op == from) node.op = to;
  };
}

AutomatonFault on_each_edge(const std::function<void(BuchiEdge&)>& fault) {
  return [=](BuchiAutomaton& automaton) {
    for (std::vector<BuchiEdge>& edges : automaton.edges)
      for (BuchiEdge& edge : edges) fault(edge);
  };
}

// On the first edge that it can be planted in.
AutomatonFault on_one_edge(const std::function<bool(BuchiEdge&)>& fault) {
  return [=](BuchiAutomaton& automaton) {
    for (std::vector<BuchiEdge>& edges : automaton.edges)
      for (BuchiEdge& edge : edges)
        if (fault(edge)) return;
  };
}

struct PlantedFault {
  const char* name;
  FormulaFault formula = nullptr;
  AutomatonFault automaton = nullptr;
};

const std::vector<PlantedFault>& planted_faults() {
  static const std::vector<PlantedFault> faults = {
      {"release is until", exchange(FormulaOp::release, FormulaOp::until)},
      {"until is weak", exchange(FormulaOp::until, FormulaOp::weak_until)},
      {"next is dropped",
       [](Formula& formula) {
         for (FormulaNode& node : formula.nodes)
           if (node.op == FormulaOp::next) node = {FormulaOp::conjunction, node.a, node.a};
       }},
      {"a mark is forgotten", {}, on_each_edge([](BuchiEdge& edge) { edge.marks |= 1; })},
      {"an edge has a mark too few", {}, on_one_edge([](BuchiEdge& edge) {
         const std::uint32_t old = edge.marks;
         edge.marks &= old - 1;
         return old != 0;
       })},
      {"a negative literal is lost", {}, on_one_edge([](BuchiEdge& edge) {
         const Valuation old = edge.must_not_hold;
         edge.must_not_hold &= old - 1;
         return old != 0;
       })},
      {"a positive literal is lost", {}, on_one_edge([](BuchiEdge& edge) {
         const Valuation old = edge.must_hold;
         edge.must_hold &= old - 1;
         return old != 0;
       })},
      {"an edge is lost",
       {},
       [](BuchiAutomaton& automaton) {
         if (!automaton.edges.back().empty()) automaton.edges.back().pop_back();
       }},
      {"the word begins one state later",
       {},
       [](BuchiAutomaton& automaton) {
         automaton.initial =
             static_cast<BuchiStateId>((automaton.initial + 1) % automaton.states());
       }},
  };
  return faults;
}

// How many of the first formulas show it.
unsigned times_noticed(const PlantedFault& fault) {
  unsigned times = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomCase random = random_case(seed);
    Formula changed = random.formula;
    if (fault.formula) fault.formula(changed);
    BuchiAutomaton automaton = automaton_of(changed);
    if (fault.automaton) fault.automaton(automaton);
    times += difference(automaton, random.formula, random.lassos).has_value();
  }
  return times;
}

TEST(Translation, PlantedFaultsAreNoticed) {
  EXPECT_EQ(times_noticed({"none", {}, {}}), 0u);
  for (const PlantedFault& fault : planted_faults())
    EXPECT_GT(times_noticed(fault), 0u) << fault.name;
}

// ---- rewriting ----------------------------------------------------------------------------------

TEST(NormalForms, AreEqualWhereFormulasAre) {
  const std::pair<const char*, const char*> equal[] = {
      {"p && p", "p"},
      {"p && (p || q)", "p"},
      {"p || (p && q)", "p"},
      {"p && (!p || q)", "p && q"},
      {"p && !p", "false"},
      {"<> <> p", "<> p"},
      {"<> [] <> p", "[] <> p"},
      {"[] <> [] p", "<> [] p"},
      {"X [] <> p", "[] <> p"},
      {"[] X p", "X [] p"},
      {"(X p) U (X q)", "X (p U q)"},
      {"(X p) && (X q)", "X (p && q)"},
      {"p U (<> q)", "<> q"},
      {"p R ([] q)", "[] q"},
      {"p U (p U q)", "p U q"},
      {"(p U q) U q", "p U q"},
      {"(p && !q) U q", "p U q"},
      {"!(p U q)", "!p R !q"},
      {"([] p) && ([] q)", "[] (p && q)"},
      {"(<> p) || (<> q)", "<> (p || q)"},
      {"(<> [] p) && (<> [] q)", "<> [] (p && q)"},
      {"([] <> p) || ([] <> q)", "[] <> (p || q)"},
      {"(p U r) && (q U r)", "(p && q) U r"},
      {"<> (p && ([] <> q))", "(<> p) && ([] <> q)"},
      {"<> [] (p || (<> q))", "(<> [] p) || ([] <> q)"},
      {"[] <> (p || (<> q))", "[] <> (p || q)"},
      {"(<> p) && ([] !p)", "false"},
      {"([] <> p) -> ([] <> q)", "<> (([] !p) || ([] <> q))"},
      {"p W q", "q R (p || q)"},
  };
  for (const auto& [left, right] : equal) {
    NormalForms forms(10'000);
    EXPECT_EQ(forms.of(test::formula_of(left)), forms.of(test::formula_of(right)))
        << left << " and " << right;
    EXPECT_EQ(forms.of(negation(test::formula_of(left))),
              forms.of(negation(test::formula_of(right))))
        << left << " and " << right << ", negated";
    EXPECT_FALSE(forms.is_full());
  }
}

}  // namespace
}  // namespace panoptes
