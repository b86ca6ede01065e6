// SPDX-License-Identifier: Apache-2.0
// Strangers against the obvious: each successor is looked at, one after the other.
#include "cluster/strangers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace panoptes {
namespace {

using State = std::vector<Word>;

struct Told {
  std::size_t source;
  std::uint32_t choice, owner;
  State state;
  bool operator==(const Told&) const = default;
};

State words_of(StateView state) { return {state.begin(), state.end()}; }

SuccessorBatch random_batch(std::size_t width, std::mt19937& random) {
  SuccessorBatch batch;
  batch.clear(width);
  for (int source = 0; source < 40; ++source) {
    for (auto left = random() % 6; left > 0; --left) {
      for (std::size_t w = 0; w < width; ++w) batch.states.words.push_back(random() % 4);
      batch.rules.push_back(0);
    }
    batch.close_state(0);
  }
  return batch;
}

std::uint32_t owner_of(StateView state) {
  return static_cast<std::uint32_t>((state.front() + 2 * state.back()) % 3);
}

TEST(Strangers, LeaveWhatIsOwnAndAreToldWhereTheyComeFrom) {
  constexpr std::uint32_t rank = 1;
  for (const std::size_t width : {1u, 2u, 5u}) {
    std::mt19937 random(static_cast<unsigned>(width));
    Strangers strangers(width);
    std::set<State> handed_over;
    std::size_t again = 0, all = 0;
    for (int round = 0; round < 30; ++round) {
      SuccessorBatch batch = random_batch(width, random);
      std::vector<State> own;
      std::vector<std::uint32_t> own_places, own_first{0};
      std::vector<Told> others;
      for (std::size_t source = 0; source + 1 < batch.first.size(); ++source) {
        for (std::uint32_t s = batch.first[source]; s < batch.first[source + 1]; ++s) {
          const StateView state = batch.states[s];
          if (owner_of(state) == rank) {
            own.push_back(words_of(state));
            own_places.push_back(s);
          } else {
            others.push_back({source, s - batch.first[source], owner_of(state), words_of(state)});
          }
        }
        own_first.push_back(static_cast<std::uint32_t>(own.size()));
      }
      Buffer<std::uint32_t> kept_places;
      strangers.take_from(batch, rank, kept_places, [&](const Word* state) {
        return owner_of({state, width});
      });
      ASSERT_EQ(batch.size(), own.size());
      ASSERT_EQ(batch.states.size(), own.size());
      for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_EQ(words_of(batch.states[i]), own[i]) << width << " words, " << i;
      EXPECT_TRUE(std::ranges::equal(kept_places, own_places));
      EXPECT_TRUE(std::ranges::equal(batch.first, own_first));
      // In order; what is left out was handed over before.
      auto next = others.begin();
      all += others.size();
      const auto skip = [&](const auto& end) {
        for (; next != end; ++next, ++again) EXPECT_TRUE(handed_over.contains(next->state));
      };
      strangers.for_each_new(
          [&](std::size_t source, std::uint32_t choice, std::uint32_t owner, StateView state) {
            const Told told{source, choice, owner, words_of(state)};
            const auto found = std::find(next, others.end(), told);
            ASSERT_NE(found, others.end());
            skip(found);
            handed_over.insert(told.state);
            ++next;
          });
      skip(others.end());
    }
    EXPECT_GT(again, 0u) << width;
    EXPECT_LT(again, all) << width;
  }
}

}  // namespace
}  // namespace panoptes
