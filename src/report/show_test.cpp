// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/model.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::json;

const char* const small =
    "channel c[1];\n"
    "var n;\n"
    "proc p { do :: c!a(n) :: skip :: c!b od }\n"
    "proc q { end: c?a(n); c?timeout; c?default -> c?default }\n"
    "assert order { do :: c!a -> c!b od }\n";

TEST(Show, ListsAutomataSizesSortsAndReaders) {
  const test::Compiled compiled = test::compile(small);
  EXPECT_EQ(show_automata(compiled.program, compiled.sources),
            "process p: 2 states raw, 2 without transit states, 2 used\n"
            "  0 3:10 (start) (labelled)\n"
            "      c!a(n) -> 0\n"
            "      skip -> 0\n"
            "      c!b -> 0\n"
            "  1 end (end)\n"
            "\n"
            "process q: 5 states raw, 5 without transit states, 5 used\n"
            "  0 end (start) (may stop)\n"
            "      c?a(n) -> 1\n"
            "      not accepted from c: b\n"
            "  1 4:23\n"
            "      c?timeout -> 2\n"
            "      not accepted from c: a b\n"
            "  2 4:34\n"
            "      c?default -> 3\n"
            "  3 4:47\n"
            "      c?default -> 4\n"
            "  4 end (end)\n"
            "\n"
            "order: 3 states raw, 3 without transit states, 3 used\n"
            "  0 5:16 (start) (labelled)\n"
            "      c!a -> 1\n"
            "  1 5:29\n"
            "      c!b -> 0\n"
            "  2 end (end)\n"
            "  2 subsets\n"
            "\n"
            "channel c: 1 slot, sort a(0..0) b, read by q\n"
            "worst case: 10^1.48 states\n");
}

TEST(Show, ListsRulesWithPredicateAndAction) {
  const std::string text =
      "channel c[1];\n"
      "proc p var x : 0..3; { do :: (x > 0) -> x-- :: c?m(x) :: c?timeout :: assert(x < 3) od }\n"
      "proc q { c!m(1) }\n"
      "assert { c!m }\n";
  EXPECT_EQ(show_rules(test::compile(text, {.timeouts = TimeoutPolicy::lock}).program),
            "6 rules\n"
            "   0  (x > 0)\n"
            "      when p at 2:24, x > 0\n"
            "      then p to 2:41\n"
            "   1  c?m(x)\n"
            "      when p at 2:24, head of c is m\n"
            "      then p to 2:24, take from c, x = c.value1\n"
            "   2  assert(x < 3)\n"
            "      when p at 2:24\n"
            "      then check x < 3, p to 2:24\n"
            "   3  x = x - 1\n"
            "      when p at 2:41\n"
            "      then p to 2:24, x = x - 1\n"
            "   4  c!m(1)\n"
            "      when q at 3:10, c is not full\n"
            "      then q to end, add m to c (1), assertion 1 moves\n"
            "   5  c?timeout\n"
            "      when p at 2:24, c is empty, nothing else can move\n"
            "      then p to 2:24\n");
}

TEST(Show, ListsTheLayoutBitByBit) {
  EXPECT_EQ(
      show_layout(test::compile(test::model_text("alternating_bit"), {.minimise = false}).program),
      "9 bits in 1 word of 64\n"
      "  sender    control             word 0   bits  0..2    3 bits  0..6\n"
      "  receiver  control             word 0   bits  3..4    2 bits  0..3\n"
      "  sender    channel slots 0..0  word 0   bits  5..6    2 bits  ack1 ack0\n"
      "  receiver  channel slots 0..0  word 0   bits  7..8    2 bits  msg1 msg0\n");
}

TEST(Show, SaysTheSameInJson) {
  const test::Compiled compiled = test::compile(test::model_text("minimisation"));
  const Json automata = Json::parse(show_automata_json(compiled.program, compiled.sources));
  const Json& receiver = automata["processes"][1];
  EXPECT_EQ(receiver["name"], "receiver");
  EXPECT_EQ(receiver["raw"], 10);
  EXPECT_EQ(receiver["without_transit_states"], 7);
  EXPECT_EQ(receiver["minimised"], 4);
  EXPECT_EQ(receiver["states"].size(), 4u);
  EXPECT_EQ(automata["channels"][0]["reader"], "receiver");

  const Json rules = Json::parse(show_rules_json(compiled.program));
  EXPECT_EQ(rules["rules"].size(), compiled.program.rules.size());
  EXPECT_EQ(rules["rules"][0]["text"], "receiver!msg1");
  EXPECT_EQ(rules["rules"][0]["sends_to"], "receiver");
  EXPECT_EQ(rules["rules"][0]["receives_from"], nullptr);

  const Json layout = Json::parse(show_layout_json(compiled.program));
  EXPECT_EQ(layout["bits"], compiled.program.layout.bits);
  std::uint32_t bits = 0;
  for (const Json& part : layout["parts"]) bits += part["bits"].get<std::uint32_t>();
  EXPECT_EQ(bits, compiled.program.layout.bits);
}

}  // namespace
}  // namespace panoptes
