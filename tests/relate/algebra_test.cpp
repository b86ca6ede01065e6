// SPDX-License-Identifier: Apache-2.0
// Every operator of the relational algebra is what its name says, on both engines.
#include "relational/algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "relate/rows.hpp"
#include "support/postgres_server.hpp"

namespace panoptes::algebra {
namespace {

using test::Rows;

Rows sorted(Database& database, const Relation& relation) {
  // The columns are those it says it has.
  std::string list;
  for (const std::string& column : relation.columns) list += (list.empty() ? "" : ", ") + column;
  Rows rows = test::rows(database, "SELECT " + list + " FROM (" + relation.sql + ") AS r");
  std::sort(rows.begin(), rows.end());
  return rows;
}

void computes(Database& database) {
  const Relation r{{"a", "b"}, "SELECT * FROM (VALUES (1, 10), (2, 20), (3, 10)) AS v(a, b)"};
  const Relation s{{"b", "c"}, "SELECT * FROM (VALUES (10, 7), (20, 8), (10, 9)) AS v(b, c)"};
  const Relation t{{"a", "b"}, "SELECT * FROM (VALUES (3, 10), (4, 40)) AS v(a, b)"};
  const Relation u{{"d"}, "SELECT * FROM (VALUES (1), (2)) AS v(d)"};
  const auto rows = [&](const Relation& relation) { return sorted(database, relation); };

  EXPECT_EQ(rows(select(r, "a < 3")), (Rows{"1|10", "2|20"}));
  EXPECT_EQ(rows(select(r, "FALSE")), Rows{});
  EXPECT_EQ(rename(r, {{"a", "x"}}).columns, (Names{"x", "b"}));
  EXPECT_EQ(rows(rename(r, {{"a", "x"}})), (Rows{"1|10", "2|20", "3|10"}));
  // Two columns can change places: all values are those before.
  EXPECT_EQ(rows(substitute(r, {{"a", "b"}, {"b", "a"}})), (Rows{"10|1", "10|3", "20|2"}));
  EXPECT_EQ(rows(append(r, {{"c", "a + b"}, {"d", "0"}})),
            (Rows{"1|10|11|0", "2|20|22|0", "3|10|13|0"}));
  EXPECT_EQ(rows(arrange(r, {"b", "a"})), (Rows{"10|1", "10|3", "20|2"}));
  EXPECT_EQ(rows(project(r, {"b"})), (Rows{"10", "20"}));
  EXPECT_EQ(rows(times(project(r, {"b"}), u)), (Rows{"10|1", "10|2", "20|1", "20|2"}));
  EXPECT_EQ(rows(join(r, s)), (Rows{"1|10|7", "1|10|9", "2|20|8", "3|10|7", "3|10|9"}));
  EXPECT_EQ(rows(join(r, s, "a + 6 = c")), (Rows{"1|10|7", "2|20|8", "3|10|9"}));
  EXPECT_EQ(rows(join(r, u, "a < d")), (Rows{"1|10|2"}));
  EXPECT_EQ(rows(unite(r, t)), (Rows{"1|10", "2|20", "3|10", "4|40"}));
  EXPECT_EQ(rows(unite_disjoint(r, select(t, "a = 4"))), (Rows{"1|10", "2|20", "3|10", "4|40"}));
  EXPECT_EQ(rows(minus(r, t)), (Rows{"1|10", "2|20"}));
  // They nest.
  EXPECT_EQ(rows(minus(project(join(unite(r, t), s), {"a"}), project(t, {"a"}))), (Rows{"1", "2"}));
}

TEST(Algebra, ComputesOnDuckDb) { computes(*test::open("duckdb")); }

TEST(Algebra, ComputesOnPostgreSql) {
  const PostgresServer server;
  computes(*test::open(server.address()));
}

}  // namespace
}  // namespace panoptes::algebra
