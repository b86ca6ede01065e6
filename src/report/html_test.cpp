// SPDX-License-Identifier: Apache-2.0
// Pages as text. What a browser makes of them is in tests/pages.
#include "report/html.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/html_parts.hpp"
#include "support/count_of.hpp"
#include "support/model.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;

TEST(Html, EscapesWhateverIsNoMarkup) {
  const std::string nasty = "<b title='x'>\"&</b>";
  EXPECT_EQ(html("<td class=\"{}\">{}</td>", nasty, std::string_view(nasty)).text(),
            "<td class=\"&lt;b title=&apos;x&apos;&gt;&quot;&amp;&lt;/b&gt;\">&lt;b "
            "title=&apos;x&apos;&gt;&quot;&amp;&lt;/b&gt;</td>");
  EXPECT_EQ(html("{}{}{}", nasty.c_str(), 1u, 2.5).text(),
            "&lt;b title=&apos;x&apos;&gt;&quot;&amp;&lt;/b&gt;12.5");
  EXPECT_EQ(html("<p>{}</p>", html("<i>{}</i>", "<")).text(), "<p><i>&lt;</i></p>");
  EXPECT_EQ(html("{}", std::string_view("\x01\xff\0x", 4)).text(), "\uFFFD\uFFFD\uFFFDx");
}

// The page of a model, with pictures by `draw`.
std::string page_of(const Compiled& compiled, const Verdict& verdict, const DrawPicture& draw,
                    RunFacts facts = {}) {
  facts.model = "m";
  const Diagnostics diagnostics;
  return collected([&](const Sink& sink) {
    EXPECT_TRUE(html_report(
        {compiled.program, verdict, compiled.sources, diagnostics, {}, facts, draw}, sink));
  });
}

