// SPDX-License-Identifier: Apache-2.0
// The five steps give the tables of the paper, the sizes of the binary tree family, and what the
// native search finds of any other protocol of two processes.
#include "relate/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"
#include "support/model.hpp"
#include "support/postgres_server.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using test::Rows;
using test::rows_of;
using test::shown;
using test::steps_of;
using test::two_process_of;

// ---- the connection protocol: tables I to IV ----------------------------------------------------

void has_the_tables_of_the_paper(const std::string& address) {
  const StepsReport report = steps_of(test::model_text("connection"), 1, address);
  const auto rows = [&](const std::string& table) {
    return rows_of(report, table, {{"idle", "0"}, {"connected", "1"}});
  };
  EXPECT_EQ(rows("h_a"), (Rows{"0 -ON 1"}));
  EXPECT_EQ(rows("r_a"), (Rows{"0 ON 1", "1 OFF 0"}));
  EXPECT_EQ(rows("h_b"), (Rows{"0 -ON 1", "1 -OFF 0"}));
  EXPECT_EQ(rows("r_b"), (Rows{"0 ON 1"}));
  const Rows steady = {"0 0 -ON ON 1 1", "0 0 ON -ON 1 1", "1 1 OFF -OFF 0 0"};
  EXPECT_EQ(rows("z"), steady);
  EXPECT_EQ(rows("p"), (Rows{"0 0", "1 1"}));
  EXPECT_EQ(rows("j"), steady);
  EXPECT_EQ(rows("g_steady"),
            (Rows{"0 0 0 0 0 -ON 0 1 ON 0", "0 0 0 0 -ON 0 1 0 0 ON", "0 1 ON 0 ON 0 1 1 0 0",
                  "1 0 0 ON 0 ON 1 1 0 0", "1 0 OFF 0 OFF 0 0 0 0 0", "1 1 0 0 0 -OFF 1 0 OFF 0"}));
  EXPECT_EQ(rows("g"),
            (Rows{"0 0 0 0 0 -ON 0 1 ON 0", "0 0 0 0 -ON 0 1 0 0 ON", "0 1 ON 0 -ON 0 1 1 ON ON",
                  "0 1 ON 0 ON 0 1 1 0 0", "1 0 0 ON 0 -ON 1 1 ON ON", "1 0 0 ON 0 ON 1 1 0 0",
                  "1 0 OFF 0 OFF 0 0 0 0 0", "1 1 0 0 0 -OFF 1 0 OFF 0"}));
  EXPECT_EQ(rows("s"),
            (Rows{"0 0 0 0", "0 1 ON 0", "1 0 0 ON", "1 0 OFF 0", "1 1 0 0", "1 1 ON ON"}));
  EXPECT_EQ(rows("deadlocks"), (Rows{"1 1 ON ON"}));
  EXPECT_EQ(rows("unspecified_receptions"), (Rows{"A 1 ON", "B 1 ON"}));
  EXPECT_EQ(rows("nonexecutable"), Rows{});
  EXPECT_TRUE(report.finds_errors());
  EXPECT_EQ(shown(report, "g").relation.columns.size(), 4u * 1 + 6);
}

TEST(ConnectionProtocol, HasTheTablesOfThePaperOnDuckDb) { has_the_tables_of_the_paper("duckdb"); }

TEST(ConnectionProtocol, HasTheTablesOfThePaperOnPostgreSql) {
  const PostgresServer server;
  has_the_tables_of_the_paper(server.address());
}

TEST(ConnectionProtocol, HasTheTablesOfThePaperOnHypercubes) {
  for (const char* nodes : {"1", "2", "4", "8", "16"})
    has_the_tables_of_the_paper(std::string(test::cube_address) + nodes);
}

// ---- the binary tree family ---------------------------------------------------------------------

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), read);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return output;
}

std::string tree(unsigned depth) {
  return output_of(fmt::format("'{}/models/binary_tree' {}", PANOPTES_SOURCE_DIR, depth));
}

