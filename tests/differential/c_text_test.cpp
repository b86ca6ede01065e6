// SPDX-License-Identifier: Apache-2.0
// Rules as C, compiled by the machine's compiler, give the interpreter's successors and failures in
// the interpreter's order.
#include "support/c_text.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "differential/generator.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"

namespace panoptes::differential {
namespace {

using test::CompiledText;
using test::failed_mark;
using test::has_compiler;

// Every rule that fires in `state`, in order: its number and, unless it fails, the successor.
struct Fired {
  std::uint32_t rule;
  bool fails;
  StateWords successor;
  friend bool operator==(const Fired&, const Fired&) = default;
};

std::vector<Fired> interpreted(const Interpreter& interpreter, StateView state) {
  const Program& program = interpreter.program();
  std::vector<Fired> fired;
  const auto try_rules = [&](RuleRange range) {
    for (RuleId id = range.first; id < range.end; ++id) {
      StateWords next;
      std::vector<Finding> findings;
      const auto firing = interpreter.fire(id, state, next, findings);
      if (firing == Interpreter::Firing::disabled) continue;
      const bool fails = firing == Interpreter::Firing::failure;
      fired.push_back({id, fails, fails ? StateWords{} : next});
    }
  };
  std::uint32_t rule_class = 0;
  for (std::size_t round = 0; round < program.rounds.size(); ++round) {
    const bool waits_for_all = program.rounds[round].rule_class > rule_class;
    if (program.rounds[round].waits_for_exchanges) {
      if (std::any_of(fired.begin(), fired.end(),
                      [&](const Fired& f) { return is_exchange(program.rules[f.rule]); }))
        continue;
    } else if (waits_for_all && !fired.empty()) {
      break;
    }
    rule_class = program.rounds[round].rule_class;
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      const auto& info =
          program.at(p, static_cast<StateId>(read(program.layout.control[p], state)));
      try_rules(info.rules[round]);
    }
  }
  return fired;
}

struct Tally {
  std::size_t states = 0, successors = 0, failures = 0;
};

// Compares the first states of a program.
void expect_equal_c(const Program& program, const std::string& name, Tally& tally) {
  constexpr std::size_t most_states = 3'000;
  CompiledText text(program);
  const Interpreter interpreter(program);
  const std::size_t width = program.layout.words, most = most_successors(program);
  ASSERT_EQ(text.initial(width), program.initial) << name;
  StateWords words(most * width);
  std::vector<std::uint32_t> rules(most);
  std::set<StateWords> seen{program.initial};
  std::deque<StateWords> waiting{program.initial};
  for (; !waiting.empty(); waiting.pop_front()) {
    const std::vector<Fired> wanted = interpreted(interpreter, waiting.front());
    const std::size_t count = text.expand(waiting.front(), words, rules);
    ASSERT_EQ(count, wanted.size()) << name;
    ++tally.states;
    for (std::size_t i = 0; i < count; ++i) {
      const bool fails = (rules[i] & failed_mark) != 0;
      const Word* successor = words.data() + i * width;
      const Fired got{rules[i] & ~failed_mark, fails,
                      fails ? StateWords{} : StateWords(successor, successor + width)};
      ASSERT_EQ(got.rule, wanted[i].rule) << name;
      ASSERT_TRUE(got == wanted[i]) << name << ", rule " << got.rule;
      ++(fails ? tally.failures : tally.successors);
      if (!fails && seen.size() < most_states && seen.insert(got.successor).second)
        waiting.push_back(got.successor);
    }
  }
}

test::Setup c_setup(std::uint64_t seed) {
  test::Setup setup;
  setup.minimise = seed % 3 == 0;
  if (seed % 2 == 1) setup.timeouts = TimeoutPolicy::lock;
  if (seed % 4 >= 2) setup.overflow = OverflowPolicy::error;
  return setup;
}

TEST(CText, StepsAsTheInterpreterOnModels) {
  if (!has_compiler()) GTEST_SKIP() << "no C compiler";
  Tally tally;
  std::uint64_t seed = 0;
  for (const char* name : {"alternating_bit", "mistakes", "mutual_exclusion", "request",
                           "sliding_window", "connection"})
    expect_equal_c(test::compile(test::model_text(name), c_setup(seed++)).program, name, tally);
  EXPECT_GT(tally.failures, 0u);
  EXPECT_GT(tally.successors, tally.states);
}

TEST(CText, StepsAsTheInterpreterOnRandomProtocols) {
  if (!has_compiler()) GTEST_SKIP() << "no C compiler";
  Tally tally;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    expect_equal_c(test::compile(random_protocol(seed), c_setup(seed)).program,
                   fmt::format("seed {}", seed), tally);
  EXPECT_GT(tally.states, 4'000u);
  EXPECT_GT(tally.failures, 100u);
}

// Channels in pieces, values near the ends of 64 bits, every operation and every failure.
TEST(CText, StepsAsTheInterpreterWhereItIsHard) {
  if (!has_compiler()) GTEST_SKIP() << "no C compiler";
  Tally tally;
  std::string deep = "x";
  for (int i = 0; i < 300; ++i) deep += " + y";
  const std::string texts[] = {
      "channel c[9]; proc p var x; { do :: c!m(x) -> x = x + 4097 :: c!n od }\n"
      "proc q var y; { do :: c?m(y) :: (len(c) > 5 && full(c) == 0) -> c?n :: (empty(c)) od }",
      "var y; proc p var x : -3..6; { y = -32768; x = y*y*y*y*8 - 1; x = y*y*y*y*8;"
      " x = -(y*y*y*y*8); x = y*y*y*y*7 + y; x = 0 - y*y*y - 5 }",
      "proc p var x : -4..4, y : -4..4; { do :: x = x + 1 :: y = y + 3 :: assert(x % y != 2)"
      " :: (x / y > 0 || x >= y) -> x = x / y :: (!(x < y) && y <= x) -> y = -x % 3 od }",
      fmt::format("proc p var x : 0..9, y : 0..9; {{ do :: x = ({}) % 10 :: y = y + 1 od }}", deep),
  };
  for (const std::string& text : texts)
    expect_equal_c(test::compile(text).program, text.substr(0, 40), tally);
  EXPECT_GT(tally.failures, 10u);
}

}  // namespace
}  // namespace panoptes::differential
