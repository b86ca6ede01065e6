// SPDX-License-Identifier: Apache-2.0
// The memory limit, as the kernel saw it: every search of a protocol that is far too large stays
// within it, and says that it has not seen everything.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes::cli {
namespace {

using Words = std::vector<std::string>;

// Two alternating bit protocols side by side: one word, and 114 million states.
const std::string narrow = std::string(PANOPTES_SOURCE_DIR) + "/bench/pairs/two_links.argos";

// Items with three values of 16 bits pass through six channels: 20 words, and more states than
// anybody will count.
constexpr const char* wide_text = R"(
#define RELAYS 5
#define NUMBERS 3400
channel stage[0..RELAYS][4];

proc source
  var next : 0..NUMBERS - 1;
{
  do
  :: stage[0]!item(next, next * 4, 16000 - next) -> next +% NUMBERS
  od
}

proc relay[i : 0..RELAYS - 1]
  var number, product, rest;
{
  do
  :: stage[i]?item(number, product, rest) -> stage[i + 1]!item(number, product, rest)
  od
}

proc goal
  var number, product, rest;
{
  do
  :: stage[RELAYS]?item(number, product, rest)
  od
}
)";

struct Discipline {
  std::string name;
  Words options;
  std::string time = "0.8s";
  bool may_omit = false;  // and says so from the beginning, or when it has run out of memory
};

void PrintTo(const Discipline& discipline, std::ostream* out) { *out << discipline.name; }

std::vector<Discipline> disciplines() {
  const auto exhaustive = [](Words more) {
    more.insert(more.begin(), {"--search", "exhaustive"});
    return more;
  };
  return {
      {"Auto", {}, "1.6s"},
      {"Exhaustive1", exhaustive({"--threads", "1"})},
      {"Exhaustive2", exhaustive({"--threads", "2"})},
      {"Supertrace", {"--search", "supertrace"}, "0.8s", true},
      {"Hash", exhaustive({"--store", "hash"})},
      {"Compact", exhaustive({"--store", "compact"})},
      {"DepthFirst", exhaustive({"--order", "depth"})},
      {"Scatter", {"--search", "scatter"}},
      {"Guided", {"--search", "guided", "--cost", "0 - depth"}},
      {"Stack", {"--search", "stack"}, "0.5s"},
      {"StackWithoutBound", {"--search", "stack", "--depth", "100000000"}, "0.6s"},
      {"Cache", {"--search", "cache"}, "0.6s"},
      {"CacheWithoutBound", {"--search", "cache", "--depth", "100000000"}, "0.6s"},
      {"Walk", {"--search", "walk"}, "0.3s"},
  };
}

class MemoryPromise : public testing::TestWithParam<Discipline> {
 protected:
  // The report of a check within so many MiB, which it has kept to.
  static nlohmann::json check(const Words& model, int mebibytes = 32) {
    const Discipline& discipline = GetParam();
    Words words{"check"};
    for (const Words& more :
         {model, discipline.options,
          Words{"--no-minimise", "--reduce", "none", "--memory", fmt::format("{}M", mebibytes),
                "--time", discipline.time, "--json"}})
      words.insert(words.end(), more.begin(), more.end());
    const Result result = run(words);
    EXPECT_TRUE(result.exit_code == 3 || result.exit_code == 1)
        << result.exit_code << " " << result.signal << " " << result.errors;
    auto json = test::parse_json(result.output);
    EXPECT_EQ(json["verdict"], result.exit_code == 3 ? "unknown" : "violated");
    EXPECT_EQ(json["promise"], "partial");
    EXPECT_NE(json["stop"], "finished");
    EXPECT_GT(json["states_analysed"], 10'000);
    EXPECT_TRUE(json["expected_omissions"].is_number() || !discipline.may_omit);
    EXPECT_TRUE(json["coverage"].is_null());
    // What the program needs without a model is apart.
    const double taken =
        static_cast<double>(result.peak_kilobytes) * 1024 - json["fixed_bytes"].get<double>();
    const double limit = mebibytes << 20;
    EXPECT_TRUE(is_sanitized || taken <= 1.02 * limit)
        << taken / limit << " of the limit, " << json["stop"];
    return json;
  }
};
INSTANTIATE_TEST_SUITE_P(Of, MemoryPromise, testing::ValuesIn(test::sample_of(disciplines())),
                         [](const auto& param) { return param.param.name; });

TEST_P(MemoryPromise, IsKeptWithStatesOfOneWord) { check({narrow, "-D", "SLOTS=2"}); }

TEST_P(MemoryPromise, IsKeptWithWideStates) {
  const TemporaryFolder folder;
  check({folder.write("wide.argos", wide_text)});
}

TEST_P(MemoryPromise, IsKeptWhereItIsHardlyMoreThanTheProgramItself) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const TemporaryFolder folder;
  check({folder.write("wide.argos", wide_text)}, 12);
}

