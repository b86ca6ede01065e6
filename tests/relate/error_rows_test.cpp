// SPDX-License-Identifier: Apache-2.0
// A row that somebody adds to the table of errors is found by every engine alike.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "relational/open.hpp"
#include "relational/relate.hpp"
#include "step/examine.hpp"
#include "step/native.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

constexpr const char* watched_model =
    "queue link[2]; var x, y : 0..3;\n"
    "proc sender { do :: x < 3 -> x = x + 1 :: link!go :: link!stop -> break od }\n"
    "proc receiver { do :: link?go -> y = x :: x == 2 -> link?stop; break :: x = 0 od }\n"
    "assert { do :: link!go :: link?go od }\n";

using Counts = std::map<std::tuple<RuleId, int, ProcessId, ChannelId, std::uint32_t, std::uint32_t>,
                        std::uint64_t>;

void count(const Finding& f, std::uint64_t times, Counts& counts) {
  counts[{f.rule, static_cast<int>(f.kind), f.process, f.channel, f.tag, f.assertion}] += times;
}

// Of all reachable states.
Counts found_by(Stepper& stepper, ReceptionPolicy receptions) {
  const Program& program = stepper.program();
  Counts counts;
  std::set<StateWords> seen{program.initial};
  StateBatch batch{program.layout.words, program.initial};
  while (!batch.empty()) {
    SuccessorBatch successors;
    std::vector<Finding> findings;
    stepper.expand(batch, successors, findings);
    examine(program, batch, successors, receptions, findings);
    for (const Finding& finding : findings) count(finding, 1, counts);
    batch.clear();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const StateView next = successors.states[i];
      if (seen.emplace(next.begin(), next.end()).second) batch.push_back(next);
    }
  }
  return counts;
}

Counts found_by(Database& database, const Program& program, ReceptionPolicy receptions) {
  RelateOptions options;
  options.receptions = receptions;
  const auto related = relate(program, database, Dialect(Engine::duckdb), options);
  if (!related) throw std::runtime_error(related.failure().message);
  Counts counts;
  for (const RelatedError& error : related->errors) count(error.finding, error.count, counts);
  return counts;
}

StateError always(ExpressionId predicate) {
  StateError row;
  row.kind = ErrorKind::assertion;
  row.predicate = predicate;
  return row;
}

// Rows of every form, each in a program of its own.
std::vector<std::function<void(Program&)>> additions() {
  const auto state = [](const std::function<StateError(Expressions&)>& make) {
    return [make](Program& program) {
      program.errors.states.push_back(make(program.protocol.expressions));
    };
  };
  const auto is = [](Expressions& pool, ExpressionId id, std::int64_t value) {
    return pool.binary(Op::equal, id, pool.constant(value));
  };
  const auto quotient = [](Expressions& pool) {
    return pool.binary(Op::divide, pool.variable(1), pool.variable(0));
  };
  return {
      state([=](Expressions& pool) {
        return always(pool.binary(Op::logical_and, is(pool, pool.variable(0), 2),
                                  pool.unary(Op::logical_not, pool.ask(Op::full, 0))));
      }),
      state([=](Expressions& pool) {
        return always(pool.all_of({is(pool, pool.ask(Op::control, 1), 0), is(pool, pool.tag(0), 2),
                                   is(pool, pool.ask(Op::subset, 0), 0)}));
      }),
      state([=](Expressions& pool) {  // no value where x is 0
        return always(is(pool, quotient(pool), 1));
      }),
      state([=](Expressions& pool) {
        return always(pool.binary(Op::logical_or, pool.holds(is(pool, quotient(pool), 2)),
                                  pool.member(pool.ask(Op::control, 0), {false, true})));
      }),
      state([=](Expressions& pool) {
        StateError row = always(is(pool, pool.variable(1), 1));
        row.idle = Idle::process;
        row.process = 1;
        return row;
      }),
      state([=](Expressions& pool) {
        StateError row = always(pool.constant(1));
        row.idle = Idle::everybody;
        return row;
      }),
      state([=](Expressions& pool) {
        StateError row = always(pool.constant(1));
        row.channel = 0;
        row.names_message = true;
        row.process = 1;
        row.at = {{0, is(pool, pool.variable(0), 1)}};
        return row;
      }),
      [=](Program& program) {  // the first rule must not fire where x is 1
        Expressions& pool = program.protocol.expressions;
        ErrorTable& errors = program.errors;
        errors.checks.insert(errors.checks.begin(),
                             {ErrorKind::division_by_zero, none,
                              pool.unary(Op::logical_not, is(pool, pool.variable(0), 1))});
        for (std::size_t rule = 1; rule < errors.first_check.size(); ++rule)
          ++errors.first_check[rule];
      },
  };
}

TEST(ErrorRows, AreFoundByEveryEngine) {
  auto database = open_database(*parse_database_address("duckdb"), {.threads = 1});
  ASSERT_TRUE(database) << database.failure().message;
  std::size_t number = 0;
  for (const auto& add : additions()) {
    SCOPED_TRACE(number++);
    test::Compiled compiled = test::compile(watched_model);
    Program& program = compiled.program;
    Interpreter without(program);
    const Counts before = found_by(without, ReceptionPolicy::blocked);
    add(program);
    for (const ReceptionPolicy receptions :
         {ReceptionPolicy::blocked, ReceptionPolicy::reading, ReceptionPolicy::any}) {
      Interpreter interpreter(program);
      const Counts wanted = found_by(interpreter, receptions);
      EXPECT_NE(wanted, before);
      if (const auto native = NativeStepper::make(program)) {
        EXPECT_EQ(found_by(*native, receptions), wanted);
      }
      EXPECT_EQ(found_by(**database, program, receptions), wanted);
    }
  }
}

}  // namespace
}  // namespace panoptes
