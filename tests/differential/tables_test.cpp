// SPDX-License-Identifier: Apache-2.0
// Tables of rules made by hand and by chance, with what no language says yet: every engine gives
// the steps that a plain second evaluation gives, and those of the tables by hand are the ones that
// are written here.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include "differential/random_table.hpp"
#include "differential/table_engines.hpp"
#include "differential/table_faults.hpp"
#include "relational/open.hpp"
#include "step/native.hpp"
#include "support/c_text.hpp"
#include "support/postgres_server.hpp"
#include "support/sample.hpp"
#include "support/table.hpp"
#include "verdict/causality.hpp"

namespace panoptes::differential {
namespace {

constexpr std::size_t most_states = 1'500;

std::unique_ptr<Database> opened(const DatabaseAddress& address) {
  auto database = open_database(address, {.threads = 1});
  if (!database) throw std::runtime_error(database.failure().message);
  return std::move(*database);
}

// ---- tables by hand ----------------------------------------------------------------------------

// "01 x y [m(3) k]": control states, variables, channels.
std::string text_of(const Program& program, const NaiveState& state) {
  std::string text;
  for (const std::int64_t control : state.control) text += std::to_string(control);
  for (const std::int64_t value : state.variables) text += fmt::format(" {}", value);
  for (ChannelId c = 0; c < state.channels.size(); ++c) {
    std::string messages;
    for (const auto& message : state.channels[c])
      messages += (messages.empty() ? "" : " ") +
                  message_text(program.protocol, c, static_cast<std::uint32_t>(message[0]),
                               {message.begin() + 1, message.end()});
    text += fmt::format(" [{}]", messages);
  }
  return text;
}

using Lines = std::vector<std::string>;

// Every step that can be reached, those of near states first.
Lines steps_of(const Program& program) {
  Lines lines;
  std::set<NaiveState> seen{naive_initial(program)};
  std::deque<NaiveState> waiting{naive_initial(program)};
  for (; !waiting.empty(); waiting.pop_front())
    for (const NaiveStep& step : naive_steps(program, waiting.front())) {
      lines.push_back(fmt::format(
          "{}: {}: {}", text_of(program, waiting.front()), program.rules[step.rule].text,
          step.fails ? std::string(to_string(step.kind)) : text_of(program, step.next)));
      if (!step.fails && seen.insert(step.next).second) waiting.push_back(step.next);
    }
  return lines;
}

// What all engines but databases say.
void expect_agreement(const Program& program, const std::string& name) {
  const NaiveSpace wanted = naive_space(program, most_states);
  ASSERT_TRUE(wanted.is_complete) << name;
  Interpreter interpreter(program);
  EXPECT_EQ(difference(wanted, space_by(interpreter)), "") << name << ", interpreted";
  if (const auto native = NativeStepper::make(program)) {
    EXPECT_EQ(difference(wanted, space_by(*native)), "") << name << ", native";
  }
}

// Two processes meet; each goes back alone.
Program meeting() {
  test::Table table;
  table.process("p", 2);
  table.process("q", 3);
  table.rule({{0, 0, 1}, {1, 2, 0}}, "meet");
  table.rule({{0, 1, 0}}, "back");
  table.rule({{1, 0, 1}}, "on");
  table.rule({{1, 1, 2}}, "on");
  return table.make();
}

// An array of two that an index goes through, and beyond.
Program through_an_array() {
  test::Table table;
  table.process("p", 1);
  const VariableId i = table.variable("i", {0, 2}), a = table.array("a", 2, {0, 7}, 1);
  Expressions& pool = table.pool();
  const ExpressionId at = pool.variable(i);
  table.rule({{0, 0, 0}}, "next").assignments = {
      {i, pool.wrap(pool.binary(Op::add, at, pool.constant(1)), 0, 2)}};
  Rule& put = table.rule({{0, 0, 0}}, "put");
  put.assignments = {{a, pool.binary(Op::add, at, pool.constant(5)), at, 2}};
  Rule& look = table.rule({{0, 0, 0}}, "look");
  look.conditions = {pool.binary(Op::equal, pool.variable(a), pool.constant(5)),
                     pool.binary(Op::equal, pool.element(a, 2, at), pool.constant(6))};
  look.assignments = {{i, pool.constant(0)},
                      {a, pool.constant(1), pool.constant(0), 2},
                      {a, pool.constant(1), at, 2}};
  return table.make();
}

// Of two assignments to one element the last counts; both read the state before.
Program twice() {
  test::Table table;
  table.process("p", 2);
  const VariableId i = table.variable("i", {0, 1}), a = table.array("a", 2, {0, 3});
  Expressions& pool = table.pool();
  const ExpressionId at = pool.variable(i);
  Rule& rule = table.rule({{0, 0, 1}}, "twice");
  rule.assignments = {{a, pool.constant(1), at, 2},
                      {a, pool.constant(2)},
                      {i, pool.constant(1)},
                      {a + 1, pool.element(a, 2, at)}};
  Rule& back = table.rule({{0, 1, 0}}, "and back");
  back.assignments = {{a, pool.constant(3)}, {a, pool.element(a, 2, at), pool.constant(0), 2}};
  return table.make();
}

// Both ends of 32 bits, signed and not, in variables, arrays and messages.
Program thirty_two_bits() {
  test::Table table;
  table.process("p", 1);
  const Interval wide{INT32_MIN, INT32_MAX}, unsigned_wide{0, UINT32_MAX};
  const VariableId x = table.variable("x", wide, INT32_MAX);
  const VariableId y = table.variable("y", unsigned_wide);
  const VariableId b = table.array("b", 2, wide, -1);
  const ChannelId c = table.channel("c", 1, {{"n", {wide}}});
  Expressions& pool = table.pool();
  const auto one_more = [&](VariableId v, std::int64_t by, Interval range) {
    return pool.wrap(pool.binary(Op::add, pool.variable(v), pool.constant(by)), range.low,
                     range.high);
  };
  Rule& up = table.rule({{0, 0, 0}}, "up");
  up.conditions = {pool.binary(Op::greater, pool.variable(x), pool.constant(INT32_MIN))};
  up.assignments = {{x, one_more(x, 1, wide)}, {y, one_more(y, -1, unsigned_wide)}};
  Rule& check = table.rule({{0, 0, 0}}, "assert");
  check.kind = ActionKind::check;
  check.check = pool.binary(Op::less, pool.variable(y), pool.constant(UINT32_MAX));
  table.send({{0, 0, 0}}, c, 1, {pool.variable(x)});
  Rule& take = table.receive({{0, 0, 0}}, c, 1);
  take.conditions = {pool.binary(Op::less, pool.field(c, 0, none), pool.constant(0))};
  take.assignments = {{b, pool.field(c, 0, none), pool.constant(1), 2}};
  return table.make();
}

// Messages behind the first.
Program behind_the_head() {
  test::Table table;
  table.process("p", 1);
  const VariableId x = table.variable("x", {0, 7});
  const ChannelId c =
      table.channel("c", 3, {{"m", {{1, 7}}}, {"k", {}}}, {{"m", {3}}, {"k", {}}, {"m", {5}}});
  Expressions& pool = table.pool();
  table.receive({{0, 0, 0}}, c, 1, 2).assignments = {{x, pool.field(c, 0, none, 2)}};
  table.receive({{0, 0, 0}}, c, 2, 1);
  Rule& look = table.receive({{0, 0, 0}}, c, 1);
  look.conditions = {pool.binary(Op::equal, pool.tag(c, 1), pool.constant(1))};
  look.assignments = {{x, pool.field(c, 0, none, 1)}};
  Rule& last = table.rule({{0, 0, 0}}, "last");
  last.conditions = {pool.binary(Op::equal, pool.ask(Op::length, c), pool.constant(1)),
                     pool.binary(Op::equal, pool.tag(c, 1), pool.constant(0))};
  last.assignments = {{x, pool.field(c, 0, none, 1)}};
  return table.make();
}

// Two processes read one channel.
Program two_readers() {
  test::Table table;
  table.process("p", 2);
  table.process("q", 2);
  const ChannelId c = table.channel("c", 2, {{"m", {}}, {"k", {}}}, {{"m", {}}, {"k", {}}});
  table.receive({{0, 0, 1}}, c, 1);
  table.receive({{0, 1, 1}}, c, 2);
  table.receive({{1, 0, 1}}, c, 1);
  table.receive({{1, 0, 0}}, c, 2);
  return table.make();
}

// Three classes.
Program classes() {
  test::Table table;
  table.process("p", 3);
  table.process("q", 2);
  table.rule({{0, 0, 1}}, "first");
  table.rule({{1, 0, 1}}, "second", 1);
  table.rule({{0, 1, 2}}, "second too", 1);
  table.rule({{0, 1, 1}}, "third", 2);
  table.rule({{1, 1, 0}}, "third too", 2);
  return table.make();
}

struct HandMade {
  std::string name;
  Program program;
};
std::vector<HandMade> all_hand_made() {
  std::vector<HandMade> all;
  all.push_back({"meeting", meeting()});
  all.push_back({"through an array", through_an_array()});
  all.push_back({"twice", twice()});
  all.push_back({"thirty-two bits", thirty_two_bits()});
  all.push_back({"behind the head", behind_the_head()});
  all.push_back({"two readers", two_readers()});
  all.push_back({"classes", classes()});
  return all;
}

TEST(TablesByHand, MoveSeveralProcesses) {
  EXPECT_EQ(steps_of(meeting()),
            (Lines{"00: on: 01", "01: on: 02", "02: meet: 10", "10: back: 00", "10: on: 11",
                   "11: back: 01", "11: on: 12", "12: back: 02"}));
}

TEST(TablesByHand, ReadAndAssignElements) {
  EXPECT_EQ(steps_of(through_an_array()), (Lines{"0 0 1 1: next: 0 1 1 1",
                                                 "0 0 1 1: put: 0 0 5 1",
                                                 "0 1 1 1: next: 0 2 1 1",
                                                 "0 1 1 1: put: 0 1 1 6",
                                                 "0 0 5 1: next: 0 1 5 1",
                                                 "0 0 5 1: put: 0 0 5 1",
                                                 "0 2 1 1: next: 0 0 1 1",
                                                 "0 2 1 1: put: index_out_of_range",
                                                 "0 1 1 6: next: 0 2 1 6",
                                                 "0 1 1 6: put: 0 1 1 6",
                                                 "0 1 5 1: next: 0 2 5 1",
                                                 "0 1 5 1: put: 0 1 5 6",
                                                 "0 2 1 6: next: 0 0 1 6",
                                                 "0 2 1 6: put: index_out_of_range",
                                                 "0 2 5 1: next: 0 0 5 1",
                                                 "0 2 5 1: put: index_out_of_range",
                                                 "0 2 5 1: look: index_out_of_range",
                                                 "0 1 5 6: next: 0 2 5 6",
                                                 "0 1 5 6: put: 0 1 5 6",
                                                 "0 1 5 6: look: 0 0 1 1",
                                                 "0 0 1 6: next: 0 1 1 6",
                                                 "0 0 1 6: put: 0 0 5 6",
                                                 "0 2 5 6: next: 0 0 5 6",
                                                 "0 2 5 6: put: index_out_of_range",
                                                 "0 2 5 6: look: index_out_of_range",
                                                 "0 0 5 6: next: 0 1 5 6",
                                                 "0 0 5 6: put: 0 0 5 6"}));
}

TEST(TablesByHand, AssignTwiceToOneElement) {
  EXPECT_EQ(steps_of(twice()), (Lines{"0 0 0 0: twice: 1 1 2 0", "1 1 2 0: and back: 0 1 0 0",
                                      "0 1 0 0: twice: 1 1 2 0"}));
}

TEST(TablesByHand, HaveValuesOfThirtyTwoBits) {
  const std::string first = "0 2147483647 0 -1 -1 ", second = "0 -2147483648 4294967295 -1 -1 ",
                    third = "0 -2147483648 4294967295 -1 -2147483648 ";
  const std::string high = "[n(2147483647)]", low = "[n(-2147483648)]";
  EXPECT_EQ(steps_of(thirty_two_bits()),
            (Lines{first + "[]: up: " + second + "[]", first + "[]: assert: " + first + "[]",
                   first + "[]: c!n: " + first + high, second + "[]: assert: assertion",
                   second + "[]: c!n: " + second + low, first + high + ": up: " + second + high,
                   first + high + ": assert: " + first + high, second + low + ": assert: assertion",
                   second + low + ": c?n: " + third + "[]", second + high + ": assert: assertion",
                   third + "[]: assert: assertion", third + "[]: c!n: " + third + low,
                   third + low + ": assert: assertion", third + low + ": c?n: " + third + "[]"}));
}

TEST(TablesByHand, TakeMessagesBehindTheFirst) {
  EXPECT_EQ(
      steps_of(behind_the_head()),
      (Lines{"0 0 [m(3) k m(5)]: c?m: 0 5 [m(3) k]", "0 0 [m(3) k m(5)]: c?k: 0 0 [m(3) m(5)]",
             "0 5 [m(3) k]: c?k: 0 5 [m(3)]", "0 0 [m(3) m(5)]: c?m: 0 5 [m(5)]",
             "0 5 [m(3)]: last: 0 0 [m(3)]", "0 5 [m(5)]: last: 0 0 [m(5)]",
             "0 0 [m(3)]: last: 0 0 [m(3)]", "0 0 [m(5)]: last: 0 0 [m(5)]"}));
}

TEST(TablesByHand, ReadAChannelTogether) {
  EXPECT_EQ(steps_of(two_readers()), (Lines{"00 [m k]: c?m: 10 [k]", "00 [m k]: c?m: 01 [k]",
                                            "10 [k]: c?k: 10 []", "10 [k]: c?k: 10 []"}));
}

TEST(TablesByHand, TryAClassWhereNoneBeforeItIsEnabled) {
  EXPECT_EQ(steps_of(classes()),
            (Lines{"00: first: 10", "10: second too: 20", "10: second: 11", "20: second: 21",
                   "11: second too: 21", "21: third too: 20"}));
}

TEST(TablesByHand, AreTheSameToEveryStepper) {
  for (const HandMade& table : all_hand_made()) expect_agreement(table.program, table.name);
}

TEST(TablesByHand, AreTheSameInC) {
  if (!test::has_compiler()) GTEST_SKIP() << "no C compiler";
  for (const HandMade& table : all_hand_made())
    EXPECT_EQ(difference(naive_space(table.program, most_states), space_by_c(table.program)), "")
        << table.name;
}

void expect_agreement_in(const std::string& address_text) {
  const DatabaseAddress address = *parse_database_address(address_text);
  const auto database = opened(address);
  for (const HandMade& table : all_hand_made())
    EXPECT_EQ(difference(naive_space(table.program, most_states),
                         space_by_sql(table.program, *database, Dialect(address.engine))),
              "")
        << table.name;
}

TEST(TablesByHand, AreTheSameInDuckDb) { expect_agreement_in("duckdb"); }

TEST(TablesByHand, AreTheSameInPostgreSql) {
  const PostgresServer server;
  expect_agreement_in(server.address());
}

// ---- tables by chance --------------------------------------------------------------------------

TEST(RandomTables, AreTheSameToEveryStepper) {
  std::size_t complete = 0, large = 0, failing = 0;
  constexpr std::uint64_t tables = 400;
  for (std::uint64_t seed = 0; seed < tables && !HasFailure(); ++seed) {
    const Program program = random_table(seed);
    const NaiveSpace wanted = naive_space(program, most_states);
    if (!wanted.is_complete) continue;
    ++complete;
    large += wanted.steps.size() > 20;
    for (const auto& [state, steps] : wanted.steps)
      for (const NaiveStep& step : steps) failing += step.fails;
    expect_agreement(program, fmt::format("table {}", seed));
  }
  EXPECT_GT(complete, tables / 2);
  EXPECT_GT(large, tables / 5);
  EXPECT_GT(failing, tables);
}

TEST(RandomTables, AreTheSameInC) {
  if (!test::has_compiler()) GTEST_SKIP() << "no C compiler";
  for (std::uint64_t seed = 0; seed < 24 && !HasFailure(); ++seed) {
    const Program program = random_table(seed);
    const NaiveSpace wanted = naive_space(program, most_states);
    if (!wanted.is_complete) continue;
    EXPECT_EQ(difference(wanted, space_by_c(program)), "") << "table " << seed;
  }
}

TEST(RandomTables, AreTheSameInDuckDb) {
  const auto database = opened(*parse_database_address("duckdb"));
  for (std::uint64_t seed = 0; seed < test::sample_of(60) && !HasFailure(); ++seed) {
    const Program program = random_table(seed);
    const NaiveSpace wanted = naive_space(program, most_states);
    if (!wanted.is_complete) continue;
    EXPECT_EQ(difference(wanted, space_by_sql(program, *database, Dialect(Engine::duckdb))), "")
        << "table " << seed;
  }
}

// Rules of a random walk, as long as nothing fails.
std::vector<RuleId> random_walk(const Program& program, std::uint64_t seed) {
  constexpr std::size_t most_steps = 40;
  std::mt19937_64 random(seed);
  Interpreter interpreter(program);
  SuccessorBatch successors;
  std::vector<Finding> findings;
  StateBatch batch{program.layout.words, program.initial};
  std::vector<RuleId> rules;
  while (rules.size() < most_steps) {
    interpreter.expand(batch, successors, findings);
    if (successors.size() == 0) break;
    const std::size_t chosen = random() % successors.size();
    rules.push_back(successors.rules[chosen]);
    batch.assign(successors.states[chosen]);
  }
  return rules;
}

// Two steps in a row of which the one does not need the other can be exchanged.
TEST(RandomTables, LetStepsBeExchangedThatDoNotDependOnEachOther) {
  std::size_t exchanged = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Program program = random_table(seed);
    for (Rule& rule : program.rules) rule.ends_inside = false;  // what is exchanged is one step
    const std::vector<RuleId> rules = random_walk(program, seed);
    std::string problem;
    const auto trail = follow(program, rules, problem);
    ASSERT_TRUE(trail) << problem;
    const Causes causes = causes_of(program, trail->steps);
    for (std::size_t i = 0; i + 1 < rules.size(); ++i) {
      if (std::find(causes[i + 1].begin(), causes[i + 1].end(), i) != causes[i + 1].end()) continue;
      std::vector<RuleId> other = rules;
      std::swap(other[i], other[i + 1]);
      const auto same = follow(program, other, problem);
      ASSERT_TRUE(same) << "table " << seed << ", step " << i << ": " << problem;
      EXPECT_EQ(same->last, trail->last) << "table " << seed << ", step " << i;
      ++exchanged;
    }
  }
  EXPECT_GT(exchanged, 100u);
}

// ---- planted faults ----------------------------------------------------------------------------

enum class By : std::uint8_t { interpreter, native, sql };

// Whether the engine's opinion of a table with the fault differs from that of the table itself.
bool is_caught(const PlantedFault& fault, std::uint64_t seed, By by, Database& database) {
  Program program = random_table(seed);
  const NaiveSpace wanted = naive_space(program, most_states);
  if (!wanted.is_complete || !fault.in_program(program)) return false;
  if (by == By::sql)
    return !difference(wanted, space_by_sql(program, database, Dialect(Engine::duckdb))).empty();
  if (by == By::native) {
    const auto native = NativeStepper::make(program);
    return !native || !difference(wanted, space_by(*native)).empty();
  }
  Interpreter interpreter(program);
  return !difference(wanted, space_by(interpreter)).empty();
}

class TableTeeth : public testing::TestWithParam<std::tuple<std::size_t, By>> {};

TEST_P(TableTeeth, APlantedFaultIsCaught) {
  const PlantedFault fault = all_table_faults()[std::get<0>(GetParam())];
  const auto database = opened(*parse_database_address("duckdb"));
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    if (is_caught(fault, seed, std::get<1>(GetParam()), *database)) return;
  FAIL() << "nobody noticed: " << fault.name;
}

INSTANTIATE_TEST_SUITE_P(Faults, TableTeeth,
                         testing::Combine(testing::Range<std::size_t>(0, all_table_faults().size()),
                                          testing::Values(By::interpreter, By::native, By::sql)));

}  // namespace
}  // namespace panoptes::differential
