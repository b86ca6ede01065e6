// SPDX-License-Identifier: Apache-2.0
// Members that are alike: what is found to be a symmetry is one, by brute force; one state stands
// for each orbit; and a search by orbits finds the same errors, as far away, as one without.
#include "rules/symmetry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "differential/orbits.hpp"
#include "differential/symmetric_protocol.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes::differential {
namespace {

constexpr std::uint64_t symmetric_protocols = 400, symmetric_shards = 4;
constexpr std::uint64_t most_compared_states = 6'000;

CheckOptions symmetry_options(std::uint64_t seed) {
  CheckOptions options;
  options.strict = true;
  if (seed % 3 == 1) options.explore.receptions = ReceptionPolicy::reading;
  if (seed % 3 == 2) options.explore.receptions = ReceptionPolicy::any;
  return options;
}

// Errors, with the members that are concerned and, if wanted, how far away they are.
std::set<std::string> errors_of(const Verdict& verdict, const Program& program, bool with_depth) {
  std::set<std::string> groups;
  for (const ErrorReport& error : verdict.errors) {
    std::string text =
        fmt::format("{} [{}] in", to_string(error.key.kind), fmt::join(error.key.parts, ","));
    for (const Member& member : error.members) text += " " + name_of(program, member);
    if (with_depth) text += fmt::format(" after {}, {}", error.depth, error.is_shortest);
    groups.insert(text);
  }
  return groups;
}

CheckOptions by_orbits(CheckOptions options, const Symmetry& symmetry) {
  options.reduce.symmetry = true;
  options.symmetry = std::make_shared<Symmetry>(symmetry);
  return options;
}

// Every way to search by orbits against one way without.
void compare(const test::Compiled& compiled, const Symmetry& symmetry, const Orbits& counted,
             const CheckOptions& options, const std::string& which) {
  const Program& program = compiled.program;
  const Verdict whole = test::check(compiled, options);
  ASSERT_EQ(whole.states, counted.states) << which;
  for (const unsigned threads : {1u, 2u}) {
    CheckOptions reduced = by_orbits(options, symmetry);
    reduced.threads = threads;
    const Verdict verdict = test::check(compiled, reduced);
    ASSERT_EQ(verdict.states, counted.orbits) << which;
    ASSERT_EQ(verdict.depth, whole.depth) << which;
    ASSERT_EQ(verdict.outcome, whole.outcome) << which;
    ASSERT_EQ(verdict.promise, whole.promise) << which;
    ASSERT_EQ(errors_of(verdict, program, true), errors_of(whole, program, true)) << which;
    ASSERT_EQ(verdict.fired, whole.fired) << which;
    ASSERT_EQ(verdict.passed, whole.passed) << which;
    reduced.reduce.internal = true;
    const Verdict both = test::check(compiled, reduced);
    ASSERT_LE(both.states, counted.orbits) << which;
    ASSERT_EQ(errors_of(both, program, false), errors_of(whole, program, false)) << which;
    reduced.reduce.order = reduced.reduce.values = true;
    const Verdict all = test::check(compiled, reduced);
    ASSERT_LE(all.states, whole.states) << which;
    ASSERT_EQ(errors_of(all, program, false), errors_of(whole, program, false)) << which;
  }
  for (const Order order : {Order::depth, Order::scatter}) {
    CheckOptions reduced = by_orbits(options, symmetry);
    reduced.search = ExhaustiveSearch{.order = order};
    const Verdict verdict = test::check(compiled, reduced);
    ASSERT_EQ(verdict.states, counted.orbits) << which;
    ASSERT_EQ(errors_of(verdict, program, false), errors_of(whole, program, false)) << which;
  }
  CheckOptions compact = by_orbits(options, symmetry);
  compact.search = ExhaustiveSearch{.storage = CompactStates{}};
  ASSERT_EQ(test::check(compiled, compact).states, counted.orbits) << which;
}

class SymmetricProtocols : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SymmetricProtocols, HaveOneStateForEachOrbitAndTheSameErrors) {
  std::uint64_t alike = 0, compared = 0;
  const std::uint64_t begin = GetParam() * (symmetric_protocols / symmetric_shards);
  for (std::uint64_t seed = begin; seed < begin + symmetric_protocols / symmetric_shards; ++seed) {
    const std::string text = symmetric_protocol(seed);
    const test::Compiled compiled = test::compile(text, test::setup_for(seed));
    const Symmetry symmetry = find_symmetry(compiled.program);
    if (symmetry.empty()) continue;
    ++alike;
    const Orbits counted = count_orbits(compiled.program, symmetry, most_compared_states);
    if (counted.is_too_large) continue;
    ++compared;
    const std::string which = fmt::format("seed {}\n{}", seed, text);
    ASSERT_EQ(counted.complaint, "") << which;
    ASSERT_EQ(counted.arranged, counted.orbits) << which;
    compare(compiled, symmetry, counted, symmetry_options(seed), which);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(alike, symmetric_protocols / symmetric_shards / 2);
  EXPECT_GE(compared, alike / 3);
}

INSTANTIATE_TEST_SUITE_P(Shards, SymmetricProtocols,
                         testing::Range<std::uint64_t>(0, symmetric_shards));

// ---- whoever finds what first ----------------------------------------------------------------

// What must be the same for any number of threads, in any store and, but for how far away errors
// are, in any order.
std::string counts_of(const Verdict& verdict, bool with_depth) {
  std::set<std::string> groups;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      groups.insert(fmt::format("{} [{}] {} times{}", to_string(error.key.kind),
                                fmt::join(error.key.parts, ","), error.count,
                                with_depth ? fmt::format(" after {}", error.depth) : ""));
  return fmt::format("{} states, {} transitions: {}", verdict.states, verdict.transitions,
                     fmt::join(groups, "; "));
}

void compare_searches(const test::Compiled& compiled, const CheckOptions& options,
                      const Verdict& usual, const std::string& which) {
  for (const unsigned threads : {2u, 3u}) {
    CheckOptions other = options;
    other.threads = threads;
    if (threads == 3) other.search = ExhaustiveSearch{.storage = CompactStates{}};
    ASSERT_EQ(counts_of(test::check(compiled, other), true), counts_of(usual, true)) << which;
  }
  for (const Order order : {Order::depth, Order::scatter}) {
    CheckOptions other = options;
    other.search = ExhaustiveSearch{.order = order};
    ASSERT_EQ(counts_of(test::check(compiled, other), false), counts_of(usual, false)) << which;
  }
}

// With all reductions that go together; whether steps were left out.
bool compare_reduced(const test::Compiled& compiled, CheckOptions options,
                     const std::string& which) {
  const Symmetry symmetry = find_symmetry(compiled.program);
  if (symmetry.empty()) return false;
  options = by_orbits(std::move(options), symmetry);
  options.reduce.internal = options.reduce.values = true;
  options.reduce.order = options.explore.receptions == ReceptionPolicy::blocked;
  CheckOptions limited = options;
  test::StateLimit limit(most_compared_states);
  limit.apply(limited);
  const Verdict usual = test::check(compiled, limited);
  if (limit.is_reached()) return false;
  compare_searches(compiled, options, usual, which);
  return usual.reductions.steps_left_out.value_or(0) > 0;
}

TEST(ReducedOrbits, AreTheSameWhoeverFindsWhatFirst) {
  const std::uint64_t count = test::has_all_samples() ? 2'000 : 100;
  std::uint64_t reduced = 0;
  for (std::uint64_t seed = 0; seed < count && !HasFatalFailure(); ++seed) {
    const std::string text = seed % 4 == 0 ? symmetric_protocol(seed) : symmetric_pairs(seed);
    CheckOptions options = symmetry_options(seed % 4 == 0 ? seed : seed % 5);
    reduced += compare_reduced(test::compile(text, test::setup_for(seed)), options,
                               fmt::format("seed {}\n{}", seed, text));
  }
  EXPECT_GE(reduced, count / 4);
}

// ---- six alike -------------------------------------------------------------------------------

TEST(SymmetryOfSix, HasAsManyStatesAsOrbits) {
  const test::Compiled compiled = test::compile(
      "channel request[2], inbox[0..5][1];\n"
      "var holder : 0..6 = 6;\n"
      "proc node[i : 0..5] {\n"
      "  request!ask(i); inbox[i]?grant; holder = i;\n"
      "end_done: inbox[i]?never }\n"
      "proc server var who : 0..6 = 6; {\n"
      "end_wait: do :: request?ask(who); inbox[who]!grant; who = 6 od }\n");
  const Symmetry symmetry = find_symmetry(compiled.program);
  ASSERT_EQ(symmetry_text(symmetry), "node[0..5], 720 arrangements");
  const Verdict whole = test::check(compiled);
  const Verdict verdict = test::check(compiled, by_orbits({}, symmetry));
  EXPECT_GT(whole.states, verdict.states * 200);
  EXPECT_EQ(verdict.states, count_by_neighbours(compiled.program, symmetry));
  EXPECT_EQ(verdict.depth, whole.depth);
}

// ---- models ------------------------------------------------------------------------------------

// Nothing where the model includes others, or has no such fault.
std::optional<test::Compiled> compiled_with(const std::filesystem::path& model, const char* fault) {
  std::ostringstream text;
  text << fault << std::ifstream(model).rdbuf();
  try {
    return test::compile(text.str());
  } catch (const std::runtime_error&) {
    return {};
  }
}

TEST(SymmetryOfModels, HasOneStateForEachOrbitAndTheSameErrors) {
  std::vector<std::filesystem::path> models;
  for (const char* const folder : {"/models", "/bench/symmetric"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(PANOPTES_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".argos") models.push_back(entry.path());
  std::uint64_t compared = 0;
  for (const auto& model : models)
    for (const char* const fault : {"", "#define FAULT 1\n", "#define FAULT 3\n"}) {
      const auto compiled = compiled_with(model, fault);
      if (!compiled) continue;
      const Symmetry symmetry = find_symmetry(compiled->program);
      if (symmetry.empty()) continue;
      const Orbits counted = count_orbits(compiled->program, symmetry, most_compared_states);
      if (counted.is_too_large) continue;
      ++compared;
      const std::string which = model.string() + " " + fault;
      ASSERT_EQ(counted.complaint, "") << which;
      ASSERT_EQ(counted.arranged, counted.orbits) << which;
      CheckOptions options;
      options.strict = true;
      compare(*compiled, symmetry, counted, options, which);
      if (HasFatalFailure()) return;
    }
  EXPECT_GE(compared, 8u);
}

// ---- planted faults --------------------------------------------------------------------------

const char* const queue_lock =
    "channel request[1], inbox[0..2][1];\n"
    "var holder : 0..3 = 3, flag[3] : 0..1;\n"
    "proc node[i : 0..2] {\n"
    "end_idle: do :: request!ask(i); inbox[i]?grant; flag[i] = 1; holder = 3, flag[i] = 0 od }\n"
    "proc server var who : 0..3 = 3; {\n"
    "end_wait: do :: request?ask(who); (holder == 3); holder = who; inbox[who]!grant; who = 3 od "
    "}\n";

std::string complaint_about(const test::Compiled& compiled, const Symmetry& symmetry) {
  const Orbits counted = count_orbits(compiled.program, symmetry, most_compared_states);
  if (!counted.complaint.empty() || counted.arranged == counted.orbits) return counted.complaint;
  return "as many states as that stand for no orbit";
}

TEST(SymmetryFaults, OfOneThatIsNoneAreNoticed) {
  const test::Compiled compiled = test::compile(queue_lock);
  const Symmetry right = find_symmetry(compiled.program);
  ASSERT_EQ(complaint_about(compiled, right), "");
  const auto& variables = compiled.program.protocol.variables;
  // A member's number that is not renamed: in a variable, in a message.
  for (VariableId v = 0; v < variables.size(); ++v) {
    if (right.variables[v].holds == none) continue;
    Symmetry wrong = right;
    wrong.variables[v].holds = none;
    EXPECT_NE(complaint_about(compiled, wrong), "") << variables[v].name;
  }
  Symmetry wrong = right;
  for (auto& tags : wrong.fields)
    for (auto& fields : tags)
      for (std::uint32_t& group : fields) group = none;
  EXPECT_NE(complaint_about(compiled, wrong), "");
  // A channel, a process, an element that stays where it is.
  for (auto list : {&Symmetry::channels, &Symmetry::processes, &Symmetry::variables}) {
    wrong = right;
    std::uint32_t role = 1'000;
    for (Belonging& belonging : wrong.*list)
      if (belonging.first != none) {
        belonging.first = none;
        belonging.role = role++;
      }
    EXPECT_NE(complaint_about(compiled, wrong), "");
  }
}

// What tells members apart is overlooked: the symmetry of the protocol without it.
TEST(SymmetryFaults, OfWhatTellsMembersApartAreNoticed) {
  const Symmetry right = find_symmetry(test::compile(queue_lock).program);
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = queue_lock;
    const std::size_t at = text.find(from);
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {with("holder : 0..3 = 3", "holder : 0..3 = 1"),
        with("request!ask(i)", "request!ask(i % 2)"), with("flag[i] = 1", "flag[i] = (i != 0)"),
        with("who = 3 od", "who = 0 od")}) {
    const test::Compiled compiled = test::compile(text);
    EXPECT_TRUE(find_symmetry(compiled.program).empty()) << text;
    EXPECT_NE(complaint_about(compiled, right), "") << text;
  }
}

}  // namespace
}  // namespace panoptes::differential
