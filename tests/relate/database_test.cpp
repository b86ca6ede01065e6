// SPDX-License-Identifier: Apache-2.0
// Both engines do what the seam says, on a real server and in real files.
#include "relational/database.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/child.hpp"
#include "relate/rows.hpp"
#include "relational/dialect.hpp"
#include "support/postgres_server.hpp"

namespace panoptes {
namespace {

using Kind = DatabaseFailure::Kind;
using test::open;
using test::rows;
using test::Rows;

Kind kind_of(const DatabaseResult<>& result) {
  EXPECT_FALSE(result);
  return result ? Kind::statement : result.failure().kind;
}

// What must be true of every engine.
void behaves(Database& db, const Dialect& dialect) {
  ASSERT_TRUE(
      db.execute("CREATE TEMPORARY TABLE t (a BIGINT, w " + dialect.word_type() + ", s VARCHAR)"));
  const std::string odd = "tab\there, line\nthere, back\\slash, 'quotes', \"both\"";
  {
    auto appender =
        db.append_to("", "t", {ColumnType::integer, ColumnType::word, ColumnType::text});
    ASSERT_TRUE(appender);
    for (int i = 0; i < 5000; ++i) {
      (*appender)->integer(i - 1);
      (*appender)->integer(-1 - i);  // words with all their bits
      if (i % 2 == 0)
        (*appender)->text(odd);
      else
        (*appender)->null();
      ASSERT_TRUE((*appender)->end_row());
    }
    ASSERT_TRUE((*appender)->finish());
  }
  EXPECT_EQ(rows(db, "SELECT count(*), min(a), max(a) FROM t"), (Rows{"5000|-1|4998"}));
  EXPECT_EQ(rows(db, "SELECT a, w, s FROM t WHERE a < 1 ORDER BY a"),
            (Rows{"-1|-1|" + odd, "0|-2|-"}));
  EXPECT_EQ(rows(db, "SELECT a FROM t").size(), 5000u);
  EXPECT_EQ(rows(db, "SELECT a FROM t WHERE a > 9000").size(), 0u);
  // Bits of words, the highest among them.
  const std::string top = dialect.shift_right("w", 60);
  EXPECT_EQ(rows(db, "SELECT " + dialect.to_integer(top + " & " + dialect.word(15)) +
                         " FROM t WHERE a = 0"),
            (Rows{"15"}));
  EXPECT_EQ(rows(db, "SELECT " + dialect.shift_left(dialect.word(15), 60) + " = (" +
                         dialect.word(~std::uint64_t{0} << 60) + ")"),
            (Rows{"1"}));
  EXPECT_EQ(rows(db, "SELECT " + dialect.divide("-7", "2") + ", " + dialect.remainder("-7", "2")),
            (Rows{"-3|-1"}));
  // Other types are text, and two columns may have the same name.
  EXPECT_EQ(rows(db, "SELECT DATE '2000-01-02' AS d, 1.5::DOUBLE PRECISION AS d, 2 > 1 AS b;"),
            (Rows{"2000-01-02|1.500000|1"}));

  // A transaction that is not committed never was.
  {
    Transaction transaction(db);
    ASSERT_TRUE(transaction.begun());
    ASSERT_TRUE(db.execute("DELETE FROM t"));
  }
  EXPECT_EQ(rows(db, "SELECT count(*) FROM t"), (Rows{"5000"}));
  {
    Transaction transaction(db);
    ASSERT_TRUE(db.execute("DELETE FROM t WHERE a > 0"));
    ASSERT_TRUE(transaction.commit());
  }
  EXPECT_EQ(rows(db, "SELECT count(*) FROM t"), (Rows{"2"}));

  // Bad SQL is a failure with the engine's words, and harms nothing.
  const auto bad = db.execute("SELECT nothing_of_that_name FROM t");
  EXPECT_EQ(kind_of(bad), Kind::statement);
  EXPECT_NE(bad.failure().message.find("nothing_of_that_name"), std::string::npos);
  EXPECT_FALSE(db.query("SELEKT 1"));
  EXPECT_EQ(rows(db, "SELECT 1"), (Rows{"1"}));

  // What would take for ever can be ended from outside.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    db.cancel();
  });
  const auto endless = db.execute(
      "CREATE TEMPORARY TABLE e AS WITH RECURSIVE r(n) AS "
      "(SELECT 1::BIGINT UNION ALL SELECT n + 1 FROM r WHERE n > 0) SELECT max(n) AS m FROM r");
  other.join();
  EXPECT_EQ(kind_of(endless), Kind::interrupted);
  EXPECT_EQ(rows(db, "SELECT 1"), (Rows{"1"}));
}

TEST(Address, IsUnderstood) {
  EXPECT_EQ(parse_database_address("duckdb")->where, "");
  EXPECT_EQ(parse_database_address("duckdb:a/b.db")->where, "a/b.db");
  EXPECT_EQ(parse_database_address("postgresql://host/name")->engine, Engine::postgresql);
  EXPECT_EQ(parse_database_address("postgres:///name")->where, "postgres:///name");
  for (const char* text : {"", "duckdb:", "duck", "mysql://host", "file.db", "postgresql:x"})
    EXPECT_FALSE(parse_database_address(text)) << text;
}

TEST(DuckDb, BehavesAsADatabase) { behaves(*open("duckdb"), Dialect(Engine::duckdb)); }

