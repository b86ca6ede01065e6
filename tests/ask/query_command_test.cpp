// SPDX-License-Identifier: Apache-2.0
// `panoptes query` as its users meet it: formats, mistakes, limits.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "ask/asked.hpp"
#include "ask/query.hpp"
#include "cli/child.hpp"
#include "support/json.hpp"
#include "support/postgres_server.hpp"

namespace panoptes {
namespace {

using cli::contains;
using cli::query;
using cli::TemporaryFolder;
using Json = nlohmann::json;

TEST(QueryCommand, PrintsATableWithTheNumberOfRows) {
  const cli::Result run =
      query("exchange", {"SELECT state, depth, is_end FROM states ORDER BY state"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(
      run.output.starts_with("state  depth  is_end\n"
                             "-----  -----  ------\n"
                             "    0      0  false\n"))
      << run.output;
  EXPECT_TRUE(run.output.ends_with("(7 rows)\n")) << run.output;
}

TEST(QueryCommand, ShowsValuesOfEnumerationsByName) {
  const cli::Result run = query("lease", {"--format", "csv",
                                          "SELECT DISTINCT server_holder, server_holder_name FROM "
                                          "states WHERE server_holder > 1"});
  EXPECT_EQ(run.output, "server_holder,server_holder_name\n2,client_2\n") << run.errors;
  const cli::Result sent = query("lease", {"--format", "csv",
                                           "SELECT DISTINCT name, value_1, message FROM messages "
                                           "WHERE name = 'read' AND value_1 = 1 AND value_2 = 2"});
  EXPECT_EQ(sent.output, "name,value_1,message\nread,1,\"read(client_1, 2)\"\n") << sent.errors;
}

// The relational search finds the same ones by joins of its own.
TEST(QueryCommand, KnowsFromWhereAnErrorCanBeReached) {
  for (const char* name : {"setup_handshake", "exchange", "alternating_bit", "mutual_exclusion"}) {
    const Json related = test::parse_json(cli::run({"relate", cli::model(name), "--json"}).output);
    const cli::Result run = query(name, {"SELECT count(*) AS n FROM faulty", "--format", "csv"});
    EXPECT_EQ(run.output, fmt::format("n\n{}\n", related["relational"]["faulty_states"].dump()))
        << name << run.errors;
  }
}

// Not by number: with where everybody is, what is under way and what is wrong.
TEST(QueryCommand, ShowsFaultyStatesAsTheyAre) {
  const cli::Result run =
      query("connection", {"--capacity", "1", "--named", "faulty", "--format", "csv"});
  EXPECT_TRUE(
      run.output.starts_with("state,error_kinds,depth,a,b,to_a,to_b,is_end,may_stop,is_expanded\n"))
      << run.output << run.errors;
  EXPECT_NE(run.output.find("\"deadlock, unspecified_reception\",2,connected,connected,[ON],[ON],"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find(",,0,idle,idle,[],[],"), std::string::npos) << run.output;
  // A name of the model's does not get in the way.
  const TemporaryFolder folder;
  const std::string model = folder.write(
      "m.argos", "channel c; var depth; proc error_kinds { c!m; depth = 1 } proc states { c?n }");
  const cli::Result named = cli::run({"query", model, "--named", "faulty", "--format", "csv"});
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  EXPECT_TRUE(named.output.starts_with(
      "state,error_kinds,depth,error_kinds_process,states,depth_variable,c,"))
      << named.output;
}

TEST(QueryCommand, ReadsFromStandardInputAndPrintsCsv) {
  const TemporaryFolder folder;
  const std::string sql =
      folder.write("q.sql",
                   "-- comments; and\n"
                   "SELECT 'a,\"b\"' AS x, '' AS e, NULL AS n, 1.5::DOUBLE AS d;\n");
  const std::string out = folder.path("out");
  const std::string command = fmt::format("'{}' query '{}' --format csv < '{}' > '{}'",
                                          PANOPTES_PROGRAM, cli::model("exchange"), sql, out);
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(cli::read_all(out), "x,e,n,d\n\"a,\"\"b\"\"\",\"\",,1.5\n");
}

TEST(QueryCommand, PrintsJsonWithListsAndWhatTheSpaceIsWorth) {
  const std::string sql =
      "SELECT state, channel_channel AS c FROM states WHERE state IN (0, 3) ORDER BY state";
  const cli::Result whole = query("setup_handshake", {sql, "--format", "json"});
  EXPECT_EQ(whole.exit_code, 0) << whole.errors;
  const Json answer = test::parse_json(whole.output);
  EXPECT_EQ(answer["schema"], "panoptes-query-1");
  EXPECT_EQ(answer["promise"], "exhaustive");
  EXPECT_EQ(answer["states"], 176);
  EXPECT_EQ(answer["transitions"], 290);
  EXPECT_EQ(
      answer["rows"],
      test::parse_json(R"([{"state": 0, "c": []}, {"state": 3, "c": ["setup", "r_setup"]}])"));

  const cli::Result part = query("setup_handshake", {sql, "--format", "json", "--depth", "2"});
  EXPECT_EQ(part.exit_code, 3) << part.errors;
  EXPECT_TRUE(contains(part.errors, "the space is partial (")) << part.errors;
  EXPECT_EQ(test::parse_json(part.output)["promise"], "partial");

  const cli::Result none = query("exchange", {"SELECT 1 WHERE FALSE", "--format", "json"});
  EXPECT_EQ(test::parse_json(none.output)["rows"], Json::array());
}

TEST(QueryCommand, WritesFilesWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string file = folder.path("answer.parquet");
  const std::string sql = "SELECT state, channel_channel FROM states";
  EXPECT_EQ(query("setup_handshake", {sql, "--format", "parquet", "--output", file}).exit_code, 0);
  const cli::Result back = query("exchange", {fmt::format("SELECT count(*) AS n FROM '{}'", file)});
  EXPECT_TRUE(contains(back.output, "176")) << back.output << back.errors;

  const std::string before = cli::read_all(file);
  EXPECT_EQ(query("setup_handshake",
                  {"SELECT no_such FROM states", "--format", "parquet", "--output", file})
                .exit_code,
            2);
  EXPECT_EQ(cli::read_all(file), before);
  EXPECT_EQ(query("exchange", {sql, "--format", "parquet"}).exit_code, 2);
  const cli::Result nowhere =
      query("exchange", {"SELECT 1", "--output", folder.path("no/such/folder.csv")});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(contains(nowhere.errors, "cannot write")) << nowhere.errors;
  const cli::Result full = query(
      "setup_handshake", {"SELECT * FROM states", "--format", "csv", "--output", "/dev/full"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

// The names in a folder.
std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(QueryCommand, WritesOnlyTheFileThatIsNamed) {
  const TemporaryFolder folder;
  const std::string file = folder.path("answer.csv");
  const std::string other = folder.write("answer.csv.part", "mine\n");
  std::filesystem::create_symlink("there.csv", folder.path("link.csv"));
  for (const std::string& name : {file, folder.path("link.csv"), folder.path("link.csv")})
    EXPECT_EQ(query("exchange", {"SELECT 1 AS a", "--format", "csv", "--output", name}).exit_code,
              0);
  EXPECT_EQ(query("exchange", {"SELECT a", "--output", file}).exit_code, 2);
  EXPECT_EQ(cli::read_all(other), "mine\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.csv")));
  EXPECT_EQ(cli::read_all(folder.path("there.csv")), "a\n1\n");
  EXPECT_EQ(names_in(folder.path("")),
            (std::set<std::string>{"answer.csv", "answer.csv.part", "link.csv", "there.csv"}));

  using std::filesystem::perms;
  EXPECT_NE(std::filesystem::status(file).permissions() & perms::owner_write, perms::none);
  std::filesystem::permissions(file, perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_EQ(query("exchange", {"SELECT 2", "--output", file}).exit_code, 0);
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            perms::owner_read | perms::owner_write | perms::group_read);
}

// How many pieces a command writes to standard output: a pipe that keeps them apart.
std::size_t pieces_of(const std::string& model, const std::string& sql) {
  int ends[2];
  if (pipe2(ends, O_DIRECT) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(PANOPTES_PROGRAM, PANOPTES_PROGRAM, "query", model.c_str(), sql.c_str(), "--format",
          "csv", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::vector<char> buffer(1 << 16);
  std::size_t pieces = 0;
  while (::read(ends[0], buffer.data(), buffer.size()) > 0) ++pieces;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return pieces;
}

TEST(QueryCommand, WritesManyRowsAtOnce) {
  const std::size_t pieces = pieces_of(cli::model("sliding_window"), "SELECT state FROM states");
  EXPECT_GT(pieces, 0u);
  EXPECT_LT(pieces, 1000u);  // of 59,062 rows
}

// What the program and the engine take by themselves is apart.
TEST(QueryCommand, KeepsToItsMemory) {
  if (cli::is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  const auto peak = [](const std::string& model, int code) {
    const cli::Result run = cli::run(
        {"query", model, "SELECT count(*) FROM errors", "--memory", "160M", "--receptions", "any"});
    EXPECT_EQ(run.exit_code, code) << run.errors;
    return run.peak_kilobytes;
  };
  const std::string large = std::string(PANOPTES_SOURCE_DIR) + "/bench/pairs/two_links.argos";
  const long taken = peak(large, 3) - peak(cli::model("exchange"), 0);
  EXPECT_LE(taken, 160 * 1024 * 102 / 100);
}

// Rules that have no room even as text, and SQL that has none in the database.
TEST(QueryCommand, SaysThatThereIsNoRoom) {
  if (cli::is_sanitized) GTEST_SKIP() << "a sanitizer's own memory is more than the limit";
  std::string options, sends, receives;
  for (int i = 0; i < 374; ++i) options += fmt::format(" :: x = {}", i);
  for (int i = 0; i < 1212; ++i) sends += fmt::format(" :: c!m{}", i);
  for (int i = 0; i < 1212; i += 2) receives += fmt::format(" :: c?m{}", i);
  const TemporaryFolder folder;
  for (const std::string& text :
       {"proc p[i : 0..32] { var x; do" + options + " od }\n",
        "channel c[26];\nproc a { do" + sends + " od }\nproc b { do" + receives + " od }\n"}) {
    const cli::Result run = cli::run({"query", folder.write("m.argos", text), "--named",
                                      "deadlocks", "--memory", "64M", "--time", "20s"});
    EXPECT_EQ(run.exit_code, 3) << run.errors;
    EXPECT_TRUE(contains(run.errors, "the database ran out of memory")) << run.errors;
  }
}

// Databases take expressions of a limited depth.
TEST(QueryCommand, TakesChannelsOfMoreThanAThousandSlots) {
  const cli::TemporaryFolder folder;
  const std::string path =
      folder.write("m.argos", "channel c[1100];\nproc p { do :: c!a :: c!b od }\n");
  const cli::Result run = cli::run(
      {"query", path, "SELECT max(len(c)) AS most FROM states", "--depth", "3", "--format", "csv"});
  EXPECT_EQ(run.output, "most\n3\n") << run.errors;
}

TEST(QueryCommand, TakesACommentBehindTheSemicolon) {
  for (const char* format : {"csv", "json"})
    for (const char* sql : {"SELECT [1] AS a; -- note", "SELECT 1 AS a; /* note */"}) {
      const cli::Result run = query("exchange", {sql, "--format", format});
      EXPECT_EQ(run.exit_code, 0) << sql << run.errors;
    }
}

TEST(QueryCommand, ComplainsInTheWordsOfTheQueryWhateverTheFormat) {
  const TemporaryFolder folder;
  for (const char* format : {"table", "csv", "json", "parquet"}) {
    const std::vector<std::string> how = {"--format", format, "--output", folder.path("x")};
    const auto errors = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.end(), how.begin(), how.end());
      const cli::Result run = query("exchange", arguments);
      EXPECT_EQ(run.exit_code, 2) << format;
      return run.errors;
    };
    const std::string name = errors({"SELECT state,\n  nowhere FROM states"});
    EXPECT_TRUE(contains(name, "LINE 2:   nowhere FROM states\n          ^")) << format << name;
    const std::string tenth = errors({"SELECT\n\n\n\n\n\n\n\n1,\n nowhere"});
    EXPECT_TRUE(contains(tenth, "LINE 10:  nowhere\n          ^")) << format << tenth;
    const std::string ninth = errors({"SELECT\n\n\n\n\n\n\n1,\n nowhere"});
    EXPECT_TRUE(contains(ninth, "LINE 9:  nowhere\n         ^")) << format << ninth;
    const std::string end = errors({"SELECT 1 FROM"});
    EXPECT_TRUE(contains(end, "end of input")) << format << end;
    EXPECT_FALSE(contains(end, "panoptes_row")) << format << end;
    const std::string fault = errors({"SELECT error('too bad')"});
    EXPECT_TRUE(contains(fault, "too bad")) << format << fault;
  }
}

TEST(QueryCommand, ShowsHowFarTheSearchInTheDatabaseIs) {
  cli::Child child({"query", cli::model("sliding_window"), "SELECT 1", "--relational"},
                   cli::Child::Errors::to_terminal);
  EXPECT_TRUE(child.wait_for("\r"));
  EXPECT_EQ(child.wait().exit_code, 0);
}

TEST(QueryCommand, RefusesOptionsThatItWouldIgnore) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"SELECT 1", "--relational", "--stepper", "interpreter"}, "--stepper is not for"},
      {{"SELECT 1", "--schema"}, "--schema answers no query"},
      {{"--schema", "--format", "json"}, "--format is not for --schema"},
      {{"--schema", "--output", "x"}, "--output is not for --schema"},
      {{"--schema", "--named", "deadlocks"}, "--named is not for --schema"},
      {{"--named", "list", "--format", "csv"},
       "--format is not for --named list, which answers no query"},
  };
  for (const auto& [arguments, complaint] : cases) {
    const cli::Result run = query("exchange", arguments);
    EXPECT_EQ(run.exit_code, 2) << complaint;
    EXPECT_TRUE(contains(run.errors, complaint)) << run.errors;
  }
  for (const char* option : {"--rows=3", "--receptions=blocked", "--receptions=reading"}) {
    std::vector<std::string> arguments = {"relate", cli::model("exchange"), option};
    if (std::string(option).starts_with("--rec")) arguments.emplace_back("--steps");
    EXPECT_EQ(cli::run(arguments).exit_code, 2) << option;
  }
  EXPECT_EQ(query("exchange", {"SELECT 1", "--stepper", "interpreter"}).exit_code, 0);
}

TEST(QueryCommand, ShowsWhereAQueryIsWrongAndWhatThereIs) {
  const cli::Result column = query("exchange", {"SELECT state,\n  nowhere FROM states"});
  EXPECT_EQ(column.exit_code, 2);
  EXPECT_TRUE(contains(column.errors, "LINE 2:   nowhere FROM states\n          ^"))
      << column.errors;
  EXPECT_TRUE(contains(column.errors, "  transitions(source, rule, target, process, "))
      << column.errors;
  const cli::Result table = query("exchange", {"SELECT 1 FROM nowhere", "--format", "csv"});
  EXPECT_TRUE(contains(table.errors, "LINE 1: SELECT 1 FROM nowhere\n")) << table.errors;
  const cli::Result syntax = query("exchange", {"SELECT 1 FROM FROM states"});
  EXPECT_EQ(syntax.exit_code, 2);
  EXPECT_TRUE(contains(syntax.errors, "^")) << syntax.errors;
  EXPECT_EQ(syntax.errors.find("LINE"), syntax.errors.rfind("LINE")) << syntax.errors;
  EXPECT_EQ(query("exchange", {"--named", "nothing"}).exit_code, 2);
  EXPECT_EQ(query("exchange", {"SELECT 1", "--named", "deadlocks"}).exit_code, 2);
  EXPECT_EQ(query("no_such_model", {"SELECT 1"}).exit_code, 2);
}

TEST(QueryCommand, SaysWhichColumnANameOfTheModelIs) {
  const cli::TemporaryFolder folder;
  const std::string path = folder.write("family.argos",
                                        "channel lane[-1..0][1];\n"
                                        "proc sensor[k : -1..0] var v : 0..3; { lane[k]!m(v) }\n"
                                        "proc base var x : 0..3; { lane[-1]?m(x); lane[0]?m(x); "
                                        "assert(x == 1) }\n");
  const auto complaint = [&](const std::string& sql) {
    const cli::Result result = cli::run({"query", path, sql});
    EXPECT_EQ(result.exit_code, 2) << sql;
    EXPECT_EQ(std::ranges::count(result.errors, '\n'), 2) << result.errors;
    return result.errors.substr(result.errors.find('\n') + 1);
  };
  EXPECT_EQ(complaint("SELECT \"sensor[-1]\" FROM states"),
            "process sensor[-1] is column sensor_minus_1\n");
  EXPECT_EQ(complaint("SELECT lane[-1] FROM states WHERE state = 1"),
            "channel lane[-1] is column lane_minus_1\n");
  EXPECT_EQ(complaint("SELECT base.x FROM states"), "variable base.x is column base_x\n");
  EXPECT_EQ(complaint("SELECT \"sensor[0].v\" FROM states"),
            "variable sensor[0].v is column sensor_0_v\n");
  const cli::Result text = cli::run({"query", path,
                                     "SELECT nowhere FROM transitions WHERE process = "
                                     "'sensor[-1]'"});
  EXPECT_TRUE(contains(text.errors, "There are, with their columns")) << text.errors;
  const cli::Result assertions =
      cli::run({"query", path, "--named", "assertions", "--format", "csv"});
  EXPECT_TRUE(contains(assertions.output, "state,rule,process,place,text,assertion\n"))
      << assertions.output;
  EXPECT_TRUE(contains(assertions.output, ",base,3:56,assert(x == 1),\n")) << assertions.output;
}

TEST(QueryCommand, DoesNotWrite) {
  const TemporaryFolder folder;
  const std::string address = "duckdb:" + folder.path("space.db");
  const std::string evil = folder.path("evil");
  for (const std::string& sql : std::vector<std::string>{
           "DROP SCHEMA panoptes CASCADE",
           "DELETE FROM rules",
           "WITH x AS (SELECT 1) INSERT INTO rules SELECT * FROM rules",
           "SELECT 1; DELETE FROM rules",
           "SELECT 1) AS a; DELETE FROM rules; SELECT * FROM (SELECT 1",
           "COPY (SELECT 1) TO '" + evil + "'",
           "EXPLAIN ANALYZE COPY (SELECT 1) TO '" + evil + "'",
           "/* SELECT */ ATTACH '" + evil + "'",
           "BEGIN",
           "SET threads = 1",
           "",
       }) {
    const cli::Result run = query("exchange", {sql, "--db", address});
    EXPECT_EQ(run.exit_code, 2) << sql << run.output;
    EXPECT_FALSE(run.errors.empty()) << sql;
  }
  EXPECT_FALSE(std::filesystem::exists(evil));
  const cli::Result after = query("exchange", {"SELECT count(*) AS n FROM rules", "--db", address});
  EXPECT_TRUE(contains(after.output, "(1 row)")) << after.errors;
}

}  // namespace
}  // namespace panoptes
