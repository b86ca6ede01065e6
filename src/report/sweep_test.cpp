// SPDX-License-Identifier: Apache-2.0
#include "report/sweep.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/count_of.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::json;

std::vector<Parameter> parameters(const std::vector<std::string>& texts) {
  std::vector<Parameter> result;
  for (const std::string& text : texts) result.push_back(*parse_parameter(text));
  return result;
}

SweepRun checked(Outcome outcome, std::uint64_t states, Promise promise = Promise::exhaustive) {
  SweepRun run;
  run.end = SweepEnd::checked;
  run.outcome = outcome;
  run.promise = promise;
  run.states = run.states_analysed = states;
  run.seconds = 0.25;
  return run;
}
SweepRun holding(std::uint64_t states) { return checked(Outcome::holds, states); }
SweepRun violated(std::uint64_t states) {
  SweepRun run = checked(Outcome::violated, states);
  run.errors = 1;
  run.shortest = ShortestError{"deadlock", "no process can move", 4, 8, true};
  return run;
}
SweepRun not_compiled(std::string problem) {
  SweepRun run;
  run.end = SweepEnd::not_compiled;
  run.problem = std::move(problem);
  return run;
}

SweepTable table_of(const std::vector<std::string>& texts, std::vector<SweepRun> runs) {
  SweepTable table;
  table.model = "m.argos";
  table.parameters = parameters(texts);
  table.runs = std::move(runs);
  return table;
}

