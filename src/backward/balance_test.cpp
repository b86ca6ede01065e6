// SPDX-License-Identifier: Apache-2.0
#include "backward/balance.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;

// A model, its sums, and a claim on its states that is made bit by bit.
class Balanced {
 public:
  explicit Balanced(const std::string& text)
      : compiled_(compile(text)),
        space_(compiled_.program),
        balance_(space_),
        claim_(space_.everything()) {}

  Balanced& nothing() {
    claim_ = space_.everything();
    return *this;
  }
  Balanced& at(ProcessId process, const ValueSet& states) {
    space_.put(claim_, space_.control(process), states);
    return *this;
  }
  Balanced& is(VariableId variable, const ValueSet& values) {
    space_.put(claim_, space_.variable(variable), values);
    return *this;
  }
  Balanced& has(ChannelId channel, std::uint32_t least, std::uint32_t most) {
    space_.put(claim_, channel, {.least = least, .most = most});
    return *this;
  }
  Balanced& has(ChannelId channel, const std::vector<std::uint32_t>& tags) {
    ChannelClaim said;
    for (const std::uint32_t tag : tags) said.known.push_back(space_.message(channel, tag));
    space_.put(claim_, channel, std::move(said));
    return *this;
  }
  bool allows() const { return balance_.allows(claim_); }
  std::size_t size() const { return balance_.size(); }
  // What is wrong with the state, as the number of places of which it says something.
  std::size_t conflict_size() const {
    const auto conflict = balance_.conflict_in(claim_);
    if (!conflict) return 0;
    EXPECT_FALSE(balance_.allows(*conflict));
    EXPECT_TRUE(space_.is_within(claim_, *conflict));
    std::size_t said = 0;
    for (std::size_t i = 0; i < conflict->size(); ++i)
      said += (*conflict)[i] != space_.everything()[i];
    return said;
  }

 private:
  Compiled compiled_;
  ClaimSpace space_;
  MessageBalance balance_;
  Claim claim_;
};

const ValueSet zero = ValueSet::only(0), one = ValueSet::only(1);

// A worker has a token, or it is being fetched or brought back, or it is in the pool.
TEST(Balances, AreOfAsManyFactsAsThereAre) {
  Balanced pool(
      "channel pool[4] = { t, t, t }, lent[1..4][1];\n"
      "proc worker[i : 1..4] { do :: lent[i]?t -> pool!t od }\n"
      "proc keeper\n"
      "{ do :: pool?t -> if :: lent[1]!t :: lent[2]!t :: lent[3]!t :: lent[4]!t fi od }\n");
  EXPECT_EQ(pool.size(), 6u) << "and that nobody ends";
  EXPECT_FALSE(pool.at(0, one).at(1, one).at(2, one).at(3, one).allows());
  EXPECT_TRUE(pool.at(3, zero).allows());
  EXPECT_TRUE(pool.has(0, 0, 2).allows());
  EXPECT_FALSE(pool.has(0, 1, 3).allows());
  EXPECT_TRUE(pool.at(2, ValueSet(0, 1)).allows());
  EXPECT_FALSE(pool.has(0, 2, 3).allows());

  pool.nothing().at(4, zero).has(0, 0, 4);
  for (ProcessId p = 0; p < 4; ++p) pool.at(p, p < 2 ? one : zero).has(p + 1, 0, 0);
  EXPECT_TRUE(pool.allows());
  EXPECT_TRUE(pool.has(0, 1, 1).allows());
  EXPECT_EQ(pool.conflict_size(), 0u);
  EXPECT_FALSE(pool.has(0, 2, 2).allows());
  EXPECT_EQ(pool.conflict_size(), 10u);
}

TEST(Balances, AreByTag) {
  Balanced exchange(
      "queue a[3] = { };\n"
      "queue b[3] = { };\n"
      "proc p { do :: a!x -> b?x :: a!y -> b?y od }\n"
      "proc q { do :: a?x -> b!x :: a?y -> b!y od }\n");
  EXPECT_TRUE(exchange.at(0, one).has(0, {1}).has(1, 0, 0).at(1, zero).allows());
  EXPECT_FALSE(exchange.has(0, {2}).allows());
  EXPECT_FALSE(exchange.has(0, {1, 2}).allows());
  EXPECT_FALSE(exchange.has(0, 0, 0).allows());
  EXPECT_TRUE(exchange.has(0, 0, 3).allows()) << "nothing is known of it";
}

