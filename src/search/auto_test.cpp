// SPDX-License-Identifier: Apache-2.0
// Searches that are several: --search auto, which takes turns, and --runs. Every check replays the
// trails of its errors, and throws here where one does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>

#include "rules/narrow.hpp"
#include "search/check.hpp"
#include "store/bit_theory.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

// Three counters that nothing connects; at the end two of them are wrong.
test::Compiled counters(int count) {
  return test::compile(fmt::format(R"(
proc counter[i : 0..2]
  var n : 0..{0};
{{
  do
  :: (n < {0}) -> n++
  :: (n == {0}) -> break
  od;
  assert(i == 1)
}})",
                                   count),
                       {.minimise = false});
}

// Three numbers that go round, each by itself, and a process that minds certain triples: whether it
// sees them depends on one or two states each.
test::Compiled triples(int size, int minded) {
  std::string text = fmt::format("var x : 0..{0}, y : 0..{0}, z : 0..{0};\n", size - 1);
  for (const char* name : {"x", "y", "z"})
    text += fmt::format("proc move_{0} {{ do :: {0} +% {1} od }}\n", name, size);
  text += "proc watch { do\n";
  for (int i = 0; i < minded; ++i)
    text += fmt::format(":: assert(!(x == {} && y == {} && z == {}))\n", (7 * i + 3) % size,
                        (11 * i + 5) % size, (13 * i + 9) % size);
  return test::compile(text + "od }", {.minimise = false});
}

std::set<ErrorKey> keys_of(const Verdict& verdict) {
  std::set<ErrorKey> keys;
  for (const ErrorReport& error : verdict.errors) keys.insert(error.key);
  return keys;
}

bool is_part_of(const std::set<ErrorKey>& part, const std::set<ErrorKey>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// A clock that a look at it moves on by so many seconds.
CheckOptions turns(double seconds_per_look) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.course = Turns{}};
  options.clock = [now = std::make_shared<std::atomic<double>>(0.0), seconds_per_look] {
    return now->fetch_add(seconds_per_look);
  };
  return options;
}

// ---- auto --------------------------------------------------------------------------------------

