// SPDX-License-Identifier: Apache-2.0
// The seam of languages: a second one, made here, goes all the way to a verdict.
#include "protocol/front_end.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "load/front_ends.hpp"
#include "protocol/finish.hpp"
#include "protocol/transit.hpp"
#include "rules/cost_value.hpp"
#include "search/check.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// A text of Toy is one word: `flip` goes up and down for ever, `stuck` only goes up. An expression
// is the name of a state.
class ToyModel final : public ParsedModel {
 public:
  explicit ToyModel(std::string word) : word_(std::move(word)) {}

  std::optional<Protocol> build(const BuildOptions& options, const SourceSet& sources,
                                Diagnostics& diagnostics) const override {
    if (diagnostics.has_errors()) return {};
    Protocol protocol;
    RawAutomaton raw;
    raw.states = {state("down"), state("up"), RawState{}};
    raw.end = 2;
    raw.states[raw.end].state.is_end = true;
    move(protocol, raw, 0, 1);
    if (word_ == "flip") move(protocol, raw, 1, 0);
    const Place place{0, 0, static_cast<std::uint32_t>(word_.size()), 0};
    Process process{"toy", "toy", place, remove_transit_states(std::move(raw), protocol, sources)};
    protocol.processes.push_back(std::move(process));
    if (!finish(protocol, options, diagnostics)) return {};
    return protocol;
  }

 private:
  static RawState state(const std::string& label) {
    RawState raw;
    raw.state.labels = {label};
    return raw;
  }

  static void move(Protocol& protocol, RawAutomaton& raw, StateId from, StateId to) {
    Transition t;
    t.target = to;
    t.text = "to " + raw.states[to].state.labels.front();
    t.statements = {static_cast<StatementId>(protocol.statements.size())};
    protocol.statements.push_back({Place{0, 0, 1, 0}, "toy", t.text});
    raw.states[from].state.transitions.push_back(std::move(t));
    raw.states[from].is_jump.push_back(false);
  }

  std::string word_;
};

class ToyExpression final : public ParsedExpression {
 public:
  explicit ToyExpression(std::string label) : label_(std::move(label)) {}

  std::set<std::string> state_names() const override { return {label_}; }

  std::optional<CostExpression> resolve(const Protocol& protocol,
                                        Diagnostics& diagnostics) const override {
    CostExpression result;
    const auto root = add_to(result.pool, protocol, diagnostics);
    if (!root) return {};
    result.root = *root;
    return result;
  }

  std::optional<ExpressionId> resolve_into(Protocol& protocol,
                                           Diagnostics& diagnostics) const override {
    return add_to(protocol.expressions, protocol, diagnostics);
  }

 private:
  std::optional<ExpressionId> add_to(Expressions& pool, const Protocol& protocol,
                                     Diagnostics& diagnostics) const {
    std::vector<bool> states;
    for (const ControlState& state : protocol.processes[0].automaton.states)
      states.push_back(state.name == label_);
    if (std::find(states.begin(), states.end(), true) != states.end())
      return pool.member(pool.ask(Op::control, 0), states);
    diagnostics.error({}, "no state is called so");
    return {};
  }

  std::string label_;
};

class Toy final : public FrontEnd {
 public:
  bool takes(std::string_view path) const override { return path.ends_with(".toy"); }

  std::unique_ptr<ParsedModel> parse(const std::string& path, const ReadFile& read_file,
                                     const std::vector<Definition>&, SourceSet& sources,
                                     Diagnostics& diagnostics) const override {
    const std::string word = read_file(path).value_or("");
    const std::uint32_t file = sources.add(path, word);
    if (word != "flip" && word != "stuck") diagnostics.error({file, 0, 1, 0}, "no word of Toy");
    return std::make_unique<ToyModel>(word);
  }

  std::unique_ptr<ParsedExpression> parse_expression(std::string, std::string text, SourceSet&,
                                                     Diagnostics& diagnostics) const override {
    if (!text.empty()) return std::make_unique<ToyExpression>(std::move(text));
    diagnostics.error({}, "expected a state");
    return nullptr;
  }
};

class FrontEnds : public testing::Test {
 protected:
  std::optional<Program> program_of(const std::string& word) {
    const ReadFile read_file = [&](const std::string&) { return std::optional(word); };
    const auto model = toy_.parse("m.toy", read_file, {}, sources_, diagnostics_);
    // Up and down are alike but for their names; who asks for one keeps them apart.
    BuildOptions options;
    const auto up = toy_.parse_expression("break", "up", sources_, diagnostics_);
    options.asked.names = up->state_names();
    auto protocol = model->build(options, sources_, diagnostics_);
    if (!protocol) return {};
    std::string problem;
    auto program = compile_rules(std::move(*protocol), {}, problem);
    EXPECT_TRUE(program) << problem;
    return program;
  }

  Verdict verdict_of(const Program& program) {
    std::string problem;
    auto verdict = check(program, sources_, {}, problem);
    EXPECT_TRUE(verdict) << problem;
    return verdict.value_or(Verdict{});
  }

  Toy toy_;
  SourceSet sources_;
  Diagnostics diagnostics_;
};

TEST_F(FrontEnds, AreChosenByTheNameOfTheFile) {
  const FrontEnd* const all[] = {&front_end_of("m"), &toy_};
  EXPECT_EQ(&front_end_for("folder/m.toy", all), &toy_);
  EXPECT_EQ(&front_end_for("folder/m.argos", all), &front_end_of("m"));
  EXPECT_EQ(&front_end_for("-", all), &front_end_of("m"));
}

TEST_F(FrontEnds, GiveProtocolsThatAreCheckedLikeAnyOther) {
  const auto flip = program_of("flip");
  ASSERT_TRUE(flip);
  const Verdict verdict = verdict_of(*flip);
  EXPECT_EQ(verdict.states, 2u);
  EXPECT_EQ(verdict.transitions, 2u);
  EXPECT_TRUE(verdict.errors.empty());
}

TEST_F(FrontEnds, GiveErrorsWithTrails) {
  const auto stuck = program_of("stuck");
  ASSERT_TRUE(stuck);
  const Verdict verdict = verdict_of(*stuck);
  EXPECT_EQ(verdict.states, 2u);
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0].trail.steps.size(), 1u);
}

TEST_F(FrontEnds, GiveExpressionsAMeaning) {
  const auto flip = program_of("flip");
  ASSERT_TRUE(flip);
  const auto up = read_expression(toy_, "break", "up", flip->protocol);
  ASSERT_TRUE(up) << up.failure();
  Interpreter interpreter(*flip);
  SuccessorBatch next;
  std::vector<Finding> findings;
  interpreter.expand({flip->layout.words, flip->initial}, next, findings);
  ASSERT_EQ(next.states.size(), 1u);
  EXPECT_EQ(cost_value(*flip, *up, flip->initial, 0).value, 0);
  EXPECT_EQ(cost_value(*flip, *up, next.states[0], 1).value, 1);
  EXPECT_EQ(read_expression(toy_, "break", "off", flip->protocol).failure(),
            "error: no state is called so\n");
  EXPECT_EQ(read_expression(toy_, "break", "", flip->protocol).failure(),
            "error: expected a state\n");
}

TEST_F(FrontEnds, ReportWhatIsWrongWithItsPlace) {
  EXPECT_FALSE(program_of("flop"));
  EXPECT_EQ(diagnostics_.render(sources_), "m.toy:1:1: error: no word of Toy\n  flop\n  ^\n");
}

}  // namespace
}  // namespace panoptes
