// SPDX-License-Identifier: Apache-2.0
// Runs that somebody ends, and what is to be seen while they go on.
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

TEST(Interrupts, EndALongRunWithWhatWasFound) {
  for (const char* order : {"breadth", "depth"}) {
    const TemporaryFolder folder;
    Child child({"check", folder.write("endless.argos", endless), "--order", order});
    ASSERT_TRUE(child.wait_for_memory());
    child.interrupt();
    const Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3) << order;
    EXPECT_TRUE(contains(result.output, "unknown: no error in the ")) << result.output;
    EXPECT_TRUE(contains(result.output, "(interrupted)")) << result.output;
    EXPECT_TRUE(contains(result.output, "promise: partial")) << result.output;
    EXPECT_EQ(result.errors, "") << "a progress line in a pipe";
  }
}

TEST(Interrupts, KeepTheErrorsFoundSoFar) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("endless.argos", std::string(endless) + "proc q { assert(0) }\n");
  Child child({"check", path, "--json"});
  ASSERT_TRUE(child.wait_for_memory());
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 1);
  const Json json = test::parse_json(result.output);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["promise"], "partial");
  EXPECT_EQ(json["stop"], "interrupted");
  EXPECT_EQ(json["errors"].size(), 1u);
}

TEST(Progress, IsShownOnATerminalAndWipedAway) {
  const TemporaryFolder folder;
  Child child({"check", folder.write("endless.argos", endless)}, Child::Errors::to_terminal);
  ASSERT_TRUE(child.wait_for(" states/s  depth ")) << child.wait().errors;
  child.interrupt();
  const Result result = child.wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.errors, " waiting  ")) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("\r\033[K")) << "the line is still there";
  EXPECT_FALSE(contains(result.output, "states/s"));
}

TEST(Progress, IsNotShownWhereTheSearchIsShort) {
  Child child({"check", model("alternating_bit")}, Child::Errors::to_terminal);
  EXPECT_EQ(child.wait().errors, "");
}

TEST(TimeLimits, EndALongRun) {
  const TemporaryFolder folder;
  const Result result =
      run({"check", folder.write("endless.argos", endless), "--time", "0.3s", "--memory", "2G"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "(time limit reached)")) << result.output;
}

// "0:01  1,234 states  567 states/s  depth 8  9 waiting  1.0 MB"
void expect_progress(const std::string& line) {
  EXPECT_EQ(line.find(':'), 1u) << line;
  for (const char* part : {" states  ", " states/s  ", "  depth ", " waiting  "})
    EXPECT_TRUE(contains(line, part)) << line;
}

TEST(Progress, IsLinesThatStayWhereSomebodyAsksForThem) {
  const TemporaryFolder folder;
  const std::string path = folder.write("endless.argos", endless);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", path, "--time", "1.5", "--memory", "200M", "--progress"},
        {"show", path, "--holes", "--time", "1.2", "--memory", "200M", "--progress"}}) {
    // A machine that is busy may have no time left for it.
    std::string errors = run(command).errors;
    for (int i = 0; i < 3 && errors.find("0:01  ") != 0; ++i) errors = run(command).errors;
    EXPECT_TRUE(errors.starts_with("0:01  ")) << errors;
    ASSERT_EQ(errors.find('\n'), errors.size() - 1) << "the next would come after two seconds";
    expect_progress(errors);
  }
}

TEST(Progress, OfWalksHasNothingThatWaits) {
  const TemporaryFolder folder;
  const std::string errors = run({"check", folder.write("endless.argos", endless), "--search",
                                  "walk", "--time", "1.5", "--progress"})
                                 .errors;
  EXPECT_TRUE(errors.starts_with("0:01  ")) << errors;
  EXPECT_TRUE(contains(errors, " states/s  depth ")) << errors;
  EXPECT_FALSE(contains(errors, "waiting")) << errors;
}

TEST(Progress, OfSeveralRunsSaysWhichItIs) {
  const TemporaryFolder folder;
  const std::string errors =
      run({"check", folder.write("endless.argos", endless), "--search", "supertrace", "--runs", "3",
           "--arena", "64M", "--time", "2", "--progress"})
          .errors;
  EXPECT_TRUE(std::regex_search(errors, std::regex("^0:01  run [123] of 3  [0-9,]+ states  ")))
      << errors;
}

