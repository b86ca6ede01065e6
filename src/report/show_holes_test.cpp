// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "report/show.hpp"
#include "search/find_arrivals.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::json;

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

// Nobody waits at a label inside of an `atomic`, and yet it is come to.
TEST(ShowHoles, SayOfALabelInAnAtomicThatItIsOnlyPassed) {
  const std::string text = holes_of(
      "channel a[1];\nvar x;\nproc s { a!m }\nproc r {\nstart:\n  atomic { a?m; inside: x = 1; "
      "goto "
      "end_last };\nend_last:\n}\n");
  EXPECT_NE(text.find("inside (6:25), only passed"), std::string::npos) << text;
  EXPECT_EQ(text.find("never reached"), std::string::npos) << text;
}

}  // namespace
}  // namespace panoptes