void has_the_sizes_of_the_family(unsigned depth, std::uint64_t transitions,
                                 const std::string& address) {
  const StepsReport report = steps_of(tree(depth), 1, address, 3);
  const auto size = [&](const std::string& table) { return shown(report, table).relation.rows; };
  const std::uint64_t states = (std::uint64_t{1} << depth) - 1;
  for (const char* table : {"h_a", "r_a", "h_b", "r_b"}) EXPECT_EQ(size(table), states) << depth;
  EXPECT_EQ(size("z"), 2 * states * states) << depth;
  EXPECT_EQ(size("p"), states) << depth;
  EXPECT_EQ(shown(report, "p").relation.rounds, depth);
  EXPECT_EQ(size("j"), 2 * states) << depth;
  EXPECT_EQ(size("g_steady"), 2 * size("j")) << depth;
  EXPECT_EQ(size("g"), transitions) << depth;
  EXPECT_EQ(size("s"), transitions / 2) << depth;
  EXPECT_EQ(shown(report, "s").relation.rounds, 2 * depth);
  EXPECT_EQ(shown(report, "z").relation.is_built, size("z") <= FiveSteps::most_built_rows);
  EXPECT_FALSE(report.finds_errors()) << depth;
  EXPECT_EQ(size("nonexecutable"), 0u) << depth;
  EXPECT_EQ(shown(report, "g").rows.size(), 3u);
}

constexpr std::array<std::uint64_t, 10> tree_transitions = {8,    32,   100,   296,   868,
                                                            2552, 7540, 22376, 66628, 198872};

TEST(BinaryTree, HasTheSizesOfThePaperOnDuckDb) {
  for (unsigned depth = 1; depth <= tree_transitions.size(); ++depth)
    has_the_sizes_of_the_family(depth, tree_transitions[depth - 1], "duckdb");
}

TEST(BinaryTree, HasTheSizesOfThePaperOnPostgreSql) {
  const PostgresServer server;
  for (unsigned depth = 1; depth <= 7; ++depth)
    has_the_sizes_of_the_family(depth, tree_transitions[depth - 1], server.address());
}

TEST(BinaryTree, HasTheSizesOfThePaperOnHypercubes) {
  for (unsigned depth = 1; depth <= 9; ++depth)
    has_the_sizes_of_the_family(depth, tree_transitions[depth - 1],
                                depth < 7 ? "hypercube:4" : "hypercube:2");
}

TEST(BinaryTree, IsWhatItsGeneratorPrints) {
  EXPECT_EQ(test::model_text("binary_tree"), tree(3));
  EXPECT_THROW(output_of(fmt::format("'{}/models/binary_tree' 0 2>&1", PANOPTES_SOURCE_DIR)),
               std::runtime_error);
}

// ---- any protocol of two processes --------------------------------------------------------------

// A few states with a few options each; some states may be the last ones, and some never are.
std::string random_side(std::mt19937_64& random, const std::string& name, const std::string& in,
                        const std::string& out) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned states = 1 + below(4);
  const bool may_stop = below(2) == 0;
  std::string text = fmt::format("proc {}\n{{\n", name);
  for (unsigned s = 0; s < states; ++s) {
    text += fmt::format("{}s{}: if\n", may_stop && s == 1 ? "end" : "", s);
    std::set<std::string> options;  // the same twice would be one row, but two transitions
    for (unsigned option = 0; option <= below(3); ++option) {
      const unsigned target = below(states + 1);
      const std::string jump = target == states          ? "halt"
                               : may_stop && target == 1 ? "ends1"
                                                         : fmt::format("s{}", target);
      options.insert(fmt::format("  :: {}{} -> goto {}\n", below(2) == 0 ? out + "!" : in + "?",
                                 "xyz"[below(3)], jump));
    }
    text += fmt::format("{}", fmt::join(options, ""));
    text += "  fi;\n";
  }
  // Never reached; the native search says nothing of a channel that nobody reads.
  text += fmt::format("never: {}?x -> goto halt;\n", in);
  return text + "halt: skip\n}\n\n";
}

std::string random_protocol(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text = "channel to_A, to_B;\n\n";
  text += random_side(random, "A", "to_A", "to_B");
  return text + random_side(random, "B", "to_B", "to_A");
}

// What both can say of a protocol.
struct Findings {
  std::uint64_t states = 0, transitions = 0, deadlocks = 0, dead_rules = 0;
  std::set<std::string> receptions;
  friend bool operator==(const Findings&, const Findings&) = default;
};

