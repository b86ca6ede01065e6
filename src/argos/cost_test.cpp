// SPDX-License-Identifier: Apache-2.0
// What a cost means, and what is said of one that means nothing.
#include "argos/cost.hpp"

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
  const ExpressionNames names{
      [&](VariableId v) {
        if (v == CostExpression::depth) return std::string("<depth>");
        if (v < protocol->variables.size()) {
          const Variable& variable = protocol->variables[v];
          return variable.process == none
                     ? variable.name
                     : protocol->processes[variable.process].name + "." + variable.name;
        }
        const auto& at = result->locations[v - protocol->variables.size()];
        std::string states;
        for (std::size_t s = 0; s < at.states.size(); ++s)
          if (at.states[s]) states += std::to_string(s);
        return "<" + protocol->processes[at.process].name + " at " + states + ">";
      },
      [&](ChannelId c) { return protocol->channels[c].name; }};
  return to_text(result->pool, result->root, names);
}

TEST(Costs, SpeakOfVariablesChannelsProcessesAndTheDepth) {
  EXPECT_EQ(resolved("2*len(link) + retries"), "2 * len(link) + sender.retries");
  EXPECT_EQ(resolved("total - sender.x * receiver.x"), "total - sender.x * receiver.x");
  EXPECT_EQ(resolved("sender@wait"), "<sender at 0>");
  EXPECT_EQ(resolved("node[1].n + node[0]@here"), "node[1].n + <node[0] at 1>");
  EXPECT_EQ(resolved("receiver@4:24 * 3"), "<receiver at 0> * 3");
  EXPECT_EQ(resolved("total == most || false"), "total == 3 || 0");
  EXPECT_EQ(resolved("full(ring[2 - 1]) || depth > 7"), "full(ring[1]) || <depth> > 7");
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
            "--cost:1:11: error: expected the end of the expression, found `(`\n"
            "  2 * lenght(link)\n"
            "            ^\n");
  EXPECT_EQ(resolved("total + retrys"),
            "--cost:1:9: error: no variable is called `retrys`\n"
            "  total + retrys\n"
            "          ^~~~~~\n"
            "  an expression may name variables, `process@label`, `len(channel)` and `depth`\n");
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
  EXPECT_EQ(resolved("len(ring[total])"),
            "--cost:1:10: error: an index must be constant here\n"
            "  len(ring[total])\n"
            "           ^~~~~\n");
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