// Whether a run of these words keeps to so many MiB.
testing::AssertionResult keeps_to(int mebibytes, Words words, const char* time = "3s") {
  const Result small = run({"check", model("exchange"), "--json"});
  const double fixed = test::parse_json(small.output)["fixed_bytes"].get<double>();
  for (const std::string& word : {std::string("--memory"), fmt::format("{}M", mebibytes),
                                  std::string("--time"), std::string(time)})
    words.push_back(word);
  const Result result = run(words);
  const double share =
      (static_cast<double>(result.peak_kilobytes) * 1024 - fixed) / (mebibytes << 20);
  if (result.signal == 0 && result.exit_code < 4 && share <= 1.02)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << fmt::format("{}: {} of {}M, exit code {}\n{}", fmt::join(words, " "), share, mebibytes,
                        result.exit_code, result.errors);
}

// Processes that can each choose among so many values: states with thousands of successors, which
// are expanded one by one, and so wait one by one.
std::string many_options(int members, int options) {
  std::string text = fmt::format("proc p[i : 0..{}] {{ var x; do", members - 1);
  for (int option = 0; option < options; ++option) text += fmt::format(" :: x = {}", option);
  return text + " od }\n";
}

TEST(ManySuccessors, WaitInMemoryThatIsCounted) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const TemporaryFolder folder;
  for (const auto& [members, options] : {std::pair(30, 323), {14, 481}}) {
    const std::string path = folder.write("options.argos", many_options(members, options));
    for (const Words& how : {Words{"--store", "hash"}, {"--store", "compact"}})
      EXPECT_TRUE(keeps_to(48, {"check", path, how[0], how[1]}));
  }
}

// A model that alone takes nearly the limit: searches in between would have as much again for code.
TEST(ALargeModel, IsNotCompiledOnceMoreForScatterSearches) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  std::string text = "channel c[0..499][2], d[0..499][2];\nproc p[i : 0..499] { var x;\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format(
        "c[i]!m{}(x); x = (x + {}) % 50; if :: (x > {}) -> d[i]?n{}(x) :: (x <= {}) -> skip fi;\n",
        i % 7, i, i, i % 5, i);
  text += "skip }\nproc q[i : 0..499] { var y; do\n";
  for (int i = 0; i < 7; ++i)
    text += fmt::format(":: c[i]?m{}(y) -> d[(i * 7 + {}) % 500]!n{}(y)\n", i, i, i % 5);
  text += "od }\n";
  const TemporaryFolder folder;
  EXPECT_TRUE(keeps_to(272, {"check", folder.write("large.argos", text), "--threads", "1"}, "6s"));
}

// The table of states is emptied into bits: neither is there as a whole beside the other.
TEST(ATableThatBecomesBits, IsNotThereTwice) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const TemporaryFolder folder;
  const std::string path = folder.write("ring.argos", R"(
channel ring[0..11][2];
proc p[i : 0..11] {
  var x : 0..63;
  do :: ring[(i + 1) % 12]!m(x) :: ring[i]?m(x) :: x = (x + 1) % 64 od
}
)");
  for (const int mebibytes : {32, 48, 64})
    EXPECT_TRUE(keeps_to(mebibytes, {"check", path, "--search", "scatter"}));
}

// What a database in this process plans, sorts and returns counts, too, and not only its buffers.
TEST(MemoryOfADatabase, IsKeptFromTheLeastOn) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const TemporaryFolder folder;
  const std::string options = folder.write("options.argos", many_options(20, 150));
  const std::string wide = folder.write("wide.argos", wide_text);
  for (const std::string& path : {options, wide})
    for (const int mebibytes : {64, 128}) {
      EXPECT_TRUE(keeps_to(mebibytes, {"relate", path}));
      EXPECT_TRUE(keeps_to(mebibytes, {"query", path, "--named", "deadlocks"}));
    }
  for (const Words& words :
       {Words{"relate", model("exchange")}, {"query", model("exchange"), "--named", "deadlocks"}}) {
    Words least = words;
    least.insert(least.end(), {"--memory", "64M"});
    EXPECT_LT(run(least).exit_code, 2);
  }
}

