// SPDX-License-Identifier: Apache-2.0
#include "hypercube/scalar.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

// Of a row with a = 5, b = -3.
std::string value_of(const std::string& sql) {
  const auto scalar = Scalar::read(sql, {"a", "b"});
  if (!scalar) return scalar.failure();
  const Scalar::Value value = scalar->evaluate(std::vector<std::int64_t>{5, -3});
  return value ? std::to_string(static_cast<std::int64_t>(*value)) : "NULL";
}

TEST(Scalars, HaveTheValuesOfSql) {
  EXPECT_EQ(value_of("a + b * 2 - 1"), "-2");
  EXPECT_EQ(value_of("-a"), "-5");
  EXPECT_EQ(value_of("'-7'::BIGINT + a::HUGEINT"), "-2");
  EXPECT_EQ(value_of("a // 2 + b % 2"), "1");
  EXPECT_EQ(value_of("abs(b)"), "3");
  EXPECT_EQ(value_of("(a >> 1) & 3"), "2");
  EXPECT_EQ(value_of("a = 5 AND NOT b > 0 OR FALSE"), "1");
  EXPECT_EQ(value_of("a <> 5"), "0");
  EXPECT_EQ(value_of("a BETWEEN 1 AND 5 AND b NOT BETWEEN 0 AND 9"), "1");
  EXPECT_EQ(value_of("a IN (1, 5)"), "1");
  EXPECT_EQ(value_of("CASE a WHEN 4 THEN 40 WHEN 5 THEN 50 ELSE 60 END"), "50");
  EXPECT_EQ(value_of("CASE WHEN a < b THEN 1 END"), "NULL");
}

// What has no value decides nothing, and what is decided needs no value.
TEST(Scalars, HaveTheLogicOfThreeValues) {
  EXPECT_EQ(value_of("NULL AND FALSE"), "0");
  EXPECT_EQ(value_of("NULL AND TRUE"), "NULL");
  EXPECT_EQ(value_of("NULL OR TRUE"), "1");
  EXPECT_EQ(value_of("NOT NULL"), "NULL");
  EXPECT_EQ(value_of("a // 0 IS NULL"), "1");
  EXPECT_EQ(value_of("NULL IS NOT NULL"), "0");
  EXPECT_EQ(value_of("COALESCE(NULL, a % 0, 7)"), "7");
  EXPECT_EQ(value_of("COALESCE(a // 0 = 1, FALSE)"), "0");
}

TEST(Scalars, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(value_of("a LIKE b"), "cannot read `a LIKE b` at `LIKE`");
  EXPECT_EQ(value_of("c + 1"), "cannot read `c + 1` at `c`");
  EXPECT_EQ(value_of("(a"), "cannot read `(a` at ``");
  EXPECT_EQ(value_of("a::DOUBLE"), "cannot read `a::DOUBLE` at `DOUBLE`");
}

}  // namespace
}  // namespace panoptes
