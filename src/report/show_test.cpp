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

// ---- holes -----------------------------------------------------------------------------------

std::string holes_of(const std::string& text, const TextStyle& style = {},
                     const CheckOptions& options = {}, RowsBy by = RowsBy::place) {
  const test::Compiled compiled = test::compile(text);
  return show_holes(compiled.program, compiled.sources, find_arrivals(compiled.program, options),
                    {options.explore.receptions, by}, style);
}

// The lines of a view that begin with `word`.
std::vector<std::string> lines_with(const std::string& text, std::string_view word) {
  std::vector<std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word)) result.push_back(line);
  return result;
}

TEST(ShowHoles, AreThoseOfTheConnectionProtocol) {
  EXPECT_EQ(holes_of(test::model_text("connection")),
            "process A: 1 hole: connected ✗ to_A?ON\n"
            "\n"
            "                       │ to_A[2]\n"
            "  state                │ ON   OFF\n"
            "  ─────────────────────┼─────────\n"
            "  0 idle (25:3, start) │ → 1  ·\n"
            "  1 connected (30:3)   │ ✗    → 0\n"
            "  2 end, never reached │ ·    ·\n"
            "\n"
            "process B: no holes; 1 waits (~)\n"
            "\n"
            "                       │ to_B[2]\n"
            "  state                │ ON\n"
            "  ─────────────────────┼────────\n"
            "  0 idle (36:3, start) │ → 1\n"
            "  1 connected (41:3)   │ ~\n"
            "  2 end, never reached │ ·\n"
            "\n"
            "  → 3   accepted, and leads to state 3\n"
            "  ✗     a hole: arrives, is not accepted, and the process can do nothing else\n"
            "  ~     arrives where the channel is not read, and waits: a hole with --receptions "
            "any\n"
            "  ·     never arrives here\n"
            "10 states, all there are\n");
}

// Everything a cell can say. A receive has a condition where an index says which channel it is.
TEST(ShowHoles, SayWhatBecomesOfEveryMessage) {
  EXPECT_EQ(
      holes_of("channel c[0..1][1], d[1];\n"
               "proc p var x : 0..1; {\n"
               "  c[x]?a;\n"
               "  if :: c[0]?b :: c[0]?timeout -> skip fi;\n"
               "  if :: c[0]?a :: d!k fi;\n"
               "  x = 1;\n"
               "  c[1]?never;\n"
               "  c[0]?default\n"
               "}\n"
               "proc q { c[0]!a; c[0]!b; c[0]!b; c[1]!a }\n"
               "proc r { d?k }\n"
               "proc s { c[1]!a }\n"),
      "process p: 1 hole: 7:3 ✗ c[1]?a; 1 not accepted, but not in the way (!); 6 wait (~)\n"
      "\n"
      "                       │ c[0] [1]                │ c[1] [1]\n"
      "  state                │ a       b       timeout │ a       never\n"
      "  ─────────────────────┼─────────────────────────┼──────────────\n"
      "  0 3:3 (start)        │ ?→ 1    ·               │ ~ ?→ 1  –\n"
      "  1 4:3                │ ·       → 2     → 2     │ ~       –\n"
      "  2 5:3                │ (→ 3)   !               │ ~       –\n"
      "  3 6:3                │ ·       ~               │ ~       –\n"
      "  4 7:3                │ ·       ~               │ ✗       (→ 5)\n"
      "  5 8:3, never reached │ (*→ 6)  (*→ 6)          │ ·       –\n"
      "  6 end, never reached │ ·       ·               │ ·       –\n"
      "\n"
      "process q: receives nothing\n"
      "\n"
      "process r: no holes\n"
      "\n"
      "                  │ d[1]\n"
      "  state           │ k\n"
      "  ────────────────┼─────\n"
      "  0 11:10 (start) │ → 1\n"
      "  1 end           │ ·\n"
      "\n"
      "process s: receives nothing\n"
      "\n"
      "  → 3   accepted, and leads to state 3\n"
      "  (→ 3) accepted, but never arrives here\n"
      "  *→ 3  accepted by `default`\n"
      "  ?→ 3  accepted under a condition\n"
      "  ✗     a hole: arrives, is not accepted, and the process can do nothing else\n"
      "  !     arrives, is not accepted, but the process can do something else: a hole with "
      "--receptions reading\n"
      "  ~     arrives where the channel is not read, and waits: a hole with --receptions any\n"
      "  ·     never arrives here\n"
      "  –     nobody sends it\n"
      "53 states, all there are\n");
}

