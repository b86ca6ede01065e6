// SPDX-License-Identifier: Apache-2.0
// How findings are grouped and put into words.
#include "verdict/error.hpp"

#include <gtest/gtest.h>

#include "support/model.hpp"

namespace panoptes {
namespace {

using Texts = std::vector<std::string>;

struct Options {
  test::Setup setup;
  bool strict = true;
};

// The errors of a model, each as its sentence.
Texts sentences(const std::string& text, const Options& options = {}) {
  const test::Compiled compiled = test::compile(text, options.setup);
  CheckOptions check;
  check.strict = options.strict;
  Texts texts;
  for (const ErrorReport& error : test::check(compiled, check).errors)
    texts.push_back(error.description.text);
  return texts;
}

// "process | state | place | message" of the first error.
std::string described(const std::string& text, const test::Setup& setup = {}) {
  const test::Compiled compiled = test::compile(text, setup);
  CheckOptions check;
  check.strict = true;
  const Verdict verdict = test::check(compiled, check);
  const ErrorDescription& d = verdict.errors.at(0).description;
  return fmt::format("{} | {} | {} | {}", d.process, d.state, d.place, d.message);
}

TEST(Errors, SayInASentenceWhatIsWrong) {
  EXPECT_EQ(sentences("channel c; proc p { c?m }"), Texts{"no process can move"});
  EXPECT_EQ(sentences("channel c = { n(1) }; proc p { end: do :: c?m od }"),
            Texts{"process p at 1:37 (end:) cannot receive c?n, which is first in its channel"});
  EXPECT_EQ(sentences("channel c = { m(1, 2) }; proc p var n; { end: c?m(n, _) when (n == 2) }"),
            Texts{"process p at 1:47 (end:) cannot receive c?m(1, 2), which is first in its "
                  "channel"});
  EXPECT_EQ(sentences("proc p var x; { check: assert(x > 0) }"),
            Texts{"process p at check: assert(x > 0) does not hold, where x = 0"});
  EXPECT_EQ(sentences("channel c; proc p { c!m; c!m } proc q { c?m; c?m } assert once { c!m }"),
            Texts{"once is violated by c!m"});
  EXPECT_EQ(sentences("channel c; proc p { c!m } proc q { c?m } assert { c!m; c!m }"),
            Texts{"the protocol ends before assertion 1 is complete"});
  EXPECT_EQ(sentences("channel c; proc p { c!m }"),
            Texts{"all processes have ended and c is not empty"});
  EXPECT_EQ(sentences("channel c[1]; proc p { c!m(1); c!m(1) } proc q { c?m; c?m }",
                      {.setup = {.overflow = OverflowPolicy::error}}),
            Texts{"process p at 1:32: c!m finds the channel full"});
  EXPECT_EQ(sentences("proc p var x; { x = 1 / x }"),
            Texts{"process p at 1:17: x = 1 / x divides by zero, where x = 0"});
  EXPECT_EQ(sentences("channel c[0..1]; proc p var x = 5; { c[x]!m }"),
            Texts{"process p at 1:38: the index of c[x]!m is out of range, where x = 5"});
}

TEST(Errors, SayWhichIndexOfWhichArrayIsWrong) {
  EXPECT_EQ(
      sentences("var a[2]; proc p var x = 5; { a[x] = 1 }"),
      Texts{"process p at 1:31: a[x] = 1 has an index out of range, 5 in array a, which has 2 "
            "elements, where x = 5"});
  EXPECT_EQ(sentences("channel c[0..1]; var a[1] = 3, b[4] = { 3, 2, 1, 0 };\n"
                      "proc p var x = 2; { c[a[b[x] - 1 + b[b[3] + x + 1]]]!m }"),
            Texts{"process p at 2:21: the index of c[a[b[x] - 1 + b[b[3] + x + 1]]]!m is out of "
                  "range, where a[0] = 3, b[2] = 1, b[3] = 0, x = 2"});
  EXPECT_EQ(sentences("channel c[1] = { m(1) }; var a[2] = 3; proc p { c?m(a[a[1] - a[0] - 1]) }"),
            Texts{"process p at 1:49: c?m(a[a[1] - a[0] - 1]) has an index out of range, -1 in "
                  "array a, which has 2 elements, where a[0] = 3, a[1] = 3"});
}

TEST(Errors, SayWhichValueLeavesWhichRange) {
  EXPECT_EQ(sentences("proc p var x : 0..3 = 3; { x++ }"),
            Texts{"process p at 1:28: x = x + 1 gives x the value 4, which is not in 0..3, where x "
                  "= 3"});
  EXPECT_EQ(sentences("channel c[1] = { m(1, 9) }; var a[2] : 0..3; proc p { c?m(_, a[1]) }"),
            Texts{"process p at 1:55: c?m(_, a[1]) gives a[1] the value 9, which is not in 0..3"});
  EXPECT_EQ(sentences("var a[2] : 0..3, x = 1; proc p { a[x] = x - 2 }"),
            Texts{"process p at 1:34: a[x] = x - 2 gives a[1] the value -1, which is not in 0..3, "
                  "where x = 1"});
  // What a call gets is computed of what is assigned before it.
  EXPECT_EQ(sentences("channel c[1]; procedure send(v) { c!m(v) }\n"
                      "proc p var x : 0..3 = 3; { x++; send(x) } proc q { c?m }"),
            Texts{"process p at 2:28: x = x + 1 gives x the value 4, which is not in 0..3, where x "
                  "= 3"});
}

TEST(Errors, HaveTheValuesOfAllThatAFailedStepHasLookedAt) {
  EXPECT_EQ(sentences("channel c[2] = { m }; var shared = 7;\n"
                      "proc p var what = 1, other = 2; { assert(what == shared - len(c)) }\n"
                      "proc r { c?m }\n"),
            Texts{"process p at 2:35: assert(what == shared - len(c)) does not hold, where shared "
                  "= 7, what = 1, len(c) = 1"});
  EXPECT_EQ(sentences("proc p { assert(1 > 2) }"),
            Texts{"process p at 1:10: assert(1 > 2) does not hold"});
}

TEST(Errors, NameProcessStatePlaceAndMessage) {
  EXPECT_EQ(described("channel c = { n }; proc p { skip } proc q { L: c?m }"),
            "q | L | 1:48 | c?n");
  EXPECT_EQ(
      described("channel c; proc p { skip } proc q { L: c?m } proc r { skip; assert(1); (0) }"),
      " | end,L,1:72 | end,1:40,1:72 | ");
  EXPECT_EQ(described("channel c; proc p { c!m } proc q { c?m } assert two { c!m; c!m }"),
            " |  |  | two end");
}

// ---- groups ------------------------------------------------------------------------------------

TEST(Groups, OfUnspecifiedReceptionsAreByProcessStateChannelAndMessageName) {
  // n comes with one value and with none: one message.
  EXPECT_EQ(sentences("channel c[1];\n"
                      "proc p { if :: c!n :: c!n(1) :: c!j fi }\n"
                      "proc q { if :: (1) -> K: c?k :: (2) -> L: c?l fi }\n"),
            (Texts{"process q at K cannot receive c?n, which is first in its channel",
                   "process q at K cannot receive c?j, which is first in its channel",
                   "process q at L cannot receive c?n, which is first in its channel",
                   "process q at L cannot receive c?j, which is first in its channel",
                   "no process can move", "no process can move"}));
}

TEST(Groups, OfAssertionsAreByNameAndEvent) {
  const Texts texts = sentences(
      "channel c[1];\n"
      "proc p { if :: c!x :: c!x(1) :: c!y fi }\n"
      "proc q { do :: c?default od }\n"
      "assert one { c!z; c!x; c!y } assert two { c!z; c!y }\n");
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()),
            (std::set<std::string>{"one is violated by c!x", "one is violated by c!y",
                                   "two is violated by c!y"}));
  EXPECT_EQ(texts.size(), 3u);
}

