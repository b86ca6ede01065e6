// SPDX-License-Identifier: Apache-2.0
// Names, questions and tables, without a database.
#include <gtest/gtest.h>

#include "query/answer.hpp"
#include "query/column_names.hpp"
#include "query/named.hpp"
#include "query/question.hpp"
#include "rules/positions.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

TEST(ColumnNames, NeedNoQuotesAndAreDifferent) {
  const Protocol protocol = test::protocol_of(
      "channel Link[1], Order[2], a_b[1]; var depth, a;\n"
      "proc A { var b; b = 1; a = b; depth = a; Order!x; a_b!y; Link!z }\n"
      "proc Link { do :: Link?z :: Order?x :: a_b?y od }\n"
      "proc n[i : 0..1] { skip }\n");
  const StateColumns names = state_columns(protocol);
  EXPECT_EQ(names.processes, (std::vector<std::string>{"a", "link", "n_0", "n_1"}));
  EXPECT_EQ(names.variables, (std::vector<std::string>{"depth_variable", "a_variable", "a_b"}));
  EXPECT_EQ(names.channels,
            (std::vector<std::string>{"link_channel", "order_channel", "a_b_channel"}));
}

TEST(Questions, OnlyRead) {
  for (const char* sql : {"SELECT 1", "select 1;", " -- a comment\n/* and another */ SELECT ';' ; ",
                          "FROM states", "((SELECT 1))", "VALUES (1)", "EXPLAIN SELECT 1",
                          "explain analyze WITH x AS (SELECT 1) "
                          "SELECT * FROM x",
                          "SELECT 'it''s; fine' AS \"a;b\"", "SELECT $$a;b$$", "DESCRIBE states"})
    EXPECT_EQ(why_not_a_question(sql), "") << sql;
  for (const char* sql : {"", ";", "-- nothing", "DELETE FROM x", "explain delete from x",
                          "COPY x TO 'y'", "SELECT 1; SELECT 2", "SELECT 1) TO 'x", "SELECT (1",
                          "CREATE TABLE x AS SELECT 1", "PRAGMA x", "ATTACH 'x'", "/* SELECT 1"})
    EXPECT_NE(why_not_a_question(sql), "") << sql;
}

TEST(Questions, AreCutBehindTheirStatement) {
  for (const char* sql : {"SELECT 1", "SELECT 1;", "SELECT 1; -- note", "SELECT 1 /* a; */ ; ;\n",
                          "SELECT 1; /* one /* in another; */ */ -- note\n"}) {
    EXPECT_EQ(why_not_a_question(sql), "") << sql;
    EXPECT_EQ(statement_of(sql), "SELECT 1") << sql;
  }
  for (const std::string sql : {"-- first\nSELECT ';' /* in; */ AS a", "SELECT E'it\\'s; -- fine'",
                                "SELECT \"a;b\"", "SELECT $x$;$x$"}) {
    EXPECT_EQ(why_not_a_question(sql), "") << sql;
    EXPECT_EQ(statement_of(sql), sql);
    EXPECT_EQ(statement_of(sql + " ; -- and a note"), sql);
  }
}

TEST(NamedQueries, AreQuestionsWithNamesOfTheirOwn) {
  for (const NamedQuery& query : named_queries()) {
    EXPECT_EQ(why_not_a_question(std::string(query.sql)), "") << query.name;
    EXPECT_EQ(find_named_query(query.name), &query);
    EXPECT_NE(list_named_queries().find(std::string(query.name)), std::string::npos);
  }
  EXPECT_EQ(find_named_query("nothing"), nullptr);
}

// Two columns, a number and a text, as many rows as texts.
class Texts final : public Answer {
 public:
  explicit Texts(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  const std::vector<Column>& columns() const override { return columns_; }
  DatabaseResult<bool> next(Chunk& chunk) override {
    chunk.clear(2);
    if (at_ == texts_.size()) return false;
    chunk.rows = 1;
    chunk.columns[0].integers = {static_cast<std::int64_t>(at_)};
    chunk.columns[0].is_null = {false};
    chunk.columns[1].texts = {texts_[at_]};
    chunk.columns[1].is_null = {texts_[at_] == "NULL"};
    ++at_;
    return true;
  }

 private:
  std::vector<Column> columns_ = {{"number", ColumnType::integer}, {"text", ColumnType::text}};
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

std::string table(const std::vector<std::string>& texts, std::size_t width) {
  Texts answer(texts);
  std::string out;
  const auto printed = print_table(answer, width, [&](std::string_view text) {
    out += text;
    return true;
  });
  EXPECT_TRUE(printed && printed->is_written && printed->rows == texts.size());
  return out;
}

TEST(Tables, AreAlignedAndCutToTheTerminal) {
  EXPECT_EQ(table({"a", "NULL"}, 0),
            "number  text\n------  ----\n     0  a\n     1  NULL\n(2 rows)\n");
  EXPECT_EQ(table({}, 0), "number  text\n------  ----\n(0 rows)\n");
  EXPECT_EQ(table({"ein Grüßchen"}, 0),
            "number  text\n------  ------------\n     0  ein Grüßchen\n(1 row)\n");
  EXPECT_EQ(table({"two\nlines, and a text that is long"}, 24),
            "number  text\n------  ----------------\n     0  two lines, and …\n"
            "(1 row; some values are cut, --format csv has all)\n");
  EXPECT_EQ(table({"this is long, too"}, 12),
            "number\n------\n     0\n(1 row; 1 of 2 columns fit, --format csv has all)\n");
}

TEST(Tables, OfManyRowsAreWrittenAsTheyCome) {
  const std::string out = table(std::vector<std::string>(3000, "x"), 0);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3003);
  EXPECT_NE(out.find("\n  2999  x\n(3000 rows)\n"), std::string::npos);
}

TEST(Csv, IsQuotedWhereItMustBe) {
  Texts answer({"plain", "a,b", "say \"hi\"", "", "NULL"});
  std::string out;
  ASSERT_TRUE(print_csv(answer, [&](std::string_view text) {
    out += text;
    return true;
  }));
  EXPECT_EQ(out, "number,text\n0,plain\n1,\"a,b\"\n2,\"say \"\"hi\"\"\"\n3,\"\"\n4,\n");
}

TEST(Writing, EndsWhereNothingCanBeWritten) {
  Texts answer(std::vector<std::string>(5000, "x"));
  int calls = 0;
  const auto printed = print_csv(answer, [&](std::string_view) { return ++calls < 3; });
  ASSERT_TRUE(printed);
  EXPECT_FALSE(printed->is_written);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace panoptes