TEST(ShowHoles, AreCountedByWhatACheckWouldReport) {
  const std::string text =
      "channel c[1], d[1]; proc p { c!x; c!y } proc q { if :: c?y :: d!k fi; d!k; c?x }\n"
      "proc r { do :: d?k od }\n";
  const auto summary = [&](ReceptionPolicy policy) {
    CheckOptions options;
    options.explore.receptions = policy;
    return lines_with(holes_of(text, {}, options), "process q").at(0);
  };
  EXPECT_EQ(summary(ReceptionPolicy::blocked),
            "process q: no holes; 1 not accepted, but not in the way (!); 1 waits (~)");
  EXPECT_EQ(summary(ReceptionPolicy::reading), "process q: 1 hole: 1:50 ! c?x; 1 waits (~)");
  EXPECT_EQ(summary(ReceptionPolicy::any), "process q: 2 holes: 1:50 ! c?x, 1:71 ~ c?x");
}

// ---- holes by label --------------------------------------------------------------------------

// A machine of three named states. Between them lie places of which nobody has a name, and in one
// of them it is stuck.
std::string machine(int places) {
  std::string between;
  for (int i = 0; i < places; ++i) between += fmt::format("     log!step{};\n", i);
  return "channel in[2], log[1];\n"
         "proc user { in!open; in!data; if :: in!close -> in!data :: in!reset fi }\n"
         "proc machine\n"
         "{\n"
         "closed:\n"
         "  in?open ->\n" +
         between +
         "  goto ready;\n"
         "ready:\n"
         "  if\n"
         "  :: in?data -> goto ready\n"
         "  :: in?close -> in?acknowledged; goto closed\n"
         "  :: in?timeout -> goto lost\n"
         "  fi;\n"
         "lost:\n"
         "  in?default -> goto lost\n"
         "}\n"
         "proc printer { do :: log?default od }\n";
}

TEST(ShowHoles, AreThoseOfTheLabelsOfAProcessThatHasSome) {
  const std::string text = holes_of(machine(30), {}, {}, RowsBy::label);
  EXPECT_EQ(text.substr(0, text.find("process printer")),
            "process user: receives nothing\n"
            "\n"
            "process machine: 2 holes: ready ✗ in?reset, behind ready ✗ in?data\n"
            "\n"
            "                         │ in[2]\n"
            "  state                  │ open       data     close     reset    acknowledged  "
            "timeout\n"
            "  ───────────────────────┼──────────────────────────────────────────────────────"
            "───────\n"
            "  closed (6:3, start)    │ → ready    ·        ·         ·        –\n"
            "  ready (39:3)           │ ·          → ready  → closed  ✗        –             "
            "→ lost\n"
            "  behind ready (1 place) │ ·          ✗        ·         ·        (→ closed)\n"
            "  lost (45:3)            │ (*→ lost)  *→ lost  *→ lost   *→ lost  (*→ lost)\n"
            "  and 30 places between labels, without holes (--by place shows them)\n"
            "\n")
      << text;
}

TEST(ShowHoles, OfLabelsAreThoseOfTheirStates) {
  for (const ReceptionPolicy policy :
       {ReceptionPolicy::blocked, ReceptionPolicy::reading, ReceptionPolicy::any})
    for (const std::string& text :
         {machine(3), test::model_text("tcp_connection"), test::model_text("connection")}) {
      const test::Compiled compiled = test::compile(text);
      const Arrivals arrivals = find_arrivals(compiled.program, {});
      const std::vector<Traffic> traffic = collect_traffic(compiled.program.protocol);
      for (ProcessId p = 0; p < compiled.program.protocol.processes.size(); ++p) {
        const auto matrix_by = [&](RowsBy by) {
          return reception_matrix(compiled.program, p, traffic, arrivals, by);
        };
        // By label, the states of a row have what the row says, and each state is in some row.
        const ReceptionMatrix places = matrix_by(RowsBy::place), labels = matrix_by(RowsBy::label);
        std::set<std::pair<StateId, std::size_t>> of_places, of_labels;
        for (const ReceptionMatrix::Hole& hole : places.holes(policy))
          of_places.emplace(hole.row, hole.column);
        for (const ReceptionMatrix::Hole& hole : labels.holes(policy))
          for (const StateId s : labels.rows[hole.row].states)
            if (const auto& at = places.rows[s].cells[hole.column].hole; at && *at <= policy)
              of_labels.emplace(s, hole.column);
        EXPECT_EQ(of_labels, of_places);
      }
    }
}

