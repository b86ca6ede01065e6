// SPDX-License-Identifier: Apache-2.0
#include "protocol/determinise.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::build;

// The table of the only assertion of a text: the actions of its scope, then a line for each subset,
// with the next subset for each action or `-`, and `*` where the assertion may end.
std::string table(const std::string& text, bool minimise = false) {
  const Protocol protocol = test::protocol_of(text, {.minimise = minimise});
  const Assertion& assertion = protocol.assertions.at(0);
  std::string out;
  for (const ExternalAction& action : assertion.scope)
    out += protocol.channels[action.channel].name + (action.is_send ? "!" : "?") + action.message +
           " ";
  out += fmt::format("from {}\n", assertion.initial);
  for (std::size_t s = 0; s < assertion.next.size(); ++s) {
    out += fmt::format("{}{}:", s, assertion.accepts_end[s] ? "*" : "");
    for (const std::uint32_t to : assertion.next[s])
      out += to == none ? std::string(" -") : fmt::format(" {}", to);
    out += "\n";
  }
  return out;
}

// A protocol that exchanges m and n over a and b, with this assertion.
std::string asserted(const std::string& body) {
  return "channel a, b; proc p { a!m; a!n; b!m } proc q { a?m; a?n; b?m } assert { " + body + " }";
}

TEST(Assertions, AllowTheSequencesOfTheirBody) {
  EXPECT_EQ(table(asserted("a!m; a!n")),
            "a!m a!n from 0\n"
            "0: 1 -\n"
            "1: - 2\n"
            "2*: - -\n");
}

TEST(Assertions, DistinguishSendsReceivesAndChannels) {
  EXPECT_EQ(table(asserted("do :: a!m -> a?m :: b!m -> break od")),
            "a?m a!m b!m from 0\n"
            "0: - 1 2\n"
            "1: 0 - -\n"
            "2*: - - -\n");
}

TEST(Assertions, FollowAllChoicesAtOnce) {
  EXPECT_EQ(table(asserted("if :: a!m -> a!m :: a!m -> a!n -> a!n fi")),
            "a!m a!n from 0\n"
            "0: 1 -\n"
            "1: 2 3\n"
            "2*: - -\n"
            "3: - 2\n");
}

TEST(Assertions, FollowSkipsAndJumpsAmongOptionsSilently) {
  EXPECT_EQ(table(asserted("do :: a!m :: break od; a!n")),
            "a!m a!n from 0\n"
            "0: 0 1\n"
            "1*: - -\n");
  EXPECT_EQ(table(asserted("if :: skip :: a!m fi")),
            "a!m from 0\n"
            "0*: 1\n"
            "1*: -\n");
}

TEST(Assertions, ThatAreEmptyHaveNothingToSay) { EXPECT_EQ(table(asserted("")), "from 0\n0*:\n"); }

TEST(Assertions, MayUseProceduresAndFamilies) {
  EXPECT_EQ(table("channel c[0..1]; proc p { c[0]!m; c[1]!m } proc q[i : 0..1] { c[i]?m }\n"
                  "procedure one(i) { c[i]!m }\n"
                  "assert { one(0); one(1) }"),
            "c[0]!m c[1]!m from 0\n"
            "0: 1 -\n"
            "1: - 2\n"
            "2*: - -\n");
}

// Everything named in the body is in scope, also where control cannot get there.
TEST(Assertions, ForbidWhatTheyNameAfterAnEndlessLoop) {
  EXPECT_EQ(table(asserted("do :: a!m od; a!n")), "a!m a!n from 0\n0: 0 -\n");
}

TEST(Assertions, OfMessagesThatNobodySendsAreKept) {
  EXPECT_EQ(table(asserted("a!m; a!k")), "a!k a!m from 0\n0: - 1\n1: 2 -\n2*: - -\n");
}

TEST(Assertions, HaveAsFewSubsetsAsTheirFuturesNeed) {
  // After a!m or a!n the future is the same; the two halves of the loop are too.
  const std::string text = asserted("do :: if :: a!m -> b!m :: a!n -> b!m fi; a!m; b!m od");
  EXPECT_EQ(table(text, false),
            "a!m a!n b!m from 0\n"
            "0: 1 2 -\n"
            "1: - - 3\n"
            "2: - - 3\n"
            "3: 4 - -\n"
            "4: - - 0\n");
  EXPECT_EQ(table(text, true),
            "a!m a!n b!m from 0\n"
            "0: 1 1 -\n"
            "1: - - 2\n"
            "2: 3 - -\n"
            "3: - - 0\n");
  // With the loop folded: nothing else is different.
  EXPECT_EQ(table(asserted("do :: a!m -> a!n -> a!m -> a!n od"), true),
            "a!m a!n from 0\n0: 1 -\n1: - 0\n");
}

// n states can need 2^n subsets: "the n-th last action was a!m".
std::string nth_last(int n) {
  std::string body = "do :: a!m :: a!n :: a!m -> break od";
  for (int i = 1; i < n; ++i) body += "; if :: a!m :: a!n fi";
  return asserted(body);
}

TEST(Assertions, CanNeedSubsetsExponentialInTheirStates) {
  const Protocol protocol = test::protocol_of(nth_last(10));
  EXPECT_EQ(protocol.assertions[0].next.size(), 1024u);
}

TEST(Assertions, ThatNeedTooManySubsetsAreAnError) {
  const test::Built built = build(nth_last(20));
  EXPECT_FALSE(built.protocol);
  ASSERT_EQ(built.diagnostics.error_count(), 1u);
  EXPECT_EQ(built.diagnostics.all()[0].message,
            "`assertion 1` needs more than 65536 subsets of states");
}

TEST(Assertions, SpeakOfSendsAndReceivesOnly) {
  for (const std::string body : {"(1)", "assert(1)", "a?timeout", "a?default", "a!m(1)", "a?m(_)"})
    EXPECT_FALSE(build(asserted(body)).protocol) << body;
  EXPECT_FALSE(build("channel c[0..1]; var x; proc p { c[0]!m } assert { c[x]!m }").protocol);
}

}  // namespace
}  // namespace panoptes
