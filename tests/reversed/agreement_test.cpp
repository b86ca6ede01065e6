// SPDX-License-Identifier: Apache-2.0
// What is searched backwards is what is found forwards: every error that some reachable state shows
// is a target that can be reached, with rules that lead there, and no other target is.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "base/clock.hpp"
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

// Deadlocks that are one target are so wherever everybody is.
Key key_of(const Key& exact, bool has_one_deadlock) {
  Key key = exact;
  if (has_one_deadlock) std::get<7>(key).clear();
  return key;
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

// The rules lead from the initial state to the error, each taken where it is its turn; where
// everybody is then goes to `ends`.
void expect_to_lead(const Program& program, ReceptionPolicy receptions, const Target& target,
                    const std::vector<RuleId>& rules, std::set<std::vector<StateId>>& ends) {
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
    return key_of(key_of(program, finding, batch[0]), target.control.empty()) == key_of(target);
  });
  EXPECT_TRUE(shows) << to_text(program, target);
  ends.insert(control_of(program, batch[0]));
}

// What a search had guessed when it was given up, written down and read again; and that no target
// can be reached, which is wrong of some.
Guesses of_an_earlier_run(ReversedProgram& reversed, const PossibleTogether& together,
                          const std::vector<Targets::Candidate>& candidates,
                          const BackwardLimits& limits) {
  ReachableSample sample(reversed, 20, {});
  Induction induction(reversed, &together, sample);
  std::vector<Guesses> known(1), again(1);
  induction.set_pause([&](bool is_over) {
    if (is_over) known[0] = induction.guesses();
  });
  induction.search(candidates, limits);
  read_guesses(write_guesses(known, reversed.space), reversed.space, again);
  EXPECT_EQ(again[0].growths, known[0].growths);
  EXPECT_EQ(again[0].claims, known[0].claims);
  for (const Targets::Candidate& candidate : candidates)
    again[0].claims.insert(again[0].claims.end(), candidate.claims.begin(), candidate.claims.end());
  return again[0];
}

// All targets, in three searches of one object: what one has learnt the next one uses; or in two
// that go on with what an earlier object was about to prove. The sample has too few states to tell,
// so that guesses are wrong.
std::vector<BackwardAnswer> induced_answers(ReversedProgram& reversed,
                                            const std::vector<Targets::Candidate>& candidates,
                                            const BackwardLimits& limits, bool goes_on) {
  const PossibleTogether together(reversed, {});
  ReachableSample sample(reversed, 20, {});
  Induction induction(reversed, &together, sample);
  const auto half = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  std::vector<BackwardAnswer> answers;
  BackwardLimits few = limits;  // given up in the middle
  few.claims = 20;
  if (goes_on)
    induction.begin_with(of_an_earlier_run(reversed, together, candidates, few), {});
  else
    induction.search(candidates, few);
  using Some = std::vector<Targets::Candidate>;
  for (const Some& some : {Some(candidates.begin(), half), Some(half, candidates.end())})
    for (BackwardAnswer& answer : induction.search(some, limits))
      answers.push_back(std::move(answer));
  return answers;
}

// A few random protocols would take an engine minutes.
BackwardLimits limited(std::uint64_t claims, std::uint64_t work) {
  constexpr double patience_seconds = 2.0;
  const double until = steady_seconds() + patience_seconds;
  return {.deadline = Deadline([until] { return until - steady_seconds(); }),
          .claims = claims,
          .work = work};
}

// The same with every step left open, where otherwise only those are that have too many claims
// before them.
std::vector<BackwardAnswer> open_answers(const Program& program, ReceptionPolicy receptions,
                                         std::uint64_t questions) {
  ReversedProgram reversed(program);
  const auto candidates = reversed.candidates(receptions, {});
  BackwardLimits limits = limited(questions, 0);
  // Then some are given up, and what was guessed before with them.
  if (candidates->size() % 3 == 0) limits.work_open = 100;
  return induced_answers(reversed, *candidates, limits, true);
}

// Both engines against what is found forwards. They may give up, but not always.
struct Comparison {
  std::uint64_t protocols = 0, targets = 0, reachable = 0;
  std::uint64_t spread = 0;  // protocols whose deadlocks are one target
  // Targets that were settled by one, by the other, and by that with every step left open.
  std::uint64_t claimed = 0, induced = 0, opened = 0;