TEST(Progress, OfADatabaseIsWhatItIsAbout) {
  EXPECT_EQ(run({"relate", model("connection")}).errors, "");
  EXPECT_EQ(run({"relate", model("connection"), "--progress"}).errors,
            "searching, by one query\n"
            "relating 10 states\n"
            "looking for errors in 10 states, depth 4, with 15 transitions\n"
            "tracing 2 errors back\n");
}

TEST(MemoryLimits, SayWhatMayTakeTheSearchFurther) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
  const TemporaryFolder folder;
  const std::string path = folder.write("endless.argos", endless);
  const auto remedies = [&](std::vector<std::string> options) {
    const std::string file = folder.path("report.txt");
    std::vector<std::string> arguments{"check", path,     "--memory", "11M", "--time",
                                       "20",    "--json", "--report", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Json report = test::parse_json(run(arguments).output);
    const std::string text = read_all(file);
    EXPECT_TRUE(contains(text, "(memory limit reached)") ||
                contains(text, "successors dropped for want of memory"))
        << text;
    std::string listed;
    for (const Json& remedy : report["remedies"])
      listed += (listed.empty() ? "" : ", ") + remedy.get<std::string>();
    EXPECT_TRUE(contains(text, "\nwhat may take it further: " + listed + "\n")) << text;
    return listed;
  };
  EXPECT_EQ(remedies({}),
            "--store compact, --spill DIR, --search supertrace, a larger --memory, `panoptes "
            "backward`");
  EXPECT_EQ(remedies({"--store", "compact", "--reduce", "internal"}),
            "--reduce auto, --spill DIR, --search supertrace instead of --store compact, "
            "a larger --memory, `panoptes backward`");
  // All of it is the path: to keep less of each visited state would not help.
  EXPECT_EQ(remedies({"--order", "depth"}), "a larger --memory, `panoptes backward`");
  // A graph has all states in it.
  EXPECT_EQ(remedies({"--keep-graph", "--search", "exhaustive"}),
            "a larger --memory, `panoptes backward`");
}

TEST(WhatWasNotSeen, ComesWithWhatMayTakeTheSearchFurther) {
  const auto remedy = [](std::vector<std::string> options) {
    std::vector<std::string> arguments{"check", model("sliding_window")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string text = run(arguments).output;
    const std::string head = "what may take it further: ";
    const std::size_t at = text.find(head);
    if (at == std::string::npos) return std::string();
    return text.substr(at + head.size(), text.find('\n', at) - at - head.size());
  };
  EXPECT_EQ(remedy({}), "");
  EXPECT_EQ(remedy({"--depth", "3"}), "a larger --depth");
  EXPECT_EQ(remedy({"--keep", "1"}), "no --keep");
  EXPECT_EQ(remedy({"--fold", "process", "sender"}), "no --fold");
  EXPECT_EQ(remedy({"--search", "walk", "--runs", "3"}), "--search exhaustive");
  EXPECT_EQ(remedy({"--search", "supertrace", "--arena", "512"}),
            "a larger --arena, --runs 3 (tells how much was seen), --search exhaustive (may prove "
            "it)");
}

TEST(MemoryLimits, EndALongRunWithinTheirBounds) {
  const TemporaryFolder folder;
  const Result result =
      run({"check", folder.write("endless.argos", endless), "--memory", "64M", "--time", "3s"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(contains(result.output, "successors dropped for want of memory") ||
              (is_sanitized && contains(result.output, "limit reached)")))
      << result.output;
  // What the program needs without a model is apart.
  const long fixed_kilobytes = run({"--version"}).peak_kilobytes;
  EXPECT_TRUE(is_sanitized || result.peak_kilobytes - fixed_kilobytes <= 64 * 1024)
      << result.peak_kilobytes << " less " << fixed_kilobytes;
}

}  // namespace
}  // namespace panoptes::cli
