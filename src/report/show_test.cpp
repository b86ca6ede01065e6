// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "search/find_arrivals.hpp"
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
            "  1 end\n"
            "\n"
            "process q: 5 states raw, 5 without transit states, 5 used\n"
            "  0 end (4:15, start, may stop)\n"
            "      c?a(n) -> 1\n"
            "      not accepted from c: b\n"
            "  1 4:23\n"
            "      c?timeout -> 2\n"
            "      not accepted from c: a b\n"
            "  2 4:34\n"
            "      c?default -> 3\n"
            "  3 4:47\n"
            "      c?default -> 4\n"
            "  4 end\n"
            "\n"
            "order: 3 states raw, 3 without transit states, 3 used\n"
            "  0 5:16 (start) (labelled)\n"
            "      c!a -> 1\n"
            "  1 5:29\n"
            "      c!b -> 0\n"
            "  2 end\n"
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

// ---- tables ----------------------------------------------------------------------------------

TEST(ShowTables, AreThoseOfTheFlowControlProtocol) {
  // Holzmann, Backward Symbolic Execution of Protocols, section 3: five states, seven actions, in
  // his order.
  const test::Compiled compiled = test::compile(test::model_text("flow_control"));
  const std::string text = show_tables(compiled.program, compiled.sources, {});
  EXPECT_EQ(
      text.substr(0, text.find("\n\nforward table of process B")),
      "forward table of process A\n"
      "\n"
      "  states\\actions                │ TOB?msg  (N == 2)  (N != 2)  N = N + 1  B!msg  A?msg  "
      "M = M - 1\n"
      "  ──────────────────────────────┼───────────────────────────────────────────────────────"
      "─────────\n"
      "  0 end (31:3, start, may stop) │ 1                                              4\n"
      "  1 33:6                        │          1         2\n"
      "  2 37:6                        │                              3\n"
      "  3 38:6                        │                                         0\n"
      "  4 39:15                       │                                                       0");
}

TEST(ShowTables, AreRefusedWhereTheyWouldBeTooLarge) {
  std::string text = "channel c[1];\nproc p { c!m0";
  for (int i = 1; i < 1001; ++i) text += fmt::format("; c!m{}", i);
  EXPECT_EQ(too_large_for_holes(test::compile(text + " }\nproc q { do :: c?default od }\n").program,
                                RowsBy::place),
            "");
  const test::Compiled compiled = test::compile(text + " }\nproc q { do :: c?default od }\n");
  EXPECT_EQ(show_tables(compiled.program, compiled.sources, {}),
            "forward table of process p\n"
            "\n"
            "  1,002 states and 1,001 actions: too many for a table; --automata shows them\n"
            "\n"
            "forward table of process q\n"
            "\n"
            "  states\\actions │ c?default\n"
            "  ───────────────┼──────────\n"
            "  0 3:10 (start) │ 0\n");
  // JSON has an entry for each transition, and no empty cells.
  const std::string json = show_tables_json(compiled.program, compiled.sources);
  EXPECT_LT(json.size(), 1'000'000u);
  const Json table = Json::parse(json)["tables"][0];
  EXPECT_EQ(table["actions"].size(), 1001u);
  EXPECT_EQ(table["states"][3]["next"], (Json{{{"action", 3}, {"states", {4}}}}));
}

TEST(ShowTables, HaveSeveralStatesWhereAChoiceIsOpenAndTheEndWhereItIsReached) {
  const test::Compiled compiled = test::compile(
      "channel c[1];\nproc p { if :: c!m -> c!n :: c!m -> skip fi }\nproc q { do :: c?default od "
      "}\n");
  EXPECT_EQ(show_tables(compiled.program, compiled.sources, {}),
            "forward table of process p\n"
            "\n"
            "  states\\actions │ c!m  c!n\n"
            "  ───────────────┼─────────\n"
            "  0 2:10 (start) │ 1,2\n"
            "  1 2:23         │      2\n"
            "  2 end          │\n"
            "\n"
            "forward table of process q\n"
            "\n"
            "  states\\actions │ c?default\n"
            "  ───────────────┼──────────\n"
            "  0 3:10 (start) │ 0\n");
}

// ---- channels --------------------------------------------------------------------------------

// ---- families -----------------------------------------------------------------------------------

constexpr char family_ring[] =
    "channel ring[0..2][1] = { token };\n"
    "proc node[i : 0..2] { ring[i]?nothing; ring[(i + 1) % 3]!token }\n";

TEST(ShowChannels, DrawsWhoSendsWhatToWhom) {
  const test::Compiled compiled = test::compile(
      "channel link[2], lost[1], ring[0..1][1];\n"
      "queue start = { go };\n"
      "sink log;\n"
      "proc a var n : 0..3; { do :: link!data(n) :: link!end_ :: log!x :: n++ :: lost!y :: "
      "ring[0]!t od }\n"
      "proc b { do :: link?data :: link?more :: link?timeout :: link!echo :: start?go od }\n"
      "proc quiet { skip }\n");
  EXPECT_EQ(show_channels(compiled.program, {}),
            "a              ── data(0..3), end_ ──┬─► link[2] ──────► b (timeout)\n"
            "b              ── echo ──────────────┘\n"
            "                  sent, but never received: echo, end_\n"
            "                  received, but never sent: more\n"
            "a              ── y ───────────────────► lost[1] ──────► nobody\n"
            "a              ── t ───────────────────► ring[0] [1] ──► nobody\n"
            "nobody         ────────────────────────► ring[1] [1] ──► nobody\n"
            "(at the start) ── go ──────────────────► start[2] ─────► b\n"
            "a              ── x ───────────────────► log (sink)\n"
            "quiet neither sends nor receives\n");
}