// Counts what is in a channel, with a step behind each exchange.
std::string counting(const std::string& range, const std::string& by,
                     const std::string& more = {}) {
  return "channel a[2];\n"
         "var n : " +
         range +
         ";\n"
         "proc p { do :: a!x -> n += " +
         by +
         " od }\n"
         "proc q { do :: a?x -> n -= " +
         by + more + " od }\n";
}

TEST(Balances, HaveVariablesInThemThatCount) {
  Balanced counted(counting("0..5", "1"));
  EXPECT_EQ(counted.size(), 3u) << "and that nobody ends";
  counted.at(0, zero).at(1, zero);
  EXPECT_TRUE(counted.is(0, one).has(0, 1, 1).allows());
  EXPECT_FALSE(counted.is(0, one).has(0, 2, 2).allows());
  EXPECT_TRUE(counted.at(0, one).allows()) << "not counted yet";
  EXPECT_FALSE(counted.is(0, ValueSet::only(5)).has(0, 0, 0).allows());
}

TEST(Balances, HoldModuloWhatAVariableWrapsAt) {
  for (const std::string range : {"0..3 wraps", "-300..300 wraps"}) {
    Balanced counted(counting(range, "1"));
    const std::int64_t before_zero = range == "0..3 wraps" ? 3 : -1;
    counted.at(0, one).at(1, zero).has(0, 0, 0);
    EXPECT_TRUE(counted.is(0, ValueSet::only(before_zero)).allows()) << range;
    EXPECT_FALSE(counted.is(0, ValueSet::only(2)).allows()) << range;
    EXPECT_FALSE(counted.is(0, ValueSet(0, 2)).allows()) << range;
  }
  Balanced last(counting("-300..300 wraps = 300", "1"));
  last.at(0, zero).at(1, zero).has(0, 1, 1);
  EXPECT_TRUE(last.is(0, ValueSet::only(-300)).allows());
  EXPECT_FALSE(last.is(0, ValueSet(-299, 300)).allows());
}

TEST(Balances, KnowInWhichStepsASumGoes) {
  Balanced counted(counting("0..20", "2"));
  counted.at(0, zero).at(1, zero);  // and some messages
  EXPECT_TRUE(counted.is(0, ValueSet::only(4)).allows());
  EXPECT_FALSE(counted.is(0, ValueSet::only(3)).allows());
  EXPECT_FALSE(counted.is(0, ValueSet::only(6)).allows());
}

// What is left is that nobody ends.
TEST(Balances, LeaveOutWhatIsFlushedOrAssignedOtherwise) {
  EXPECT_EQ(Balanced(counting("0..5", "1", " :: flush a")).size(), 2u);
  EXPECT_EQ(Balanced(counting("0..5", "1", " :: n = 0")).size(), 2u);
  EXPECT_EQ(Balanced(counting("0..5", "1", " :: n = n * 2")).size(), 2u);
}

// What a flag has at each control state is known, so that to set it is to add one.
TEST(Balances, HaveFlagsInThem) {
  Balanced flagged(
      "channel a[2];\n"
      "var is_busy : 0..1;\n"
      "proc p { do :: a!x -> is_busy = 1; a!y; is_busy = 0 od }\n"
      "proc q { do :: a?x :: a?y od }\n");
  EXPECT_FALSE(flagged.at(0, zero).is(0, one).allows());
  EXPECT_FALSE(flagged.at(0, ValueSet(0, 1)).allows());
  EXPECT_TRUE(flagged.at(0, ValueSet(0, 2)).allows());
}

TEST(Balances, KnowThatLinesLose) {
  const auto sums = [](const std::string& line) {
    return Balanced("channel a[2]" + line +
                    ";\nproc p { do :: a!x -> a!y od }\nproc q { do :: a?x -> a?y od }\n")
        .size();
  };
  EXPECT_EQ(sums(""), 3u);
  EXPECT_EQ(sums(" reordering"), 3u);
  EXPECT_EQ(sums(" lossy"), 2u);
  EXPECT_EQ(sums(" duplicating"), 2u);
}

}  // namespace
}  // namespace panoptes
