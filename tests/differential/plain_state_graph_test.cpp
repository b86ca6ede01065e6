// SPDX-License-Identifier: Apache-2.0
// Temporal formulas about models, by the plain checker alone.
#include "differential/plain_state_graph.hpp"

#include <gtest/gtest.h>

#include "argos/parse.hpp"
#include "base/diagnostic.hpp"

namespace panoptes::differential {
namespace {

PlainFormula atom(int number) { return {"atom", number}; }
PlainFormula eventually(PlainFormula a) { return {"<>", 0, {std::move(a)}}; }
PlainFormula always(PlainFormula a) { return {"[]", 0, {std::move(a)}}; }
PlainFormula implies(PlainFormula a, PlainFormula b) {
  return {"->", 0, {std::move(a), std::move(b)}};
}

PlainWholeGraph graph_of(const std::string& text, const std::vector<PlainAtom>& atoms) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text("test.argos", text, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
  std::optional<PlainWholeGraph> whole = plain_state_graph(model, sources, {}, atoms);
  EXPECT_TRUE(whole);
  return whole.value_or(PlainWholeGraph{});
}

// Under none, weak and strong fairness of processes: f where a run is found, h where none is.
std::string answers(const PlainWholeGraph& whole, const PlainFormula& formula) {
  const std::size_t processes = whole.processes.size();
  std::string all;
  for (const std::vector<PlainDemand>& demands :
       {std::vector<PlainDemand>{}, process_demands(whole.graph, processes, false),
        process_demands(whole.graph, processes, true)})
    all += has_counterexample(whole.graph, formula, demands) ? "f" : "h";
  return all;
}

TEST(PlainStateGraph, HasEventsOfSendsAndReceives) {
  const PlainWholeGraph whole =
      graph_of("channel c[1]; proc p { do :: c!m od } proc q { do :: c?m od }",
               {event_atom("c!m"), event_atom("c?m")});
  EXPECT_EQ(whole.graph.steps.size(), 2u);
  EXPECT_EQ(whole.processes, (std::vector<std::string>{"p", "q"}));
  EXPECT_FALSE(whole.has_sequences);
  EXPECT_EQ(whole.graph.steps[0].at(0).events, (std::set<int>{0}));
  EXPECT_EQ(whole.graph.steps[0].at(0).processes, (std::set<std::size_t>{0}));
  EXPECT_EQ(whole.graph.steps[1].at(0).events, (std::set<int>{1}));
  EXPECT_EQ(whole.graph.steps[1].at(0).processes, (std::set<std::size_t>{1}));
  EXPECT_EQ(answers(whole, always(implies(atom(0), eventually(atom(1))))), "hhh");
  EXPECT_EQ(answers(whole, atom(0)), "fff");
}

TEST(PlainStateGraph, ARendezvousIsBothEvents) {
  const PlainWholeGraph whole =
      graph_of("channel c[0]; proc p { do :: c!m od } proc q { do :: c?m od }",
               {event_atom("c!m"), event_atom("c?m")});
  ASSERT_EQ(whole.graph.steps.size(), 1u);
  EXPECT_EQ(whole.graph.steps[0].at(0).events, (std::set<int>{0, 1}));
  EXPECT_EQ(whole.graph.steps[0].at(0).processes, (std::set<std::size_t>{0, 1}));
}

TEST(PlainStateGraph, WhoIsNeverServedIsWhereThatIsFair) {
  // p goes round by itself; q answers, if it ever moves.
  const std::string text =
      "channel c[1] = { m }; var done : 0..1; always (done == 1);"
      "proc p { var x : 0..1; do :: x = 1 - x od } proc q { c?m; done = 1 }";
  const PlainWholeGraph whole = graph_of(text, {invariant_atom(0), event_atom("c?m")});
  EXPECT_EQ(answers(whole, eventually(atom(0))), "fhh");
  EXPECT_EQ(answers(whole, implies(eventually(atom(1)), eventually(atom(0)))), "fhh");
  EXPECT_EQ(answers(whole, always(implies(atom(0), always(atom(0))))), "hhh");
}

TEST(PlainStateGraph, WhoIsServedOnlyAtTimesNeedsMoreThanWeakFairness) {
  const std::string text =
      "var x : 0..1; var done : 0..1; always (done == 1);"
      "proc p { do :: x = 1 - x od } proc q { when (x == 1) done = 1 }";
  const PlainWholeGraph whole = graph_of(text, {invariant_atom(0)});
  EXPECT_EQ(answers(whole, eventually(atom(0))), "ffh");
}

}  // namespace
}  // namespace panoptes::differential