// Three processes that each choose one of 25 places to wait for ever: more groups than there is
// room for, whoever finds them.
TEST(Auto, HasNoMoreErrorsThanThereIsRoomFor) {
  std::string text;
  for (int process = 0; process < 3; ++process) {
    text += fmt::format("proc p{0} channel c{0}[1]; {{ if", process);
    for (int place = 0; place < 25; ++place)
      text += fmt::format(" :: skip -> c{}?a{}", process, place);
    text += " fi }\n";
  }
  const test::Compiled compiled = test::compile(text);
  std::set<ErrorKey> kept;
  for (const double seconds_per_look : {0.0, 0.05, 0.5}) {
    const Verdict found = test::check(compiled, turns(seconds_per_look));
    EXPECT_EQ(found.errors.size(), 10'000u);
    std::uint64_t findings = found.findings_left_out;
    for (const ErrorReport& error : found.errors) findings += error.count;
    EXPECT_EQ(findings, 25u * 25 * 25);
    if (kept.empty()) kept = keys_of(found);
    EXPECT_EQ(keys_of(found), kept);
  }
}

TEST(Auto, IsAnExhaustiveSearchWhereThatEndsWithinASecond) {
  for (const bool first_error_only : {false, true}) {
    const test::Compiled compiled = counters(8);
    CheckOptions options;
    options.explore.first_error_only = first_error_only;
    const Verdict wanted = test::check(compiled, options);
    CheckOptions automatic = turns(0.0);
    automatic.explore = options.explore;
    automatic.announce = [](const ErrorReport&) { FAIL() << "a scatter search was made"; };
    const Verdict found = test::check(compiled, automatic);
    EXPECT_EQ(found.outcome, wanted.outcome);
    EXPECT_EQ(found.promise, wanted.promise);
    EXPECT_EQ(found.promise == Promise::exhaustive, !first_error_only);
    EXPECT_EQ(found.stop, wanted.stop);
    EXPECT_EQ(found.states, wanted.states);
    EXPECT_EQ(found.transitions, wanted.transitions);
    EXPECT_EQ(found.depth, wanted.depth);
    EXPECT_EQ(keys_of(found), keys_of(wanted));
    EXPECT_EQ(found.first_error_states, wanted.first_error_states);
  }
}

// The scatter search finds the errors first; the exhaustive one goes on, and finds the shortest
// ways to them.
TEST(Auto, TellsEarlyAndStillSearchesEverything) {
  const test::Compiled compiled = counters(30);
  const Verdict wanted = test::check(compiled);
  for (const unsigned threads : {1u, 2u}) {
    CheckOptions options = turns(0.02);
    options.threads = threads;
    std::set<ErrorKey> announced;
    options.announce = [&](const ErrorReport& error) {
      EXPECT_TRUE(announced.insert(error.key).second) << "told twice";
      EXPECT_FALSE(error.trail.steps.empty());
    };
    const Verdict found = test::check(compiled, options);
    EXPECT_FALSE(announced.empty());
    EXPECT_TRUE(is_part_of(announced, keys_of(wanted)));
    EXPECT_EQ(keys_of(found), keys_of(wanted));
    EXPECT_EQ(found.promise, Promise::exhaustive);
    EXPECT_EQ(found.stop, Stop::finished);
    EXPECT_EQ(found.states, wanted.states);
    ASSERT_EQ(found.errors.size(), wanted.errors.size());
    for (std::size_t i = 0; i < found.errors.size(); ++i) {
      EXPECT_EQ(found.errors[i].trail.steps.size(), wanted.errors[i].trail.steps.size());
      EXPECT_TRUE(found.errors[i].is_shortest);
    }
    EXPECT_GT(found.first_error_states, 0u);
    EXPECT_TRUE(threads > 1 || found.first_error_states < wanted.first_error_states);
    EXPECT_GT(found.first_error_seconds, 0.0);
  }
}

TEST(Auto, EndsWithTheFirstErrorWhereThatIsWanted) {
  const test::Compiled compiled = counters(60);
  CheckOptions options;
  options.explore.first_error_only = true;
  const Verdict exhaustive = test::check(compiled, options);
  CheckOptions automatic = turns(0.02);
  automatic.explore.first_error_only = true;
  const Verdict found = test::check(compiled, automatic);
  EXPECT_EQ(found.stop, Stop::first_error);
  EXPECT_EQ(found.promise, Promise::partial);
  EXPECT_EQ(found.outcome, Outcome::violated);
  EXPECT_FALSE(found.errors.empty());
  EXPECT_LT(found.states, exhaustive.states / 2);
  for (const ErrorReport& error : found.errors) EXPECT_FALSE(error.is_shortest);
}

// At the end of its time, before the exhaustive search has come to any error.
TEST(Auto, KeepsWhatItFoundAtALimit) {
  const test::Compiled compiled = counters(200);
  const std::set<ErrorKey> all = keys_of(test::check(counters(5)));
  CheckOptions options = turns(0.02);
  options.limits.seconds = 4.0;
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::time);
  EXPECT_EQ(found.promise, Promise::partial);
  EXPECT_EQ(found.outcome, Outcome::violated);
  EXPECT_LT(found.depth, 200u) << "the exhaustive search finds nothing so near";
  EXPECT_FALSE(found.errors.empty());
  EXPECT_TRUE(is_part_of(keys_of(found), all));
  EXPECT_GT(found.first_error_states, 0u);
}

// What a trail executes is not among the statements that were not reached, whoever has found it.
TEST(Auto, HasReachedWhatItsTrailsExecute) {
  const test::Compiled compiled = counters(200);
  CheckOptions options = turns(0.02);
  options.limits.seconds = 4.0;
  const Verdict found = test::check(compiled, options);
  ASSERT_EQ(found.promise, Promise::partial);
  ASSERT_FALSE(found.errors.empty());
  std::set<StatementId> executed;
  for (const ErrorReport& error : found.errors)
    for (const TrailStep& step : error.trail.steps) {
      const auto& statements = compiled.program.rules[step.rule].statements;
      executed.insert(statements.begin(), statements.end());
    }
  for (const DeadStatement& dead : found.dead_code)
    EXPECT_FALSE(executed.contains(dead.statement))
        << compiled.program.protocol.statements[dead.statement].text;
}

// A search that is cut off at the end of its turn has more time in the next one, with a time limit
// or without.
TEST(Auto, TakesMoreThanOneTurn) {
  const test::Compiled compiled = triples(40, 10);
  for (const double limit : {0.0, 1000.0}) {
    CheckOptions options = turns(0.2);
    options.limits.seconds = limit;
    bool is_told = false;
    options.announce = [&](const ErrorReport&) { is_told = true; };
    const Verdict found = test::check(compiled, options);
    EXPECT_TRUE(is_told) << limit;
    EXPECT_EQ(found.errors.size(), 10u);
  }
}

