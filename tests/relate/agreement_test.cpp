// SPDX-License-Identifier: Apache-2.0
// The search in a database and the native one give the same answers: states, transitions, depth,
// errors with their counts and the lengths of their trails, dead code. They share the table of
// rules and nothing after it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "api/relational_verdict.hpp"
#include "cli/child.hpp"
#include "differential/generator.hpp"
#include "models/expectation.hpp"
#include "models/run_program.hpp"
#include "relational/open.hpp"
#include "step/examine.hpp"
#include "step/interpreter.hpp"
#include "support/json.hpp"
#include "support/model.hpp"
#include "support/postgres_server.hpp"
#include "support/sample.hpp"
#include "support/state_limit.hpp"

namespace panoptes {
namespace {

// ---- random protocols ---------------------------------------------------------------------------

std::string to_text(const Verdict& verdict) {
  std::string text =
      fmt::format("{} {}: {} states, {} transitions, depth {}\n", to_string(verdict.outcome),
                  to_string(verdict.promise), verdict.states, verdict.transitions, verdict.depth);
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& e : *list)
      text +=
          fmt::format("{} process [{}] at [{}] message [{}]: {} times in {} members, {} steps{}\n",
                      to_string(e.description.kind), e.description.process, e.description.place,
                      e.description.message, e.count, e.members.size(), e.trail.steps.size(),
                      e.is_warning ? ", a warning" : "");
  for (const DeadStatement& dead : verdict.dead_code)
    text += fmt::format("dead {}, {}\n", dead.statement, verdict.is_dead_code_certain);
  return text;
}

ReceptionPolicy receptions_for(std::uint64_t seed) {
  return seed % 3 == 0   ? ReceptionPolicy::blocked
         : seed % 3 == 1 ? ReceptionPolicy::reading
                         : ReceptionPolicy::any;
}

// How many states lead to an error, by following all steps back one by one.
std::uint64_t count_faulty_states(const Program& program, ReceptionPolicy receptions,
                                  bool unread_messages_are_errors) {
  std::map<StateWords, std::size_t> numbers{{program.initial, 0}};
  std::vector<StateWords> states{program.initial};
  std::vector<std::vector<std::size_t>> predecessors(1);
  std::vector<std::size_t> waiting;
  std::vector<bool> is_faulty;
  Interpreter interpreter(program);
  SuccessorBatch successors;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const StateBatch batch{program.layout.words, states[s]};
    std::vector<Finding> findings;
    interpreter.expand(batch, successors, findings);
    examine(program, batch, successors, receptions, findings);
    for (std::size_t i = 0; i < successors.rules.size(); ++i) {
      const StateView next = successors.states[i];
      const auto [found, fresh] =
          numbers.try_emplace(StateWords(next.begin(), next.end()), states.size());
      if (fresh) {
        states.push_back(found->first);
        predecessors.emplace_back();
      }
      predecessors[found->second].push_back(s);
    }
    is_faulty.push_back(std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
      return unread_messages_are_errors || f.kind != ErrorKind::unread_messages;
    }));
    if (is_faulty[s]) waiting.push_back(s);
  }
  while (!waiting.empty()) {
    const std::size_t state = waiting.back();
    waiting.pop_back();
    for (const std::size_t before : predecessors[state]) {
      if (!is_faulty[before]) waiting.push_back(before);
      is_faulty[before] = true;
    }
  }
  return static_cast<std::uint64_t>(std::count(is_faulty.begin(), is_faulty.end(), true));
}

class Comparison {
 public:
  Comparison(const std::string& address, std::uint64_t most_states)
      : address_(*parse_database_address(address)), most_states_(most_states) {
    auto database = open_database(address_, {.threads = 1});
    if (!database) throw std::runtime_error(database.failure().message);
    database_ = std::move(*database);
  }