TEST(Groups, OfCopiesOfAProcedureAreOne) {
  EXPECT_EQ(sentences("var x; procedure f() { assert(x == 1) } proc p { if :: f() -> skip :: "
                      "skip -> f() :: skip -> skip; f() fi }",
                      {.setup = {.minimise = false}})
                .size(),
            2u);  // as the guard of the choice, and as a statement of its own
}

TEST(Groups, OfDivisionsAreByControlState) {
  EXPECT_EQ(sentences("proc p var x; { if :: x = 1 / x :: skip fi; x = 1 % x }"),
            (Texts{"process p at 1:17: x = 1 / x divides by zero, where x = 0",
                   "process p at 1:45: x = 1 % x divides by zero, where x = 0"}));
}

TEST(Keys, AreEqualForEqualMistakesOnly) {
  const Program program =
      test::compile(
          "channel c[1], d[1]; proc p { if :: c!m :: c!m(1) :: d!m fi } proc q { c?k; d?k }")
          .program;
  const auto key = [&](ErrorKind kind, ProcessId process, ChannelId channel, std::uint32_t tag) {
    Finding finding;
    finding.kind = kind;
    finding.process = process;
    finding.channel = channel;
    finding.tag = tag;
    return key_of(program, finding, program.initial);
  };
  const auto reception = ErrorKind::unspecified_reception;
  EXPECT_EQ(key(reception, 1, 0, 1), key(reception, 1, 0, 2));  // m and m(1)
  EXPECT_NE(key(reception, 1, 0, 1), key(reception, 1, 1, 1));
  EXPECT_NE(key(reception, 1, 0, 1), key(reception, 0, 0, 1));
  EXPECT_NE(key(reception, 1, 0, 1), key(ErrorKind::unread_messages, 1, 0, 1));
  EXPECT_EQ(key(ErrorKind::unread_messages, 0, 0, 1), key(ErrorKind::unread_messages, 1, 0, 2));
}

TEST(Words, ForOutcomesPromisesAndStopsAreTheContract) {
  EXPECT_EQ(to_string(Outcome::holds), "holds");
  EXPECT_EQ(to_string(Outcome::violated), "violated");
  EXPECT_EQ(to_string(Outcome::unknown), "unknown");
  EXPECT_EQ(to_string(Promise::exhaustive), "exhaustive");
  EXPECT_EQ(to_string(Promise::hashed), "hashed");
  EXPECT_EQ(to_string(Promise::partial), "partial");
  EXPECT_EQ(to_string(Stop::interrupted), "interrupted");
  for (const ErrorKind kind :
       {ErrorKind::deadlock, ErrorKind::unspecified_reception, ErrorKind::assertion,
        ErrorKind::unread_messages, ErrorKind::overflow, ErrorKind::division_by_zero,
        ErrorKind::index_out_of_range, ErrorKind::out_of_range})
    EXPECT_FALSE(to_string(kind).empty());
}

}  // namespace
}  // namespace panoptes