TEST(MemoryOfADatabase, MayBeTooLittle) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const Result result =
      run({"relate", std::string(PANOPTES_SOURCE_DIR) + "/bench/pairs/election.argos", "-D", "N=9",
           "--memory", "64M"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.errors,
            "panoptes: the database ran out of memory; try a larger --memory, or `panoptes check`, "
            "which needs less\n");
}

// An exact search that runs out of memory goes on with bits, and says what they have missed. It
// does not end for want of memory long before it has as many states as that has room for words.
TEST(LessMemory, IsNoReasonToStop) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const TemporaryFolder folder;
  const std::string wide = folder.write("wide.argos", wide_text);
  struct Case {
    Words model;
    std::uint64_t words_a_state;
  };
  for (const Case& each : {Case{{narrow, "-D", "SLOTS=2"}, 1}, Case{{wide}, 20}})
    for (const char* threads : {"1", "2"}) {
      Words words{"check"};
      words.insert(words.end(), each.model.begin(), each.model.end());
      for (const char* word : {"--no-minimise", "--reduce", "none", "--search", "exhaustive",
                               "--threads", threads, "--memory", "16M", "--time", "1s", "--json"})
        words.emplace_back(word);
      const Result result = run(words);
      EXPECT_EQ(result.exit_code, 3) << result.errors;
      const auto json = test::parse_json(result.output);
      const std::uint64_t words_in_memory = (16 << 20) / sizeof(std::uint64_t);
      const auto states = json["states"].get<std::uint64_t>();
      // More than could be kept as they are, each with a word for the table or the next level.
      EXPECT_TRUE(json["stop"] == "time limit reached" ||
                  states > words_in_memory / (each.words_a_state + 1))
          << json["stop"] << ", " << states << " states";
      if (states < words_in_memory) continue;
      ASSERT_TRUE(json["expected_omissions"].is_number());
      EXPECT_GT(json["expected_omissions"], 0);
      EXPECT_LT(json["expected_omissions"], states);
    }
}

// Supertrace never runs out of memory: 1.79 million states of 28 bytes, within less than a quarter
// of what those take.
TEST(LessMemory, IsEnoughForSupertrace) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const std::string election = std::string(PANOPTES_SOURCE_DIR) + "/bench/pairs/election.argos";
  for (const int mebibytes : {8, 16}) {
    const Result result = run({"check", election, "--reduce", "none", "--search", "supertrace",
                               "--memory", fmt::format("{}M", mebibytes), "--json"});
    ASSERT_EQ(result.exit_code, 3) << result.errors;
    const auto json = test::parse_json(result.output);
    EXPECT_EQ(json["states_waiting"], 0);
    EXPECT_EQ(json["successors_waiting"], 0);
    EXPECT_TRUE(json["needed_bytes"].is_null());
    EXPECT_GT(json["states"], 1'500'000);
    EXPECT_LE(static_cast<double>(result.peak_kilobytes) * 1024 - json["fixed_bytes"].get<double>(),
              1.02 * (mebibytes << 20));
  }
}

TEST(LessMemory, ThanAnythingNeedsIsRefusedWithWhatWouldDo) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const std::string model = std::string(PANOPTES_SOURCE_DIR) + "/models/sliding_window.argos";
  const auto report = [&](const std::string& memory) {
    const Result result =
        run({"check", model, "--reduce", "none", "--memory", memory, "--threads", "1", "--json"});
    return test::parse_json(result.output);
  };
  const auto json = report("1M");
  ASSERT_TRUE(json["needed_bytes"].is_number());
  const std::uint64_t needed = json["needed_bytes"].get<std::uint64_t>() >> 20;
  const Result text = run({"check", model, "--reduce", "none", "--memory", "1M", "--threads", "1"});
  // How much of the program is resident differs from run to run, by what else the machine does.
  const auto says = [&](std::uint64_t mebibytes) {
    return text.output.find(fmt::format("memory: too little to begin with; --memory {}M would do\n",
                                        mebibytes)) != std::string::npos;
  };
  EXPECT_TRUE(says(needed - 2) || says(needed - 1) || says(needed) || says(needed + 1) ||
              says(needed + 2))
      << text.output;
  EXPECT_GT(report(fmt::format("{}M", needed))["states"], 10'000);
}

}  // namespace
}  // namespace panoptes::cli
