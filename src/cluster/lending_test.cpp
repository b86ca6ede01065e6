// SPDX-License-Identifier: Apache-2.0
// Who asks whom for states to expand, how many are lent, and when that pays.
#include "cluster/lending.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

const auto nobody_is_out = [](unsigned) { return false; };

std::vector<LentStates> lent_states(std::size_t width) {
  std::vector<LentStates> all;
  for (std::uint32_t owner = 3; owner < 6; ++owner) {
    LentStates& lent = all.emplace_back(LentStates{{owner, 70 * owner}, {width, {}}});
    for (Word word = 0; word < owner * width; ++word) lent.states.words.push_back(~word);
  }
  return all;
}

std::vector<std::byte> letter_of(const std::vector<LentStates>& all) {
  std::vector<std::byte> bytes;
  for (const LentStates& lent : all) append_lent(lent, bytes);
  return bytes;
}

TEST(Lending, LettersComeOutAsTheyWentIn) {
  for (const std::size_t width : {1u, 3u}) {
    const std::vector<LentStates> sent = lent_states(width),
                                  found = lent_in(letter_of(sent), width);
    ASSERT_EQ(found.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_EQ(found[i].first, sent[i].first);
      EXPECT_EQ(found[i].states.width, width);
      EXPECT_TRUE(std::ranges::equal(found[i].states.words, sent[i].states.words));
      EXPECT_TRUE(found[i].states.notes.empty());
    }
  }
  EXPECT_TRUE(lent_in({}, 2).empty());
}

TEST(Lending, LettersAreWholeOrAFault) {
  const std::vector<LentStates> sent = lent_states(2);
  const std::vector<std::byte> bytes = letter_of(sent);
  std::size_t whole = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    try {
      const auto found = lent_in(std::span(bytes).first(size), 2);
      EXPECT_EQ(letter_of(found).size(), size);
      ++whole;
    } catch (const InternalFault&) {
    }
  }
  EXPECT_EQ(whole, sent.size());  // nothing, one run, two of them
  std::vector<std::byte> too_many = bytes;
  std::fill_n(too_many.begin() + 8, 8, std::byte{0xff});
  EXPECT_THROW(lent_in(too_many, 2), InternalFault);
}

TEST(Lending, AsksOneAfterTheOtherUntilNobodyHasAnything) {
  Lending lending({.is_allowed = true, .least_states = 0, .whatever_it_costs = true}, 1, 4);
  EXPECT_FALSE(lending.choose_lender(nobody_is_out));  // no level has begun
  for (int level = 0; level < 3; ++level) {
    lending.begin_level(100, 4, 0);
    std::vector<unsigned> asked;
    while (const auto whom = lending.choose_lender(nobody_is_out)) {
      EXPECT_TRUE(lending.is_waiting());
      EXPECT_EQ(lending.lender(), whom);
      asked.push_back(*whom);
      if (asked.size() == 1) {  // it lends something, and so is asked again
        lending.answer(*whom, lent_states(1));
        LentStates lent{};
        for (int run = 0; run < 3; ++run) {
          EXPECT_TRUE(lending.is_waiting());
          EXPECT_TRUE(lending.take(lent));
        }
        EXPECT_FALSE(lending.take(lent));
      } else {
        lending.answer(*whom, {});
      }
      EXPECT_FALSE(lending.is_waiting());
    }
    ASSERT_EQ(asked.size(), 4u);
    EXPECT_EQ(asked[0], asked[1]);
    EXPECT_EQ(std::set(asked.begin(), asked.end()), (std::set<unsigned>{0, 2, 3}));
  }
  lending.begin_level(100, 4, 0);
  EXPECT_EQ(lending.choose_lender([](unsigned rank) { return rank != 2; }), 2u);
  lending.forget_lender();
  EXPECT_FALSE(lending.is_waiting());
}

TEST(Lending, IsForLargeLevelsWhereMostFindItCheap) {
  Lending lending({.is_allowed = true, .least_states = 1000}, 0, 4);
  const auto asks = [&](std::uint64_t states, std::uint64_t votes) {
    lending.begin_level(states, 8, votes);
    const bool does = lending.choose_lender(nobody_is_out).has_value();
    lending.forget_lender();
    return does;
  };
  EXPECT_FALSE(asks(7999, 4));
  EXPECT_TRUE(asks(8000, 4));
  EXPECT_TRUE(asks(8000, 3));
  EXPECT_FALSE(asks(8000, 2));
  Lending never({.least_states = 0, .whatever_it_costs = true}, 0, 4);
  never.begin_level(8000, 8, 4);
  EXPECT_FALSE(never.choose_lender(nobody_is_out));
}

TEST(Lending, LendsAPartOfWhatIsLeft) {
  const Lending lending({.least_states = 1000}, 0, 4);
  EXPECT_EQ(lending.share_of(0, 1), 0u);
  EXPECT_EQ(lending.share_of(499, 1), 0u);
  EXPECT_EQ(lending.share_of(500, 1), 125u);
  EXPECT_EQ(lending.share_of(1'000'000, 1), 8192u);
  EXPECT_EQ(lending.share_of(1'000'000, 16), 512u);
}

TEST(Lending, AnswersInTheOrderOfQuestions) {
  Lending lending({}, 0, 4);
  EXPECT_FALSE(lending.has_borrower());
  EXPECT_FALSE(lending.next_borrower());
  lending.note_borrower(3);
  lending.note_borrower(1);
  EXPECT_TRUE(lending.has_borrower());
  EXPECT_EQ(lending.next_borrower(), 3u);
  EXPECT_EQ(lending.next_borrower(), 1u);
  EXPECT_FALSE(lending.has_borrower());
}

// A state that costs a microsecond and has four successors of this rank.
TEST(Lending, PaysWhereSendingIsCheaperThanExpanding) {
  LendingCosts costs{.working_seconds = 0.01,
                     .handing_over_seconds = 0.0005,
                     .taking_in_seconds = 0.0005,
                     .expanded = 10'000,
                     .kept = 40'000,
                     .handed_over = 5'000,
                     .taken_in = 5'000};
  EXPECT_TRUE(costs.is_cheap());  // 0.1 + 4 * 0.1 microseconds
  costs.taking_in_seconds *= 2;
  EXPECT_FALSE(costs.is_cheap());
  costs.taking_in_seconds = 0;
  costs.taken_in = 10;
  EXPECT_FALSE(costs.is_cheap());  // too little to tell
}

}  // namespace
}  // namespace panoptes