// What the exhaustive search has in memory is not held against the scatter searches, which may have
// an eighth of it all.
TEST(Auto, HasMemoryForScatterSearchesWhateverTheOtherHas) {
  const test::Compiled compiled = counters(60);
  CheckOptions options = turns(0.02);
  options.explore.first_error_only = true;
  options.limits.memory_bytes = 64 << 20;
  options.explore.fixed_bytes = 1 << 20;
  options.explore.resident = [] { return std::uint64_t{40} << 20; };
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::first_error);
  EXPECT_FALSE(found.errors.empty());
}

// ---- narrowed channels -------------------------------------------------------------------------

TEST(Narrowing, IsAsIfTheModelSaidSo) {
  const std::string text = test::model_text("sliding_window");
  std::string said = text;
  said.replace(said.find("[WINDOW]"), 8, "[1]");
  for (const bool minimise : {true, false}) {
    const Verdict narrow =
        test::check(test::compile(text, {.minimise = minimise, .most_slots = 1}));
    const Verdict wanted = test::check(test::compile(said, {.capacity = 1, .minimise = minimise}));
    EXPECT_EQ(narrow.states, wanted.states);
    EXPECT_EQ(narrow.transitions, wanted.transitions);
    EXPECT_EQ(narrow.depth, wanted.depth);
    EXPECT_LT(narrow.states, test::check(test::compile(text, {.minimise = minimise})).states);
  }
}

// Eleven channels of eight slots, and one mistake: one message in each of them. Few searches that
// keep states with few messages come there soon; with one slot each there are 2048 states.
test::Compiled full_channels() {
  std::string text = "channel c[0..10][8];\nproc p { end: do\n", condition;
  for (int i = 0; i < 11; ++i) {
    text += fmt::format(":: c[{}]!m\n", i);
    condition += fmt::format("{}len(c[{}]) == 1", i == 0 ? "" : " && ", i);
  }
  return test::compile(text + ":: (" + condition + ") -> assert(0) od }", {.minimise = false});
}

TEST(Auto, FindsWithOneSlotWhatTakesLongWithMany) {
  const test::Compiled compiled = full_channels();
  CheckOptions options = turns(0.002);
  options.limits.seconds = 2.2;
  std::size_t told = 0;
  options.announce = [&](const ErrorReport& error) {
    ++told;
    EXPECT_EQ(error.trail.steps.size(), 13u);
  };
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::time);
  EXPECT_LT(found.depth, 12u) << "the exhaustive search finds nothing so near";
  EXPECT_EQ(found.outcome, Outcome::violated);
  ASSERT_EQ(found.errors.size(), 1u);
  EXPECT_EQ(told, 1u);
  EXPECT_EQ(found.errors[0].count, 1u);
  EXPECT_FALSE(found.errors[0].is_shortest);
}

// Two that send twice and then receive: with one slot both wait for ever, with two they do not.
TEST(Auto, SaysNothingOfWhatIsWrongWithOneSlotOnly) {
  const test::Compiled compiled = test::compile(
      "channel a[2], b[2];\n"
      "proc p { a!x; a!x; b?y; b?y }\n"
      "proc q { b!y; b!y; a?x; a?x }\n"
      "proc counter[i : 0..2] var n : 0..12; { do :: (n < 12) -> n++ :: (n == 12) -> break od }",
      {.minimise = false});
  const auto narrow = narrowed(compiled.program, 1);
  ASSERT_TRUE(narrow);
  std::string problem;
  EXPECT_EQ(check(*narrow, compiled.sources, {}, problem)->outcome, Outcome::violated);
  CheckOptions options = turns(0.02);
  options.announce = [](const ErrorReport& error) { FAIL() << error.description.text; };
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.outcome, Outcome::holds);
  EXPECT_EQ(found.promise, Promise::exhaustive);
  EXPECT_EQ(found.states, test::check(compiled).states);
  EXPECT_EQ(found.dead_code.size(), test::check(compiled).dead_code.size());
}

// ---- runs --------------------------------------------------------------------------------------

CheckOptions supertrace(std::uint64_t arena_bytes, std::uint64_t seed, std::uint64_t runs = 1,
                        unsigned bits_per_state = 4) {
  CheckOptions options;
  options.search =
      ExhaustiveSearch{.storage = BitArena{arena_bytes, bits_per_state}, .course = Runs{runs}};
  options.seed = seed;
  return options;
}