// W=1..3 and LOSS=0,1, with an error from W=2 on where something is lost.
SweepTable small_table() {
  return table_of({"W=1..3", "LOSS=0,1"}, {holding(10), holding(100), holding(1000), violated(50),
                                           holding(12'000), violated(600)});
}

std::vector<std::string> smallest_of(const SweepTable& table) {
  std::vector<std::string> result;
  for (const SmallestError& error : smallest_errors(table))
    result.push_back(combination_text(table, error.combination) +
                     (error.is_certain ? "" : " (perhaps)"));
  return result;
}

using Texts = std::vector<std::string>;

TEST(Combinations, AreNumberedTheLastParameterFirst) {
  const SweepTable table = small_table();
  EXPECT_EQ(combination_text(table, 0), "W=1 LOSS=0");
  EXPECT_EQ(combination_text(table, 1), "W=1 LOSS=1");
  EXPECT_EQ(combination_text(table, 2), "W=2 LOSS=0");
  EXPECT_EQ(combination_text(table, 5), "W=3 LOSS=1");
}

TEST(SmallestErrors, AreThoseBelowWhichThereIsNone) {
  EXPECT_EQ(smallest_of(small_table()), Texts{"W=2 LOSS=1"});
  EXPECT_EQ(smallest_of(
                table_of({"A=1,2", "B=1,2"}, {holding(1), violated(1), violated(1), violated(1)})),
            (Texts{"A=1 B=2", "A=2 B=1"}));
  EXPECT_EQ(smallest_of(table_of({"A=1,2"}, {holding(1), holding(1)})), Texts{});
}

// Whatever the order in which values are given.
TEST(SmallestErrors, CompareNumbersAsNumbers) {
  EXPECT_EQ(smallest_of(table_of({"A=10,9"}, {violated(1), violated(1)})), Texts{"A=9"});
  EXPECT_EQ(smallest_of(table_of({"A=3,-2"}, {violated(1), violated(1)})), Texts{"A=-2"});
}

TEST(SmallestErrors, TakeNothingForLessThanSomethingAndNoNameForLessThanAnother) {
  EXPECT_EQ(smallest_of(table_of({"F?"}, {violated(1), violated(1)})), Texts{"F=-"});
  EXPECT_EQ(smallest_of(table_of({"F?=lost,late"}, {holding(1), violated(1), violated(1)})),
            (Texts{"F=lost", "F=late"}));
  EXPECT_EQ(smallest_of(table_of({"F=none,lost"}, {violated(1), violated(1)})),
            (Texts{"F=none", "F=lost"}));
}

TEST(SmallestErrors, AreCertainOnlyWhereAllThatIsSmallerIsKnown) {
  EXPECT_EQ(smallest_of(table_of({"A=1..2"}, {SweepRun{}, violated(1)})), Texts{"A=2 (perhaps)"});
  for (const Promise promise : {Promise::hashed, Promise::partial})
    EXPECT_EQ(
        smallest_of(table_of(
            {"A=1..2"},
            {checked(promise == Promise::partial ? Outcome::unknown : Outcome::holds, 5, promise),
             violated(1)})),
        Texts{"A=2 (perhaps)"});
  // What is no protocol has no error.
  EXPECT_EQ(smallest_of(table_of({"A=1..2"}, {not_compiled("1:1: no"), violated(1)})),
            Texts{"A=2"});
  // What is not smaller does not matter.
  EXPECT_EQ(smallest_of(table_of({"A=1..2"}, {violated(1), SweepRun{}})), Texts{"A=1"});
}

TEST(Sweeps, RunWhatIsSmallerFirst) {
  for (const Texts& texts : {Texts{"A=3,1,2", "B?", "C=x,y"}, Texts{"A=1..7", "B=-3..3..2"},
                             Texts{"A=a,5,4,b", "B?=2,1"}}) {
    const std::vector<Parameter> all = parameters(texts);
    const std::vector<std::size_t> order = smaller_first(all);
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), count_combinations(all));
    EXPECT_EQ(order.size(), count_combinations(all));
    // If all have an error, none of the smallest comes behind one it is smaller than: cut the runs
    // anywhere, and the smallest of what was run are smallest in the end.
    SweepTable table = table_of(texts, std::vector<SweepRun>(order.size()));
    std::vector<SweepRun> errors(order.size(), violated(1));
    const Texts in_the_end = smallest_of(table_of(texts, errors));
    for (const std::size_t combination : order) {
      table.runs[combination] = violated(1);
      for (const std::string& each : smallest_of(table))
        EXPECT_NE(std::find(in_the_end.begin(), in_the_end.end(), each), in_the_end.end()) << each;
    }
    EXPECT_EQ(smallest_of(table), in_the_end);
  }
}

std::string text_of(const SweepTable& table, const SweepFacts& facts = {}) {
  return collected([&](const Sink& sink) { return sweep_text(table, facts, sink); });
}

TEST(SweepText, IsATableAndWhatFollowsFromIt) {
  SweepFacts facts;
  facts.command = "panoptes check m.argos -D W=2 -D LOSS=1";
  EXPECT_EQ(text_of(small_table(), facts),
            "W  LOSS  verdict   promise     states  shortest error\n"
            "1     0  holds     exhaustive      10\n"
            "1     1  holds     exhaustive     100\n"
            "2     0  holds     exhaustive   1,000\n"
            "2     1  violated  exhaustive      50  deadlock, 4 events, 8 steps\n"
            "3     0  holds     exhaustive  12,000\n"
            "3     1  violated  exhaustive     600  deadlock, 4 events, 8 steps\n"
            "\n"
            "smallest with an error: W=2 LOSS=1\n"
            "  panoptes check m.argos -D W=2 -D LOSS=1\n"
            "m.argos: 6 combinations: 4 hold, 2 violated\n");
}

TEST(SweepText, SaysWhatIsNotKnownAndWhy) {
  SweepRun late = checked(Outcome::unknown, 70, Promise::partial);
  late.stop = Stop::time;
  SweepRun cut = violated(7);
  cut.promise = Promise::partial;
  cut.stop = Stop::interrupted;
  cut.shortest->is_shortest = false;
  cut.shortest->events.reset();
  SweepRun failed;
  failed.end = SweepEnd::failed;
  failed.problem = "a trail does not\n\033[1mreplay";
  SweepRun starved;
  starved.end = SweepEnd::no_memory;
  starved.problem = "too little memory for this model";
  SweepTable table = table_of({"F?=a,b,c,d,e"},
                              {late, cut, not_compiled("3:7: `x`"), failed, starved, SweepRun{}});
  table.ended_by = Stop::interrupted;
  EXPECT_EQ(text_of(table),
            "F  verdict       promise  states  shortest error\n"
            "-  unknown       partial      70  (time limit reached)\n"
            "a  violated      partial       7  deadlock, 8 steps (perhaps not the shortest) "
            "(interrupted)\n"
            "b  not compiled                   3:7: `x`\n"
            "c  failed                         a trail does not  [1mreplay\n"
            "d  unknown                        too little memory for this model\n"
            "\n"
            "smallest with an error so far, since not all that are smaller are known: F=a\n"
            "interrupted: 1 of 6 combinations not run: F=e\n"
            "m.argos: 6 combinations: 1 violated, 2 unknown, 1 does not compile, 1 failed, "
            "1 not run\n");
}

TEST(SweepText, SaysWhereItIsNotAboutTheModelAsWritten) {
  SweepTable table = table_of({"W=1..2"}, {holding(1), holding(2)});
  for (SweepRun& run : table.runs) run.lines = "all lossy";
  table.runs[1].narrowed = "c to 1 slot of 2";
  EXPECT_EQ(text_of(table),
            "W  verdict  promise     states  shortest error\n"
            "1  holds    exhaustive       1\n"
            "2  holds    exhaustive       2\n"
            "\n"
            "m.argos: 2 combinations with narrowed channels: 2 hold\n"
            "lines: all lossy (--faults)\n"
            "narrowed: c to 1 slot of 2; nothing is said about the model as written (in 1 run)\n");
}

std::string csv_of(const SweepTable& table) {
  return collected([&](const Sink& sink) { return sweep_csv(table, sink); });
}

TEST(SweepCsv, HasARowForEveryCombination) {
  SweepTable table = table_of({"W=1..2", "F?=a b,\"x"}, {});
  table.runs = {holding(10), violated(5), not_compiled("1:2: a, \"b\""),
                SweepRun{},  SweepRun{},  SweepRun{}};
  EXPECT_EQ(csv_of(table),
            "W,F,verdict,promise,stop,states,states_analysed,transitions,depth,errors,kind,events,"
            "steps,seconds,memory_bytes,narrowed,lines,problem\n"
            "1,,holds,exhaustive,finished,10,10,0,0,0,,,,0.250,0,,,\n"
            "1,a b,violated,exhaustive,finished,5,5,0,0,1,deadlock,4,8,0.250,0,,,\n"
            "1,\"\"\"x\",not_compiled,,,,,,,,,,,0.000,,,,\"1:2: a, \"\"b\"\"\"\n"
            "2,,not_run,,,,,,,,,,,,,,,\n"
            "2,a b,not_run,,,,,,,,,,,,,,,\n"
            "2,\"\"\"x\",not_run,,,,,,,,,,,,,,,\n");
}

TEST(SweepJson, HasTheSame) {
  SweepTable table =
      table_of({"W=1..2", "F?"}, {holding(10), violated(5), not_compiled("no"), SweepRun{}});
  table.ended_by = Stop::time;
  SweepFacts facts;
  facts.options = {{"D", "W=1..2 F?"}};
  const Json json =
      Json::parse(collected([&](const Sink& sink) { return sweep_json(table, facts, sink); }));
  EXPECT_EQ(json["schema"], "panoptes-sweep-1");
  EXPECT_EQ(json["model"], "m.argos");
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["stop"], "time limit reached");
  EXPECT_EQ(json["options"]["D"], "W=1..2 F?");
  EXPECT_EQ(json["combinations"], 4);
  EXPECT_EQ(json["parameters"], Json::parse(R"([{"name": "W", "values": ["1", "2"]},
                                                {"name": "F", "values": [null, "1"]}])"));
  EXPECT_EQ(json["smallest"],
            Json::parse(R"([{"definitions": {"W": "1", "F": "1"}, "certain": true}])"));
  ASSERT_EQ(json["runs"].size(), 4u);
  EXPECT_EQ(json["runs"][0]["definitions"], Json::parse(R"({"W": "1", "F": null})"));
  EXPECT_EQ(json["runs"][0]["verdict"], "holds");
  EXPECT_FALSE(json["runs"][0].contains("shortest_error"));
  EXPECT_EQ(json["runs"][1]["shortest_error"],
            Json::parse(R"({"kind": "deadlock", "text": "no process can move", "events": 4,
                            "steps": 8, "shortest": true})"));
  EXPECT_EQ(json["runs"][2]["problem"], "no");
  EXPECT_EQ(json["runs"][3],
            Json::parse(R"({"definitions": {"W": "2", "F": "1"}, "verdict": "not_run"})"));
}

