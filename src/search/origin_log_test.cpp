// SPDX-License-Identifier: Apache-2.0
// States that live with several owners, who tell each other nothing but plain numbers.
#include "search/origin_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <numeric>

#include "base/hash.hpp"
#include "search/retrace.hpp"
#include "step/interpreter.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

// What goes from one owner to another.
struct Letter {
  StateWords state;
  StateOrigin origin;
};

class Owner {
 public:
  Owner(std::uint32_t number, std::uint32_t owners, const Program& program)
      : number_(number), owners_(owners), interpreter_(program), log(number == 0 ? 1 : 0) {
    if (number == 0) keep(program.initial);
  }

  static std::uint32_t owner_of(StateView state, std::uint32_t owners) {
    return static_cast<std::uint32_t>(hash_words(state) % owners);
  }

  // Expands its next state. What is its own is logged at once, the rest is posted.
  bool step(std::vector<std::deque<Letter>>& post) {
    std::deque<Letter>& mine = post[number_];
    for (; !mine.empty(); mine.pop_front())
      if (known.count(mine.front().state) == 0) {
        log.append_found(mine.front().origin.parent, std::array{mine.front().origin.choice},
                         [](std::size_t) {});
        keep(mine.front().state);
      }
    if (expanded_ == states_.size()) return false;
    const StateName name{number_, expanded_};
    const StateBatch batch{states_[expanded_].size(), states_[expanded_]};
    ++expanded_;
    SuccessorBatch successors;
    std::vector<Finding> findings;
    interpreter_.expand(batch, successors, findings);
    std::vector<std::uint8_t> fresh(successors.size());
    for (std::uint32_t i = 0; i < successors.size(); ++i) {
      const StateView next = successors.states[i];
      const std::uint32_t owner = owner_of(next, owners_);
      StateWords words(next.begin(), next.end());
      if (owner != number_)
        post[owner].push_back({std::move(words), {name, i}});
      else if (known.count(words) == 0) {
        fresh[i] = 1;
        keep(words);
      }
    }
    log.begin_run(name);
    log.append(fresh, [](std::size_t) {});
    return true;
  }

  std::map<StateWords, std::uint64_t> known;

 private:
  void keep(const StateWords& state) {
    known.emplace(state, states_.size());
    states_.push_back(state);
  }

  std::uint32_t number_, owners_;
  Interpreter interpreter_;
  std::vector<StateWords> states_;
  std::size_t expanded_ = 0;

 public:
  OriginLog log;
};

TEST(OriginLog, LeadsBackThroughAllOwners) {
  const test::Compiled compiled = test::compile(
      "queue a[2], b[2]; var n : 0..5;\n"
      "proc p { do :: a!x -> n = n + 1 :: a!y :: b?z od }\n"
      "proc q { do :: a?x -> b!z :: a?y od }\n");
  const Program& program = compiled.program;
  for (const std::uint32_t owners : {1u, 2u, 5u}) {
    std::vector<Owner> all;
    for (std::uint32_t i = 0; i < owners; ++i) all.emplace_back(i, owners, program);
    std::vector<std::deque<Letter>> post(owners);
    bool is_busy = true;
    while (is_busy) {
      is_busy = false;
      for (Owner& owner : all) is_busy = owner.step(post) || is_busy;
      for (const auto& letters : post) is_busy = is_busy || !letters.empty();
    }
    std::size_t states = 0;
    Interpreter interpreter(program);
    for (std::uint32_t owner = 0; owner < owners; ++owner)
      for (const auto& [state, number] : all[owner].known) {
        ++states;
        const auto choices =
            choices_to({owner, number},
                       [&](StateName name) { return all[name.owner].log.origin(name.number); }, {});
        ASSERT_TRUE(choices);
        const auto rules = retrace(*choices, interpreter, nullptr, {});
        ASSERT_TRUE(rules);
        StateWords at = program.initial, next;
        std::vector<Finding> findings;
        for (const RuleId rule : *rules) {
          ASSERT_EQ(interpreter.fire(rule, at, next, findings), Interpreter::Firing::successor);
          at = next;
        }
        EXPECT_EQ(at, state);
      }
    EXPECT_GT(states, 100u);
  }
}

TEST(OriginLog, NamesFitOneNumber) {
  const StateName state{7, (std::uint64_t{1} << 48) - 2};
  EXPECT_EQ(unpacked(packed(state)), state);
  EXPECT_EQ(unpacked(packed(state) + 1), (StateName{7, state.number + 1}));
}

}  // namespace
}  // namespace panoptes