TEST(Runs, FindTogetherWhatEachOfThemFinds) {
  const test::Compiled compiled = triples(24, 60);
  const std::set<ErrorKey> all = keys_of(test::check(compiled));
  constexpr std::uint64_t arena = 4096;
  std::set<ErrorKey> together;
  std::uint64_t analysed = 0, most = 0;
  double omissions_of_most = 0.0;
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Verdict one = test::check(compiled, supertrace(arena, seed));
    const auto keys = keys_of(one);
    EXPECT_TRUE(is_part_of(keys, all));
    EXPECT_LT(keys.size(), all.size());
    together.insert(keys.begin(), keys.end());
    ASSERT_TRUE(one.expected_omissions);
    if (one.states > most) omissions_of_most = *one.expected_omissions;
    analysed += one.states_analysed;
    most = std::max(most, one.states);
    EXPECT_EQ(one.promise, Promise::partial);
    EXPECT_EQ(one.stop, Stop::omission);
    EXPECT_EQ(one.runs, 1u);
    EXPECT_LT(keys.size(), together.size() + (seed == 5)) << "each run finds the same";
  }
  const Verdict three = test::check(compiled, supertrace(arena, 5, 3));
  EXPECT_EQ(three.runs, 3u);
  EXPECT_EQ(keys_of(three), together);
  EXPECT_EQ(three.states_analysed, analysed);
  EXPECT_EQ(three.states, most);
  EXPECT_EQ(three.expected_omissions, omissions_of_most);
  ASSERT_TRUE(three.coverage);
  EXPECT_GE(three.coverage->states_together, most);
  EXPECT_EQ(three.promise, Promise::partial);
  EXPECT_EQ(three.outcome, Outcome::violated);
  const Verdict again = test::check(compiled, supertrace(arena, 5, 3));
  EXPECT_EQ(keys_of(again), keys_of(three));
  EXPECT_EQ(again.states_analysed, three.states_analysed);
  EXPECT_NE(test::check(compiled, supertrace(arena, 8, 3)).states_analysed, analysed);
}

