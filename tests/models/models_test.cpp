// SPDX-License-Identifier: Apache-2.0
// Every model under models/ says what a check of it must find; here the program is run and taken by
// its word. A model that says nothing fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "cli/child.hpp"
#include "models/comparison.hpp"
#include "models/expectation.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes::models {
namespace {

std::filesystem::path folder() { return std::filesystem::path(PANOPTES_SOURCE_DIR) / "models"; }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".argos") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string path_of(const std::string& model) { return (folder() / (model + ".argos")).string(); }

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// ---- what a report must say --------------------------------------------------------------------

int exit_code_of(const std::string& verdict) {
  return verdict == "holds" ? 0 : verdict == "violated" ? 1 : 3;
}

// A sanitizer sees in a few thousand states what it would see in more.
bool is_too_large_for_a_sanitizer(const Expectation& expected) {
  const std::uint64_t most = test::has_all_samples() ? 10'000 : 3'000;
  return cli::is_sanitized && std::ranges::any_of(expected.items, [&](const Item& item) {
           return item.kind == ItemKind::count && item.name == "states" && item.number > most;
         });
}

void check_model(const std::string& model, const Expectation& expected) {
  if (is_too_large_for_a_sanitizer(expected)) return;
  SCOPED_TRACE("panoptes check models/" + model + ".argos " + expected.options);
  // Which one of equally short trails is found depends on who comes first, if there are several.
  const bool has_threads = expected.options.find("--threads") != std::string::npos;
  const Run run = run_program("check models/" + model + ".argos --json " + expected.options +
                              (has_threads ? "" : " --threads 1"));
  const Json report = test::parse_json_or_discard(run.output);
  if (report.is_discarded() || !report.contains("states")) {
    ADD_FAILURE() << "exit code " << run.exit_code << ", no report:\n" << run.output;
    return;
  }
  EXPECT_EQ(run.exit_code, exit_code_of(report.at("verdict")));
  for (const std::string& difference : differences_of(expected, report))
    ADD_FAILURE() << difference;
}

bool is_kept_by_reductions(ItemKind kind) {
  switch (kind) {
    case ItemKind::warnings:
    case ItemKind::dead:
    case ItemKind::verdict:
    case ItemKind::no_errors:
    case ItemKind::groups: return true;
    case ItemKind::count:
    case ItemKind::by_default:
    case ItemKind::events:
    case ItemKind::steps:
    case ItemKind::cause: return false;
  }
  return false;
}

// What is found in the plain graph is found in what is left of it if nobody asks for the plain one:
// with fewer states, and by ways that are perhaps longer.
void check_default(const std::string& model, Expectation expected) {
  constexpr std::string_view plain = "--reduce none";
  const std::size_t at = expected.options.find(plain);
  if (at == std::string::npos || expected.options.find("--no-minimise") != std::string::npos)
    return;
  expected.options.erase(at, plain.size());
  expected.rows.clear();
  std::vector<Item> kept;  // not what is counted or measured
  for (Item& item : expected.items) {
    if (item.kind == ItemKind::by_default)
      item.kind = ItemKind::count;
    else if (!is_kept_by_reductions(item.kind))
      continue;
    kept.push_back(std::move(item));
  }
  expected.items = std::move(kept);
  if (!expected.items.empty()) check_model(model, expected);
}

void check_sizes(const std::string& model, const std::vector<Size>& sizes) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model tree = argos::parse(path_of(model), read_file, {}, sources, diagnostics);
  const auto protocol = build_protocol(tree, BuildOptions{}, sources, diagnostics);
  ASSERT_TRUE(protocol) << diagnostics.render(sources);
  for (const Size& size : sizes) {
    const auto process =
        std::find_if(protocol->processes.begin(), protocol->processes.end(),
                     [&](const Process& candidate) { return candidate.name == size.process; });
    ASSERT_NE(process, protocol->processes.end()) << "no process " << size.process;
    EXPECT_EQ(process->automaton.raw_size, size.raw) << size.process;
    EXPECT_EQ(process->automaton.transit_free_size, size.without_transit_states) << size.process;
    EXPECT_EQ(process->automaton.states.size(), size.minimised) << size.process;
  }
}

// ---- the models --------------------------------------------------------------------------------