Result<Picture, PictureFailure> no_picture(const std::string&) {
  return PictureFailure{"Graphviz is not there\ninstall it"};
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

TEST(Pages, HaveTablesOfTransitionsWhereThereIsNoGraphviz) {
  const Compiled compiled = compile("channel c[1]; proc p { c!m } proc q { c?m }");
  const std::string page = page_of(compiled, test::check(compiled), no_picture);
  EXPECT_TRUE(has(page, "Not drawn: Graphviz is not there.")) << page;
  EXPECT_FALSE(has(page, "install it"));
  EXPECT_TRUE(has(page, "<details open><summary>Transitions of p</summary>"));
  EXPECT_TRUE(has(page, "<td>1:24 (start)</td><td><code>c!m</code></td><td>end</td>"));
}

TEST(Pages, AskForAPictureOfEachAutomatonOnce) {
  const Compiled compiled = compile(
      "channel c[0..2][1]; proc p[i : 0..2] { c[i]!m; c[i]?m }\n"
      "proc q { assert(0) }");
  std::vector<std::string> drawings;
  const std::string page = page_of(compiled, test::check(compiled),
                                   [&](const std::string& dot) -> Result<Picture, PictureFailure> {
                                     drawings.push_back(dot);
                                     return Picture{"<?xml?><svg><g/></svg>"};
                                   });
  ASSERT_EQ(drawings.size(), 2u);
  EXPECT_TRUE(has(drawings[0], "class=\"executed\"")) << drawings[0];
  EXPECT_TRUE(has(drawings[1], "class=\"failed\"")) << drawings[1];
  EXPECT_TRUE(has(page, "<div class=\"scroll picture\"><svg><g/></svg></div>"));
  EXPECT_FALSE(has(page, "<?xml"));
}

TEST(Pages, DrawNoAutomatonThatIsTooLarge) {
  std::string text = "proc p var x : 0..999; { ";
  for (int i = 0; i < 200; ++i) text += "x = " + std::to_string(i) + "; ";
  const Compiled compiled = compile(text + "skip }");
  std::size_t asked = 0;
  const std::string page = page_of(compiled, test::check(compiled),
                                   [&](const std::string&) -> Result<Picture, PictureFailure> {
                                     ++asked;
                                     return Picture{"<svg></svg>"};
                                   });
  EXPECT_EQ(asked, 0u);
  EXPECT_TRUE(has(page, "Not drawn: it has 20")) << page.substr(0, 3000);
}

// However long its trail is.
TEST(Pages, StaySmall) {
  const Compiled compiled = compile(
      "channel c[1]; var n : 0..9999;\n"
      "proc p { do :: c!m(n); n++ od }\nproc q var k : 0..9999; { do :: c?m(k); "
      "assert(k < 4000) od }");
  const Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  ASSERT_GT(verdict.errors[0].trail.steps.size(), 9000u);
  const std::string page = page_of(compiled, verdict, no_picture);
  EXPECT_LT(page.size(), 500'000u);
  EXPECT_TRUE(has(page, "steps are left out (--json has them)"));
}

// As the text report does: only those that are asked for, by the numbers they have there.
TEST(Pages, HaveTheErrorsThatAreAskedFor) {
  const Compiled compiled = compile(
      "channel c[1]; proc p { if :: c!a -> assert(0) :: c!b -> assert(0) :: c!d -> assert(0) fi }\n"
      "proc q { end: do :: c?a :: c?b :: c?d od }");
  Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 3u);
  RunFacts facts;
  facts.request.show = {{2, 2}, {7, 7}};
  std::string page = page_of(compiled, verdict, no_picture, facts);
  EXPECT_EQ(test::count_of(page, "<article class=\"error\""), 1u);
  EXPECT_TRUE(has(page, "id=\"error-2\""));
  EXPECT_EQ(test::count_of(page, "data-number="), 1u);
  EXPECT_TRUE(has(page, "1 of 3 were asked for."));
  EXPECT_TRUE(has(page, "--show 7: there is no such error; they are numbered 1 to 3."));
  facts.request = {.trails = 2};
  page = page_of(compiled, verdict, no_picture, facts);
  EXPECT_EQ(test::count_of(page, "<article class=\"error\""), 2u);
  EXPECT_EQ(test::count_of(page, "data-number="), 3u);
  EXPECT_TRUE(has(page, "Only the first 2 have a part of their own here"));
}

// The trail is made again of its way, and what is known of its length is there without it.
TEST(Pages, HaveTrailsOfWhichOnlyTheWayWasKept) {
  const Compiled compiled = compile("channel c[1]; proc p { c!a; c!b } proc q { c?a; assert(0) }");
  Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  const std::string whole = page_of(compiled, verdict, no_picture);
  keep_way(compiled.program, verdict.errors[0]);
  ASSERT_EQ(verdict.errors[0].gap, TrailGap::unasked);
  EXPECT_EQ(page_of(compiled, verdict, no_picture), whole);
  EXPECT_TRUE(has(whole, "class=\"event message\"")) << whole;
  RunFacts facts;
  facts.request.trails = 0;
  const std::string page = page_of(compiled, verdict, no_picture, facts);
  EXPECT_TRUE(has(page, "1 event, 3 steps, and no trail has fewer steps")) << page;
  EXPECT_TRUE(has(page, "the trail is left out: not asked for"));
  EXPECT_FALSE(has(page, "class=\"event"));
}

// Members of a family, and not their channels beside them.
TEST(Pages, CountMembersAsTheTextReportDoes) {
  const Compiled compiled = compile(
      "channel c[0..2][1]; proc p[i : 0..2] { c[i]?m }\n"
      "proc q[i : 0..2] { c[i]!n }");
  const Verdict verdict = test::check(compiled);
  ASSERT_FALSE(verdict.errors.empty());
  const std::string page = page_of(compiled, verdict, no_picture);
  const auto found = std::ranges::find_if(
      verdict.errors, [](const ErrorReport& e) { return e.members.size() == 6; });
  ASSERT_NE(found, verdict.errors.end());
  EXPECT_TRUE(has(page, "<td data-label=\"alike\">in 3 members</td>"));
  EXPECT_FALSE(has(page, "in 6 members"));
}

// What the author says of it comes first; what any such error is, for who wants to know.
TEST(Pages, SayWhatThePropertyMeans) {
  const Compiled compiled = compile(
      "var x;\n"
      "never high (x == 2);  // it is <too> high\n"
      "// The last one.\n"
      "assert order { c!a; c!b }\n"
      "channel c[2];\n"
      "proc p { if :: c!b :: x = 2 :: assert(0)  // can not be\n fi }\n"
      "proc q { end: do :: c?a :: c?b od }");
  const std::string page = page_of(compiled, test::check(compiled), no_picture);
  for (const std::string comment : {"it is &lt;too&gt; high", "The last one.", "can not be"})
    EXPECT_TRUE(has(page, "</h3>\n<p class=\"meaning\">" + comment + "</p>\n<p class=\"what\">"))
        << comment;
  EXPECT_TRUE(has(page, "<details class=\"help\"><summary>What this kind of error is"));
}

TEST(Pages, HaveTheCommentsOfStatements) {
  const Compiled compiled = compile(
      "channel c[1];\n"
      "proc p var x; {\n  x = 1;  // <one>\n  x = 2;  // two\n  c!m  // hands it over\n}\n"
      "proc q { c?m; assert(0) }");
  const std::string page = page_of(compiled, test::check(compiled), no_picture);
  EXPECT_TRUE(has(page, "<code>x = 1</code><br><span class=\"comment\">&lt;one&gt;</span></td>"));
  EXPECT_TRUE(has(page, "<code>c!m</code><br><span class=\"comment\">hands it over</span></td>"));
  EXPECT_TRUE(has(page, "<code>assert(0)</code></td>"));
  EXPECT_TRUE(has(page, "c!m\nhands it over</title>")) << page;
  EXPECT_TRUE(has(page, "\n&lt;one&gt;; two</title>"));  // of steps that are folded
}

// Of a state, what is not as at the start comes first.
TEST(Pages, FoldVariablesThatAreAsAtTheStart) {
  const Compiled compiled = compile("var a, b, c; proc p { b = 1; c = 1; c = 0; assert(0) }");
  const std::string page = page_of(compiled, test::check(compiled), no_picture);
  const std::size_t panel = page.find("class=\"panel\"");
  ASSERT_NE(panel, std::string::npos);
  EXPECT_TRUE(has(page.substr(panel),
                  "<h5>variables</h5><dl>\n<div data-key=\"v1\"><dt>b</dt><dd>1</dd></div>\n</dl>\n"
                  "<details class=\"same\"><summary>2 others as at the start</summary><dl>\n"
                  "<div data-key=\"v0\">"))
      << page.substr(panel, 1000);
}

// A family has no member 2 that a message could go to; where none does, nobody asks.
TEST(Pages, HaveBadIndicesOnlyWhereTheyFail) {
  const auto page = [](const std::string& last) {
    const Compiled compiled =
        compile("channel c[0..1][1]; proc p var i : 0..2; { do :: (i < " + last +
                ") -> c[i]!m; i++ :: else -> break od }\n"
                "proc q[k : 0..1] { end: do :: c[k]?m od }");
    return page_of(compiled, test::check(compiled), no_picture);
  };
  EXPECT_FALSE(has(page("2"), "index out of range"));
  EXPECT_TRUE(has(page("3"), "c[i]!m with an index out of range"));
}

TEST(Pages, SayWhenNobodyCouldDrawAndWhenNothingIsWrong) {
  const Compiled compiled = compile("proc p { skip }");
  const std::string page = page_of(compiled, test::check(compiled), no_picture);
  EXPECT_TRUE(has(page, "<p class=\"verdict holds\">holds: no deadlock"));
  EXPECT_TRUE(has(page, "a proof, for this model, these capacities and these options"));
  EXPECT_FALSE(has(page, "id=\"errors\""));
}

TEST(Pages, OfBrokenModelsSayWhatIsWrong) {
  const test::Built built = test::build("proc p { lnk!m }");
  const std::string page = html_input_error("<m>", built.sources, built.diagnostics);
  EXPECT_TRUE(has(page, "<h1>&lt;m&gt;</h1>"));
  EXPECT_TRUE(has(page, "no channel is called `lnk`"));
}

TEST(Plots, NeedSomethingToPlot) {
  std::vector<SearchSample> samples;
  EXPECT_TRUE(has(plots_part(samples).text(), "nobody took samples"));
  for (int i = 0; i < 20; ++i)
    samples.push_back({0.01 * i, static_cast<std::uint64_t>(i) * 1000, 50, 1 << 20});
  const std::string plots = plots_part(samples).text();
  EXPECT_TRUE(has(plots, "states in a second, as time went by; at most 100 k")) << plots;
  EXPECT_TRUE(has(plots, "at most 50\"")) << plots;
  EXPECT_TRUE(has(plots, "at most 1.0 MB")) << plots;
}

}  // namespace
}  // namespace panoptes
