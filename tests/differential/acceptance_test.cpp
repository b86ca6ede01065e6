// SPDX-License-Identifier: Apache-2.0
// Labels that begin with `accept`, put into random protocols: a run passes one again and again
// where a state with it lies on a circle, or nobody can move in it, which is looked for here
// without automata and without components; and whatever that could get wrong is noticed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "differential/generator.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes::differential {
namespace {

constexpr std::size_t most_labelled_states = 400;

// With a label before some statement; nothing where that makes no protocol.
std::optional<Loaded> labelled(std::uint64_t seed) {
  static const char* const rounds[] = {
      "var x : 0..2; proc p { do :: (x < 2) -> x++ :: (x == 2) -> x = 0 od }\n",
      "channel c[1]; proc p { c!m; c!m; do :: c!m -> skip od } proc q { do :: c?m -> skip od }\n",
      "var x : 0..1; proc p { x = 1; x = 0; (x == 1) } proc q { do :: skip; skip :: break od }\n",
      "channel c[1]; proc p { c!m; c!m; c!m; c!m }\n",
      "var x : 0..3; proc p { x = 1; x = 2; x = 3; do :: (x > 0) -> skip :: break od; x = 1 }\n",
  };
  std::string text = seed % 2 == 0 ? rounds[seed / 2 % std::size(rounds)] : random_protocol(seed);
  std::vector<std::size_t> places;
  for (const std::string before : {"-> ", "; ", ":: "})
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; ++at)
      places.push_back(at + before.size());
  if (places.empty()) return {};
  std::mt19937_64 random(seed);
  text.insert(places[random() % places.size()], "accept_it: ");
  ModelRequest request;
  request.acceptance = true;
  Loaded loaded = load("m", request, [&](const std::string&) { return std::optional(text); });
  if (!loaded.program) return {};
  return loaded;
}

struct CircleFaults {
  bool forgets_ended_runs = false;    // that end at a label
  bool wants_it_in_step_one = false;  // only the initial state counts
  bool forgets_going_back = false;    // it is enough to be reached
};

// Every state that can be reached, and what lies behind it.
class Circles {
 public:
  explicit Circles(const Program& program)
      : program_(program), stepper_(in_whole_sequences(std::make_unique<Interpreter>(program))) {}

  // Nothing where there are too many states.
  std::optional<bool> has_accepting(const CircleFaults& faults) {
    if (!explore()) return {};
    for (std::size_t state = 0; state < states_.size(); ++state) {
      if (!is_at_label(states_[state])) continue;
      if (faults.wants_it_in_step_one && state > 0) continue;
      if (faults.forgets_going_back || comes_back(state)) return true;
      if (!faults.forgets_ended_runs && has_ended_[state]) return true;
    }
    return false;
  }

 private:
  using State = std::vector<Word>;

  bool explore() {
    number_of({program_.initial.begin(), program_.initial.end()});
    for (std::size_t at = 0; at < states_.size(); ++at) {
      if (states_.size() > most_labelled_states) return false;
      StateBatch batch{program_.layout.words, {}};
      SuccessorBatch successors;
      std::vector<Finding> findings;
      batch.assign(states_[at]);
      stepper_->expand(batch, successors, findings);
      std::set<std::size_t> behind;
      for (std::size_t i = 0; i < successors.size(); ++i)
        behind.insert(number_of({successors.states[i].begin(), successors.states[i].end()}));
      behind_.push_back(std::move(behind));
      has_ended_.push_back(successors.size() == 0 && successors.failed[0] == 0);
    }
    return true;
  }
  std::size_t number_of(const State& state) {
    const auto [found, fresh] = numbers_.try_emplace(state, states_.size());
    if (fresh) states_.push_back(state);
    return found->second;
  }
  bool is_at_label(const State& state) const {
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const auto at = static_cast<std::size_t>(read(program_.layout.control[p], state));
      for (const auto& label : program_.protocol.processes[p].automaton.states[at].labels)
        if (label == "accept_it") return true;
    }
    return false;
  }
  bool comes_back(std::size_t start) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> waiting{start};
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      for (const std::size_t next : behind_[at]) {
        if (next == start) return true;
        if (seen.insert(next).second) waiting.push_back(next);
      }
    }
    return false;
  }

  const Program& program_;
  std::unique_ptr<Stepper> stepper_;
  std::map<State, std::size_t> numbers_;
  std::vector<State> states_;
  std::vector<std::set<std::size_t>> behind_;  // by state
  std::vector<bool> has_ended_;                // likewise: nobody can move, and nothing fails
};

// "holds" or "violated", of a search without and with orders left out, or on the fly.
std::string acceptance_by(const Loaded& loaded, bool is_reduced, bool on_the_fly) {
  CheckOptions options;
  options.search = on_the_fly ? ExhaustiveSearch{.follows_runs = true}
                              : ExhaustiveSearch{.storage = WholeGraph{}};
  options.reduce.order = is_reduced;
  const auto verdict = check_program(*loaded.program, loaded.sources, options);
  if (!verdict) throw std::runtime_error(verdict.failure());
  return std::string(to_string(verdict->properties.at(0).answer));
}

TEST(Acceptance, IsOfStatesWithALabelOnACircle) {
  std::uint64_t compared = 0, violated = 0;
  const std::uint64_t count = test::sample_of(2000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto loaded = labelled(seed);
    if (!loaded) continue;
    const auto has_circle = Circles(*loaded->program).has_accepting({});
    const std::string answer = has_circle ? acceptance_by(*loaded, false, false) : "unknown";
    if (answer == "unknown") continue;
    ++compared;
    violated += *has_circle;
    ASSERT_EQ(answer, *has_circle ? "violated" : "holds") << "seed " << seed;
    ASSERT_EQ(acceptance_by(*loaded, true, false), answer) << "reduced, seed " << seed;
    ASSERT_EQ(acceptance_by(*loaded, false, true), answer) << "on the fly, seed " << seed;
  }
  EXPECT_GT(compared, count / 4);
  EXPECT_GT(violated, compared / 6);
  EXPECT_LT(violated, compared - compared / 6);
}

TEST(Acceptance, ComparedWithAFaultDiffers) {
  for (bool CircleFaults::*const flag :
       {&CircleFaults::forgets_ended_runs, &CircleFaults::wants_it_in_step_one,
        &CircleFaults::forgets_going_back}) {
    CircleFaults faults;
    faults.*flag = true;
    bool is_caught = false;
    for (std::uint64_t seed = 0; seed < 300 && !is_caught; ++seed) {
      const auto loaded = labelled(seed);
      if (!loaded) continue;
      const auto wrong = Circles(*loaded->program).has_accepting(faults);
      is_caught = wrong && acceptance_by(*loaded, false, false) != (*wrong ? "violated" : "holds");
    }
    EXPECT_TRUE(is_caught);
  }
}

}  // namespace
}  // namespace panoptes::differential
