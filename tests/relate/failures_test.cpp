// SPDX-License-Identifier: Apache-2.0
// What goes wrong with a database is said in plain words, leaves nothing behind, and does not keep
// the next run from being right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/database.hpp"
#include "app/system.hpp"
#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "relate/rows.hpp"
#include "relational/open.hpp"
#include "relational/relate.hpp"
#include "support/postgres_server.hpp"
#include "support/program.hpp"

namespace panoptes {
namespace {

using Kind = DatabaseFailure::Kind;
using test::open;

// Large enough for something to happen meanwhile.
constexpr char large[] = "models/dining_philosophers.argos -D N=5";

DatabaseResult<Related> relate_philosophers(Database& database, Engine engine, int philosophers) {
  const test::Compiled compiled = test::compile(
      test::model_text("dining_philosophers", fmt::format("#define N {}\n", philosophers)));
  return relate(compiled.program, database, Dialect(engine), {});
}

// What is there that a search would have made.
std::uint64_t tables(Database& database) {
  auto answer = database.query(
      "SELECT count(*) FROM information_schema.tables WHERE table_schema NOT IN "
      "('pg_catalog', 'information_schema')");
  if (!answer) throw std::runtime_error(answer.failure().message);
  Chunk chunk;
  if (const auto more = (*answer)->next(chunk); !more || !*more) return UINT64_MAX;
  return static_cast<std::uint64_t>(chunk.columns[0].integers[0]);
}

TEST(LostConnection, EndsTheRunAndLeavesNothing) {
  PostgresServer server;
  const auto database = open(server.address());
  std::thread axe([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    server.stop();
  });
  const auto related = relate_philosophers(*database, Engine::postgresql, 5);
  axe.join();
  ASSERT_FALSE(related);
  EXPECT_EQ(related.failure().kind, Kind::connection) << related.failure().message;
  EXPECT_NE(related.failure().message.find("connection was lost"), std::string::npos)
      << related.failure().message;

  server.run();
  const auto again = open(server.address());
  EXPECT_EQ(tables(*again), 0u);
  const auto second = relate_philosophers(*again, Engine::postgresql, 2);
  ASSERT_TRUE(second);
  EXPECT_GT(second->states, 0u);
}

TEST(MissingPrivilege, IsNamed) {
  const PostgresServer server;
  const auto owner = open(server.address());
  ASSERT_TRUE(owner->execute("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC"));
  ASSERT_TRUE(owner->execute("CREATE USER guest"));
  const auto run = models::run_program(
      fmt::format("relate models/exchange.argos --db '{}' 2>&1", server.address("guest")));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.output.find("permission denied to create temporary tables"), std::string::npos)
      << run.output;
  EXPECT_EQ(tables(*owner), 0u);
}

TEST(FullServer, IsNamed) {
  const PostgresServer server;
  const auto database = open(server.address());
  ASSERT_TRUE(database->execute("SET temp_file_limit = '100kB'; SET work_mem = '64kB'"));
  const auto related = relate_philosophers(*database, Engine::postgresql, 3);
  ASSERT_FALSE(related);
  EXPECT_EQ(related.failure().kind, Kind::space) << related.failure().message;
  // The same connection, with room.
  ASSERT_TRUE(database->execute("SET temp_file_limit = -1"));
  const auto again = relate_philosophers(*database, Engine::postgresql, 2);
  EXPECT_TRUE(again);
}

// Memory for its own work, but not for the tables, and no disk: files may have a megabyte.
TEST(FullDisk, IsNamed) {
  if (cli::is_sanitized) GTEST_SKIP() << "a sanitizer needs files of its own";
  const std::string program = PANOPTES_PROGRAM;
  const std::string command =
      fmt::format("cd '{}' && trap '' XFSZ && ulimit -f 1000 && '{}' relate {} --memory 80M 2>&1",
                  PANOPTES_SOURCE_DIR, program, large);
  std::FILE* pipe = popen(fmt::format("sh -c \"{}\"", command).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  while (const std::size_t read = std::fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, read);
  const int status = pclose(pipe);
  EXPECT_EQ(WEXITSTATUS(status), 2) << output;
  EXPECT_TRUE(output.starts_with("panoptes: DuckDB: ")) << output;
}

TEST(BadFile, IsNamedAndLeftAlone) {
  const cli::TemporaryFolder folder;
  const std::string path = folder.write("notes.txt", "these are no tables, but keep them");
  const auto run =
      models::run_program(fmt::format("relate models/exchange.argos --db 'duckdb:{}' 2>&1", path));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.output.find("notes.txt"), std::string::npos) << run.output;
  EXPECT_EQ(cli::read_all(path), "these are no tables, but keep them");
}

// Nothing but temporary tables is made: a file that was not there is not there afterwards.
TEST(NewFile, IsNotLeftBehind) {
  const cli::TemporaryFolder folder;
  for (const std::string command :
       {"relate models/exchange.argos", "relate models/connection.argos --steps",
        "relate models/peterson.argos --steps"}) {
    const auto run = models::run_program(
        fmt::format("{} --db 'duckdb:{}' 2>&1", command, folder.path("new.db")));
    EXPECT_LE(run.exit_code, 2) << run.output;
    for (const char* name : {"new.db", "new.db.wal", "new.db.tmp"})
      EXPECT_FALSE(std::filesystem::exists(folder.path(name))) << command << ": " << name;
  }
  // One that was there stays what it was.
  const std::string old = folder.path("old.db");
  ASSERT_TRUE(open("duckdb:" + old)->execute("CREATE TABLE t AS SELECT 1 AS a"));
  const auto run =
      models::run_program(fmt::format("relate models/exchange.argos --db 'duckdb:{}' 2>&1", old));
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_EQ(tables(*open("duckdb:" + old)), 1u);
}

// Nor is it where --time ends the process, for that is how a process ends then.
TEST(NewFile, IsNotLeftBehindByAProcessThatIsEnded) {
  const cli::TemporaryFolder folder;
  for (const bool is_kept : {false, true}) {
    const std::string path = folder.path("new.db");
    const auto ended = [&] {
      NewFile file({Engine::duckdb, path});
      for (const char* name : {"new.db", "new.db.wal"}) folder.write(name, "");
      if (is_kept) file.keep();
      end_process_after(0.01, ExitCode::unknown, "", "over\n");
      std::this_thread::sleep_for(std::chrono::seconds(60));
    };
    EXPECT_EXIT(ended(), testing::ExitedWithCode(3), "over");
    EXPECT_EQ(std::filesystem::exists(path), is_kept);
    EXPECT_EQ(std::filesystem::exists(path + ".wal"), is_kept);
  }
}

TEST(NoFolderForTemporaryFiles, IsNamed) {
  const auto run = models::run_program(
      fmt::format("--version >/dev/null && TMPDIR=/nonexistent '{}' relate models/exchange.argos "
                  "2>&1",
                  PANOPTES_PROGRAM));
  EXPECT_EQ(run.exit_code, 2) << run.output;
  EXPECT_NE(run.output.find("no folder for temporary files"), std::string::npos) << run.output;
}

// A path of which nothing can be said is no reason to end with an internal failure.
TEST(HiddenFile, IsNamed) {
  const std::string name = "/" + std::string(300, 'x') + "/kept.db";
  for (const std::string& option : {"--steps --keep " + name, "--db duckdb:" + name}) {
    const auto run =
        models::run_program(fmt::format("relate models/connection.argos {} 2>&1", option));
    EXPECT_EQ(run.exit_code, 2) << run.output;
    EXPECT_EQ(run.output.find("internal failure"), std::string::npos) << run.output;
  }
}

TEST(NoServer, IsNamed) {
  const auto run = models::run_program(
      "relate models/exchange.argos --db 'postgresql:///x?host=/nonexistent' 2>&1");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.output.find("panoptes: PostgreSQL: no connection"), std::string::npos)
      << run.output;
}

TEST(Interrupt, EndsTheRun) {
  const auto run = models::run_program(
      fmt::format("--version >/dev/null && timeout --preserve-status -s INT 1 '{}' relate {} 2>&1",
                  PANOPTES_PROGRAM, large));
  EXPECT_EQ(run.exit_code, 3) << run.output;
  EXPECT_NE(run.output.find("interrupted"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace panoptes