TEST(DuckDb, KeepsWhatWasCommittedAndNothingElse) {
  const cli::TemporaryFolder folder;
  const std::string address = "duckdb:" + folder.path("kept.db");
  {
    auto db = open(address);
    ASSERT_TRUE(db->execute("CREATE TABLE kept AS SELECT 1 AS a"));
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->execute("CREATE TABLE lost AS SELECT 1 AS a"));
  }
  auto db = open(address);
  EXPECT_EQ(rows(*db, "SELECT a FROM kept"), (Rows{"1"}));
  EXPECT_FALSE(db->execute("SELECT a FROM lost"));
}

// A file may be called as a schema is, and whoever opens it later may call it something else.
TEST(DuckDb, TakesAFileOfAnyName) {
  const cli::TemporaryFolder folder;
  for (const char* name :
       {"panoptes.db", "main.db", "it's.db", "temp.db", "panoptes_file", "a b"}) {
    const std::string file = folder.path(name), copy = folder.path("copy.db");
    {
      auto db = open("duckdb:" + file);
      ASSERT_TRUE(
          db->execute("CREATE SCHEMA panoptes; CREATE TABLE panoptes.t (a BIGINT); "
                      "CREATE VIEW panoptes.v AS SELECT a + 1 AS b FROM panoptes.t; "
                      "CREATE TABLE main.t AS SELECT 7 AS a"))
          << name;
      auto appender = db->append_to("panoptes", "t", {ColumnType::integer});
      ASSERT_TRUE(appender) << name << ": " << appender.failure().message;
      (*appender)->integer(1);
      ASSERT_TRUE((*appender)->end_row());
      ASSERT_TRUE((*appender)->finish());
    }
    EXPECT_FALSE(std::filesystem::exists(file + ".wal")) << name;
    std::filesystem::rename(file, copy);
    auto db = open("duckdb:" + copy);
    EXPECT_EQ(rows(*db, "SELECT b FROM panoptes.v"), (Rows{"2"})) << name;
    EXPECT_EQ(rows(*db, "SELECT a FROM main.t"), (Rows{"7"})) << name;
    ASSERT_TRUE(db->execute("SET search_path = 'panoptes'"));
    EXPECT_EQ(rows(*db, "SELECT a FROM t"), (Rows{"1"})) << name;
    db.reset();
    std::filesystem::remove(copy);
  }
}

// Rows are made as they are asked for: all of these would have no room, and take hours.
TEST(DuckDb, AnswersBeforeItHasAllRows) {
  auto db = open_database(*parse_database_address("duckdb"), {.memory_bytes = 64 << 20});
  ASSERT_TRUE(db);
  const std::string endless =
      "SELECT r AS a, md5(r::VARCHAR) AS text FROM range(1000000000000) AS each(r)";
  {
    auto answer = (*db)->query(endless);
    ASSERT_TRUE(answer) << answer.failure().message;
    Chunk chunk;
    const auto more = (*answer)->next(chunk);
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(chunk.columns[0].integers[0], 0);
  }
  // What was not taken is forgotten.
  EXPECT_EQ(rows(**db, "SELECT 1"), (Rows{"1"}));
  // What fails on the way says so there.
  auto answer = (*db)->query(
      "SELECT CASE WHEN r < 9999999 THEN 'ok' ELSE error('row ' || r) END FROM range(10000000) AS "
      "each(r)");
  ASSERT_TRUE(answer) << answer.failure().message;
  Chunk chunk;
  auto more = (*answer)->next(chunk);
  while (more && *more) more = (*answer)->next(chunk);
  ASSERT_FALSE(more);
  EXPECT_NE(more.failure().message.find("row 9999999"), std::string::npos)
      << more.failure().message;
}

TEST(DuckDb, SaysWhatIsWrongWithAFile) {
  const cli::TemporaryFolder folder;
  const auto database = open_database({Engine::duckdb, folder.path("no/such/folder.db")});
  ASSERT_FALSE(database);
  EXPECT_EQ(database.failure().kind, Kind::space);
  EXPECT_NE(database.failure().message.find("no/such/folder.db"), std::string::npos);
}

TEST(PostgreSql, BehavesAsADatabase) {
  const PostgresServer server;
  behaves(*open(server.address()), Dialect(Engine::postgresql));
}

TEST(PostgreSql, SaysWhatIsWrongWithAConnection) {
  PostgresServer server;
  // Nobody there, or nobody of that name.
  auto nowhere = open_database({Engine::postgresql, "postgresql:///x?host=/nonexistent"});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.failure().kind, Kind::connection);
  EXPECT_FALSE(open_database({Engine::postgresql, server.address("stranger")}));

  // A user who may look but not write.
  auto db = open(server.address());
  ASSERT_TRUE(db->execute("CREATE USER guest"));
  auto guest = open(server.address("guest"));
  EXPECT_EQ(kind_of(guest->execute("CREATE TABLE public.t (a INT)")), Kind::privilege);

  // The server goes away in the middle of a transaction.
  ASSERT_TRUE(db->execute("CREATE TABLE public.t (a INT)"));
  ASSERT_TRUE(db->begin());
  ASSERT_TRUE(db->execute("INSERT INTO public.t VALUES (1)"));
  server.stop();
  const auto lost = db->execute("INSERT INTO public.t VALUES (2)");
  EXPECT_EQ(kind_of(lost), Kind::connection);
  EXPECT_NE(lost.failure().message.find("connection"), std::string::npos);
  server.run();
  EXPECT_EQ(rows(*open(server.address()), "SELECT count(*) FROM public.t"), (Rows{"0"}));
}

}  // namespace
}  // namespace panoptes
