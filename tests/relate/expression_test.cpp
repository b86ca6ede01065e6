// SPDX-License-Identifier: Apache-2.0
// Expressions in SQL have the values, and the faults, that evaluate() gives them: at the ends of 64
// bits, too, and where they divide by zero.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "cli/child.hpp"
#include "hypercube/scalar.hpp"
#include "relational/expression_sql.hpp"
#include "relational/open.hpp"
#include "relational/rule_sql.hpp"
#include "support/postgres_server.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

constexpr char model[] = R"(
  queue q[3];
  var x, y : -2..5;
  proc a { var z : 0..7 wraps; x = x + 30000; y = z; z = y; q!m(x); q!n }
  proc b { var z; q?m(z); q?n }
)";

struct Environment {
  const Program& program;
  StateView state;

  std::int64_t variable(VariableId v) const { return read(program.layout.variables[v], state); }
  std::int64_t length(ChannelId c) const {
    return panoptes::length(program.layout.channels[c], state);
  }
  std::int64_t full(ChannelId c) const { return is_full(program.layout.channels[c], state); }
  std::int64_t empty(ChannelId c) const { return head_tag(program.layout.channels[c], state) == 0; }
  std::int64_t field(ChannelId, std::uint32_t, std::uint32_t) const { return 0; }
  std::int64_t tag(ChannelId, std::uint32_t) const { return 0; }
};

class Generator {
 public:
  Generator(Program& program, std::uint64_t seed) : program_(program), random_(seed) {}

  ExpressionId make(int depth) {
    Expressions& pool = program_.protocol.expressions;
    if (depth == 0 || pick(6) == 0) return leaf();
    const ExpressionId a = make(depth - 1);
    switch (pick(12)) {
      case 0: return pool.unary(pick(2) == 0 ? Op::negate : Op::logical_not, a);
      case 1: {
        const std::int64_t low = constants_[pick(constants_.size())];
        const std::int64_t high = constants_[pick(constants_.size())];
        return pool.wrap(a, std::min(low, high), std::max(low, high));
      }
      case 2: return pool.binary(pick(2) == 0 ? Op::require : Op::after, a, make(depth - 1));
      case 3:
      case 4: return pool.binary(pick(2) == 0 ? Op::divide : Op::remainder, a, make(depth - 1));
      default: {
        constexpr Op ops[] = {Op::logical_or, Op::logical_and,   Op::equal, Op::not_equal,
                              Op::less,       Op::less_equal,    Op::add,   Op::subtract,
                              Op::greater,    Op::greater_equal, Op::add,   Op::multiply,
                              Op::multiply};
        return pool.binary(ops[pick(std::size(ops))], a, make(depth - 1));
      }
    }
  }

  // Any contents of the vector that its ranges allow; the channel has 0 to 3 messages.
  StateWords state() {
    StateWords words(program_.layout.words, 0);
    for (const Slot& slot : program_.layout.variables)
      write(slot,
            slot.minimum + static_cast<std::int64_t>(
                               pick(static_cast<std::uint64_t>(slot.maximum - slot.minimum) + 1)),
            words);
    const ChannelLayout& channel = program_.layout.channels[0];
    const std::uint64_t messages = pick(channel.last_slot + 2);
    std::uint32_t index = 0;
    for (const ChannelPiece& piece : channel.pieces)
      for (std::uint32_t i = 0; i < piece.slots && index < messages; ++i, ++index)
        words[piece.word] |= Word{1 + pick(2)} << (piece.shift + i * channel.slot_bits);
    return words;
  }

 private:
  ExpressionId leaf() {
    Expressions& pool = program_.protocol.expressions;
    switch (pick(4)) {
      case 0: return pool.constant(constants_[pick(constants_.size())]);
      case 1: {
        constexpr Op asks[] = {Op::length, Op::full, Op::empty};
        return pool.ask(asks[pick(3)], 0);
      }
      default:
        return pool.variable(static_cast<VariableId>(pick(program_.layout.variables.size())));
    }
  }
  std::uint64_t pick(std::uint64_t size) { return random_() % size; }