void PrintTo(const Findings& findings, std::ostream* out) {
  *out << fmt::format("{} states, {} transitions, {} deadlocks, {} dead rules, receptions {}",
                      findings.states, findings.transitions, findings.deadlocks,
                      findings.dead_rules, fmt::join(findings.receptions, ", "));
}

Findings findings_of(const StepsReport& report) {
  Findings findings;
  findings.states = shown(report, "s").relation.rows;
  findings.transitions = shown(report, "g").relation.rows;
  findings.deadlocks = shown(report, "deadlocks").relation.rows;
  findings.dead_rules = shown(report, "nonexecutable").relation.rows;
  for (const std::string& row : rows_of(report, "unspecified_receptions"))
    findings.receptions.insert(row);
  return findings;
}

Findings native_findings(const std::string& text, std::uint32_t capacity) {
  const test::Compiled compiled = test::compile(text, {.capacity = capacity, .minimise = false});
  CheckOptions options;
  options.threads = 1;
  options.explore.receptions = ReceptionPolicy::any;
  const Verdict verdict = test::check(compiled, options);
  Findings findings;
  findings.states = verdict.states;
  findings.transitions = verdict.transitions;
  for (const ErrorReport& error : verdict.errors) {
    const ErrorDescription& d = error.description;
    if (d.kind == ErrorKind::deadlock) findings.deadlocks += error.count;
    if (d.kind == ErrorKind::unspecified_reception)
      findings.receptions.insert(
          fmt::format("{} {} {}", d.process, d.state, d.message.substr(d.message.find('?') + 1)));
  }
  std::set<StatementId> dead;
  for (const DeadStatement& each : verdict.dead_code) dead.insert(each.statement);
  for (const Process& process : compiled.program.protocol.processes)
    for (const ControlState& state : process.automaton.states)
      for (const Transition& t : state.transitions)
        findings.dead_rules += dead.contains(t.statements.front()) ? 1 : 0;
  return findings;
}

void agree_with_the_native_search(const std::string& address, std::uint64_t seeds) {
  std::size_t with_deadlocks = 0, with_receptions = 0, with_dead_rules = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const std::string text = random_protocol(seed);
    const auto capacity = static_cast<std::uint32_t>(1 + seed % 4);
    const Findings native = native_findings(text, capacity);
    const Findings found = findings_of(steps_of(text, capacity, address));
    ASSERT_EQ(found, native) << "seed " << seed << ", capacity " << capacity << "\n" << text;
    with_deadlocks += native.deadlocks > 0 ? 1 : 0;
    with_receptions += native.receptions.empty() ? 0 : 1;
    with_dead_rules += native.dead_rules > 0 ? 1 : 0;
  }
  EXPECT_GT(with_deadlocks, seeds / 12);
  EXPECT_GT(with_receptions, seeds / 12);
  EXPECT_GT(with_dead_rules, seeds / 12);
}

TEST(TwoProcesses, AgreeWithTheNativeSearchOnDuckDb) {
  agree_with_the_native_search("duckdb", test::sample_of(60));
}

TEST(TwoProcesses, AgreeWithTheNativeSearchOnHypercubes) {
  for (const char* nodes : {"1", "2", "4"})
    agree_with_the_native_search(std::string(test::cube_address) + nodes, test::sample_of(60));
}

TEST(TwoProcesses, AgreeWithTheNativeSearchOnPostgreSql) {
  const PostgresServer server;
  for (const std::uint64_t seed : {3, 7, 11, 15, 19}) {
    const std::string text = random_protocol(seed);
    EXPECT_EQ(findings_of(steps_of(text, 3, server.address())),
              findings_of(steps_of(text, 3, "duckdb")))
        << text;
  }
}

TEST(TwoProcesses, GrowWithTheCapacityOfTheirChannels) {
  for (const std::uint32_t capacity : {1, 2, 3, 5}) {
    const StepsReport report = steps_of(tree(4), capacity, "duckdb", 1);
    EXPECT_EQ(findings_of(report), native_findings(tree(4), capacity)) << capacity;
    EXPECT_EQ(shown(report, "g").relation.columns.size(), 4 * capacity + 6);
  }
}

TEST(TwoProcesses, MayHaveOneChannelOnly) {
  const StepsReport report =
      steps_of("channel c[2]; proc A { c!m; c!m } proc B { do :: c?m od }", 2, "duckdb");
  EXPECT_EQ(shown(report, "s").relation.rows, 6u);
  EXPECT_EQ(rows_of(report, "deadlocks").size(), 1u);
  EXPECT_NE(steps_text(report).find("A is process A; nothing is sent to it\n"), std::string::npos);
}

