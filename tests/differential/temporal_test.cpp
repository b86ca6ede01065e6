// SPDX-License-Identifier: Apache-2.0
// Temporal properties of random protocols, with and without fairness: the search on the product of
// graph and automaton says what the naive one does, which makes neither; and whatever the naive one
// could get wrong, somebody would notice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "differential/formulas.hpp"
#include "differential/generator.hpp"
#include "differential/naive_runs.hpp"
#include "search/run_search.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "temporal/translate.hpp"

namespace panoptes::differential {
namespace {

const std::uint64_t temporal_protocols = test::sample_of(3000);
constexpr std::uint64_t temporal_shards = 3;
constexpr std::size_t most_run_states = 400;

// Protocols in which the kinds of fairness differ: the random ones seldom go on for ever. Each
// comes with every kind, since their number is not a multiple of that of the kinds.
const char* const endless[] = {
    "var x : 0..2, y : 0..1; proc p { do :: x = (x + 1) % 3 od } proc q { do :: (x == 1) -> y = 1 "
    "- "
    "y od }\n",
    "channel c[1] lossy, d[1] lossy; proc p { do :: c!m :: d?a :: d?timeout -> c!m od } "
    "proc q { do :: c?m -> d!a od }\n",
    "channel c[0]; var x : 0..1; proc p { do :: c!m :: c!n od } proc q { do :: c?m -> x = 1 "
    ":: c?n -> x = 0 od }\n",
    "channel c[2] lossy; proc p { do :: atomic { c!m; if :: c!n :: skip fi } od } "
    "proc q { do :: c?m :: c?n od }\n",
    "channel c[1] lossy, d[1]; proc p { do :: c!m :: d?a od } "
    "proc q { do :: c?m -> d!a :: skip -> break od }\n",
    "channel c[2] lossy; proc p { do :: c!m :: c!n od } proc q { c?m; do :: c?n -> break od }\n",
    "var free : 0..1 = 1; proc p { do :: (free == 1) -> free = 0; in: free = 1 od } "
    "proc q { do :: (free == 1) -> free = 0; in: free = 1 od }\n",
    "var x : 0..3; proc p { do :: (x < 3) -> x++ :: (x == 3) -> break od } proc q { do :: (x > 0) "
    "-> "
    "x-- :: skip od }\n",
    "var x : 0..1; proc p { do :: x = 1 - x od } proc q { do :: (x == 1) -> assert(x == 0) :: (x "
    "== "
    "0) -> skip od }\n",
    "channel c[1], d[1]; proc p { do :: c!m -> d?r :: c!n od } proc q { do :: c?m -> do :: skip :: "
    "d!r -> break od :: c?n od }\n",
    "var x : 0..2; proc p { x = 1; do :: (x == 1) -> x = 2 :: (x == 2) -> x = 1 :: (x == 2) -> "
    "break "
    "od } proc q { do :: skip :: break od }\n",
};

struct Compared {
  test::Compiled compiled;
  std::string text;
};

const char* const fairness_of_runs[] = {"", "fair weak;", "fair strong;", "fair weak, lines;",
                                        "fair lines;"};
static_assert(std::size(endless) % std::size(fairness_of_runs) != 0);

// A protocol with a property; nothing where it has nothing to speak of.
std::optional<Compared> with_property(std::uint64_t seed) {
  const std::string protocol =
      seed % 2 == 0 ? endless[seed / 2 % std::size(endless)] : random_protocol(seed);
  const test::Setup setup = test::setup_for(seed);
  FormulaMaker maker(test::compile(protocol, setup).program, seed);
  if (!maker.has_atoms()) return {};
  const std::string text = fmt::format("{}\nltl {{ {} }}\n{}\n", protocol, maker.formula(),
                                       fairness_of_runs[seed % std::size(fairness_of_runs)]);
  return Compared{test::compile(text, setup), text};
}

enum class How { graph, graph_by_two, on_the_fly };

// "holds", "violated" or "unknown". Throws where a run that was found does not replay.
std::string answer_of(const Compared& compared, How how = How::graph) {
  CheckOptions options;
  options.search = how == How::on_the_fly ? ExhaustiveSearch{.follows_runs = true}
                                          : ExhaustiveSearch{.storage = WholeGraph{}};
  options.threads = how == How::graph_by_two ? 2 : 1;
  const Verdict verdict = test::check(compared.compiled, options);
  return std::string(to_string(verdict.properties.at(0).answer));
}

std::optional<std::string> naive_answer(const Compared& compared,
                                        const NaiveRunFaults& faults = {}) {
  const Program& program = compared.compiled.program;
  const auto holds = naively_holds(program, program.protocol.temporal[0], most_run_states, faults);
  if (!holds) return {};
  return *holds ? "holds" : "violated";
}

class TemporalProperties : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TemporalProperties, AreThoseOfTheNaiveSearch) {
  std::uint64_t compared = 0, violated = 0, unknown = 0, on_the_fly = 0;
  const std::uint64_t count = temporal_protocols / temporal_shards;
  for (std::uint64_t seed = GetParam() * count; seed < (GetParam() + 1) * count; ++seed) {
    const auto subject = with_property(seed);
    if (!subject) continue;
    const auto naive = naive_answer(*subject);
    if (!naive) continue;
    const std::string answer = answer_of(*subject);
    if (answer == "unknown") {  // an indivisible sequence need not end
      ++unknown;
      continue;
    }
    ++compared;
    violated += answer == "violated";
    ASSERT_EQ(answer, *naive) << "seed " << seed << "\n" << subject->text;
    if (seed % 3 == 1) {
      ASSERT_EQ(answer_of(*subject, How::graph_by_two), *naive) << "by two, seed " << seed << "\n"
                                                                << subject->text;
    }
    const std::string followed = answer_of(*subject, How::on_the_fly);
    if (followed == "unknown") continue;  // strong fairness, or that of lines
    ++on_the_fly;
    ASSERT_EQ(followed, *naive) << "on the fly, seed " << seed << "\n" << subject->text;
  }
  EXPECT_GT(on_the_fly, compared / 4);
  EXPECT_GT(compared, count / 3);
  EXPECT_LT(unknown, count / 20);
  EXPECT_GT(violated, compared / 5);
  EXPECT_LT(violated, compared - compared / 5);
}

INSTANTIATE_TEST_SUITE_P(Random, TemporalProperties,
                         testing::Range<std::uint64_t>(0, temporal_shards));

struct RunFault {
  const char* name;
  bool NaiveRunFaults::*flag;
};

class PlantedRunFaults : public testing::TestWithParam<RunFault> {};

TEST_P(PlantedRunFaults, AreCaught) {
  NaiveRunFaults faults;
  faults.*GetParam().flag = true;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const auto subject = with_property(seed);
    if (!subject) continue;
    const auto wrong = naive_answer(*subject, faults);
    if (wrong && *wrong != naive_answer(*subject)) {
      EXPECT_EQ(answer_of(*subject), *naive_answer(*subject));
      return;
    }
  }
  FAIL() << "nobody has noticed";
}

