// SPDX-License-Identifier: Apache-2.0
// A Database executes SQL: the whole seam between the relational verifier and an engine.
//
// Engines are modules of their own (src/duckdb, src/postgresql), loaded when one is asked for: see
// open.hpp. What differs in the SQL they take is known by dialect.hpp alone.
//
// How it can fail: every call says so by its result, in the engine's words and with a kind that
// callers can act on. What was done since begin() is undone by rollback(), by losing the connection
// and by the end of the process: nothing half-written stays.
//
// Thread safety: one thread at a time, but for cancel(). An Answer or an Appender is used up before
// the next call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace panoptes {

struct DatabaseFailure {
  enum class Kind : std::uint8_t {
    engine,       // its module or its library is not there
    connection,   // no connection, or it was lost
    privilege,    // the user may not do this
    memory,       // it may have no more
    space,        // no room on disk, or a file that cannot be written
    interrupted,  // by cancel()
    statement,    // the engine does not take this SQL, or it failed
  };
  Kind kind = Kind::statement;
  std::string message;  // one line and no full stop, then perhaps more lines
};

template <typename Value = void>
using DatabaseResult = Result<Value, DatabaseFailure>;

enum class ColumnType : std::uint8_t {
  integer,  // 64 bits, signed
  word,     // 64 bits, unsigned
  real,
  boolean,
  number,  // any other number, as text
  text,    // text, and whatever else there is as text
};

struct Column {
  std::string name;
  ColumnType type = ColumnType::text;
};

// Some rows of an answer, column by column.
struct Chunk {
  struct Values {
    std::vector<bool> is_null;           // by row, always there
    std::vector<std::int64_t> integers;  // integer, word (its bits), boolean
    std::vector<double> reals;
    std::vector<std::string> texts;  // number, text
  };
  std::size_t rows = 0;
  std::vector<Values> columns;

  void clear(std::size_t column_count) {
    rows = 0;
    columns.assign(column_count, {});
  }
};

class Answer {
 public:
  virtual ~Answer() = default;

  virtual const std::vector<Column>& columns() const = 0;
  // Replaces `chunk` by the next rows; false where there are none left.
  virtual DatabaseResult<bool> next(Chunk& chunk) = 0;
};

// Rows added in bulk: a value for each column in turn, then end_row().
class Appender {
 public:
  virtual ~Appender() = default;

  virtual void integer(std::int64_t value) = 0;  // also a word, by its bits
  virtual void text(std::string_view value) = 0;
  virtual void null() = 0;
  virtual DatabaseResult<> end_row() = 0;
  // All rows are there only after this.
  virtual DatabaseResult<> finish() = 0;
};

class Database {
 public:
  virtual ~Database() = default;

  // One or more statements, separated by semicolons.
  virtual DatabaseResult<> execute(const std::string& sql) = 0;
  // One statement; its rows are fetched as they are asked for.
  virtual DatabaseResult<std::unique_ptr<Answer>> query(const std::string& sql) = 0;
  // `schema` and `table` are names as they are, without quotes.
  virtual DatabaseResult<std::unique_ptr<Appender>> append_to(
      const std::string& schema, const std::string& table,
      const std::vector<ColumnType>& columns) = 0;

  virtual DatabaseResult<> begin() { return execute("BEGIN"); }
  virtual DatabaseResult<> commit() { return execute("COMMIT"); }
  virtual DatabaseResult<> rollback() { return execute("ROLLBACK"); }

  // Makes the call that runs now fail as interrupted. From any thread.
  virtual void cancel() = 0;
};

// Everything between its construction and commit() is done, or nothing of it.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database), begun_(database.begin()) {}
  ~Transaction() {
    if (begun_ && !is_over_) static_cast<void>(database_.rollback());
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  const DatabaseResult<>& begun() const { return begun_; }
  DatabaseResult<> commit() {
    is_over_ = true;
    return database_.commit();
  }

 private:
  Database& database_;
  DatabaseResult<> begun_;
  bool is_over_ = false;
};

// What an engine may take; 0: as much as it likes.
struct DatabaseLimits {
  std::uint64_t memory_bytes = 0;
  unsigned threads = 0;
};

// What a module exports as `panoptes_open_database`: opens a database at `where` (a file, "" for
// one in memory; a connection string) into `database`, or says in `failure` why it cannot.
using OpenDatabase = void(const std::string& where, const DatabaseLimits& limits,
                          std::unique_ptr<Database>& database, DatabaseFailure& failure);

}  // namespace panoptes
