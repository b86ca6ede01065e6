// SPDX-License-Identifier: Apache-2.0
#include "base/csv.hpp"

#include <gtest/gtest.h>

namespace panoptes {
namespace {

TEST(Csv, HasQuotesWhereAValueNeedsThem) {
  EXPECT_EQ(csv_value("a b"), "a b");
  EXPECT_EQ(csv_value(""), "\"\"");
  EXPECT_EQ(csv_value("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_value("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_value("say \"x\""), "\"say \"\"x\"\"\"");
}

}  // namespace
}  // namespace panoptes
