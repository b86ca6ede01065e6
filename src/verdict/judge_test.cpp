// SPDX-License-Identifier: Apache-2.0
// Whoever searches, the judge says the same of what was found.
#include "verdict/judge.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "step/examine.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using Path = std::vector<RuleId>;

// An engine of its own: a queue of states, each with the whole way to it.
class PlainEngine final : public WayBack {
 public:
  explicit PlainEngine(const test::Compiled& compiled)
      : compiled_(compiled), log_(compiled.program) {
    evidence_.fired.resize(compiled.program.rules.size());
    Interpreter interpreter(compiled.program);
    meet(compiled.program.initial, {});
    SuccessorBatch successors;
    std::vector<Finding> findings;
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const StateBatch batch{compiled.program.layout.words, waiting_.front()};
      current_ = known_.at(waiting_.front());
      findings.clear();
      interpreter.expand(batch, successors, findings);
      examine(compiled.program, batch, successors, ReceptionPolicy::blocked, findings);
      log_.add(findings, batch, {.depth = current_.size()}, *this);
      for (std::size_t s = 0; s < successors.size(); ++s) {
        const StateView state = successors.states[s];
        Path path = current_;
        path.push_back(successors.rules[s]);
        evidence_.fired[path.back()] = true;
        meet({state.begin(), state.end()}, std::move(path));
      }
      for (const Finding& finding : findings)
        if (finding.rule != none) evidence_.fired[finding.rule] = true;
    }
    log_.finish();
    evidence_.measured.states = known_.size();
  }

  std::uint64_t mark(unsigned, std::size_t) override {
    marked_.push_back(current_);
    return marked_.size() - 1;
  }
  std::optional<Path> path(std::uint64_t marked, const Deadline&) override {
    return marked_[marked];
  }
  bool is_shortest() const override { return true; }

  Evidence& evidence() { return evidence_; }
  std::vector<Path>& marked() { return marked_; }
  std::optional<Verdict> verdict(std::string& problem) {
    return judge({compiled_.program, compiled_.sources, {}}, evidence_, log_, *this, {}, problem);
  }

 private:
  void meet(StateWords state, Path path) {
    if (known_.emplace(state, std::move(path)).second) waiting_.push_back(std::move(state));
  }

  const test::Compiled& compiled_;
  ErrorLog log_;
  Evidence evidence_;
  std::map<StateWords, Path> known_;
  std::deque<StateWords> waiting_;
  Path current_;
  std::vector<Path> marked_;
};

std::string shown(const Verdict& verdict) {
  std::string text = fmt::format("{}, {}, {}, {} states, {} dead ({}), {}\n",
                                 to_string(verdict.outcome), to_string(verdict.promise),
                                 to_string(verdict.stop), verdict.states, verdict.dead_code.size(),
                                 verdict.is_dead_code_certain, verdict.findings_left_out);
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      text += fmt::format("{}, {} times, {} members, {} steps, {}, {}, {}\n",
                          error.description.text, error.count, error.members.size(),
                          error.step_count(), error.is_shortest, error.is_warning, error.cause);
  return text;
}

TEST(Judge, SaysTheSameOfAnotherEngine) {
  for (const std::string name : {"setup_handshake", "alternating_bit"}) {
    SCOPED_TRACE(name);
    const test::Compiled compiled = test::compile(test::model_text(name));
    std::string problem;
    const auto verdict = PlainEngine(compiled).verdict(problem);
    ASSERT_TRUE(verdict) << problem;
    EXPECT_EQ(shown(*verdict), shown(test::check(compiled, {})));
  }
}

TEST(Judge, TellsWarningsFromErrors) {
  const test::Compiled compiled = test::compile(
      "channel c, d; proc p { c!a; c!a; d!x } proc q { c?a; if :: c?a :: c?b fi; c?z }");
  std::string problem;
  const auto verdict = PlainEngine(compiled).verdict(problem);
  ASSERT_TRUE(verdict) << problem;
  EXPECT_EQ(shown(*verdict), shown(test::check(compiled, {})));
}

TEST(Judge, PromisesNoMoreThanTheEvidenceAllows) {
  const test::Compiled compiled = test::compile("proc p { do :: (1) od }");
  PlainEngine engine(compiled);
  std::string problem;
  EXPECT_EQ(engine.verdict(problem)->outcome, Outcome::holds);
  engine.evidence().store = {.may_omit = true, .expected_omissions = 0.001};
  EXPECT_EQ(engine.verdict(problem)->outcome, Outcome::holds);
  EXPECT_EQ(engine.verdict(problem)->promise, Promise::hashed);
  EXPECT_FALSE(engine.verdict(problem)->is_dead_code_certain);
  engine.evidence().ending.is_cut_off = true;
  EXPECT_EQ(engine.verdict(problem)->outcome, Outcome::unknown);
  EXPECT_EQ(engine.verdict(problem)->stop, Stop::depth);
}

TEST(Judge, BelievesNoTrailThatDoesNotReplay) {
  const test::Compiled compiled = test::compile("channel c; proc p { c!a; c?b } ");
  PlainEngine engine(compiled);
  ASSERT_FALSE(engine.marked().empty());
  engine.marked()[0].pop_back();
  std::string problem;
  EXPECT_FALSE(engine.verdict(problem));
  EXPECT_NE(problem, "");
}

}  // namespace
}  // namespace panoptes