TEST(SweepJson, SaysThatNothingHoldsWhereNotAllDo) {
  const auto verdict = [](std::vector<SweepRun> runs) {
    SweepTable table = table_of({"W=1..2"}, std::move(runs));
    return Json::parse(
        collected([&](const Sink& sink) { return sweep_json(table, {}, sink); }))["verdict"];
  };
  EXPECT_EQ(verdict({holding(1), holding(1)}), "holds");
  EXPECT_EQ(verdict({holding(1), SweepRun{}}), "unknown");
  EXPECT_EQ(verdict({holding(1), not_compiled("no")}), "unknown");
  EXPECT_EQ(verdict({not_compiled("no"), violated(1)}), "violated");
}

std::string plot_of(const SweepTable& table) {
  return collected([&](const Sink& sink) { return sweep_plot(table, sink); });
}

TEST(SweepPlot, HasALineForEachCombinationOfTheOthersAndAMarkForEachVerdict) {
  const std::string svg = plot_of(small_table());
  EXPECT_EQ(test::count_of(svg, "<g class=\"line\""), 2u);
  EXPECT_EQ(test::count_of(svg, "data-others=\"LOSS=0\""), 1u);
  EXPECT_EQ(test::count_of(svg, "data-others=\"LOSS=1\""), 1u);
  EXPECT_EQ(test::count_of(svg, "data-verdict=\"holds\""), 4u);
  EXPECT_EQ(test::count_of(svg, "data-verdict=\"violated\""), 2u);
  EXPECT_EQ(test::count_of(svg, "data-states=\"12000\""), 1u);
  EXPECT_EQ(test::count_of(svg, "no smaller combination has an error"), 1u);
  // From ten states to a hundred thousand: by powers of ten.
  for (const char* tick : {">10<", ">100<", ">1,000<", ">10,000<", ">100,000<"})
    EXPECT_EQ(test::count_of(svg, tick), 1u) << tick;
}

