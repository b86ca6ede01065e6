// SPDX-License-Identifier: Apache-2.0
// What a cost means, and what is said of one that means nothing.
#include "argos/outside.hpp"

#include <gtest/gtest.h>

#include "argos/build.hpp"
#include "argos/parse.hpp"

namespace panoptes {
namespace {

const char* const model =
    "channel link[2], ring[0..1][1];\n"
    "const most = 3; var total;\n"
    "proc sender var retries, x; { wait: link!m(x); retries = retries + total; goto wait }\n"
    "proc receiver var x; { do :: link?m(x) :: ring[0]?m od }\n"
    "proc node[i : 0..1] var n; { n = n + x; here: ring[i]!m(n) }\n";

// The cost written out again, or the diagnostics.
std::string resolved(const std::string& cost) {
  SourceSet sources;
  Diagnostics diagnostics;
  std::string text = model;
  text.replace(text.find("n + x"), 5, "n + 1");
  const argos::Model tree = argos::parse_text("m", text, sources, diagnostics);
  const auto protocol = build_protocol(tree, {}, sources, diagnostics);
  EXPECT_TRUE(protocol) << diagnostics.render(sources);
  Diagnostics complaints;
  const auto expression = argos::parse_cost("--cost", cost, sources, complaints);
  if (!expression) return complaints.render(sources);
  const auto result = resolve_cost(*expression, *protocol, complaints);
  if (!result) return complaints.render(sources);
  const ExpressionNames names{[&](VariableId v) {
                                if (v == CostExpression::depth) return std::string("<depth>");
                                const Variable& variable = protocol->variables[v];
                                return variable.process == none
                                           ? variable.name
                                           : protocol->processes[variable.process].name + "." +
                                                 variable.name;
                              },
                              [&](ChannelId c) { return protocol->channels[c].name; }};
  return to_text(result->pool, result->root, names);
}

TEST(Costs, SpeakOfVariablesChannelsProcessesAndTheDepth) {
  EXPECT_EQ(resolved("2*len(link) + retries"), "2 * len(link) + sender.retries");
  EXPECT_EQ(resolved("total - sender.x * receiver.x"), "total - sender.x * receiver.x");
  EXPECT_EQ(resolved("sender@wait"), "control(0) == 0");
  EXPECT_EQ(resolved("node[1].n + node[0]@here"), "node[1].n + (control(2) == 1)");
  EXPECT_EQ(resolved("receiver@4:24 * 3"), "(control(1) == 0) * 3");
  EXPECT_EQ(resolved("total == most || false"), "total == 3 || 0");
  EXPECT_EQ(resolved("full(ring[2 - 1]) || depth > 7"), "full(ring[1]) || <depth> > 7");
}

TEST(Costs, TakeEndForTheClosingBraceButWhereItIsALabel) {
  const auto asked = [](const std::string& body) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model tree =
        argos::parse_text("m", "channel c[1]; proc p { " + body + " }", sources, diagnostics);
    const auto protocol = build_protocol(tree, {}, sources, diagnostics);
    const auto cost = argos::parse_cost("--cost", "p@end", sources, diagnostics);
    const auto result = resolve_cost(*cost, *protocol, diagnostics);
    return to_text(result->pool, result->root, protocol->names());
  };
  EXPECT_EQ(asked("c!a; c?a"), "control(0) == 2");
  EXPECT_EQ(asked("c!a; end_soon: c?a"), "control(0) == 2");
  EXPECT_EQ(asked("c!a; end: c?a"), "control(0) == 1");
  EXPECT_EQ(asked("c!a; c?a; end: skip"), "control(0) == 2");
  EXPECT_EQ(asked("c!a; goto past; end: c!b; past: c?a"), "0");
  EXPECT_EQ(asked("c!a; c?a; past:"), "control(0) == 2");
}

// One member counts: the one that is chosen.
TEST(Costs, MayChooseAMemberByAnExpression) {
  EXPECT_EQ(resolved("len(ring[total])"),
            "0 + (total == 0) * len(ring[0]) + (total == 1) * len(ring[1])");
  EXPECT_EQ(resolved("node[total].n"), "(total == 0) * node[0].n + (total == 1) * node[1].n");
  EXPECT_EQ(resolved("node[1 - total]@here"),
            "(1 - total == 0) * (control(2) == 1) + (1 - total == 1) * (control(3) == 1)");
}

TEST(Costs, MayAskForTheFirstMessage) {
  EXPECT_EQ(resolved("head(link) == m"), "tag(link) == 1");
  EXPECT_EQ(resolved("2 * head(ring[0]) != m"), "2 * !(tag(ring[0]) == 1)");
}

TEST(Costs, SayWhichStatesTheyAskFor) {
  SourceSet sources;
  Diagnostics complaints;
  const auto cost =
      argos::parse_cost("--cost", "-sender@wait + 2*(node[1]@4:24 == x)", sources, complaints);
  ASSERT_TRUE(cost);
  EXPECT_EQ(asked_names(*cost), (std::set<std::string>{"wait", "4:24"}));
}

// A label of a state that was merged would speak of the others, too.
TEST(Costs, OfALabelThatIsNotKeptApartMeanNothing) {
  SourceSet sources;
  Diagnostics diagnostics, complaints;
  const argos::Model tree = argos::parse_text(
      "m", "channel a[1]; proc p { if :: skip; idle: a!x :: a!y; waiting: a!x fi }", sources,
      diagnostics);
  const auto protocol = build_protocol(tree, {}, sources, diagnostics);
  const auto cost = argos::parse_cost("--cost", "p@waiting", sources, complaints);
  ASSERT_TRUE(protocol && cost);
  EXPECT_FALSE(resolve_cost(*cost, *protocol, complaints));
  EXPECT_EQ(complaints.render(sources),
            "--cost:1:1: error: `waiting` is not told apart from others: idle|waiting\n"
            "  p@waiting\n"
            "  ^~~~~~~~~\n"
            "  --labels waiting keeps it apart\n");
}

TEST(Costs, ThatMeanNothingAreShownWithTheirPlace) {
  EXPECT_EQ(resolved("2 * lenght(link)"),
            "--cost:1:5: error: a call gives no value\n"
            "  2 * lenght(link)\n"
            "      ^~~~~~\n"
            "  in expressions only `len`, `full`, `empty` and `head` are called\n");
  EXPECT_EQ(resolved("total + retrys"),
            "--cost:1:9: error: no variable is called `retrys`\n"
            "  total + retrys\n"
            "          ^~~~~~\n"
            "  did you mean `retries`?\n");
  EXPECT_EQ(resolved("1 + x"),
            "--cost:1:5: error: several processes have a variable `x`\n"
            "  1 + x\n"
            "      ^\n"
            "  name one: `sender.x` or `receiver.x`\n");
  EXPECT_EQ(resolved("len(lnk)"),
            "--cost:1:5: error: no channel is called `lnk`\n"
            "  len(lnk)\n"
            "      ^~~\n"
            "  did you mean `link`?\n");
  EXPECT_EQ(resolved("sendr@wait"),
            "--cost:1:1: error: no process is called `sendr`\n"
            "  sendr@wait\n"
            "  ^~~~~~~~~~\n"
            "  did you mean `sender`?\n");
  EXPECT_EQ(resolved("sender@wit"),
            "--cost:1:1: error: process `sender` has no state called `wit`\n"
            "  sender@wit\n"
            "  ^~~~~~~~~~\n"
            "  did you mean `wait`?\n");
  EXPECT_EQ(resolved("node.n"),
            "--cost:1:1: error: `node` is a family of processes\n"
            "  node.n\n"
            "  ^~~~\n"
            "  name one of node[0] to node[1]\n");
  EXPECT_EQ(resolved("node[2]@here"),
            "--cost:1:1: error: there is no `node[2]`\n"
            "  node[2]@here\n"
            "  ^~~~~~~\n"
            "  the family is node[0] to node[1]\n");
  EXPECT_EQ(resolved("sender[1].x"),
            "--cost:1:1: error: `sender` is one process, not a family\n"
            "  sender[1].x\n"
            "  ^~~~~~~~~\n");
  EXPECT_EQ(resolved("sender.retris"),
            "--cost:1:1: error: process `sender` has no variable called `retris`\n"
            "  sender.retris\n"
            "  ^~~~~~~~~~~~~\n"
            "  did you mean `retries`?\n");
  EXPECT_EQ(resolved("head(link) + 1"),
            "--cost:1:12: error: expected `==` or `!=` after `head(...)`, found `+`\n"
            "  head(link) + 1\n"
            "             ^\n"
            "  the first message is asked for by its name: `head(c) == m`\n");
  EXPECT_EQ(resolved("1 +"),
            "--cost:1:4: error: expected a value, found the end of the file\n"
            "  1 +\n"
            "     ^\n");
  EXPECT_EQ(resolved("1; 2"),
            "--cost:1:2: error: expected the end of the expression, found `;`\n"
            "  1; 2\n"
            "   ^\n");
}

}  // namespace
}  // namespace panoptes
