// SPDX-License-Identifier: Apache-2.0
// What is searched backwards is what is found forwards: every error that some reachable state shows
// is a target that can be reached, with rules that lead there, and no other target is.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "differential/generator.hpp"
#include "reversed/forwards.hpp"
#include "step/turn.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;

// What makes two errors one target.
using Key = std::tuple<std::string, ProcessId, StateId, ChannelId, std::uint32_t, std::uint32_t,
                       RuleId, std::vector<StateId>>;

std::vector<StateId> control_of(const Program& program, StateView state) {
  std::vector<StateId> control;
  for (const Slot& slot : program.layout.control)
    control.push_back(static_cast<StateId>(read(slot, state)));
  return control;
}

Key key_of(const Target& target) {
  const std::string kind(target.has_no_value ? "no value" : to_string(target.kind));
  return {kind,       target.process,   target.state, target.channel,
          target.tag, target.assertion, target.rule,  target.control};
}

Key key_of(const Program& program, const Finding& finding, StateView state) {
  if (finding.rule != none) {
    for (const StepCheck& check : program.errors.checks_of(finding.rule))
      if (check.kind == finding.kind && check.assertion == finding.assertion)
        return {std::string(to_string(finding.kind)),
                none,
                0,
                none,
                0,
                finding.assertion,
                finding.rule,
                {}};
    return {"no value", none, 0, none, 0, none, finding.rule, {}};
  }
  const std::vector<StateId> control = control_of(program, state);
  const bool is_deadlock = finding.kind == ErrorKind::deadlock;
  return {std::string(to_string(finding.kind)),
          finding.process,
          finding.process == none ? 0 : control[finding.process],
          finding.channel,
          finding.tag,
          finding.assertion,
          none,
          is_deadlock ? control : std::vector<StateId>{}};
}

// Everything that is wrong with reachable states and steps; nothing where there are too many.
std::optional<std::map<Key, std::size_t>> found_forwards(const Program& program,
                                                         ReceptionPolicy receptions,
                                                         std::size_t most_states) {
  std::map<Key, std::size_t> found;
  const auto use = [&](const StateBatch& batch, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
      if (finding.kind != ErrorKind::endless_atomic)
        ++found[key_of(program, finding, finding.state_in(batch))];
  };
  if (!for_each_reachable(program, receptions, most_states, use)) return {};
  return found;
}

// The rules lead from the initial state to the error, each taken where it is its turn.
void expect_to_lead(const Program& program, ReceptionPolicy receptions, const Target& target,
                    const std::vector<RuleId>& rules) {
  Turn turn(program);
  StateBatch batch{.width = program.initial.size(), .words = {}};
  batch.push_back(program.initial);
  SuccessorBatch successors;
  std::vector<Finding> findings;
  for (const RuleId rule : rules) {
    findings.clear();
    turn.expand(batch, successors, findings);
    const auto taken = std::find(successors.rules.begin(), successors.rules.end(), rule);
    ASSERT_NE(taken, successors.rules.end()) << program.rules[rule].text;
    const auto index = static_cast<std::size_t>(taken - successors.rules.begin());
    const std::vector<Word> next(successors.states[index].begin(), successors.states[index].end());
    turn.take(rule, batch[0], next);
    batch.assign(next);
  }
  findings.clear();
  turn.expand(batch, successors, findings);
  if (target.rule == none) {
    EXPECT_TRUE(turn.is_outside());
    examine(program, batch, successors, receptions, findings);
  }
  const bool shows = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return key_of(program, finding, batch[0]) == key_of(target);
  });
  EXPECT_TRUE(shows) << to_text(program, target);
}

// All targets, in three searches of one object: what one has learnt the next one uses. The sample
// has too few states to tell, so that guesses are wrong.
std::vector<BackwardAnswer> induced_answers(ReversedProgram& reversed,
                                            const std::vector<Targets::Candidate>& candidates,
                                            const BackwardLimits& limits) {
  const PossibleTogether together(reversed, {});
  ReachableSample sample(reversed, 20, {});
  Induction induction(reversed, together, sample);
  const auto half = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  std::vector<BackwardAnswer> answers;
  induction.search(candidates, {.claims = 20, .work = limits.work});  // given up in the middle
  using Some = std::vector<Targets::Candidate>;
  for (const Some& some : {Some(candidates.begin(), half), Some(half, candidates.end())})
    for (BackwardAnswer& answer : induction.search(some, limits))
      answers.push_back(std::move(answer));
  return answers;
}

