// SPDX-License-Identifier: Apache-2.0
// The native stepper gives the interpreter's successors in the interpreter's order, rule for rule.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "differential/generator.hpp"
#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/native.hpp"

namespace panoptes::differential {
namespace {

bool same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.source == b.source && a.rule == b.rule && a.process == b.process &&
         a.channel == b.channel && a.tag == b.tag && a.assertion == b.assertion;
}

// Walks the reachable states, up to a number of them, with both steppers side by side.
void expect_equal_steps(Stepper& interpreter, Stepper& native, ReceptionPolicy receptions,
                        const std::string& name) {
  const Program& program = interpreter.program();
  constexpr std::size_t most_states = 2'000, batch_states = 7;
  std::set<StateWords> seen{program.initial};
  std::deque<StateWords> waiting{program.initial};
  StateBatch batch{program.layout.words, {}};
  SuccessorBatch wanted, got;
  while (!waiting.empty()) {
    batch.clear();
    while (!waiting.empty() && batch.size() < batch_states) {
      batch.push_back(waiting.front());
      waiting.pop_front();
    }
    std::vector<Finding> wanted_findings, got_findings;
    interpreter.expand(batch, wanted, wanted_findings);
    examine(program, batch, wanted, receptions, wanted_findings);
    native.expand(batch, got, got_findings);
    examine(program, batch, got, receptions, got_findings);
    ASSERT_EQ(wanted.rules, got.rules) << name;
    ASSERT_EQ(wanted.states.words, got.states.words) << name;
    ASSERT_EQ(wanted.first, got.first) << name;
    ASSERT_EQ(wanted.failed, got.failed) << name;
    ASSERT_EQ(wanted_findings.size(), got_findings.size()) << name;
    for (std::size_t i = 0; i < wanted_findings.size(); ++i)
      ASSERT_TRUE(same(wanted_findings[i], got_findings[i])) << name;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const StateView view = wanted.states[i];
      StateWords state(view.begin(), view.end());
      if (seen.size() < most_states && seen.insert(state).second)
        waiting.push_back(std::move(state));
    }
  }
}

void expect_equal_steps(const std::string& text, const RuleOptions& options, bool minimised,
                        ReceptionPolicy receptions, const std::string& name) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text(name, text, sources, diagnostics);
  BuildOptions build;
  build.minimise = minimised;
  auto protocol = build_protocol(model, build, sources, diagnostics);
  ASSERT_TRUE(protocol) << diagnostics.render(sources);
  std::string problem;
  const auto program = compile_rules(std::move(*protocol), options, problem);
  ASSERT_TRUE(program) << problem;
  const auto native = NativeStepper::make(*program);
  if (!native) GTEST_SKIP() << "no native code on this machine";
  Interpreter interpreter(*program);
  expect_equal_steps(interpreter, *native, receptions, name);
  if (!has_indivisible(*program)) return;
  IndivisibleStepper interpreted(std::make_unique<Interpreter>(*program));
  IndivisibleStepper compiled(native->another());
  expect_equal_steps(interpreted, compiled, receptions, name + " in whole sequences");
}

RuleOptions rule_options_for(std::uint64_t seed) {
  RuleOptions options;
  if (seed % 2 == 1) options.timeouts = TimeoutPolicy::lock;
  if (seed % 4 >= 2) options.overflow = OverflowPolicy::error;
  return options;
}

TEST(NativeStepper, StepsAsTheInterpreterOnRandomProtocols) {
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    expect_equal_steps(random_protocol(seed), rule_options_for(seed), seed % 3 == 0,
                       seed % 5 == 0 ? ReceptionPolicy::any : ReceptionPolicy::blocked,
                       "seed " + std::to_string(seed));
}

// Products beyond 64 bits, wrapped into ranges of every kind, positive and negative.
TEST(NativeStepper, WrapsValuesNearTheEndsOfSixtyFourBits) {
  for (const std::string range : {"-3..6", "0..6", "1..7", "-32768..32766", "-8..-2", "0..7"})
    expect_equal_steps(
        "var y; proc p var x : " + range +
            " wraps; { y = -32768; x = y*y*y*y*8 - 1; x = y*y*y*y*8; x = -(y*y*y*y*8);"
            " x = y*y*y*y*7 + y; x = 0 - y*y*y - 5 }",
        {}, true, ReceptionPolicy::blocked, range);
}

TEST(NativeStepper, StepsAsTheInterpreterOnEveryModel) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PANOPTES_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".argos") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      expect_equal_steps(text.str(), rule_options_for(seed), true, ReceptionPolicy::blocked,
                         entry.path().filename());
  }
}

}  // namespace
}  // namespace panoptes::differential
