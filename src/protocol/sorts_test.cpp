// SPDX-License-Identifier: Apache-2.0
#include "protocol/sorts.hpp"

#include <gtest/gtest.h>

#include "support/protocol.hpp"

namespace panoptes {
namespace {

using test::build;
using test::protocol_of;

// "m n/1 k/3": names and, where there are any, numbers of values.
std::string sort_of(const Channel& channel) {
  std::string out;
  for (const MessageType& type : channel.sort) {
    out += (out.empty() ? "" : " ") + type.name;
    if (!type.values.empty()) out += fmt::format("/{}", type.values.size());
  }
  return out;
}

TEST(Sorts, HaveTheContentsFirstThenWhatIsSentInTheOrderOfTheText) {
  const Protocol protocol = protocol_of(
      "channel a = { last, m(3) }, b;\n"
      "proc p { do :: a!one :: a!m(1) :: a!m :: a!m(1, 2) :: b?x -> a!one :: (0) -> a!dead od }\n"
      "proc q { a!two; a?last; a?never }\n");
  EXPECT_EQ(sort_of(protocol.channels[0]), "last m/1 one m m/2 dead two");
  EXPECT_EQ(sort_of(protocol.channels[1]), "");
}

TEST(Sorts, AreThoseOfTheMemberAnIndexCanMean) {
  const Protocol protocol =
      protocol_of("channel c[0..2]; proc p var x; { c[x]!any } proc q { c[1]!one }");
  EXPECT_EQ(sort_of(protocol.channels[0]), "any");
  EXPECT_EQ(sort_of(protocol.channels[1]), "any one");
}

TEST(Readers, AreTheProcessesThatReceive) {
  const Protocol protocol = protocol_of(
      "channel a, b, c, d; proc p { a?m; b?timeout } proc q { c?default; d!m; a!m; b!m; c!m }");
  EXPECT_EQ(protocol.channels[0].reader(), 0u);
  EXPECT_EQ(protocol.channels[1].reader(), 0u);
  EXPECT_EQ(protocol.channels[2].reader(), 1u);
  EXPECT_EQ(protocol.channels[3].reader(), none);
}

TEST(Readers, AreOneForEachChannel) {
  EXPECT_EQ(build("channel a; proc p { a?m } proc q { a?timeout } proc r { a!m }").shown(),
            "m:1:36: error: channel `a` is read by `p` and by `q`\n"
            "  channel a; proc p { a?m } proc q { a?timeout } proc r { a!m }\n"
            "                                     ^~~~~~~~~\n"
            "  a channel has one reader: use a channel for each\n"
            "m:1:21: note: read here too\n"
            "  channel a; proc p { a?m } proc q { a?timeout } proc r { a!m }\n"
            "                      ^~~\n");
  EXPECT_FALSE(build("channel a; proc p[i : 0..1] { a?m } proc r { a!m }").protocol);
  EXPECT_TRUE(build("channel a[0..1]; proc p[i : 0..1] { a[i]?m } proc r { a[0]!m }").protocol);
  EXPECT_FALSE(build("channel a[0..1]; proc p[i : 0..1] var x; { a[x]?m }").protocol);
  // An assertion only looks on.
  EXPECT_TRUE(build("channel a; proc p { a?m } proc r { a!m } assert { a!m; a?m }").protocol);
}

// ---- completeness ------------------------------------------------------------------------------

// The warnings about a text, each as "place message (suggestion)".
std::vector<std::string> warnings(const std::string& text) {
  const test::Built built = build(text);
  EXPECT_TRUE(built.protocol) << built.shown();
  std::vector<std::string> result;
  for (const Diagnostic& d : built.diagnostics.all())
    result.push_back(fmt::format("{} {}{}", built.sources.text(d.place), d.message,
                                 d.suggestion.empty() ? "" : " (" + d.suggestion + ")"));
  return result;
}

using Warnings = std::vector<std::string>;

TEST(Completeness, AsksForAReceiverOfEverythingSent) {
  EXPECT_EQ(
      warnings("channel c; proc p { c!ack1; c!data } proc q { do :: c?ack :: c?data od }"),
      (Warnings{"c!ack1 `ack1` is sent to `c` but never received from it (did you mean `ack`?)",
                "c?ack `ack` is received from `c` but never sent to it (did you mean `ack1`?)"}));
  EXPECT_EQ(warnings("channel c = { hello }; proc q { c?timeout }"),
            (Warnings{"c `hello` is sent to `c` but never received from it"}));
}

TEST(Completeness, ComplainsOnceOfAllMembersOfAFamily) {
  EXPECT_EQ(warnings("channel c[0..2]; proc p[i : 0..2] { c[(i + 1) % 3]!token; c[i]?tokn }"),
            (Warnings{"c[(i + 1) % 3]!token `token` is sent to `c[0]`, `c[1]`, `c[2]` but never "
                      "received from them (did you mean `tokn`?)",
                      "c[i]?tokn `tokn` is received from `c[0]`, `c[1]`, `c[2]` but never sent to "
                      "them (did you mean `token`?)"}));
  EXPECT_EQ(warnings("channel c[0..1]; proc p[i : 0..1] { c[i]!m }").size(), 1u);
}

TEST(Completeness, IsContentWithDefaultAndWithSinks) {
  EXPECT_EQ(warnings("channel c; sink s; proc p { c!a; c!b; s!a } proc q { do :: c?default od }"),
            Warnings{});
}

TEST(Completeness, AsksForAReaderOfEveryChannelWrittenTo) {
  EXPECT_EQ(warnings("channel c; proc p { c!m }"),
            (Warnings{"c channel `c` is written to but never read (it blocks its senders when it "
                      "is full; `sink` declares one that does not)"}));
}

TEST(Completeness, AsksForValuesWhereThereAreTargets) {
  EXPECT_EQ(warnings("channel c; proc p { c!m } proc q var x; { c?m(x); (x == 0) }"),
            (Warnings{"c?m(x) `m` is sent to `c` without a value (the variable keeps the value it "
                      "has)"}));
  EXPECT_EQ(warnings("channel c; proc p { c!m; c!m(1) } proc q var x; { c?m(x); (x == 0); c?m }"),
            Warnings{});
  EXPECT_EQ(warnings("channel c, d; procedure f(v) { d!n(v); c?m }\n"
                     "proc p var x = 1; { f(x) } proc q { c!m; d?n(_) }"),
            Warnings{});
}

TEST(Completeness, NamesWhatNobodyUses) {
  EXPECT_EQ(warnings("channel c, unused; var x, y, z; procedure never() { skip }\n"
                     "proc p { y = 1; (z == 0) }"),
            (Warnings{"never procedure `never` is never called", "c channel `c` is never used",
                      "unused channel `unused` is never used", "x `x` is never used",
                      "y `y` is assigned to but never read"}));
}

TEST(Completeness, NamesWhatIsNeverReachedOncePerPlace) {
  EXPECT_EQ(warnings("channel c; proc p { do :: c!m od; c!m; c!m } proc q { do :: c?m od }"),
            (Warnings{"c!m this statement can never be reached"}));
  EXPECT_EQ(warnings("channel c; proc p { goto L; c!m; L: c!m } proc q { c?m }"),
            (Warnings{"c!m this statement can never be reached"}));
  // A procedure is reached if any of its copies is.
  EXPECT_EQ(warnings("channel c; procedure f() { c!m } proc p { f(); goto L; f(); L: skip }\n"
                     "proc q { c?m }"),
            (Warnings{"f() this statement can never be reached"}));
}

TEST(Completeness, KnowsWhatAStateDoesNotAccept) {
  const Protocol protocol = protocol_of(
      "channel a, b;\n"
      "proc p { if :: a?one :: b?timeout fi; if :: a?two :: a?default fi; a!x }\n"
      "proc q { do :: a!one :: a!two :: a!two(1) :: b!x od }");
  const auto& states = protocol.processes[0].automaton.states;
  const auto holes = [&](std::size_t state) {
    std::string out;
    for (const OpenReception& open : open_receptions(protocol, states[state])) {
      out += protocol.channels[open.channel].name + ":";
      for (const std::uint32_t i : open.not_accepted)
        out += " " + protocol.channels[open.channel].sort[i].name;
      out += ";";
    }
    return out;
  };
  EXPECT_EQ(holes(0), "a: x two two;b: x;");
  EXPECT_EQ(holes(1), "");  // default takes the rest
  EXPECT_EQ(holes(2), "");  // reads nothing
}

TEST(Completeness, DoesNotTakeAReceptionForGrantedThatAConditionMayRuleOut) {
  const Protocol protocol = protocol_of(
      "channel c[0..1][1];\n"
      "proc q var x : 0..1, y : 0..1; { y = 1; if :: c[x]?a :: c[y]?b fi }\n"
      "proc p { do :: c[0]!a :: c[0]!b :: c[1]!a :: c[1]!b od }\n");
  std::size_t open = 0;
  for (const ControlState& state : protocol.processes[0].automaton.states)
    for (const OpenReception& reception : open_receptions(protocol, state))
      open += reception.not_accepted.size();
  EXPECT_EQ(open, 4u);  // with x = 0 and y = 1, neither c[0]?b nor c[1]?a is accepted
}

// ---- size estimate -----------------------------------------------------------------------------

// Two processes of 100 states, five variables of ten values each, two channels of five slots for
// ten messages: 10^24.09, as computed from section II of the paper on Argos.
TEST(WorstCase, OfThePapersExampleIsTenToTheTwentyFour) {
  const double channel = channel_contents_log10(1.0, 5);
  EXPECT_NEAR(2 * 2.0 + 10 * 1.0 + 2 * channel, 24.09, 0.005);
}

TEST(WorstCase, OfAChannelIsTheSumOfItsContents) {
  EXPECT_NEAR(channel_contents_log10(std::log10(2.0), 3), std::log10(1 + 2 + 4 + 8), 1e-9);
  EXPECT_NEAR(channel_contents_log10(0.0, 4), std::log10(5.0), 1e-9);
  EXPECT_NEAR(channel_contents_log10(1.0, 0), 0.0, 1e-9);
  EXPECT_NEAR(channel_contents_log10(4.0, 4096), 4.0 * 4096, 0.01);  // without overflow
}

TEST(WorstCase, OfAProtocolIsTheProduct) {
  // 3 control states; x: 0..3; contents of c: none, or m with 2 values, or n.
  const Protocol protocol = protocol_of(
      "channel c[1]; sink s; proc p var x : 0..3; { do :: x +% 4 -> c!m(x % 2) :: s!k od }\n"
      "proc q { do :: c?m(_) :: c!n od }");
  EXPECT_NEAR(worst_case_log10(protocol),
              std::log10(3.0 * 2.0) + std::log10(4.0) + std::log10(1.0 + 3.0), 1e-9);
}

}  // namespace
}  // namespace panoptes
