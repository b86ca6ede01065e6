// SPDX-License-Identifier: Apache-2.0
// PostgreSQL behind the Database seam, by libpq.
//
// Idea: an answer comes row by row and is handed on in chunks; rows are added by COPY. What fails
// is told apart by SQLSTATE. How it can be wrong: a connection that is lost undoes its transaction,
// on the server, by itself.
#include <fmt/format.h>
#include <libpq-fe.h>

#include <charconv>
#include <cstdlib>

#include "relational/database.hpp"

namespace panoptes {
namespace {

using Kind = DatabaseFailure::Kind;

struct Closer {
  void operator()(PGconn* p) const { PQfinish(p); }
  void operator()(PGresult* p) const { PQclear(p); }
  void operator()(PGcancel* p) const { PQfreeCancel(p); }
};
using Connection = std::unique_ptr<PGconn, Closer>;
using ResultRows = std::unique_ptr<PGresult, Closer>;

Kind kind_of(std::string_view state) {
  if (state == "42501" || state.starts_with("28")) return Kind::privilege;
  if (state == "53200") return Kind::memory;
  if (state.starts_with("53") || state == "25006" || state == "58030") return Kind::space;
  if (state == "57014") return Kind::interrupted;
  if (state.starts_with("08") || state.starts_with("57P")) return Kind::connection;
  return Kind::statement;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

DatabaseFailure failure(Kind kind, const std::string& message) {
  return {kind, fmt::format("PostgreSQL: {}", trimmed(message))};
}

// The line of the statement and a caret below it, as libpq shows them; "" where it does not.
std::string place_of(const std::string& message) {
  const std::size_t line = message.find("\nLINE ");
  if (line == std::string::npos) return {};
  const std::size_t caret = message.find('\n', line + 1);
  if (caret == std::string::npos) return {};
  return fmt::format("\n{}", message.substr(line, message.find('\n', caret + 1) - line));
}

// The server's own words, with its detail and hint, and where in the statement it is.
DatabaseFailure failure(PGconn* connection, const PGresult* result) {
  const char* state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  if (!state || PQstatus(connection) != CONNECTION_OK)
    return failure(Kind::connection,
                   fmt::format("the connection was lost: {}", trimmed(PQerrorMessage(connection))));
  std::string message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  for (const char field : {PG_DIAG_MESSAGE_DETAIL, PG_DIAG_MESSAGE_HINT})
    if (const char* more = PQresultErrorField(result, field)) message += fmt::format("\n{}", more);
  message += place_of(PQresultErrorMessage(result));
  return failure(kind_of(state), message);
}

// By the numbers of PostgreSQL's own types, which never change.
ColumnType column_type(Oid type) {
  switch (type) {
    case 16: return ColumnType::boolean;
    case 20:  // int8
    case 21:  // int2
    case 23:  // int4
      return ColumnType::integer;
    case 700:
    case 701: return ColumnType::real;
    case 1700: return ColumnType::number;
    default: return ColumnType::text;
  }
}

void add_value(const PGresult* row, int column, ColumnType type, Chunk::Values& out) {
  const bool is_null = PQgetisnull(row, 0, column) != 0;
  const char* text = PQgetvalue(row, 0, column);
  const char* end = text + PQgetlength(row, 0, column);
  out.is_null.push_back(is_null);
  switch (type) {
    case ColumnType::boolean: out.integers.push_back(*text == 't'); break;
    case ColumnType::real: out.reals.push_back(std::strtod(text, nullptr)); break;
    case ColumnType::integer:
    case ColumnType::word: {
      std::int64_t value = 0;
      std::from_chars(text, end, value);
      out.integers.push_back(value);
      break;
    }
    case ColumnType::number:
    case ColumnType::text: out.texts.emplace_back(text, end); break;
  }
}

class PostgresAnswer final : public Answer {
 public:
  // `first`: the first row, or the empty end of an answer without rows.
  PostgresAnswer(PGconn* connection, ResultRows first)
      : connection_(connection), row_(std::move(first)) {
    for (int c = 0; c < PQnfields(row_.get()); ++c)
      columns_.push_back({PQfname(row_.get(), c), column_type(PQftype(row_.get(), c))});
  }
  ~PostgresAnswer() override { finish(); }
  PostgresAnswer(const PostgresAnswer&) = delete;
  PostgresAnswer& operator=(const PostgresAnswer&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }

  DatabaseResult<bool> next(Chunk& chunk) override {
    constexpr std::size_t most_rows = 2048;
    chunk.clear(columns_.size());
    while (row_ && chunk.rows < most_rows) {
      if (PQresultStatus(row_.get()) != PGRES_SINGLE_TUPLE) {
        const bool is_end = PQresultStatus(row_.get()) == PGRES_TUPLES_OK ||
                            PQresultStatus(row_.get()) == PGRES_COMMAND_OK;
        const DatabaseFailure reason =
            is_end ? DatabaseFailure{} : failure(connection_, row_.get());
        finish();
        if (!is_end) return reason;
        break;
      }
      for (std::size_t c = 0; c < columns_.size(); ++c)
        add_value(row_.get(), static_cast<int>(c), columns_[c].type, chunk.columns[c]);
      ++chunk.rows;
      row_.reset(PQgetResult(connection_));
    }
    return chunk.rows > 0;
  }

 private:
  // The connection is free again only when everything was taken.
  void finish() {
    while (row_) row_.reset(PQgetResult(connection_));
  }

  PGconn* connection_;
  ResultRows row_;
  std::vector<Column> columns_;
};

class PostgresAppender final : public Appender {
 public:
  explicit PostgresAppender(PGconn* connection) : connection_(connection) {}
  ~PostgresAppender() override {
    if (!is_over_) static_cast<void>(end("not finished"));
  }
  PostgresAppender(const PostgresAppender&) = delete;
  PostgresAppender& operator=(const PostgresAppender&) = delete;

  void integer(std::int64_t value) override {
    separate();
    fmt::format_to(std::back_inserter(buffer_), "{}", value);
  }
  void text(std::string_view value) override {
    separate();
    for (const char c : value) {
      if (c == '\\' || c == '\n' || c == '\r' || c == '\t') buffer_ += '\\';
      buffer_ += c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c;
    }
  }
  void null() override {
    separate();
    buffer_ += "\\N";
  }
  DatabaseResult<> end_row() override {
    constexpr std::size_t full_bytes = 1 << 20;
    buffer_ += '\n';
    is_first_ = true;
    return buffer_.size() < full_bytes ? DatabaseResult<>{} : send();
  }
  DatabaseResult<> finish() override {
    if (auto sent = send(); !sent) return sent;
    return end(nullptr);
  }

 private:
  void separate() {
    if (!is_first_) buffer_ += '\t';
    is_first_ = false;
  }
  DatabaseResult<> send() {
    const int sent = PQputCopyData(connection_, buffer_.data(), static_cast<int>(buffer_.size()));
    buffer_.clear();
    if (sent == 1) return {};
    return failure(connection_, nullptr);
  }
  // Ends the COPY, with success where there is no `reason`.
  DatabaseResult<> end(const char* reason) {
    is_over_ = true;
    if (PQputCopyEnd(connection_, reason) != 1) return failure(connection_, nullptr);
    DatabaseResult<> outcome;
    while (const ResultRows result{PQgetResult(connection_)})
      if (PQresultStatus(result.get()) != PGRES_COMMAND_OK)
        outcome = failure(connection_, result.get());
    return outcome;
  }

  PGconn* connection_;
  std::string buffer_;
  bool is_first_ = true;
  bool is_over_ = false;
};

class PostgresDatabase final : public Database {
 public:
  explicit PostgresDatabase(Connection connection)
      : connection_(std::move(connection)), cancel_(PQgetCancel(connection_.get())) {}

  DatabaseResult<> execute(const std::string& sql) override {
    const ResultRows result(PQexec(connection_.get(), sql.c_str()));
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY)
      return {};
    return failure(connection_.get(), result.get());
  }

  DatabaseResult<std::unique_ptr<Answer>> query(const std::string& sql) override {
    // One statement only: PQsendQuery would take several.
    if (PQsendQueryParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr,
                          0) != 1)
      return failure(connection_.get(), nullptr);
    PQsetSingleRowMode(connection_.get());
    ResultRows first(PQgetResult(connection_.get()));
    const ExecStatusType status = PQresultStatus(first.get());
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      const DatabaseFailure reason = failure(connection_.get(), first.get());
      while (first) first.reset(PQgetResult(connection_.get()));
      return reason;
    }
    return std::unique_ptr<Answer>(new PostgresAnswer(connection_.get(), std::move(first)));
  }