  Program& program_;
  std::mt19937_64 random_;
  std::vector<std::int64_t> constants_ = {0,         1,         -1,     2,         3,
                                          -7,        32767,     -32768, 1'000'000, 4294967296,
                                          INT64_MAX, INT64_MIN, 5,      -100000,   6};
};

constexpr int expressions = cli::is_sanitized ? 100 : 400;

void agrees(const std::string& address_text, int count) {
  const DatabaseAddress address = *parse_database_address(address_text);
  auto database = open_database(address);
  ASSERT_TRUE(database);
  const Dialect dialect(address.engine);
  test::Compiled compiled = test::compile(model);
  Program& program = compiled.program;
  const StateSql state_sql(program, dialect);
  Generator generator(program, 42);

  std::vector<StateWords> states;
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    states.push_back(generator.state());
    rows += fmt::format("{}({}", i == 0 ? "" : ", ", i);
    for (const Word word : states.back()) rows += ", " + dialect.word(word);
    rows += ")";
  }
  ASSERT_TRUE(
      (*database)->execute(fmt::format("CREATE TEMPORARY TABLE s AS SELECT * FROM (VALUES "
                                       "{}) AS v(id, {})",
                                       rows, state_sql.words())));
  int faults = 0, values = 0;
  for (int i = 0; i < count; ++i) {
    const ExpressionId id = generator.make(1 + i % 4);
    const ExpressionSql sql(state_sql);
    const auto value = sql.value(id);
    const std::string fault = first_of({sql.fault(id), "0"});
    auto answer = (*database)->query(
        fmt::format("SELECT {}::BIGINT, CASE WHEN {} THEN 1 ELSE 0 END, ({})::BIGINT FROM s ORDER "
                    "BY id",
                    value.sql, sql.condition(id), fault));
    const std::string text = to_text(program.protocol.expressions, id, program.protocol.names());
    ASSERT_TRUE(answer) << text << ": " << answer.failure().message << "\n" << value.sql;
    Chunk chunk;
    const auto more = (*answer)->next(chunk);
    ASSERT_TRUE(more) << text << ": " << more.failure().message;
    ASSERT_EQ(chunk.rows, states.size());
    for (std::size_t r = 0; r < states.size(); ++r) {
      const Evaluation expected =
          evaluate(program.protocol.expressions, id, Environment{program, states[r]});
      ASSERT_EQ(chunk.columns[2].integers[r], static_cast<int>(expected.fault)) << text;
      const bool has_value = expected.fault == Fault::absent;
      faults += has_value ? 0 : 1;
      ASSERT_EQ(chunk.columns[1].integers[r], has_value && expected.value != 0) << text;
      values += has_value ? 1 : 0;
      if (!has_value) continue;
      ASSERT_FALSE(chunk.columns[0].is_null[r]) << text << "\n" << value.sql;
      ASSERT_EQ(chunk.columns[0].integers[r], expected.value) << text << "\n" << value.sql;
      ASSERT_TRUE(expected.value >= value.low && expected.value <= value.high) << text;
    }
  }
  // Both were met.
  EXPECT_GT(faults, count);
  EXPECT_GT(values, 20 * count);
}

// What reads that SQL for engines that are no database computes the same.
TEST(Expressions, AgreeWithoutADatabase) {
  test::Compiled compiled = test::compile(model);
  Program& program = compiled.program;
  const StateSql state_sql(program, Dialect(Engine::duckdb));
  Generator generator(program, 43);
  algebra::Names columns;
  for (std::uint32_t i = 0; i < program.layout.words; ++i) columns.push_back(StateSql::word(i));
  int faults = 0, values = 0;
  for (int i = 0; i < expressions; ++i) {
    const ExpressionId id = generator.make(1 + i % 4);
    const ExpressionSql sql(state_sql);
    const std::string fault = first_of({sql.fault(id), "0"});
    const auto value = Scalar::read(sql.value(id).sql, columns);
    const auto condition = Scalar::read(sql.condition(id), columns);
    const auto failing = Scalar::read(fault, columns);
    ASSERT_TRUE(value) << value.failure();
    ASSERT_TRUE(condition) << condition.failure();
    ASSERT_TRUE(failing) << failing.failure();
    for (int s = 0; s < 40; ++s) {
      const StateWords state = generator.state();
      const std::vector<std::int64_t> row(state.begin(), state.end());
      const Evaluation expected =
          evaluate(program.protocol.expressions, id, Environment{program, state});
      const bool has_value = expected.fault == Fault::absent;
      ASSERT_TRUE(failing->evaluate(row) == Scalar::Value(static_cast<int>(expected.fault)))
          << fault;
      ASSERT_EQ(condition->is_true(row), has_value && expected.value != 0) << sql.condition(id);
      if (has_value) {
        ASSERT_TRUE(value->evaluate(row) == Scalar::Value(expected.value)) << sql.value(id).sql;
      }
      ++(has_value ? values : faults);
    }
  }
  EXPECT_GT(faults, expressions);
  EXPECT_GT(values, 20 * expressions);
}

