// SPDX-License-Identifier: Apache-2.0
// The queries that come along stand in the documentation as they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "docs/pages.hpp"
#include "options/table.hpp"
#include "query/named.hpp"

namespace panoptes::docs {
namespace {

TEST(DocumentedQueries, AreThoseOfTheProgram) {
  std::string wanted;
  for (const NamedQuery& query : named_queries())
    wanted += fmt::format("`{}`: {}\n\n```sql\n{}\n```\n\n", query.name, query.sentence, query.sql);
  EXPECT_TRUE(section("docs/relational.md", "named queries") == wanted)
      << "between the comments `named queries` of docs/relational.md must stand\n"
      << wanted;
}

TEST(NamedQueries, AreTheChoicesOfTheOption) {
  std::string choices = "list: which ones there are\n";
  for (const NamedQuery& query : named_queries())
    choices += fmt::format("{}: {}\n", query.name, query.sentence);
  std::string known;
  for (const ChoiceInfo& choice : row_of(option::named, "query").choices)
    known += fmt::format("{}: {}\n", choice.word, choice.meaning);
  EXPECT_EQ(known, choices);
}

}  // namespace
}  // namespace panoptes::docs
