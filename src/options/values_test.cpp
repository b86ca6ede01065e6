// SPDX-License-Identifier: Apache-2.0
#include "options/values.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(OptionValues, HaveTheirStandardValuesWhereNobodySaysOtherwise) {
  const OptionValues values("check");
  EXPECT_EQ(values.get(option::search), SearchWord::automatic);
  EXPECT_EQ(values.get(option::receptions), ReceptionPolicy::blocked);
  EXPECT_EQ(values.get(option::capacity), 2u);
  EXPECT_EQ(values.get(option::depth), std::nullopt);
  EXPECT_EQ(values.get(option::memory), std::nullopt);
  EXPECT_EQ(values.get(option::cost), "");
  EXPECT_FALSE(values.get(option::strict));
  EXPECT_TRUE(values.has(option::order));
  EXPECT_FALSE(values.is_given(option::order));
  EXPECT_TRUE(values.all(option::define).empty());
}

TEST(OptionValues, AreOfTheTypeOfTheirOption) {
  OptionValues values("simulate");
  for (const auto& [option, text] :
       std::initializer_list<std::pair<OptionName, const char*>>{{option::time, "5m"},
                                                                 {option::memory, "64M"},
                                                                 {option::length, "7"},
                                                                 {option::chart, "steps"},
                                                                 {option::timeouts, "lock"},
                                                                 {option::trail, "run.json"}})
    values.give(option, text);
  EXPECT_EQ(values.get(option::time), 300.0);
  EXPECT_EQ(values.get(option::memory), std::uint64_t{64} << 20);
  EXPECT_EQ(values.get(option::length), 7u);
  EXPECT_EQ(values.get(option::chart), ChartWord::steps);
  EXPECT_EQ(values.get(option::timeouts), TimeoutPolicy::lock);
  EXPECT_EQ(values.get(option::trail), "run.json");
  EXPECT_TRUE(values.is_given(option::trail));

  values.set_all(option::define, {"N", "M=3", "EMPTY="});
  const auto definitions = values.all(option::define);
  ASSERT_EQ(definitions.size(), 3u);
  EXPECT_EQ(definitions[0].value, "1");
  EXPECT_EQ(definitions[1].name, "M");
  EXPECT_EQ(definitions[1].value, "3");
  EXPECT_EQ(definitions[2].value, "");
  values.set_all(option::weight, {"timeout=0"});
  EXPECT_EQ(values.all(option::weight), (std::vector<option::Weight::Value>{{"timeout", 0}}));
}

TEST(OptionValues, MayBeSeveralWords) {
  OptionValues values("check");
  EXPECT_EQ(values.get(option::reduce), std::vector{Reduce::automatic});
  values.give(option::reduce, "internal");
  EXPECT_EQ(values.get(option::reduce), std::vector{Reduce::internal});
  EXPECT_TRUE(values.is_there("reduce", "internal"));
  EXPECT_FALSE(values.is_there("reduce", "auto"));
  const OptionInfo& row = row_of(option::reduce, "check");
  for (const char* wrong :
       {"", "internal,", ",internal", "internal,internal", "none,internal", "all"})
    EXPECT_FALSE(is_valid(row, wrong)) << wrong;
}

TEST(OptionValues, MayBeNumbersOrAll) {
  OptionValues values("check");
  EXPECT_EQ(values.get(option::show), std::nullopt);
  EXPECT_EQ(values.get(option::trails), std::nullopt);
  values.give(option::show, "3,17..20");
  EXPECT_EQ(values.get(option::show), (std::vector<NumberRange>{{3, 3}, {17, 20}}));
  values.give(option::trails, "0");
  EXPECT_EQ(values.get(option::trails), 0u);
  values.give(option::trails, "all");
  EXPECT_EQ(values.get(option::trails), UINT64_MAX);
  for (const char* wrong : {"", "0", "0..3", "5..3", "3..", "..3", "3,", ",3", "3-5", "all", "x",
                            "1..2..3", "18446744073709551616"})
    EXPECT_FALSE(is_valid(row_of(option::show, "check"), wrong)) << wrong;
  for (const char* wrong : {"", "-1", "some", "1.5"})
    EXPECT_FALSE(is_valid(row_of(option::trails, "check"), wrong)) << wrong;
}

