// SPDX-License-Identifier: Apache-2.0
// What makes another protocol, and what does not.
#include "rules/fingerprint.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/program.hpp"

namespace panoptes {
namespace {

const std::string model =
    "channel link[2];\n"
    "var total : 0..3;\n"
    "proc sender { do :: (total < 3) -> link!msg(total); total = total + 1 od }\n"
    "proc receiver var x; { end: do :: link?msg(x) od }\n"
    "assert { do :: link!msg -> link?msg od }\n";

std::string with(const std::string& what, const std::string& by) {
  std::string text = model;
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no " + what);
  return text.replace(at, what.size(), by);
}

std::uint64_t number_of(const std::string& text, const test::Setup& setup = {}) {
  return fingerprint(test::compile(text, setup).program);
}

TEST(Fingerprints, DoNotLookAtComments) {
  EXPECT_EQ(number_of(model), number_of(model));
  EXPECT_EQ(number_of(model), number_of("// a comment\n\n" + model));
  EXPECT_EQ(number_of(model),
            number_of(with("proc receiver", "/* and\n another */ proc receiver")));
  EXPECT_EQ(number_of(model), number_of(with("total + 1", "( total  +  1 )")));
}

TEST(Fingerprints, DifferForEveryOtherProtocol) {
  std::set<std::uint64_t> numbers{number_of(model)};
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"link[2]", "link[3]"},
      {"total : 0..3", "total : 0..4"},
      {"total < 3", "total < 2"},
      {"total + 1", "total + 2"},
      {"sender", "source"},
      {"end: ", ""},
      {"msg(total)", "msg(1)"},
      {"total : 0..3", "total : 0..3 = 1"},
      {"link[2]", "link[2] = {msg(1)}"},
      {"link!msg -> link?msg od }", "link!msg od }"}};
  for (const auto& [what, by] : edits)
    EXPECT_TRUE(numbers.insert(number_of(with(what, by))).second) << what << " to " << by;
  EXPECT_TRUE(numbers.insert(number_of(model, {.overflow = OverflowPolicy::error})).second);
  EXPECT_TRUE(numbers.insert(number_of(model, {.timeouts = TimeoutPolicy::lock})).second);
}

TEST(Fingerprints, DifferForEveryForm) {
  const Program program = test::compile(model).program;
  std::set<std::uint64_t> numbers{fingerprint(program)};
  const auto is_other = [&](const auto& change) {
    Program other = program;
    change(other);
    return numbers.insert(fingerprint(other)).second;
  };
  EXPECT_FALSE(is_other([](Program&) {}));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[0].moves.push_back({1, 0, 0}); }));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[1].moves.push_back({1, 0, 0}); }));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[0].position = 1; }));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[0].ends_inside = true; }));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[0].assignments = {{0, 0, 0, 1}}; }));
  EXPECT_TRUE(is_other([](Program& p) { p.rules[0].assignments = {{0, 0, 0, 2}}; }));
  EXPECT_TRUE(is_other([](Program& p) { p.protocol.channels[0].readers = {0, 1}; }));
  EXPECT_TRUE(is_other([](Program& p) { p.protocol.channels[0].readers = {1, 0}; }));
  EXPECT_TRUE(is_other([](Program& p) { p.rounds.front().rule_class = 3; }));
}

}  // namespace
}  // namespace panoptes