TEST(TwoProcesses, HaveAReceptionForEachMessageThatADefaultTakes) {
  const TwoProcess protocol = two_process_of(
      "channel c; proc A { if :: c!x :: c!y :: c!z fi }\n"
      "proc B { if :: c?x -> c?x :: c?default fi }",
      1);
  EXPECT_EQ(protocol.messages, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(protocol.b.receptions.size(), 4u);
}

TEST(TwoProcesses, HaveANameForEachState) {
  const TwoProcess protocol = two_process_of(
      "channel c; procedure twice() { c!x; c!x } proc A { twice(); twice() } proc B { do :: c?x od "
      "}",
      1);
  const std::set<std::string> names(protocol.a.states.begin(), protocol.a.states.end());
  EXPECT_EQ(names.size(), protocol.a.states.size());
  EXPECT_EQ(protocol.a.transmissions.size(), 4u);
}

// ---- protocols that do not fit ------------------------------------------------------------------

TEST(OtherProtocols, AreRefusedWithTheReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"channel c; proc A { c!m } proc B { c?m } proc C { skip }", "it has 3 processes, not two"},
      {"channel c; proc A { c!m; c?m }", "it has 1 process, not two"},
      {"channel c; proc A { c!m } proc B { c?m } assert { c!m }", "it has a behaviour assertion"},
      {"channel c = { m }; proc A { c!m } proc B { c?m }", "channel `c` is not empty"},
      {"channel c[65]; proc A { c!m } proc B { c?m }", "channel `c` has more than 64 slots"},
      {"channel c[64], d[64]; proc A { var x; c!m(x, x, x); d?m(x, x, x) }\n"
       "proc B { var x; d!m(x, x, x); c?m(x, x, x) }",
       "a state has 516 attributes"},
      {"channel c; sink d; proc A { c!m; d!m } proc B { c?m }", "channel `d` is a sink"},
      {"channel c, d; proc A { c!m; d!m } proc B { c?m; d?m }",
       "there is more than one channel to process `B`: `c` and `d`"},
      {"channel c; proc A { c!m } proc B { c!m; c?m }", "process `B` sends to channel `c` which"},
  };
  for (const auto& [text, reason] : cases) {
    const test::Compiled compiled = test::compile(text, {.minimise = false});
    const auto protocol = two_process(compiled.program);
    ASSERT_FALSE(protocol) << text;
    EXPECT_NE(protocol.failure().reason.find(reason), std::string::npos)
        << text << ": " << protocol.failure().reason;
  }
  const test::Compiled compiled =
      test::compile(test::model_text("connection"), {.overflow = OverflowPolicy::error});
  EXPECT_FALSE(two_process(compiled.program));
}

// ---- the command --------------------------------------------------------------------------------

TEST(StepsCommand, PrintsErrorsAndSaysSoByItsExitCode) {
  const cli::Result violated =
      cli::run({"relate", cli::model("connection"), "--steps", "--capacity", "1"});
  EXPECT_EQ(violated.exit_code, 1);
  EXPECT_NE(violated.output.find("|H + R| 3 of A, 3 of B; |Z| 3, |J| 3, |G| 8, |S| 6\n"),
            std::string::npos)
      << violated.output;
  const cli::Result holds =
      cli::run({"relate", cli::model("binary_tree"), "--steps", "--rows", "2", "--capacity", "1"});
  EXPECT_EQ(holds.exit_code, 0);
  EXPECT_NE(holds.output.find("\n  ... and 98 rows\n"), std::string::npos) << holds.output;
  const cli::Result unfit = cli::run({"relate", cli::model("setup_handshake"), "--steps"});
  EXPECT_EQ(unfit.exit_code, 2);
  EXPECT_NE(unfit.errors.find("; it has 3 processes, not two\n"), std::string::npos)
      << unfit.errors;
  EXPECT_NE(unfit.errors.find("\n       ^~~~~~~\n"), std::string::npos) << unfit.errors;
  EXPECT_NE(unfit.errors.find("`panoptes relate` without --steps and `panoptes check`"),
            std::string::npos)
      << unfit.errors;
  EXPECT_EQ(unfit.output, "");
  EXPECT_EQ(cli::run({"relate", cli::model("connection"), "--steps", "--strict"}).exit_code, 2);
}