  DatabaseResult<std::unique_ptr<Appender>> append_to(const std::string& schema,
                                                      const std::string& table,
                                                      const std::vector<ColumnType>&) override {
    std::string name = quoted(table);
    if (!schema.empty()) name = fmt::format("{}.{}", quoted(schema), name);
    const ResultRows result(
        PQexec(connection_.get(), fmt::format("COPY {} FROM STDIN", name).c_str()));
    if (PQresultStatus(result.get()) != PGRES_COPY_IN)
      return failure(connection_.get(), result.get());
    return std::unique_ptr<Appender>(new PostgresAppender(connection_.get()));
  }

  void cancel() override {
    char reason[256];
    if (cancel_) PQcancel(cancel_.get(), reason, sizeof reason);
  }

 private:
  std::string quoted(const std::string& name) const {
    char* text = PQescapeIdentifier(connection_.get(), name.data(), name.size());
    std::string result = text ? text : "";
    PQfreemem(text);
    return result;
  }

  Connection connection_;
  std::unique_ptr<PGcancel, Closer> cancel_;
};

}  // namespace
}  // namespace panoptes

extern "C" __attribute__((visibility("default"))) void panoptes_open_database(
    const std::string& where, const panoptes::DatabaseLimits& limits,
    std::unique_ptr<panoptes::Database>& database, panoptes::DatabaseFailure& failure) {
  using namespace panoptes;
  Connection connection(PQconnectdb(where.c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) {
    failure = panoptes::failure(Kind::connection,
                                fmt::format("no connection: {}", PQerrorMessage(connection.get())));
    return;
  }
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  auto opened = std::make_unique<PostgresDatabase>(std::move(connection));
  // What a sort or a hash table of ours may take on the server.
  const std::string settings =
      limits.memory_bytes == 0
          ? std::string("SET work_mem = '256MB'")
          : fmt::format("SET work_mem = '{}kB'",
                        std::max<std::uint64_t>(
                            64, std::min<std::uint64_t>(limits.memory_bytes / 4096, 2'000'000)));
  if (const auto set = opened->execute(settings); !set) {
    failure = set.failure();
    return;
  }
  database = std::move(opened);
}
static_assert(std::is_same_v<decltype(panoptes_open_database), panoptes::OpenDatabase>);