TEST(SweepPlot, IsLinearWhereRunsAreAlike) {
  const std::string svg = plot_of(table_of({"W=1..3"}, {holding(100), holding(110), holding(130)}));
  for (const char* tick : {">0<", ">50<", ">100<", ">150<"})
    EXPECT_EQ(test::count_of(svg, tick), 1u) << tick;
}

TEST(SweepPlot, LeavesAGapWhereThereAreNoStates) {
  const std::string svg =
      plot_of(table_of({"W=1..3"}, {holding(100), not_compiled("no"), holding(130)}));
  EXPECT_EQ(test::count_of(svg, "<g class=\"run\""), 2u);
  const std::size_t way = svg.find("class=\"way\"");
  const std::size_t from = svg.find(" d=\"", way), to = svg.find("\"/>", from);
  const std::string path = svg.substr(from, to - from);
  EXPECT_EQ(test::count_of(path, "M"), 2u) << path;
  EXPECT_EQ(test::count_of(path, "L"), 0u) << path;
  EXPECT_NE(plot_of(table_of({"W=1"}, {SweepRun{}})).find("no run has states to draw"),
            std::string::npos);
}

TEST(SweepPlot, IsDrawnAlongTheFirstParameterWithNumbers) {
  const std::vector<SweepRun> runs(4, holding(5));
  EXPECT_EQ(test::count_of(plot_of(table_of({"F=a,b", "W=1..2"}, runs)), "data-others=\"F=a\""),
            1u);
  EXPECT_EQ(test::count_of(plot_of(table_of({"F=a,b", "G=c,d"}, runs)), "data-others=\"G=c\""), 1u);
}

TEST(SweepPlot, IsNoWayIntoAPage) {
  const std::string evil = "</title><script>alert(1)</script>\"'&";
  SweepTable table = table_of({"W=1..2"}, {violated(3), holding(1)});
  table.parameters.push_back({"X", {evil}, true, false});
  table.model = evil;
  table.runs[0].shortest->kind = evil;
  const std::string svg = plot_of(table);
  EXPECT_EQ(test::count_of(svg, "<script"), 0u);
  EXPECT_GT(test::count_of(svg, "&lt;script&gt;"), 2u);
}

}  // namespace
}  // namespace panoptes