TEST(StepsCommand, PrintsTheSameAsJson) {
  const cli::Result result =
      cli::run({"relate", cli::model("connection"), "--steps", "--capacity", "1", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const auto json = test::parse_json(result.output);
  EXPECT_EQ(json.at("schema"), "panoptes-steps-1");
  EXPECT_EQ(json.at("engine"), "DuckDB");
  for (const auto& relation : json.at("relations")) {
    EXPECT_EQ(relation.at("rows").size(), relation.at("cardinality"));
    if (relation.at("table") != "deadlocks") continue;
    EXPECT_EQ(relation.at("rows").at(0), nlohmann::json({"connected", "connected", "ON", "ON"}));
  }
}

// A mistake in a model is told in the same two ways.
TEST(StepsCommand, RefusesWithAPlaceInJsonToo) {
  const cli::Result result = cli::run({"relate", cli::model("session"), "--steps", "--json"});
  EXPECT_EQ(result.exit_code, 2);
  const auto json = test::parse_json(result.output);
  const auto& complaint = json.at("errors").at(0);
  EXPECT_TRUE(complaint.at("text").get<std::string>().ends_with(
      "; it has a behaviour assertion: `sessions`"))
      << result.output;
  EXPECT_TRUE(complaint.at("place").contains("line")) << result.output;
}

TEST(StepsCommand, RefusesOptionsThatMakeNoSense) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--steps", "--overflow", "error"}, "--overflow is not for --steps"},
      {{"--paths", "3"}, "--paths is for --steps"},
      {{"--steps", "--paths", "0"}, "--paths 0: wanted a whole number, from 1 on"},
  };
  for (const auto& [options, complaint] : cases) {
    std::vector<std::string> arguments = {"relate", cli::model("connection")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const cli::Result result = cli::run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.errors.find(complaint), std::string::npos) << result.errors;
  }
}

// ---- the way back -------------------------------------------------------------------------------

TEST(FaultyPaths, OfTheConnectionProtocolAreTwo) {
  const test::Compiled compiled =
      test::compile(test::model_text("connection"), {.capacity = 1, .minimise = false});
  const StepsReport report = steps_of(compiled.program, "duckdb", test::all_rows, 5);
  const auto rows = [&](const std::string& table) {
    return rows_of(report, table, {{"idle", "0"}, {"connected", "1"}});
  };
  EXPECT_EQ(rows("unsafe"), (Rows{"deadlock both 1 1 ON ON", "unspecified_reception A 1 1 ON ON",
                                  "unspecified_reception B 1 1 ON ON"}));
  EXPECT_EQ(rows("predecessors"), (Rows{"0 1 1 ON ON", "1 0 1 ON 0", "1 1 0 0 ON", "2 0 0 0 0",
                                        "3 1 0 OFF 0", "4 1 1 0 0"}));
  EXPECT_EQ(rows("faulty").size(), 8u);
  EXPECT_EQ(rows("paths"), (Rows{"1 1 0 0 0 0 0 -ON 0 1 ON 0", "1 2 0 1 ON 0 -ON 0 1 1 ON ON",
                                 "2 1 0 0 0 0 -ON 0 1 0 0 ON", "2 2 1 0 0 ON 0 -ON 1 1 ON ON"}));
  EXPECT_EQ(report.paths->listed, 2u);
  EXPECT_EQ(report.paths->found, 2u);
  EXPECT_TRUE(report.paths->is_all);
}

// With more slots there are more ways, which are counted; the shortest come first.
TEST(FaultyPaths, AreCountedWhereTheyAreNotListed) {
  const test::Compiled compiled =
      test::compile(test::model_text("connection"), {.capacity = 2, .minimise = false});
  const StepsReport report = steps_of(compiled.program, "duckdb", 1, 3);
  EXPECT_EQ(report.paths->listed, 3u);
  EXPECT_GT(report.paths->found, 3u);
  EXPECT_TRUE(report.paths->is_all);
  const auto& rows = shown(report, "paths").rows;
  EXPECT_EQ(rows.back().at(0), "3");
  EXPECT_EQ(rows.at(0).at(1), "1");
  EXPECT_EQ(rows.size(), shown(report, "paths").relation.rows);  // whole, whatever --rows says
  EXPECT_NE(steps_text(report).find(" visit no state twice; the 3 shortest are here.\n"),
            std::string::npos);
}