// Whether the counts are stated that every model must state: those of the plain graph and those of
// the defaults.
bool states_its_counts(const Expectations& expectations) {
  bool plain = false, defaults = false;
  for (const Expectation& expected : expectations.checks) {
    const auto has = [&](ItemKind kind) {
      return std::ranges::any_of(expected.items, [&](const Item& item) {
        return item.kind == kind && item.name == "states";
      });
    };
    plain = plain ||
            (has(ItemKind::count) && expected.options.starts_with("--no-minimise --reduce none"));
    defaults = defaults || (has(ItemKind::by_default) && expected.options == "--reduce none");
  }
  return plain && defaults;
}

class Models : public testing::TestWithParam<std::string> {};

TEST_P(Models, AreWhatTheySay) {
  const Expectations expectations = read_expectations(read_file(path_of(GetParam())).value());
  for (const std::string& problem : expectations.problems) ADD_FAILURE() << problem;
  ASSERT_TRUE(states_its_counts(expectations))
      << "a model begins with comments `// expect --no-minimise --reduce none: N states, ...` and "
         "`// expect --reduce none: N states, N by default, ...`";
  for (const Expectation& expected : expectations.checks) {
    check_model(GetParam(), expected);
    if (!is_too_large_for_a_sanitizer(expected)) check_default(GetParam(), expected);
  }
  check_sizes(GetParam(), expectations.sizes);
}

INSTANTIATE_TEST_SUITE_P(Every, Models, testing::ValuesIn(model_names()),
                         [](const auto& test) { return test.param; });

// ---- that the comparison can fail --------------------------------------------------------------

TEST(Expectations, ThatMakeNoSenseAreReported) {
  for (const std::string line : {"// expect: 5 apples", "// expect: gridlock after 3 events",
                                 "// expect: deadlock after 3 days", "// expect 5 states",
                                 "// expect: maybe", "// sizes: sender 3 raw", "// rows A B"}) {
    EXPECT_EQ(read_expectations(line + "\nproc p { }\n").problems.size(), 1u) << line;
  }
}

TEST(Expectations, WithTheSameOptionsAreOne) {
  const Expectations read = read_expectations(
      "// What it is.\n"
      "// expect --capacity 2: 3 states, holds\n"
      "// expect: 5 states, violated\n"
      "// expect --capacity 2: 1 dead\n"
      "// rows --capacity 2: a m\n"
      "\n"
      "// expect: 7 states\n");
  ASSERT_TRUE(read.problems.empty());
  ASSERT_EQ(read.checks.size(), 2u);
  EXPECT_EQ(read.checks[0].options, "--capacity 2");
  EXPECT_EQ(read.checks[0].items.size(), 3u);
  EXPECT_EQ(read.checks[0].rows, std::vector<std::string>{"a m"});
  EXPECT_EQ(read.checks[1].items.size(), 2u);
}

TEST(Expectations, ThatDoNotHoldAreReported) {
  const Json report = test::parse_json(R"({
    "verdict": "violated", "states": 7, "transitions": 6, "state_bits": 10,
    "errors": [
      {"kind": "deadlock", "text": "no process can move", "events": 2, "steps": 3,
       "trail": [{"kind": "send", "channel": "a", "message": "m", "received_at_step": null},
                 {"kind": "internal"},
                 {"kind": "timeout", "channel": "b"}]},
      {"kind": "overflow", "text": "full", "events": 1, "steps": 1, "cause": "x", "trail": []}],
    "warnings": [{}], "dead_code": []})");
  const std::map<std::string, std::size_t> cases = {
      {"expect: 7 states, 6 transitions, 10 bits, violated, 1 warning, 0 dead", 0},
      {"expect: 1 deadlock, 1 overflow, deadlock after 2 events, overflow after 1 step", 0},
      {"expect: overflow with a cause", 0},
      {"rows: a [m], b tau", 0},
      {"expect: 7 states, 3 by default", 0},
      {"expect: 8 states, 7 transitions, 11 bits, holds, 2 warnings, 1 dead", 6},
      {"expect: no errors", 1},
      {"expect: 1 deadlock", 1},
      {"expect: 2 deadlocks, 1 overflow", 1},
      {"expect: deadlock after 3 events, deadlock after 2 steps", 2},
      {"expect: assertion after 3 events, deadlock with a cause", 2},
      {"rows: a m, b tau", 1},
  };
  for (const auto& [text, count] : cases) {
    const Expectations read = read_expectations("// " + text + "\n");
    ASSERT_EQ(read.checks.size(), 1u) << text;
    EXPECT_EQ(differences_of(read.checks[0], report).size(), count) << text;
  }
}

}  // namespace
}  // namespace panoptes::models
