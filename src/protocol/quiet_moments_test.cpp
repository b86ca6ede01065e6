// SPDX-License-Identifier: Apache-2.0
// Formulas that are said to ignore quiet moments have the same value on a word when some are put
// in; and those that people write are found to be such, or not to be.
#include "protocol/quiet_moments.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/program.hpp"

namespace panoptes {
namespace {

constexpr Valuation events = 0b1100;  // atoms 0 and 1 are about states
constexpr std::uint32_t atom_count = 4;

class RandomFormulas {
 public:
  explicit RandomFormulas(std::uint64_t seed) : random_(seed) {}

  Formula formula() {
    Formula result;
    result.root = add(result, 4);
    return result;
  }
  std::vector<Valuation> word(std::size_t least) {
    std::vector<Valuation> result(least + below(3));
    for (Valuation& moment : result) moment = below(1 << atom_count);
    return result;
  }
  // The same with some moments put in behind others.
  std::vector<Valuation> with_quiet_moments(const std::vector<Valuation>& word) {
    std::vector<Valuation> result;
    for (const Valuation moment : word) {
      result.push_back(moment);
      while (below(3) == 0) result.push_back(moment & ~events);
    }
    return result;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  FormulaId add(Formula& formula, int depth) {
    if (depth == 0 || below(4) == 0)
      return below(12) == 0 ? formula.constant(below(2) == 0)
                            : formula.atom(static_cast<std::uint32_t>(below(atom_count)));
    const auto op = static_cast<FormulaOp>(2 + below(12));
    const FormulaId a = add(formula, depth - 1);
    if (!is_binary(op)) return formula.unary(op, a);
    return formula.binary(op, a, add(formula, depth - 1));
  }

  std::mt19937_64 random_;
};

TEST(QuietMoments, MakeNoDifferenceToFormulasThatIgnoreThem) {
  RandomFormulas random(7);
  int ignoring = 0, seeing = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Formula formula = random.formula();
    const bool ignores = ignores_quiet_moments(formula, events);
    bool is_same = true;
    for (int words = 0; words < 10; ++words) {
      const auto stem = random.word(1), cycle = random.word(1);
      const bool holds = holds_on_lasso(formula, stem, cycle);
      is_same = is_same && holds == holds_on_lasso(formula, random.with_quiet_moments(stem),
                                                   random.with_quiet_moments(cycle));
    }
    ignoring += ignores;
    seeing += !is_same;
    ASSERT_TRUE(is_same || !ignores) << to_text(formula, {"p", "q", "sent", "received"});
  }
  EXPECT_GT(ignoring, 4'000);
  EXPECT_GT(seeing, 2'000);
}

// "" where orders make no difference.
std::string reason_for(const std::string& formula, const std::string& fair = "") {
  const std::string text =
      "channel c[1]; var x : 0..1; proc p { do :: c!m -> x = 1 - x od } proc q { do :: c?m od }\n";
  return why_orders_matter(
      test::compile(text + fair + " ltl asked { " + formula + " }").program.protocol);
}

TEST(QuietMoments, AreIgnoredByMostOfWhatPeopleWrite) {
  for (const char* const formula :
       {"[] <> x == 1", "x == 0 leads to x == 1", "x == 0 U x == 1", "[] <> sent(c!m)",
        "sent(c!m) leads to received(c?m)", "sent(c!m) leads to x == 1", "x == 0 U sent(c!m)",
        "!received(c?m) W sent(c!m)", "<> [] !sent(c!m)", "[] (sent(c!m) -> x == 0)",
        "<> [] !sent(c!m) -> sent(c!m) leads to received(c?m)"})
    EXPECT_EQ(reason_for(formula), "") << formula;
}

TEST(QuietMoments, AreSeenByOthers) {
  const std::string behind = "asked may see what comes right behind an event";
  EXPECT_EQ(reason_for("[] (x == 0 -> X x == 1)"), "asked speaks of the next moment");
  EXPECT_EQ(reason_for("x == 1 leads to sent(c!m)"), behind);
  EXPECT_EQ(reason_for("[] (sent(c!m) -> (sent(c!m) U received(c?m)))"), behind);
  EXPECT_EQ(reason_for("[] <> x == 1", "fair weak;"),
            "which runs are fair is told by the whole graph");
}

}  // namespace
}  // namespace panoptes