TEST(FaultyPaths, AreNoneWhereNothingIsWrong) {
  const cli::Result result =
      cli::run({"relate", cli::model("binary_tree"), "--steps", "--capacity", "1", "--paths", "3"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("Nothing is wrong, so there is no faulty path.\n"),
            std::string::npos)
      << result.output;
}

TEST(FaultyPaths, AreTheSameOnPostgreSql) {
  const PostgresServer server;
  const test::Compiled compiled =
      test::compile(test::model_text("exchange"), {.capacity = 2, .minimise = false});
  const StepsReport there = steps_of(compiled.program, server.address(), test::all_rows, 10);
  const StepsReport here = steps_of(compiled.program, "duckdb", test::all_rows, 10);
  for (const char* table : {"unsafe", "predecessors", "faulty", "paths"})
    EXPECT_EQ(rows_of(there, table), rows_of(here, table)) << table;
  EXPECT_EQ(there.paths->found, here.paths->found);
}

// ---- kept tables --------------------------------------------------------------------------------

// The kept tables answer questions, and a second run replaces them and nothing else.
void keeps_tables(const std::string& model, const std::string& capacity, Database& database,
                  const std::string& schema) {
  const std::string g = schema + ".g";
  EXPECT_EQ(test::rows(database, "SELECT row_count FROM " + schema +
                                     ".panoptes_relations WHERE relation = 'G'"),
            test::rows(database, "SELECT count(*) FROM " + g));
  if (model != "connection") return;
  ASSERT_EQ(capacity, "1");
  EXPECT_EQ(test::rows(database, "SELECT trigger_a, future_state_a, future_a_to_b_1 FROM " + g +
                                     " WHERE present_b_to_a_1 = 'ON' ORDER BY 1"),
            (Rows{"-ON|connected|ON", "ON|connected|0"}));
  EXPECT_EQ(test::rows(database, "SELECT * FROM " + schema + ".unspecified_receptions ORDER BY 1"),
            (Rows{"A|connected|ON", "B|connected|ON"}));
  EXPECT_EQ(test::rows(database, "SELECT * FROM " + schema + ".h_b ORDER BY 2"),
            (Rows{"connected|-OFF|idle", "idle|-ON|connected"}));
}

cli::Result keep(const std::string& model, const std::string& where, const std::string& db) {
  return cli::run(
      {"relate", cli::model(model), "--steps", "--capacity", "1", "--keep", where, "--db", db});
}

TEST(KeptTables, LieInADuckDbFile) {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path("kept.db");
  for (const std::string model : {"binary_tree", "connection", "connection"}) {
    const cli::Result result = keep(model, file, "duckdb");
    ASSERT_LE(result.exit_code, 1) << result.errors;
    keeps_tables(model, "1", *test::open("duckdb:" + file), "main");
  }
  {
    const auto database = test::open("duckdb:" + file);
    EXPECT_EQ(test::rows(*database, "SELECT count(*) FROM information_schema.tables"),
              (Rows{"14"}));
    ASSERT_TRUE(database->execute("DROP TABLE panoptes_relations"));
  }
  // Whose tables are these?
  const cli::Result refused = keep("binary_tree", file, "duckdb");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("tables of these names already"), std::string::npos)
      << refused.errors;
  EXPECT_EQ(test::rows(*test::open("duckdb:" + file), "SELECT count(*) FROM g"), (Rows{"8"}));
}