// The same with every step left open, where otherwise only those are that have too many claims
// before them.
std::vector<BackwardAnswer> open_answers(const Program& program, ReceptionPolicy receptions,
                                         std::uint64_t questions) {
  ReversedProgram reversed(program);
  const auto candidates = reversed.candidates(receptions, {});
  return induced_answers(reversed, *candidates, {.claims = questions, .work = 0});
}

// Both engines against what is found forwards. They may give up, but not always.
struct Comparison {
  std::uint64_t protocols = 0, targets = 0, reachable = 0;
  // Targets that were settled by one, by the other, and by that with every step left open.
  std::uint64_t claimed = 0, induced = 0, opened = 0;

  void compare(const std::string& name, const Program& program, ReceptionPolicy receptions) {
    const auto found = found_forwards(program, receptions, 2'000);
    if (!found) return;
    ReversedProgram reversed(program);
    ClaimSearch search(reversed);
    const BackwardLimits limits{.claims = 300, .work = 10'000};
    const auto found_candidates = reversed.candidates(receptions, {});
    if (!found_candidates) return;
    const std::vector<Targets::Candidate>& candidates = *found_candidates;
    // Deadlocks that are one target are looked for elsewhere.
    if (std::any_of(candidates.begin(), candidates.end(),
                    [](const Targets::Candidate& candidate) { return !candidate.unless.empty(); }))
      return;
    if (candidates.size() > (test::has_all_samples() ? 500u : 100u)) return;
    ++protocols;
    std::set<Key> keys;
    std::vector<Target> all;
    for (const Targets::Candidate& candidate : candidates) {
      all.push_back(candidate.target);
      keys.insert(key_of(candidate.target));
    }
    for (const auto& [key, count] : *found)
      EXPECT_TRUE(keys.contains(key)) << name << ": " << std::get<0>(key) << " is no candidate";
    const std::vector<BackwardAnswer> answers =
        induced_answers(reversed, candidates, {.claims = 20 * limits.claims});
    const std::vector<BackwardAnswer> open = open_answers(program, receptions, 20 * limits.claims);
    targets += all.size();
    for (std::size_t i = 0; i < all.size() && !testing::Test::HasFailure(); ++i) {
      const bool is_reachable = found->contains(key_of(all[i]));
      reachable += is_reachable;
      const auto check = [&](const BackwardAnswer& answer, const char* engine) {
        if (answer.reachability == Reachability::unknown) return 0;
        EXPECT_EQ(answer.reachability == Reachability::reachable, is_reachable)
            << name << ", " << engine << ": " << to_text(program, all[i]);
        if (is_reachable) expect_to_lead(program, receptions, all[i], answer.ways.at(0));
        return 1;
      };
      claimed += check(search.search(candidates[i], limits), "claims");
      induced += check(answers[i], "induction");
      opened += check(open[i], "induction, left open");
    }
  }
  void expect_to_have_settled_most() const {
    EXPECT_GT(reachable, 20u);
    EXPECT_GT(claimed, targets / 2) << targets << " targets";
    EXPECT_GT(induced, targets / 2) << targets << " targets";
    EXPECT_GT(opened, targets / 2) << targets << " targets";
  }
};

TEST(Backward, FindsOnRandomProtocolsWhatIsFoundForwards) {
  Comparison comparison;
  const std::uint64_t protocols = test::has_all_samples() ? 1'500 : 40;
  for (std::uint64_t seed = 0; seed < protocols && !HasFailure(); ++seed) {
    test::Setup setup;
    setup.timeouts = static_cast<TimeoutPolicy>(seed % 3);
    setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
    const Compiled compiled = compile(differential::random_protocol(seed), setup);
    comparison.compare("seed " + std::to_string(seed), compiled.program,
                       static_cast<ReceptionPolicy>(seed / 3 % 3));
  }
  EXPECT_GT(comparison.protocols, protocols / 2);
  comparison.expect_to_have_settled_most();
}

TEST(Backward, FindsInModelsWhatIsFoundForwards) {
  Comparison comparison;
  for (const std::string& name : test::sample_of(test::model_names())) {
    const Compiled compiled = compile(test::model_text(name));
    comparison.compare(name, compiled.program, ReceptionPolicy::blocked);
    if (HasFailure()) return;
  }
  EXPECT_GT(comparison.protocols, test::sample_of(60) / 5);
  EXPECT_GT(comparison.claimed, comparison.targets / 5);
  EXPECT_GT(comparison.induced, comparison.targets / 5);
  EXPECT_GT(comparison.opened, comparison.targets / 5);
}

}  // namespace
}  // namespace panoptes::backward