INSTANTIATE_TEST_SUITE_P(
    Each, PlantedRunFaults,
    testing::Values(RunFault{"EndedRunsForgotten", &NaiveRunFaults::forgets_ended_runs},
                    RunFault{"EventsEarly", &NaiveRunFaults::takes_events_early},
                    RunFault{"PromiseForgotten", &NaiveRunFaults::forgets_a_promise},
                    RunFault{"ProcessesUnfair", &NaiveRunFaults::forgets_fair_processes},
                    RunFault{"LinesUnfair", &NaiveRunFaults::forgets_fair_lines},
                    RunFault{"FullLinesOwe", &NaiveRunFaults::demands_room},
                    RunFault{"StrongIsWeak", &NaiveRunFaults::takes_strong_for_weak},
                    RunFault{"FailingNotEnabled", &NaiveRunFaults::enabled_without_failing}),
    [](const auto& test) { return std::string(test.param.name); });

// ---- faults in what runs are followed by

// The same protocol, whose steps that fail nobody hears of.
class ForgetfulStepper final : public Stepper {
 public:
  explicit ForgetfulStepper(Stepper& stepper) : stepper_(stepper) {}
  const Program& program() const override { return stepper_.program(); }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override {
    stepper_.expand(batch, out, findings);
    findings.clear();
  }
  void expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                    std::vector<Finding>& findings) override {
    stepper_.expand_alone(process, batch, out, findings);
  }

 private:
  Stepper& stepper_;
};

