// SPDX-License-Identifier: Apache-2.0
// A sweep, run by somebody else than the program: what becomes of its runs, whatever happens.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "api/model_request.hpp"
#include "api/sweep.hpp"

namespace panoptes::reports {
namespace {

// N tokens in a channel of two slots, that nobody takes.
constexpr const char* tokens =
    "channel c[2];\n"
    "#if N > 3\n"
    "proc q { c!? }\n"
    "#endif\n"
    "proc p { var i : 0..9; do :: (i < N) -> c!token; i++ :: (i == N) -> break od }\n";

std::vector<Parameter> parameters(const std::vector<std::string>& texts) {
  std::vector<Parameter> result;
  for (const std::string& text : texts) result.push_back(*parse_parameter(text));
  return result;
}

struct Doors : SweepDoors {
  std::vector<std::size_t> begun;
  std::vector<std::string> definitions;

  Doors() {
    ended_by = [] { return Stop::finished; };
    begin = [this](std::size_t, std::size_t combination) { begun.push_back(combination); };
    load = [this](const OptionValues& values) {
      std::string all;
      for (const std::string& text : values.texts(option::define)) all += text + " ";
      definitions.push_back(all);
      return panoptes::load("m.argos", model_request(values),
                            [](const std::string&) { return std::optional<std::string>(tokens); });
    };
    prepare = [](CheckOptions& options) { options.threads = 1; };
    compiled = [](std::size_t, const Loaded&) {};
    memory_bytes = [] { return std::uint64_t{7}; };
  }
};

SweepTable swept(const std::vector<std::string>& texts, const SweepDoors& doors) {
  const auto plan = plan_sweep(parameters(texts));
  SweepTable table;
  run_sweep(*plan, OptionValues("check"), doors, table);
  return table;
}

std::vector<std::string> words_of(const SweepTable& table) {
  std::vector<std::string> words;
  for (const SweepRun& run : table.runs) words.emplace_back(verdict_word(run));
  return words;
}

using Texts = std::vector<std::string>;

TEST(Sweeps, HaveAVerdictForEveryCombination) {
  Doors doors;
  const SweepTable table = swept({"N=2..4"}, doors);
  EXPECT_EQ(words_of(table), (Texts{"holds", "violated", "not_compiled"}));
  EXPECT_EQ(table.runs[1].shortest->kind, "deadlock");
  EXPECT_EQ(table.runs[1].shortest->events, 2u);
  EXPECT_FALSE(table.runs[1].shortest->is_shortest);  // some steps were left out
  EXPECT_EQ(table.runs[2].problem.substr(0, 2), "3:") << table.runs[2].problem;
  EXPECT_EQ(table.runs[0].memory_bytes, 7u);
  EXPECT_EQ(table.ended_by, Stop::finished);
  EXPECT_EQ(doors.definitions, (Texts{"N=2 ", "N=3 ", "N=4 "}));
}

TEST(Sweeps, GiveEveryRunWhatIsTheSameInAll) {
  Doors doors;
  swept({"N=1", "A?", "LIST:=1,2", "B"}, doors);
  EXPECT_EQ(doors.definitions, (Texts{"N=1 LIST=1,2 B=1 ", "N=1 LIST=1,2 B=1 A "}));
}

TEST(Sweeps, KeepWhatTheyHaveWhenTheyAreEnded) {
  Doors doors;
  doors.ended_by = [&doors] {
    return doors.begun.size() == 2 ? Stop::interrupted : Stop::finished;
  };
  const SweepTable table = swept({"N=3,2,1"}, doors);
  EXPECT_EQ(table.ended_by, Stop::interrupted);
  EXPECT_EQ(doors.begun, (std::vector<std::size_t>{2, 1})) << "the smallest first";
  EXPECT_EQ(words_of(table), (Texts{"not_run", "holds", "holds"}));
}

TEST(Sweeps, GoOnBehindARunThatFails) {
  Doors doors;
  const auto load = doors.load;
  doors.load = [load](const OptionValues& values) {
    const std::string n = values.texts(option::define).front();
    if (n == "N=1") throw std::bad_alloc();
    if (n == "N=2") throw std::logic_error("what cannot be");
    return load(values);
  };
  const SweepTable table = swept({"N=1..3"}, doors);
  EXPECT_EQ(words_of(table), (Texts{"unknown", "failed", "violated"}));
  EXPECT_EQ(table.runs[0].problem, "too little memory for this model");
  EXPECT_EQ(table.runs[1].problem, "what cannot be");
}

TEST(SweepPlans, AreRefusedWhereTheyMakeNoSense) {
  const auto problem = [](const Texts& texts) {
    const auto plan = plan_sweep(parameters(texts));
    return plan ? std::string{} : plan.failure();
  };
  EXPECT_EQ(problem({"N=1..2"}), "");
  EXPECT_EQ(problem({"N=1..1"}), "") << "a script may have come to that";
  const std::string nothing =
      "nothing varies: give a parameter several values, e.g. -D WINDOW=1..4";
  EXPECT_EQ(problem({}), nothing);
  EXPECT_EQ(problem({"N=1", "F"}), nothing);
  EXPECT_EQ(problem({"N=1..2", "N=3"}), "-D N is given twice; several values are joined by commas");
  EXPECT_EQ(problem({"A=1..100", "B=1..100"}), "");
  EXPECT_EQ(problem({"A=1..100", "B=1..101"}),
            "these are more than 10,000 combinations: leave out some values");
  EXPECT_EQ(problem({"A=1..10000", "B=1..10000", "C=1..10000", "D=1..10000", "E=1..10000"}),
            "these are more than 10,000 combinations: leave out some values");
}

}  // namespace
}  // namespace panoptes::reports