TEST(ShowChannels, FoldsLongListsOfMessages) {
  std::string sends;
  for (char c = 'a'; c <= 'l'; ++c) sends += std::string(":: c!message_") + c + " ";
  const test::Compiled compiled = test::compile("channel c[1];\nproc p { do " + sends +
                                                "od }\nproc r { do :: c!m od }\n"
                                                "proc q { do :: c?default od }\n");
  EXPECT_EQ(show_channels(compiled.program, {}),
            "p ── message_a, message_b, message_c, ──┬─► c[1] ──► q (default)\n"
            "     message_d, message_e, message_f,   │\n"
            "     message_g, message_h, message_i,   │\n"
            "     message_j, message_k, message_l    │\n"
            "r ── m ─────────────────────────────────┘\n");
}

TEST(ShowAutomata, ShowMembersThatAreAlikeOnceAndAsWritten) {
  const test::Compiled compiled = test::compile(family_ring);
  const std::string text = show_automata(compiled.program, compiled.sources);
  EXPECT_EQ(text.substr(0, text.find("worst case")),
            "process node[i : 0..2]: 3 states raw, 3 without transit states, 3 used\n"
            "  0 2:23 (start)\n"
            "      ring[i]?nothing -> 1\n"
            "      not accepted from ring[i]: token\n"
            "  1 2:40\n"
            "      ring[(i + 1) % 3]!token -> 2\n"
            "  2 end\n"
            "\n"
            "channel ring[0], ring[1], ring[2]: 1 slot, sort token, read by node[0], node[1], "
            "node[2]\n");
  const std::string dot = show_automata_dot(compiled.program, compiled.sources);
  EXPECT_NE(dot.find("process node[i : 0..2]"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("node[1]"), std::string::npos) << dot;
}

// What one sends more than the others is in the channel of one only.
TEST(ShowAutomata, ShowMembersThatDifferApart) {
  const test::Compiled compiled = test::compile(
      "channel c[0..3][1];\n"
      "proc p { do :: c[0]!m :: c[1]!m :: c[1]!extra :: c[2]!m :: c[3]!m od }\n"
      "proc q[i : 0..3] { do :: c[i]?m od }\n"
      "assert in_order[i : 0..3] { do :: c[i]!m -> c[i]?m od }\n");
  const std::string text = show_automata(compiled.program, compiled.sources);
  EXPECT_EQ(lines_with(text, "process q"),
            (std::vector<std::string>{
                "process q[i : 0..3], i = 0, 2, 3: 2 states raw, 2 without transit states, 2 used",
                "process q[1]: 2 states raw, 2 without transit states, 2 used"}));
  EXPECT_EQ(lines_with(text, "in_order").size(), 2u) << text;
  EXPECT_EQ(lines_with(text, "channel c").size(), 2u) << text;
  EXPECT_NE(text.find("      not accepted from c[1]: extra\n"), std::string::npos) << text;
}

// ---- drawings --------------------------------------------------------------------------------

TEST(ShowDrawings, OfAutomataMarkWhatIsSpecialAboutAState) {
  const test::Compiled compiled = test::compile(
      "channel a[1], b[1];\n"
      "proc p {\n"
      "end_here: if\n"
      ":: a?m -> b!n\n"
      ":: a?k -> b!n\n"
      "fi }\n"
      "proc q { a!m; a!k; do :: b?n :: b?timeout od }\n");
  const std::string dot = show_automata_dot(compiled.program, compiled.sources);
  const auto line_of = [&](const std::string& begin) {
    const std::size_t at = dot.find("    " + begin + " [");
    return at == std::string::npos ? "" : dot.substr(at, dot.find('\n', at) - at);
  };
  const auto has = [&](const std::string& node, const std::string& what) {
    return line_of(node).find(what) != std::string::npos;
  };
  EXPECT_TRUE(has("p0_0", "▶ end_here")) << dot;
  EXPECT_TRUE(has("p0_0", "peripheries=2"));
  EXPECT_TRUE(has("p0_0", ">3:11<"));
  EXPECT_TRUE(has("p0_1", "= 4:11 = 5:11")) << dot;
  EXPECT_FALSE(has("p0_1", "peripheries"));
  EXPECT_TRUE(has("p0_0 -> p0_1", ">a?m<"));
  EXPECT_TRUE(has("p0_0 -> p0_1", ">a?k<"));
  EXPECT_TRUE(has("p0_2", "peripheries=2"));
  EXPECT_FALSE(has("p0_2", "dashed"));
  EXPECT_TRUE(has("p1_3", "dashed")) << "the end of a process that has none";
}

}  // namespace
}  // namespace panoptes