// Only what a run has kept is replaced by the next one. The database is opened for each statement:
// a file is open to one process at a time.
void leaves_strangers_alone(const std::string& address, const std::string& schema,
                            const std::function<cli::Result()>& keep_again) {
  const auto now = [&](const std::string& sql) {
    const auto done = test::open(address)->execute(sql);
    ASSERT_TRUE(done) << done.failure().message;
  };
  const auto size_of = [&](const std::string& table) {
    return test::rows(*test::open(address),
                      fmt::format("SELECT count(*) FROM {}.{}", schema, table));
  };
  const auto is_refused = [&](const std::string& named) {
    const cli::Result result = keep_again();
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_TRUE(result.errors.ends_with("and not from here: " + named + "\n")) << result.errors;
  };
  // Tables that are called as some of ours are, beside ours.
  now(fmt::format("DELETE FROM {}.panoptes_relations WHERE table_name IN ('z', 's')", schema));
  is_refused("s, z");
  EXPECT_EQ(size_of("s"), (Rows{"6"}));
  now(fmt::format("DROP TABLE {0}.s; DROP TABLE {0}.z", schema));
  EXPECT_EQ(keep_again().exit_code, 1);
  EXPECT_EQ(size_of("s"), (Rows{"6"}));
  // One that is called as the table of sizes, and is none.
  now(fmt::format("ALTER TABLE {}.panoptes_relations RENAME COLUMN model TO owner", schema));
  is_refused(
      "deadlocks, g, g_steady, h_a, h_b, j, nonexecutable, p, panoptes_relations, r_a, r_b, s, "
      "unspecified_receptions, z");
  EXPECT_EQ(size_of("panoptes_relations"), (Rows{"13"}));
}

TEST(KeptTables, OfOthersAreLeftAloneInAFile) {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path("main.db");  // called as its schema is
  const auto keep_again = [&] { return keep("connection", file, "duckdb"); };
  ASSERT_EQ(keep_again().exit_code, 1);
  leaves_strangers_alone("duckdb:" + file, "main", keep_again);
}

TEST(KeptTables, OfOthersAreLeftAloneOnAServer) {
  const PostgresServer server;
  // Who owns the schema need not be allowed to make one.
  ASSERT_TRUE(test::open(server.address())
                  ->execute("CREATE USER guest; CREATE SCHEMA theirs AUTHORIZATION guest"));
  const auto keep_again = [&] { return keep("connection", "theirs", server.address("guest")); };
  const cli::Result first = keep_again();
  ASSERT_EQ(first.exit_code, 1) << first.errors;
  leaves_strangers_alone(server.address("guest"), "theirs", keep_again);
}

TEST(KeptTables, LieInASchemaOfAServer) {
  const PostgresServer server;
  for (const std::string model : {"binary_tree", "connection"}) {
    const cli::Result result = keep(model, "my steps", server.address());
    ASSERT_LE(result.exit_code, 1) << result.errors;
    keeps_tables(model, "1", *test::open(server.address()), "\"my steps\"");
  }
  // One who may not make a schema is told so, and nothing is left behind.
  const auto database = test::open(server.address());
  ASSERT_TRUE(database->execute("CREATE USER guest"));
  const cli::Result refused = keep("connection", "guests", server.address("guest"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("permission denied"), std::string::npos) << refused.errors;
  EXPECT_EQ(test::rows(*database,
                       "SELECT count(*) FROM information_schema.schemata WHERE "
                       "schema_name = 'guests'"),
            (Rows{"0"}));
}

TEST(KeptTables, StayWhatTheyWereWhenARunIsInterrupted) {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path("kept.db"), model = folder.write("tree.argos", tree(12));
  ASSERT_EQ(keep("connection", file, "duckdb").exit_code, 1);
  for (const std::string& where : {file, folder.path("new.db")}) {
    cli::Child child({"relate", model, "--steps", "--capacity", "1", "--keep", where});
    // By then the model is compiled, which takes several times the memory under a sanitizer.
    ASSERT_TRUE(child.wait_for_memory((cli::is_sanitized ? 768 : 128) << 20));
    child.interrupt();
    const cli::Result result = child.wait();
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(test::rows(*test::open("duckdb:" + file), "SELECT count(*) FROM g"), (Rows{"8"}));
  EXPECT_FALSE(std::filesystem::exists(folder.path("new.db")));
}

TEST(KeptTables, NeedAPlaceThatFits) {
  EXPECT_EQ(keep("connection", "/nonexistent/kept.db", "duckdb").exit_code, 2);
  EXPECT_EQ(keep("connection", cli::model("connection"), "duckdb").exit_code, 2);
  EXPECT_EQ(keep("connection", "a.db", "duckdb:b.db").exit_code, 2);
  EXPECT_EQ(cli::run({"relate", cli::model("connection"), "--keep", "a.db"}).exit_code, 2);
}

}  // namespace
}  // namespace panoptes
