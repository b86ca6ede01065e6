// SPDX-License-Identifier: Apache-2.0
// Whatever a model calls its parts, its space can be asked, and no column needs quotes.
#include "query/column_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "ask/asked.hpp"
#include "support/names.hpp"
#include "support/postgres_server.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

using test::Asked;
using test::Rows;

// Words that the engine knows, as far as they may be names of a model.
std::vector<std::string> keywords(Asked& asked) {
  const bool is_duckdb = asked.dialect().engine() == Engine::duckdb;
  std::vector<std::string> result;
  for (const std::string& word :
       asked.rows(is_duckdb ? "SELECT DISTINCT keyword_name FROM duckdb_keywords() ORDER BY 1"
                            : "SELECT word FROM pg_get_keywords() ORDER BY 1"))
    if (!std::set<std::string>{"if", "do", "fi", "od"}.contains(word)) result.push_back(word);
  return result;
}

// Every word of SQL as a variable, each with a value of its own: a column that is taken for
// anything else, a function of the engine's for one, would not have it.
void expect_keywords(Asked& asked) {
  static_cast<void>(asked.database().rollback());
  const std::vector<std::string> words = keywords(asked);
  EXPECT_GT(words.size(), 300u);
  std::vector<std::string> declarations;
  for (std::size_t i = 0; i < words.size(); ++i)
    declarations.push_back(fmt::format("{0} : {1}..{1} = {1}", words[i], i));
  const test::Compiled compiled = test::compile(
      fmt::format("var {};\nproc a_process {{ skip }}\n", fmt::join(declarations, ", ")));
  asked.load(compiled.program, compiled.sources, {});
  const StateColumns columns = state_columns(compiled.program.protocol);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < words.size(); ++i) wanted.push_back(i);
  EXPECT_EQ(asked.rows(fmt::format("SELECT {} FROM states WHERE state = 0",
                                   fmt::join(columns.variables, ", "))),
            Rows{fmt::format("{}", fmt::join(wanted, "|"))});
}

// Every view, and every column of it by its bare name.
void expect_views(Asked& asked, bool is_relational) {
  const test::Compiled compiled = test::compile(
      is_relational ? test::strange_names(test::few_strange_words()) : test::strange_names());
  const Space space = asked.load(compiled.program, compiled.sources, {}, is_relational);
  EXPECT_EQ(asked.count("SELECT * FROM states"), space.facts.states);
  for (const Relation& relation :
       space_relations(compiled.program, compiled.sources, asked.dialect())) {
    std::vector<std::string> names;
    for (const RelationColumn& column : relation.columns) {
      names.push_back(column.name);
      EXPECT_LE(column.name.size(), 63u) << "more than PostgreSQL takes";
      EXPECT_EQ(column.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
                std::string::npos)
          << column.name;
    }
    EXPECT_EQ(asked.count(fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), relation.name)),
              asked.count("SELECT * FROM " + relation.name))
        << relation.name;
  }
  // The last state is that of the last step, which has changed one variable on its way.
  EXPECT_EQ(asked.count("SELECT * FROM path_to(20)"), 20u);
}

TEST(Names, OfAModelMayBeWordsOfSql) {
  Asked duckdb("duckdb");
  expect_keywords(duckdb);
  const PostgresServer server;
  Asked postgresql(server.address());
  expect_keywords(postgresql);
  for (const bool is_relational : {false, true}) {
    expect_views(duckdb, is_relational);
    expect_views(postgresql, is_relational);
  }
}

}  // namespace
}  // namespace panoptes