  void compare(const std::string& name, const Program& program, ReceptionPolicy receptions) {
    const auto found = found_forwards(program, receptions, 2'000);
    if (!found) return;
    ReversedProgram reversed(program);
    ClaimSearch search(reversed);
    constexpr std::uint64_t most_claims = 300, most_questions = 20 * most_claims;
    const auto found_candidates = reversed.candidates(receptions, {});
    if (!found_candidates) return;
    const std::vector<Targets::Candidate>& candidates = *found_candidates;
    if (candidates.size() > (test::has_all_samples() ? 500u : 100u)) return;
    ++protocols;
    const bool has_one_deadlock =
        std::any_of(candidates.begin(), candidates.end(),
                    [](const Targets::Candidate& one) { return one.is_one_of_many; });
    spread += has_one_deadlock;
    std::set<Key> keys;
    std::vector<Target> all;
    for (const Targets::Candidate& candidate : candidates) {
      all.push_back(candidate.target);
      keys.insert(key_of(candidate.target));
    }
    std::map<Key, std::set<std::vector<StateId>>> wanted;  // and of deadlocks, where
    for (const auto& [key, count] : *found) {
      wanted[key_of(key, has_one_deadlock)].insert(std::get<7>(key));
      EXPECT_TRUE(keys.contains(key_of(key, has_one_deadlock)))
          << name << ": " << std::get<0>(key) << " is no candidate";
    }
    const std::vector<BackwardAnswer> answers = induced_answers(
        reversed, candidates, limited(most_questions, 1'000'000), candidates.size() % 2 == 0);
    const std::vector<BackwardAnswer> open = open_answers(program, receptions, most_questions);
    targets += all.size();
    for (std::size_t i = 0; i < all.size() && !testing::Test::HasFailure(); ++i) {
      const bool is_reachable = wanted.contains(key_of(all[i]));
      reachable += is_reachable;
      const auto check = [&](const BackwardAnswer& answer, const char* engine) {
        if (answer.reachability == Reachability::unknown) return 0;
        EXPECT_EQ(answer.reachability == Reachability::reachable, is_reachable)
            << name << ", " << engine << ": " << to_text(program, all[i]);
        std::set<std::vector<StateId>> ends;
        for (const std::vector<RuleId>& way : answer.ways)
          expect_to_lead(program, receptions, all[i], way, ends);
        if (candidates[i].is_one_of_many && is_reachable && answer.reason.empty()) {
          EXPECT_EQ(ends, wanted[key_of(all[i])]) << name << ", " << engine;
        }
        return 1;
      };
      claimed += check(search.search(candidates[i], limited(most_claims, 10'000)), "claims");
      induced += check(answers[i], "induction");
      opened += check(open[i], "induction, left open");
    }
  }
  void add(const Comparison& other) {
    protocols += other.protocols;
    targets += other.targets;
    reachable += other.reachable;
    spread += other.spread;
    claimed += other.claimed;
    induced += other.induced;
    opened += other.opened;
  }
  void expect_to_have_settled_most() const {
    EXPECT_GT(reachable, 20u);
    EXPECT_GT(claimed, targets / 2) << targets << " targets";
    EXPECT_GT(induced, targets / 2) << targets << " targets";
    EXPECT_GT(opened, targets / 2) << targets << " targets";
  }
};

void compare_seed(std::uint64_t seed, Comparison& comparison) {
  test::Setup setup;
  setup.timeouts = static_cast<TimeoutPolicy>(seed % 3);
  setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
  const Compiled compiled = compile(differential::random_protocol(seed), setup);
  comparison.compare("seed " + std::to_string(seed), compiled.program,
                     static_cast<ReceptionPolicy>(seed / 3 % 3));
}

TEST(Backward, FindsOnRandomProtocolsWhatIsFoundForwards) {
  const bool has_all = test::has_all_samples();
  std::vector<std::uint64_t> seeds(has_all ? 1'500 : 40);
  std::iota(seeds.begin(), seeds.end(), 0);
  if (!has_all) seeds.insert(seeds.end(), {93, 105});  // with deadlocks in one
  // All of them take long: on every core.
  std::vector<Comparison> comparisons(has_all ? std::thread::hardware_concurrency() : 1);
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> threads;
  for (Comparison& comparison : comparisons)
    threads.emplace_back([&seeds, &next, &comparison] {
      for (std::size_t i = next++; i < seeds.size() && !HasFailure(); i = next++)
        compare_seed(seeds[i], comparison);
    });
  threads.clear();
  Comparison all;
  for (const Comparison& one : comparisons) all.add(one);
  EXPECT_GT(all.protocols, seeds.size() / 2);
  EXPECT_GT(all.spread, 0u);
  all.expect_to_have_settled_most();
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
  EXPECT_GT(comparison.induced, comparison.targets / 6);
  EXPECT_GT(comparison.opened, comparison.targets / 6);
}

}  // namespace
}  // namespace panoptes::backward