// The same word is another option elsewhere, and so is its row.
TEST(OptionValues, AreThoseOfTheirCommand) {
  EXPECT_EQ(OptionValues("show").get(option::show_format), ShowFormat::text);
  EXPECT_EQ(OptionValues("query").get(option::answer_format), AnswerFormat::table);
  EXPECT_EQ(OptionValues("query").get(option::labels), "all");
  EXPECT_EQ(OptionValues("check").get(option::labels), "none");
  EXPECT_EQ(OptionValues("show").get(option::time), 10.0);
  EXPECT_EQ(OptionValues("check").get(option::time), std::nullopt);
  EXPECT_EQ(OptionValues("check").get(option::db), std::nullopt) << "check has no database";
  EXPECT_EQ(OptionValues("relate").get(option::db)->engine, Engine::duckdb);
}

TEST(OptionValues, ThatAreTakenBackAreStandardOnes) {
  OptionValues values("check");
  values.give(option::store, "hash");
  values.take_back(option::store);
  EXPECT_EQ(values.get(option::store), StoreWord::exact);
  EXPECT_FALSE(values.is_given(option::store));
  values.erase(option::capacity);
  EXPECT_FALSE(values.has(option::capacity));
  EXPECT_EQ(values.get(option::capacity), 2u);
}

bool is_valid(OptionName option, const char* command, const char* value) {
  return is_valid(row_of(option, command), value);
}

// Trail files and reports say it without the table.
TEST(ValuesOfOptions, AreCalledWhatReportsCallThem) {
  for (const ChoiceInfo& choice : row_of(option::receptions, "check").choices)
    EXPECT_EQ(choice.word, to_string(static_cast<ReceptionPolicy>(choice.value)));
}

TEST(ValuesOfOptions, AreInTheirRange) {
  for (const char* value : {"1", "16"})
    EXPECT_TRUE(is_valid(option::bits_per_state, "check", value)) << value;
  for (const char* value : {"", "0", "17", "-1", "1x", " 1", "99999999999999999999"})
    EXPECT_FALSE(is_valid(option::bits_per_state, "check", value)) << value;
  EXPECT_TRUE(is_valid(option::step, "replay", "0"));
  EXPECT_FALSE(is_valid(option::memory, "check", "0"));
  EXPECT_FALSE(is_valid(option::time, "check", "0s"));
  EXPECT_FALSE(is_valid(option::db, "query", "mysql"));
  EXPECT_FALSE(is_valid(option::define, "check", "1x=3"));
  EXPECT_FALSE(is_valid(option::weight, "simulate", "timeout=1001"));
  EXPECT_TRUE(is_valid(option::chart, "check", "auto"));
  EXPECT_FALSE(is_valid(option::chart, "check", "steps"));
  EXPECT_FALSE(is_valid(option::chart, "replay", "auto"));
}

TEST(ValuesOfOptions, AreDescribedByTheTable) {
  EXPECT_EQ(wanted_by(row_of(option::threads, "query")), "a whole number, from 1 to 1024");
  EXPECT_EQ(wanted_by(row_of(option::depth, "query")), "a whole number, from 1 on");
  EXPECT_EQ(wanted_by(row_of(option::order, "check")), "one of breadth|depth");
  EXPECT_EQ(wanted_by(row_of(option::define, "check")), "NAME or NAME=VALUE");
  EXPECT_EQ(wanted_by(row_of(option::spill, "check")), "DIR");
  EXPECT_EQ(wanted_by(row_of(option::strict, "check")), "on");
}

TEST(ValuesOfOptions, ThatAreWrongAreComplainedAbout) {
  const OptionInfo& order = row_of(option::order, "check");
  EXPECT_EQ(wrong_value(order, "depth"), "");
  EXPECT_EQ(wrong_value(order, "width"), "--order width: wanted one of breadth|depth");
  EXPECT_EQ(wrong_value(order, "bredth"),
            "--order bredth: wanted one of breadth|depth; did you mean `breadth`?");
  EXPECT_EQ(wrong_value(order, ""), "--order '': wanted one of breadth|depth");
  EXPECT_EQ(wrong_value(order, "bredth", "; really"),
            "--order bredth: wanted one of breadth|depth; really");
  EXPECT_EQ(wrong_value(row_of(option::strict, "check"), "yes"), "--strict yes: wanted on");
}

}  // namespace
}  // namespace panoptes
