// SPDX-License-Identifier: Apache-2.0
// Spaces that `panoptes query` keeps in a database, beside what is not its own there.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
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

// The space in a file, as another program finds it.
std::string kept(const std::string& file) {
  test::Asked asked("duckdb:" + file);
  return asked.rows("SELECT model, states, is_complete FROM panoptes.space").at(0);
}

TEST(KeptSpaces, AreUsedAgainForTheSameModelAndOptions) {
  const TemporaryFolder folder;
  const std::string file = folder.path("space.db"), address = "duckdb:" + file;
  EXPECT_EQ(query("exchange", {"SELECT 1", "--db", address}).exit_code, 0);
  EXPECT_EQ(kept(file), cli::model("exchange") + "|7|1");
  {
    // A sign that shows whether the tables are still the same.
    test::Asked asked(address);
    ASSERT_TRUE(asked.database().execute("UPDATE panoptes.rules SET text = 'marked'"));
  }
  const std::string sql = "SELECT DISTINCT text FROM rules";
  EXPECT_TRUE(contains(query("exchange", {sql, "--db", address}).output, "marked"));
  EXPECT_TRUE(contains(query("exchange", {sql, "--db", address, "--time", "5m"}).output, "marked"));

  const cli::Result other = query("exchange", {sql, "--db", address, "--receptions", "any"});
  EXPECT_FALSE(contains(other.output, "marked"));
  EXPECT_TRUE(contains(other.errors, "replaced")) << other.errors;
  EXPECT_EQ(query("session", {sql, "--db", address}).exit_code, 0);
  EXPECT_EQ(kept(file), cli::model("session") + "|12|1");
  // A query that fails leaves the space alone.
  EXPECT_EQ(query("session", {"SELECT nothing", "--db", address}).exit_code, 2);
  EXPECT_EQ(kept(file), cli::model("session") + "|12|1");
}

TEST(KeptSpaces, LeaveAloneWhatIsNotTheirs) {
  const TemporaryFolder folder;
  const std::string file = folder.path("mine.db"), address = "duckdb:" + file;
  {
    test::Asked asked(address);
    ASSERT_TRUE(asked.database().execute("CREATE TABLE mine AS SELECT 1 AS a"));
  }
  EXPECT_EQ(query("exchange", {"SELECT 1", "--db", address}).exit_code, 0);
  {
    test::Asked asked(address);
    EXPECT_EQ(asked.rows("SELECT a FROM mine"), (test::Rows{"1"}));
    ASSERT_TRUE(
        asked.database().execute("DROP SCHEMA panoptes CASCADE; CREATE SCHEMA panoptes; CREATE "
                                 "TABLE panoptes.other (a INT)"));
  }
  const auto expect_refused = [&](const std::string& because) {
    const cli::Result run = query("exchange", {"SELECT 1", "--db", address});
    EXPECT_EQ(run.exit_code, 2) << because;
    EXPECT_TRUE(contains(run.errors, "no state space")) << because << run.errors;
  };
  expect_refused("a table that is not ours");
  for (const char* sql :
       {"CREATE SEQUENCE panoptes.mine", "CREATE MACRO panoptes.mine(a) AS a + 1",
        "CREATE TABLE panoptes.space (identity TEXT)",
        "CREATE TABLE panoptes.space AS SELECT NULL::TEXT AS identity, '' AS limits, '' AS "
        "ended_by, NULL::BIGINT AS states, '' AS expanded, 1 AS transitions, 1 AS depth"}) {
    {
      test::Asked asked(address);
      ASSERT_TRUE(asked.database().execute(
          fmt::format("DROP SCHEMA panoptes CASCADE; CREATE SCHEMA panoptes; {}", sql)));
    }
    expect_refused(sql);
  }

  const std::string text = folder.write("text.db", "this is no database\n");
  const cli::Result no_database = query("exchange", {"SELECT 1", "--db", "duckdb:" + text});
  EXPECT_EQ(no_database.exit_code, 2);
  EXPECT_TRUE(contains(no_database.errors, text)) << no_database.errors;
  EXPECT_EQ(
      query("exchange", {"SELECT 1", "--db", "duckdb:" + folder.path("no/where.db")}).exit_code, 2);
}