TEST(ShowHoles, CanBeATableForSpreadsheets) {
  const test::Compiled compiled = test::compile(machine(2));
  const Arrivals arrivals = find_arrivals(compiled.program, {});
  const std::string csv = show_holes_csv(compiled.program, arrivals, {});
  EXPECT_EQ(lines_with(csv, "process,").size(), 1u);
  EXPECT_EQ(lines_with(csv, "machine,ready,"),
            (std::vector<std::string>{"machine,ready,3,yes,in,open,never,no,,",
                                      "machine,ready,3,yes,in,data,arrives,always,ready,",
                                      "machine,ready,3,yes,in,close,arrives,always,closed,",
                                      "machine,ready,3,yes,in,reset,arrives,no,,blocked",
                                      "machine,ready,3,yes,in,acknowledged,never sent,no,,",
                                      "machine,ready,3,yes,in,(timeout),arrives,always,lost,"}));
  EXPECT_EQ(lines_with(csv, "machine,behind ready,").size(), 6u) << csv;
  // As many fields in each line.
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 9) << line;
}

TEST(ShowHoles, CanBeAPicture) {
  const test::Compiled compiled = test::compile(machine(2));
  const Arrivals arrivals = find_arrivals(compiled.program, {});
  const std::string svg = show_holes_svg(compiled.program, compiled.sources, arrivals, {});
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""));
  EXPECT_NE(svg.find("<g class=\"cell bad\" data-row=\"ready (11:3)\" data-column=\"in[2] "
                     "reset\"><title>ready (11:3), in[2] reset</title>"),
            std::string::npos)
      << svg;
  EXPECT_EQ(svg.find("log!step"), std::string::npos);
}

TEST(ShowHoles, AreInJsonByPlaceAndByLabel) {
  const test::Compiled compiled = test::compile(machine(30));
  const Json json =
      Json::parse(show_holes_json(compiled.program, compiled.sources,
                                  find_arrivals(compiled.program, {}), ReceptionPolicy::blocked));
  const Json& machine = json["matrices"][1];
  EXPECT_GT(machine["rows"].size(), 30u);
  std::vector<std::string> labels;
  for (const Json& row : machine["labels"])
    labels.push_back((row["between"].get<bool>() ? "behind " : "") +
                     row["label"].get<std::string>());
  EXPECT_EQ(labels, (std::vector<std::string>{"closed", "behind closed", "ready", "behind ready",
                                              "lost", "end"}));
  EXPECT_EQ(machine["labels"][0]["cells"][0]["targets"], Json::array({2})) << "ready";
  EXPECT_EQ(json["matrices"][0]["labels"], Json::array()) << "the user has no labels";
}

// ---- families --------------------------------------------------------------------------------

constexpr char ring[] =
    "channel ring[0..2][1] = { token };\n"
    "proc node[i : 0..2] { ring[i]?nothing; ring[(i + 1) % 3]!token }\n";

TEST(ShowHoles, AreShownOnceForMembersThatAreAlike) {
  EXPECT_EQ(holes_of(ring),
            "process node[i : 0..2]: 1 hole each: 2:23 ✗ ring[i]?token\n"
            "\n"
            "                        │ ring[i] [1]\n"
            "  state                 │ token  nothing\n"
            "  ──────────────────────┼───────────────\n"
            "  0 2:23 (start)        │ ✗      (→ 1)\n"
            "  1 2:40, never reached │ ·      –\n"
            "  2 end, never reached  │ ·      –\n"
            "\n"
            "  (→ 3) accepted, but never arrives here\n"
            "  ✗     a hole: arrives, is not accepted, and the process can do nothing else\n"
            "  ·     never arrives here\n"
            "  –     nobody sends it\n"
            "1 state, all there are\n");
}