// A guard of 20 terms that can fail is 20 times as long as one term, not 2^20 times, and no deeper
// nesting doubles it either.
TEST(Expressions, AreAsLongAsTheirTerms) {
  test::Compiled compiled = test::compile(model);
  Program& program = compiled.program;
  Expressions& pool = program.protocol.expressions;
  for (const Engine engine : {Engine::duckdb, Engine::postgresql}) {
    const StateSql state_sql(program, Dialect(engine));
    const ExpressionSql sql(state_sql);
    const auto length = [&](ExpressionId id) {
      return sql.fault(id).size() + sql.condition(id).size() + sql.value(id).sql.size();
    };
    const auto term = [&](int i) {
      return pool.binary(
          Op::equal,
          pool.binary(i % 2 == 0 ? Op::divide : Op::remainder, pool.variable(0), pool.variable(1)),
          pool.constant(i));
    };
    for (const Op op : {Op::logical_and, Op::logical_or, Op::add, Op::require}) {
      ExpressionId chain = term(0);
      for (int i = 1; i < 20; ++i) chain = pool.binary(op, chain, term(i));
      EXPECT_LT(length(chain), 20 * 4 * length(term(1)));
    }
    // As divisors of each other it is the square.
    ExpressionId nested = pool.variable(2);
    for (int i = 0; i < 20; ++i)
      nested = pool.binary(i % 2 == 0 ? Op::divide : Op::remainder, pool.variable(2), nested);
    EXPECT_LT(length(nested), 20 * 20 * 4 * length(term(1)));
  }
}

// Nor is a rule, and the program takes such a guard in its stride.
TEST(Expressions, OfALongGuardAreSearched) {
  std::string guard = "y / x == 1";
  for (int i = 1; i < 20; ++i)
    guard += fmt::format(" && (y + {}) {} x >= {}", i, i % 2 == 0 ? "/" : "%", i % 2 == 0 ? 1 : 0);
  const std::string text = fmt::format(
      "var x, y : 0..7; proc p {{ do :: x < 7 -> x = x + 1 :: y < 7 -> y = y + 1 :: {} -> x = 0 "
      ":: x > 0 && {} -> break od }}",
      guard, guard);
  test::Compiled compiled = test::compile(text);
  const StateSql state_sql(compiled.program, Dialect(Engine::duckdb));
  for (const Rule& rule : compiled.program.rules) {
    const RuleSql sql = rule_sql(state_sql, rule);
    EXPECT_LT(sql.holds.size() + sql.outcome.size(), 60'000u);
  }
  const cli::TemporaryFolder folder;
  const std::string path = folder.write("guard.argos", text);
  const cli::Result native = cli::run({"check", path, "--reduce", "none"}),
                    related = cli::run({"relate", path});
  EXPECT_EQ(native.exit_code, 1) << native.output;  // x is 0 at first
  EXPECT_EQ(related.exit_code, 1) << related.errors;
  const auto counts = [](const std::string& report) {
    const std::size_t end = report.find(" transitions, depth");
    return report.substr(0, end).substr(report.rfind('\n', end));
  };
  EXPECT_EQ(counts(native.output), counts(related.output));
}

TEST(Expressions, HaveTheirValuesInDuckDb) { agrees("duckdb", expressions); }

TEST(Expressions, HaveTheirValuesInPostgreSql) {
  const PostgresServer server;
  agrees(server.address(), expressions);
}

}  // namespace
}  // namespace panoptes