TEST(KeptSpaces, ReplaceTheirOwnRelationsAlone) {
  const TemporaryFolder folder;
  const std::string address = "duckdb:" + folder.path("space.db");
  {
    test::Asked asked(address);
    ASSERT_TRUE(asked.database().execute("CREATE SCHEMA panoptes"));  // an empty one will do
  }
  EXPECT_EQ(query("exchange", {"SELECT 1", "--db", address}).exit_code, 0);
  {
    test::Asked asked(address);
    ASSERT_TRUE(asked.database().execute(
        "CREATE TABLE panoptes.mine AS SELECT 1 AS a; CREATE VIEW main.few AS SELECT count(*) AS n "
        "FROM panoptes.states"));
  }
  const cli::Result run = query("session", {"SELECT 1", "--db", address});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(contains(run.errors, "replaced")) << run.errors;
  test::Asked asked(address);
  EXPECT_EQ(asked.rows("SELECT a FROM panoptes.mine"), (test::Rows{"1"}));
  EXPECT_EQ(asked.rows("SELECT n FROM main.few"), (test::Rows{"12"}));
}

// Nothing half-written is left by a disk that is full, and a re-run starts clean.
TEST(KeptSpaces, SurviveAFullDisk) {
  if (cli::is_sanitized) GTEST_SKIP() << "a sanitizer needs files of its own";
  const TemporaryFolder folder;
  const std::string address = "duckdb:" + folder.path("space.db");
  EXPECT_EQ(query("exchange", {"SELECT 1", "--db", address}).exit_code, 0);
  // Files larger than 300 kB cannot be written.
  const std::string command =
      fmt::format("ulimit -f 600; trap '' XFSZ; '{}' query '{}' 'SELECT 1' --db '{}' 2> '{}'",
                  PANOPTES_PROGRAM, cli::model("sliding_window"), address, folder.path("errors"));
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_NE(WEXITSTATUS(status), 0);
  EXPECT_TRUE(contains(cli::read_all(folder.path("errors")), "panoptes: DuckDB: "));
  const cli::Result after =
      query("sliding_window", {"SELECT states FROM space", "--db", address, "--format", "csv"});
  EXPECT_EQ(after.output, "states\n59062\n") << after.errors;
}

TEST(KeptSpaces, OnAServerBehaveAlike) {
  const PostgresServer server;
  const std::vector<std::string> db = {"--db", server.address(), "--format", "csv"};
  const auto ask = [&](const std::string& name, const std::string& sql) {
    std::vector<std::string> arguments = db;
    arguments.push_back(sql);
    return query(name, arguments);
  };
  EXPECT_EQ(ask("setup_handshake", "SELECT count(*) AS n FROM states").output, "n\n176\n");
  EXPECT_EQ(ask("setup_handshake", "SELECT step, message, target FROM path_to(3)").output,
            "step,message,target\n1,setup,1\n2,r_setup,3\n");
  for (const char* sql : {"DELETE FROM rules", "SELECT 1; DELETE FROM panoptes.rules",
                          "WITH gone AS (DELETE FROM rules RETURNING rule) SELECT * FROM gone"})
    EXPECT_EQ(ask("setup_handshake", sql).exit_code, 2) << sql;
  EXPECT_EQ(ask("setup_handshake", "SELECT count(*) AS n FROM rules WHERE rule = 0").output,
            "n\n1\n");
  const cli::Result wrong = ask("setup_handshake", "SELECT nowhere FROM states");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.errors, "LINE 1: SELECT nowhere FROM states\n               ^"))
      << wrong.errors;
  EXPECT_EQ(query("exchange", {"SELECT 1", "--db", server.address(), "--format", "parquet",
                               "--output", "x.parquet"})
                .exit_code,
            2);
  const cli::Result json = query("exchange", {"SELECT is_end FROM states WHERE state = 0", "--db",
                                              server.address(), "--format", "json"});
  EXPECT_TRUE(contains(json.errors, "replaced")) << json.errors;
  EXPECT_EQ(test::parse_json(json.output)["rows"], test::parse_json(R"([{"is_end": false}])"));

  // Who may not write gets no space, and says why.
  {
    test::Asked asked(server.address());
    ASSERT_TRUE(asked.database().execute("CREATE USER guest"));
  }
  const cli::Result guest = query("session", {"SELECT 1", "--db", server.address("guest")});
  EXPECT_EQ(guest.exit_code, 2);
  EXPECT_TRUE(contains(guest.errors, "permission denied")) << guest.errors;
  EXPECT_FALSE(contains(guest.errors, "no state space")) << guest.errors;
}