TEST(ShowAutomata, ShowMembersThatAreAlikeOnceAndAsWritten) {
  const test::Compiled compiled = test::compile(ring);
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

TEST(ShowHoles, AreRefusedWhereTheyWouldBeTooLarge) {
  std::string sends = "skip", receives = "skip";
  for (int i = 0; i < 400; ++i) {
    sends += fmt::format("; c!m{}", i);
    receives += fmt::format("; c?m{}", i);
  }
  const test::Compiled compiled =
      test::compile("channel c[1];\nproc p { " + sends + " }\nproc q { " + receives + " }\n");
  EXPECT_EQ(too_large_for_holes(compiled.program, RowsBy::place),
            "--holes: 160,801 pairs of a state and a message are too many, 100,000 are the most; "
            "`panoptes check --receptions any` finds the holes one by one");
  EXPECT_EQ(
      too_large_for_holes(test::compile(test::model_text("connection")).program, RowsBy::place),
      "");
  // Labels are few.
  const test::Compiled labelled = test::compile("channel c[1];\nproc p { " + sends +
                                                " }\nproc q { a: " + receives + "; b: skip }\n");
  EXPECT_NE(too_large_for_holes(labelled.program, RowsBy::place), "");
  EXPECT_EQ(too_large_for_holes(labelled.program, RowsBy::label), "");
}

TEST(ShowHoles, AreNotSeenWhereNotAllWasSeen) {
  CheckOptions options;
  options.limits.depth = 1;
  const std::string text = holes_of(test::model_text("connection"), {}, options);
  EXPECT_NE(text.find("process A: no holes seen\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  1 connected (30:3)   │ ?    (→ 0)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  2 end, not reached   │ ?    ?\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  ?     not seen to arrive here\n"), std::string::npos) << text;
  EXPECT_NE(text.find("not all (depth limit reached): what was not seen may still be\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("never"), std::string::npos) << text;
}

// The receive of `fin` lies behind both labels; only behind the second is there a hole.
TEST(ShowHoles, OfPlacesBehindSeveralLabelsHideThoseThatNoRowShows) {
  const std::string text = holes_of(
      "channel c[1], d[1];\n"
      "proc p { if :: d!a; d!fin :: d!b; d!y; c!w fi }\n"
      "proc q { first: if :: d?a :: d?b -> second: if :: d?x :: d?y -> c?z fi fi; d?fin }\n",
      {}, {}, RowsBy::label);
  EXPECT_NE(text.find("behind second (2 places)"), std::string::npos) << text;
  EXPECT_EQ(text.find("behind first"), std::string::npos) << text;
  EXPECT_EQ(text.find("between labels"), std::string::npos) << text;
}

TEST(ShowHoles, AreFoldedForANarrowTerminal) {
  EXPECT_EQ(holes_of("channel c[1], d[1];\n"
                     "proc p { do :: c!first :: c!second :: c!third :: d!fourth od }\n"
                     "proc q { do :: c?default :: d?default od }\n",
                     {.width = 40, .has_colour = false}),
            "process p: receives nothing\n"
            "\n"
            "process q: no holes\n"
            "\n"
            "                       │ c[1]\n"
            "  state                │ first  second\n"
            "  ─────────────────────┼──────────────\n"
            "  0 3:10 (start)       │ *→ 0   *→ 0\n"
            "  1 end, never reached │ ·      ·\n"
            "\n"
            "                       │ c[1]  │ d[1]\n"
            "  state                │ third │ fourth\n"
            "  ─────────────────────┼───────┼───────\n"
            "  0 3:10 (start)       │ *→ 0  │ *→ 0\n"
            "  1 end, never reached │ ·     │ ·\n"
            "\n"
            "  → 3   accepted, and leads to state 3\n"
            "  *→ 3  accepted by `default`\n"
            "  ·     never arrives here\n"
            "8 states, all there are\n");
}

TEST(ShowHoles, AreRedWhereThereAreColours) {
  const std::string text =
      holes_of(test::model_text("connection"), {.width = 0, .has_colour = true});
  EXPECT_NE(text.find("\033[1;31m✗\033[0m    \033[32m→ 0\033[0m\n"), std::string::npos) << text;
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