TEST(Runs, EndTogether) {
  const test::Compiled compiled = triples(24, 60);
  CheckOptions options = supertrace(4096, 5, 100);
  options.explore.first_error_only = true;
  const Verdict first = test::check(compiled, options);
  EXPECT_EQ(first.runs, 1u);
  EXPECT_EQ(first.outcome, Outcome::violated);
  // One time limit for all of them.
  options = supertrace(4096, 5, 100'000);
  options.clock = turns(0.01).clock;
  options.limits.seconds = 2.0;
  const Verdict timed = test::check(compiled, options);
  EXPECT_GT(timed.runs, 1u);
  EXPECT_LT(timed.runs, 300u);
  EXPECT_LT(timed.seconds, 2.5);
}

// ---- supertrace and its theory -----------------------------------------------------------------

// Every state has sixteen ways in, so that almost none is lost behind others that were missed; and
// they are few of those that could be written down, so that none has a bit of its own.
TEST(Supertrace, CoversWhatItsTheorySays) {
  std::string text = "var a : 0..4095, b : 0..4095, c : 0..4095, d : 0..4095;\n";
  for (const char* name : {"a", "b", "c", "d"})
    text += fmt::format(
        "proc move_{0} {{ do :: {0} = ({0} + 128) % 4096 :: {0} = ({0} + 640) % 4096\n"
        ":: {0} = ({0} + 1408) % 4096 :: {0} = ({0} + 3712) % 4096 od }}\n",
        name);
  const test::Compiled compiled = test::compile(text, {.minimise = false});
  EXPECT_GT(compiled.program.layout.bits, 40u);
  const std::uint64_t states = test::check(compiled).states;
  EXPECT_EQ(states, 32u * 32 * 32 * 32);
  for (const auto& [bits_per_state, arena_bits_per_state] :
       {std::pair{4u, 16u}, {4u, 8u}, {1u, 8u}, {4u, 1u}}) {
    const std::uint64_t arena = states * arena_bits_per_state / 8;
    const Verdict found = test::check(compiled, supertrace(arena, 1, 1, bits_per_state));
    const double covered = static_cast<double>(found.states) / static_cast<double>(states);
    const double wanted = predicted_coverage(states, arena, bits_per_state);
    EXPECT_NEAR(covered, wanted, 0.02) << bits_per_state << " of " << arena_bits_per_state;
    ASSERT_TRUE(found.expected_omissions);
    const double offered = static_cast<double>(found.states) + *found.expected_omissions;
    EXPECT_NEAR(static_cast<double>(found.states) / offered, covered, 0.02);
    if (arena_bits_per_state == 16) {
      EXPECT_GT(covered, 0.999);
    }
  }
}

// ---- memory ------------------------------------------------------------------------------------

// A search whose store has become bits, or which drops states, finds nothing that is not there.
TEST(LittleMemory, IsAPartialSearchThatFindsOnlyWhatIsThere) {
  const test::Compiled compiled = triples(48, 40);
  const Verdict wanted = test::check(compiled);
  const std::set<ErrorKey> all = keys_of(wanted);
  std::map<ErrorKey, std::size_t> shortest;
  for (const ErrorReport& error : wanted.errors) shortest[error.key] = error.trail.steps.size();
  for (const unsigned threads : {1u, 4u})
    for (const std::uint64_t memory : {300'000, 600'000, 1'200'000}) {
      CheckOptions options;
      options.threads = threads;
      options.limits.memory_bytes = memory;
      const Verdict found = test::check(compiled, options);
      EXPECT_EQ(found.promise, Promise::partial) << memory;
      EXPECT_TRUE(found.stop == Stop::memory || found.stop == Stop::omission);
      EXPECT_LE(found.states, wanted.states);
      EXPECT_TRUE(is_part_of(keys_of(found), all));
      EXPECT_EQ(found.outcome == Outcome::violated, !found.errors.empty());
      for (const ErrorReport& error : found.errors)
        if (error.is_shortest) {
          EXPECT_EQ(error.trail.steps.size(), shortest[error.key]);
        }
    }
}

// Where there is no room for states that wait, the search goes on depth first and misses nothing.
TEST(LittleMemory, IsNoReasonToEndWhereTheStoreHasRoom) {
  const test::Compiled compiled = counters(40);
  const Verdict wanted = test::check(compiled);
  for (const unsigned threads : {1u, 4u}) {
    CheckOptions options = supertrace(1 << 20, 1);
    options.threads = threads;
    options.limits.memory_bytes = 5 << 18;
    const Verdict found = test::check(compiled, options);
    EXPECT_LT(found.frontier_bytes, wanted.frontier_bytes);
    EXPECT_EQ(found.stop, Stop::omission);
    EXPECT_EQ(found.dropped, 0u);
    EXPECT_EQ(found.states_waiting + found.successors_waiting, 0u);
    EXPECT_GT(static_cast<double>(found.states), 0.999 * static_cast<double>(wanted.states));
    EXPECT_EQ(keys_of(found), keys_of(wanted));
    EXPECT_EQ(found.depth, wanted.depth);
    for (const ErrorReport& error : found.errors) EXPECT_FALSE(error.is_shortest);
  }
}

// Not even depth first has a long path room: what was dropped on the way is counted, and mostly
// found by another.
TEST(LittleMemory, DropsWhatHasNoRoomAndGoesOn) {
  const test::Compiled compiled = triples(48, 40);
  const Verdict wanted = test::check(compiled);
  CheckOptions options = supertrace(1 << 20, 1);
  options.limits.memory_bytes = 5 << 18;
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::memory);
  EXPECT_EQ(found.promise, Promise::partial);
  EXPECT_GT(found.dropped, 0u);
  EXPECT_EQ(found.states_waiting + found.successors_waiting, 0u);
  EXPECT_GT(found.states, wanted.states / 2);
  EXPECT_TRUE(is_part_of(keys_of(found), keys_of(wanted)));
}

// The first error ends it there too.
TEST(LittleMemory, EndsWithTheFirstErrorThatIsFoundDepthFirst) {
  const test::Compiled compiled = counters(40);
  const std::uint64_t all = test::check(compiled).states;
  CheckOptions options = supertrace(1 << 20, 1);
  options.limits.memory_bytes = 5 << 18;
  options.explore.first_error_only = true;
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::first_error);
  EXPECT_EQ(found.errors.size(), 1u);
  EXPECT_LT(found.states, all / 2);
}

// A limit that is too small for anything says which would do.
TEST(LittleMemory, SaysWhatWouldDo) {
  const test::Compiled compiled = counters(40);
  CheckOptions options = supertrace(0, 1);
  options.explore.resident = [] { return std::uint64_t{9} << 20; };
  options.explore.fixed_bytes = 4 << 20;
  options.limits.memory_bytes = 3 << 20;
  const Verdict found = test::check(compiled, options);
  EXPECT_EQ(found.stop, Stop::memory);
  EXPECT_EQ(found.states, 1u);
  ASSERT_GT(found.needed_bytes, options.limits.memory_bytes);
  EXPECT_LT(found.needed_bytes, std::uint64_t{20} << 20);
  options.limits.memory_bytes = found.needed_bytes;
  const Verdict enough = test::check(compiled, options);
  EXPECT_EQ(enough.needed_bytes, 0u);
  EXPECT_EQ(enough.dropped, 0u);
  EXPECT_GT(enough.states, 10'000u);
}

}  // namespace
}  // namespace panoptes