  // Whether the protocol was small enough to be compared, and one that relations can carry.
  bool compare(const std::string& text, std::uint64_t seed) {
    const test::Compiled compiled = test::compile(text, test::setup_for(seed));
    CheckOptions options;
    options.strict = seed % 4 < 2;
    options.explore.receptions = receptions_for(seed);
    if (has_indivisible(compiled.program)) return false;
    test::StateLimit limit(most_states_);
    limit.apply(options);
    const Verdict native = test::check(compiled, options);
    if (native.states > most_states_) return false;

    RelateOptions relate_options;
    relate_options.receptions = options.explore.receptions;
    relate_options.unread_messages_are_errors = options.strict;
    const auto related =
        relate(compiled.program, *database_, Dialect(address_.engine), relate_options);
    if (!related) {
      ADD_FAILURE() << "seed " << seed << ": " << related.failure().message << "\n" << text;
      return true;
    }
    JudgeOptions judge_options;
    judge_options.strictness = {options.explore.receptions, options.strict};
    std::string problem;
    const auto verdict =
        verdict_of(compiled.program, compiled.sources, *related, judge_options, problem);
    EXPECT_EQ(verdict ? to_text(*verdict) : problem, to_text(native)) << "seed " << seed << "\n"
                                                                      << text;
    EXPECT_EQ(related->faulty_states,
              count_faulty_states(compiled.program, options.explore.receptions, options.strict))
        << "seed " << seed;
    return true;
  }

  void compare_protocols(std::uint64_t count) {
    for (std::uint64_t seed = 0, compared = 0; compared < count; ++seed) {
      compared += compare(differential::random_protocol(seed), seed) ? 1 : 0;
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  DatabaseAddress address_;
  std::unique_ptr<Database> database_;
  std::uint64_t most_states_;
};

// What random protocols hardly come to.
const char* const rare_protocols[] = {
    // Lock-only timeouts of one channel while another has a message that is not taken.
    R"(queue a[1], b[1], c[1];
       proc p { a?x; b?timeout; a?x }
       proc q { a!y; c!z; c!z }
       proc r { c?z; c?z })",
    R"(queue a[1], b[1];
       proc p { do :: a?x :: b?timeout -> break od }
       proc q { a!y; do :: skip :: break od; b!z; b!z })",
    // Every bit of a word is used, the sign of PostgreSQL's integers among them.
    "queue a[64]; proc p { do :: a!m od } proc q { do :: a?m od }",
    "queue a[32]; proc p { do :: a!m; a!n od } proc q { do :: a?m; a?n od }",
    // Values at the ends of their ranges, in variables and in messages.
    R"(queue a[2], b[2];
       proc p { var x, y;
                if :: x = -32768 :: x = 32767 fi;
                if :: y = -32768 :: y = 32767 :: y = x fi;
                a!m(x, y, x); a!m(y, x, y); b?m(y, x, x); assert(x == y) }
       proc q { var u, v, w;
                do :: a?m(u, v, w) -> b!m(w, v, u)
                   :: u == 32767 -> u = u + 1
                   :: break od })",
    // A channel of several words, filled and emptied at both ends.
    R"(queue a[9];
       proc p { var i : 0..9; do :: i < 9 -> a!m(i * 1000, 0 - i * 1000); i = i + 1 :: break od }
       proc q { var u, v; do :: a?m(u, v) -> assert(u + v == 0) :: break od })",
    // Many rules that differ in nothing but where they are and what they say.
    R"(queue a[2], b[1];
       proc p { var x : 0..3;
                a!k; a!l; a!m; a!n; x = 1; a!k; a!l; x = 2; a!m; a!n; x = 3; a!n; a!m; x = 0;
                b?y; x = 2; b?z; x = 1; b?y; x = 3; b?z; x = 0; b?y; x = 1; b?z; assert(x != 1) }
       proc q { do :: a?k :: a?l -> b!y :: a?m :: a?n -> b!z :: b!y -> b!z od })",
    // No rule at all, and rules that never fire.
    "proc p { }",
    "queue a[1]; proc p { a?x }",
};

void compare_rare_protocols(Comparison& comparison) {
  for (const char* text : rare_protocols)
    for (std::uint64_t seed = 0; seed < 6; ++seed) EXPECT_TRUE(comparison.compare(text, seed));
}

