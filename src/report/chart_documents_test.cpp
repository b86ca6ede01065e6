// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/chart.hpp"

namespace panoptes {
namespace {

using test::Drawn;
using test::model;
using test::peers;

TEST(DocumentCharts, HaveNamesOfStatesAndWholeOnesTheirPlacesToo) {
  const Drawn drawn = peers();
  const std::string brief = mermaid_chart(drawn.chart(ErrorKind::assertion));
  EXPECT_NE(brief.find("p0->>p2: syn(1)\nNote over p0: at syn_sent\nNote over p2: v = 1\n"),
            std::string::npos)
      << brief;
  const Chart whole = drawn.chart(ErrorKind::assertion, {.fold = false});
  EXPECT_NE(mermaid_chart(whole).find("Note over p2: v = 1, at 26:24\n"), std::string::npos)
      << mermaid_chart(whole);
  EXPECT_NE(plantuml_chart(whole).find("rnote over p0 : at syn~_sent\n"), std::string::npos)
      << plantuml_chart(whole);
}

TEST(DocumentCharts, AreInTheLanguagesOfTheirTools) {
  const Chart chart = model("alternating_bit_link", "#define A2\n", TimeoutPolicy::lock)
                          .chart(ErrorKind::assertion);
  EXPECT_EQ("\n" + mermaid_chart(chart), R"(
sequenceDiagram
participant p0 as sender
participant p3 as link
participant p1 as receiver
participant p2 as user
p0->>p3: msg1
p3->>p1: msg1
p1->>p3: ack1
p1->>p2: msg1
Note over p3: ack1 is lost
Note over p0: timeout
p0->>p3: msg1
p3--)p1: [msg1]
Note over p3: fails
Note over p0,p2: sender at 37:5, link at 76:19, receiver at 58:5, user at 67:3
Note over p0,p2: ✕ assertion: receiver_alternates is violated by receiver!msg1
)");
  EXPECT_EQ("\n" + plantuml_chart(chart), R"(
@startuml
participant "sender" as p0
participant "link" as p3
participant "receiver" as p1
participant "user" as p2
p0 ->> p3: msg1
p3 ->> p1: msg1
p1 ->> p3: ack1
p1 ->> p2: msg1
rnote over p3 : ack1 is lost
rnote over p0 : timeout
p0 ->> p3: msg1
p3 -->>o p1: ~[msg1]
rnote over p3 : fails
rnote over p0,p2 : sender at 37:5, link at 76:19, receiver at 58:5, user at 67:3
hnote over p0,p2 #tomato : assertion: receiver~_alternates is violated by receiver!msg1
@enduml
)");
}

TEST(DocumentCharts, SayWhatIsConcurrentAndHaveNamesAsTheyAre) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.order = Order::depth};
  const Drawn drawn(
      "proc my__very__own var x : 0..1; { x = 1 }\n"
      "proc other var y : 0..1; { y = 1; assert(0) }\n",
      {}, options);
  const Chart chart = drawn.chart(ErrorKind::assertion);
  ASSERT_GT(chart.concurrent_count, 0u);
  const std::string mermaid = mermaid_chart(chart), plantuml = plantuml_chart(chart);
  EXPECT_NE(mermaid.find("participant p0 as my__very__own\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("Note over p0: ~ x = 1, at end\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("Note over p0,p1: ~ concurrent with the fault: "), std::string::npos);
  EXPECT_NE(plantuml.find("participant \"my~_~_very~_~_own\" as p0\n"), std::string::npos)
      << plantuml;
  EXPECT_NE(plantuml.find("rnote over p0 : ~~ x = 1, at end\n"), std::string::npos) << plantuml;
}

}  // namespace
}  // namespace panoptes
