// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/model.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

// Of statements that were made one, the trail tells which has failed, whoever asks for the trail.
TEST(Sarif, PlacesAnErrorWhereItIsWhetherOrNotItsTrailIsAskedFor) {
  const test::Compiled compiled = test::compile(
      "channel c[2];\n"
      "var x : 0..9;\n"
      "proc p {\n"
      "  if\n"
      "  :: (x == 1) -> c!a; x = 5 / (x - 1)\n"
      "  :: (x == 0) -> c!b; x = 1; x = 1; x = 5 / (x - 1)\n"
      "  fi\n"
      "}\n");
  Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  const auto locations = [&](std::uint64_t trails) {
    RunFacts facts;
    facts.request.trails = trails;
    const std::string text = collected([&](const Sink& sink) {
      return sarif_report(compiled.program, verdict, compiled.sources, {}, facts, sink);
    });
    return nlohmann::json::parse(text)["runs"][0]["results"][0]["locations"].dump();
  };
  ASSERT_GT(compiled.program.rules[verdict.errors[0].finding.rule].statements.size(), 1u);
  const std::string asked = locations(1);
  EXPECT_NE(asked.find("\"startLine\":6"), std::string::npos) << asked;
  EXPECT_EQ(locations(0), asked);
  keep_way(compiled.program, verdict.errors[0]);
  EXPECT_EQ(locations(1), asked);
  EXPECT_EQ(locations(0), asked);
}

}  // namespace
}  // namespace panoptes