TEST(KeptSpaces, OnAServerAreReplacedWithNothingElse) {
  const PostgresServer server;
  const auto ask = [&](const std::string& name, const std::string& user) {
    return query(name,
                 {"SELECT states FROM space", "--format", "csv", "--db", server.address(user)});
  };
  // Who owns the schema needs no other privilege.
  test::Asked asked(server.address());
  ASSERT_TRUE(
      asked.database().execute("CREATE USER owner; CREATE SCHEMA panoptes AUTHORIZATION owner; "
                               "GRANT CREATE ON SCHEMA public "
                               "TO owner; CREATE TABLE public.mine AS SELECT 1 AS a"));
  for (const auto& [name, answer] :
       {std::pair{"exchange", "states\n7\n"}, {"session", "states\n12\n"}}) {
    const cli::Result run = ask(name, "owner");
    EXPECT_EQ(run.output, answer) << run.errors;
  }
  ASSERT_TRUE(asked.database().execute(
      "CREATE TABLE panoptes.kept AS SELECT 1 AS a; CREATE VIEW public.few AS SELECT state FROM "
      "panoptes.states"));
  const cli::Result refused = ask("exchange", "owner");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.errors, "view few depends on")) << refused.errors;
  EXPECT_EQ(asked.count("SELECT * FROM public.few"), 12u);
  EXPECT_EQ(ask("session", "owner").output, "states\n12\n");
  ASSERT_TRUE(asked.database().execute("DROP VIEW public.few"));
  EXPECT_EQ(ask("exchange", "owner").output, "states\n7\n");
  EXPECT_EQ(asked.rows("SELECT a FROM panoptes.kept"), (test::Rows{"1"}));
  ASSERT_TRUE(asked.database().execute(
      "DROP SCHEMA panoptes CASCADE; CREATE SCHEMA panoptes AUTHORIZATION owner; CREATE FUNCTION "
      "panoptes.mine() RETURNS INT LANGUAGE sql AS 'SELECT 1'"));
  const cli::Result stranger = ask("exchange", "owner");
  EXPECT_EQ(stranger.exit_code, 2);
  EXPECT_TRUE(contains(stranger.errors, "no state space")) << stranger.errors;
}

// A question that fails may have taken an hour: it is not asked again only to say why.
TEST(KeptSpaces, AreAskedOnce) {
  const PostgresServer server;
  test::Asked asked(server.address());
  ASSERT_TRUE(asked.database().execute("CREATE TABLE public.mine AS SELECT 1 AS a"));
  const std::string scans =
      "SELECT coalesce(max(seq_scan), 0) FROM pg_stat_user_tables WHERE relname = 'mine'";
  std::uint64_t before = 0;
  for (const char* format : {"csv", "json"}) {
    const cli::Result run = query("exchange", {"SELECT 1 / (a - 1) FROM public.mine", "--db",
                                               server.address(), "--format", format});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(contains(run.errors, "division by zero")) << run.errors;
    // The server counts when the connection has ended.
    std::uint64_t after = before;
    for (int i = 0; i < 200 && after == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      after = std::stoull(asked.rows(scans).at(0));
    }
    EXPECT_EQ(after, before + 1) << format;
    before = after;
  }
}

TEST(Passwords, AreInNoReport) {
  const PostgresServer server;
  // Nobody is asked for one, and whatever is given is taken.
  const std::string address = server.address() + "&password=secret1&connect_timeout=5";
  const cli::Result run = cli::run({"relate", cli::model("exchange"), "--db", address, "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.errors;
  EXPECT_FALSE(contains(run.output, "secret")) << run.output;
  const std::string db = test::parse_json(run.output)["options"]["db"];
  EXPECT_EQ(db, server.address() + "&password=***&connect_timeout=5");
  for (const char* wrong :
       {"mysql://me:secret@host/x", "pg://me:se@cret@host", "pg://h/x?ssl=1&passwor%64=secret"}) {
    const cli::Result refused = cli::run({"relate", cli::model("exchange"), "--db", wrong});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(contains(refused.errors, "***")) << refused.errors;
    EXPECT_FALSE(contains(refused.errors, "cret")) << refused.errors;
  }
}

}  // namespace
}  // namespace panoptes