// The last successor of every state is left out.
class ShortStepper final : public Stepper {
 public:
  explicit ShortStepper(Stepper& stepper) : stepper_(stepper) {}
  const Program& program() const override { return stepper_.program(); }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override {
    stepper_.expand(batch, out, findings);
    if (out.size() < 2) return;
    out.states.words.resize(out.states.words.size() - out.states.width);
    out.rules.pop_back();
    --out.first.back();
  }
  void expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                    std::vector<Finding>& findings) override {
    stepper_.expand_alone(process, batch, out, findings);
  }

 private:
  Stepper& stepper_;
};

enum class RunSearchFault { none, promise, fairness, failures, successor, automaton_edge };

// Nothing where it says nothing.
std::optional<std::string> followed_with(RunSearchFault fault, const Compared& compared) {
  Program program = compared.compiled.program;
  if (!RunSearch::refusal(program).empty()) return {};
  auto automaton = translate(negation(program.protocol.temporal[0].formula));
  if (!automaton) return {};
  if (fault == RunSearchFault::promise)
    for (auto& edges : automaton->edges)
      for (BuchiEdge& edge : edges) edge.marks = automaton->all_marks();
  if (fault == RunSearchFault::automaton_edge && automaton->edges[automaton->initial].size() > 1)
    automaton->edges[automaton->initial].pop_back();
  if (fault == RunSearchFault::fairness) program.protocol.fairness = {};
  const auto whole = in_whole_sequences(std::make_unique<Interpreter>(program));
  ForgetfulStepper forgetful(*whole);
  ShortStepper shorter(*whole);
  Stepper* stepper = whole.get();
  if (fault == RunSearchFault::failures) stepper = &forgetful;
  if (fault == RunSearchFault::successor) stepper = &shorter;
  RunSearch search(program, program.protocol.temporal[0], *automaton, *stepper);
  const RunSearch::End end = search.look({}, {});
  if (end == RunSearch::End::found) return "violated";
  return end == RunSearch::End::all_seen ? std::optional<std::string>("holds") : std::nullopt;
}

class PlantedRunSearchFaults
    : public testing::TestWithParam<std::pair<const char*, RunSearchFault>> {};

TEST_P(PlantedRunSearchFaults, AreCaught) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const auto subject = with_property(seed);
    if (!subject) continue;
    const auto right = followed_with(RunSearchFault::none, *subject);
    const auto wrong = followed_with(GetParam().second, *subject);
    if (!right || !wrong || *right == *wrong) continue;
    EXPECT_EQ(*right, naive_answer(*subject).value_or(*right));
    return;
  }
  FAIL() << "nobody has noticed";
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedRunSearchFaults,
                         testing::Values(std::pair{"Promise", RunSearchFault::promise},
                                         std::pair{"Fairness", RunSearchFault::fairness},
                                         std::pair{"Failures", RunSearchFault::failures},
                                         std::pair{"Successor", RunSearchFault::successor},
                                         std::pair{"Edge", RunSearchFault::automaton_edge}),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace panoptes::differential