TEST(RareProtocols, AreTheSameInDuckDb) {
  Comparison comparison("duckdb", 100'000);
  compare_rare_protocols(comparison);
}

TEST(RareProtocols, AreTheSameInPostgreSql) {
  const PostgresServer server;
  Comparison comparison(server.address(), 100'000);
  compare_rare_protocols(comparison);
}

TEST(RandomProtocols, AreTheSameInDuckDb) {
  Comparison("duckdb", 20'000).compare_protocols(cli::is_sanitized ? 20 : test::sample_of(200));
}

TEST(RandomProtocols, AreTheSameInPostgreSql) {
  const PostgresServer server;
  Comparison(server.address(), 2'000).compare_protocols(test::sample_of(40));
}

// ---- models -------------------------------------------------------------------------------------

using Json = nlohmann::json;

// The options that `relate` takes, too, and can answer for: LIVE asks for what all runs do. What it
// always does is left out.
bool is_for_relate(std::string& options) {
  for (const std::string usual : {"--reduce none", "--search exhaustive"})
    if (const std::size_t at = options.find(usual); at != std::string::npos)
      options.erase(at, usual.size());
  for (const char* other : {"--search", "--store", "--keep-graph", "--depth", "--order", "--reduce",
                            "--first", "--fold", "--choose", "-D LIVE"})
    if (options.find(other) != std::string::npos) return false;
  return true;
}

Json without_measures(Json report) {
  Json kept;
  for (const char* name :
       {"verdict", "promise", "states", "transitions", "depth", "state_bits", "dead_code"})
    kept[name] = report.at(name);
  for (const char* list : {"errors", "warnings"})
    for (const Json& error : report.at(list)) {
      Json entry;
      for (const char* name : {"kind", "process", "state", "message", "count", "steps"})
        if (error.contains(name)) entry[name] = error.at(name);
      kept[list].push_back(entry);
    }
  return kept;
}

// Every model, as each of its expectations has it, or every day the first; `most_states` keeps the
// time within bounds.
void compare_models(const std::string& more, std::uint64_t most_states) {
  std::size_t compared = 0;
  const auto folder = std::filesystem::path(PANOPTES_SOURCE_DIR) / "models";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".argos") continue;
    const std::string model = entry.path().string();
    std::ifstream file(model);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("atomic {") != std::string::npos || text.find("[*]!") != std::string::npos)
      continue;  // which relations cannot carry
    const std::size_t before = compared;
    for (const auto& expectation : models::read_expectations(text).checks) {
      std::string options = expectation.options;
      if (!is_for_relate(options)) continue;
      if (compared > before && !test::has_all_samples()) break;
      const auto check = models::run_program(fmt::format(
          "check {} {} --search exhaustive --reduce none --json 2>/dev/null", model, options));
      const Json native = test::parse_json(check.output);
      if (native.at("states") > most_states) continue;
      const auto relate =
          models::run_program(fmt::format("relate {} {} {} --json 2>&1", model, options, more));
      SCOPED_TRACE(fmt::format("relate {} {} {}", model, options, more));
      EXPECT_EQ(relate.exit_code, check.exit_code) << relate.output;
      if (relate.output.empty() || relate.output[0] != '{') continue;
      EXPECT_EQ(without_measures(test::parse_json(relate.output)), without_measures(native));
      ++compared;
    }
  }
  EXPECT_GE(compared, test::has_all_samples() ? 25u : 12u);
}

TEST(Models, AreTheSameInDuckDb) {
  compare_models("", cli::is_sanitized ? 1'000 : test::has_all_samples() ? 1'000'000 : 20'000);
}

TEST(Models, AreTheSameInPostgreSql) {
  const PostgresServer server;
  compare_models(fmt::format("--db '{}'", server.address()), cli::is_sanitized         ? 100
                                                             : test::has_all_samples() ? 10'000
                                                                                       : 2'000);
}

}  // namespace
}  // namespace panoptes
