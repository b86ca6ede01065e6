// SPDX-License-Identifier: Apache-2.0
// DuckDB behind the Database seam, by its C interface.
//
// Idea: an answer is fetched as the chunks of columns DuckDB has anyway, which it makes while they
// are fetched. Types that have no place in a Chunk (lists, dates) are cast to text by DuckDB
// itself: the query is prepared once to see its types, and again around a cast where that is
// needed.
//
// A file is attached to a database in memory, under a name of its own: by itself it would have the
// name of the file, and then `panoptes.db` is a catalog of the same name as a schema in it.
//
// How it can be wrong: a file that another process has open cannot be opened; DuckDB says which.
#include <duckdb.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "relational/database.hpp"

namespace panoptes {
namespace {

using Kind = DatabaseFailure::Kind;

struct Closer {
  void operator()(duckdb_database* p) const { duckdb_close(p), delete p; }
  void operator()(duckdb_connection* p) const { duckdb_disconnect(p), delete p; }
  void operator()(duckdb_prepared_statement* p) const { duckdb_destroy_prepare(p), delete p; }
  void operator()(duckdb_pending_result* p) const { duckdb_destroy_pending(p), delete p; }
  void operator()(duckdb_result* p) const { duckdb_destroy_result(p), delete p; }
  void operator()(duckdb_appender* p) const { duckdb_appender_destroy(p), delete p; }
  void operator()(duckdb_data_chunk* p) const { duckdb_destroy_data_chunk(p), delete p; }
  void operator()(duckdb_config* p) const { duckdb_destroy_config(p), delete p; }
};
template <typename Handle>
using Owned = std::unique_ptr<Handle, Closer>;
template <typename Handle>
Owned<Handle> make_owned() {
  return Owned<Handle>(new Handle{});
}

Kind kind_of(duckdb_error_type type) {
  switch (type) {
    case DUCKDB_ERROR_OUT_OF_MEMORY: return Kind::memory;
    case DUCKDB_ERROR_IO: return Kind::space;
    case DUCKDB_ERROR_PERMISSION: return Kind::privilege;
    case DUCKDB_ERROR_INTERRUPT: return Kind::interrupted;
    case DUCKDB_ERROR_CONNECTION:
    case DUCKDB_ERROR_FATAL: return Kind::connection;
    default: return Kind::statement;
  }
}

// DuckDB's own words, without the class of the error: `kind` says it, or where some calls give
// nothing but words, the class itself.
DatabaseFailure failure(Kind kind, const char* text) {
  std::string message = text ? text : "no reason given";
  for (const auto& [prefix, own_kind] :
       {std::pair<std::string_view, Kind>("IO Error: ", Kind::space),
        {"Out of Memory Error: ", Kind::memory},
        {"INTERRUPT Error: ", Kind::interrupted},
        {"Parser Error: ", Kind::statement},
        {"Binder Error: ", Kind::statement},
        {"Catalog Error: ", Kind::statement},
        {"Invalid Input Error: ", Kind::statement},
        {"Conversion Error: ", Kind::statement},
        {"TransactionContext Error: ", Kind::statement}}) {
    if (!message.starts_with(prefix)) continue;
    message.erase(0, prefix.size());
    if (kind == Kind::statement) kind = own_kind;
  }
  while (message.ends_with('\n')) message.pop_back();
  // A std::bad_alloc has no class.
  if (message == "Allocation failure" || message == "std::bad_alloc") kind = Kind::memory;
  return {kind, fmt::format("DuckDB: {}", message)};
}

ColumnType column_type(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN: return ColumnType::boolean;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER: return ColumnType::integer;
    case DUCKDB_TYPE_UBIGINT: return ColumnType::word;
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_FLOAT: return ColumnType::real;
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
    case DUCKDB_TYPE_DECIMAL: return ColumnType::number;
    default: return ColumnType::text;
  }
}

// Whether a chunk can hold values of that type as they are.
bool is_native(duckdb_type type) {
  const ColumnType column = column_type(type);
  return type == DUCKDB_TYPE_VARCHAR ||
         (column != ColumnType::text && column != ColumnType::number);
}

template <typename T>
void add_integers(const void* data, idx_t rows, std::vector<std::int64_t>& out) {
  const T* values = static_cast<const T*>(data);
  out.resize(rows);
  std::copy(values, values + rows, out.begin());
}

template <typename T>
void add_reals(const void* data, idx_t rows, std::vector<double>& out) {
  const T* values = static_cast<const T*>(data);
  out.assign(values, values + rows);
}

void add_texts(void* data, idx_t rows, Chunk::Values& out) {
  auto* values = static_cast<duckdb_string_t*>(data);
  out.texts.resize(rows);
  for (idx_t i = 0; i < rows; ++i)
    if (!out.is_null[i])
      out.texts[i].assign(duckdb_string_t_data(&values[i]), duckdb_string_t_length(values[i]));
}

void add_values(duckdb_vector vector, duckdb_type type, idx_t rows, Chunk::Values& out) {
  void* data = duckdb_vector_get_data(vector);
  std::uint64_t* validity = duckdb_vector_get_validity(vector);
  out.is_null.resize(rows);
  for (idx_t i = 0; i < rows; ++i)
    out.is_null[i] = validity && !duckdb_validity_row_is_valid(validity, i);
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN: add_integers<bool>(data, rows, out.integers); break;
    case DUCKDB_TYPE_TINYINT: add_integers<std::int8_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_SMALLINT: add_integers<std::int16_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_INTEGER: add_integers<std::int32_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_UTINYINT: add_integers<std::uint8_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_USMALLINT: add_integers<std::uint16_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_UINTEGER: add_integers<std::uint32_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UBIGINT: add_integers<std::uint64_t>(data, rows, out.integers); break;
    case DUCKDB_TYPE_FLOAT: add_reals<float>(data, rows, out.reals); break;
    case DUCKDB_TYPE_DOUBLE: add_reals<double>(data, rows, out.reals); break;
    default: add_texts(data, rows, out); break;
  }
}

class DuckAnswer final : public Answer {
 public:
  DuckAnswer(Owned<duckdb_result> result, std::vector<Column> columns)
      : result_(std::move(result)), columns_(std::move(columns)) {}

  const std::vector<Column>& columns() const override { return columns_; }

  DatabaseResult<bool> next(Chunk& chunk) override {
    chunk.clear(columns_.size());
    Owned<duckdb_data_chunk> data(new duckdb_data_chunk(duckdb_fetch_chunk(*result_)));
    if (!*data) {
      if (const char* error = duckdb_result_error(result_.get()))
        return failure(kind_of(duckdb_result_error_type(result_.get())), error);
      return false;
    }
    chunk.rows = duckdb_data_chunk_get_size(*data);
    for (idx_t c = 0; c < columns_.size(); ++c)
      add_values(duckdb_data_chunk_get_vector(*data, c), duckdb_column_type(result_.get(), c),
                 chunk.rows, chunk.columns[c]);
    return chunk.rows > 0;
  }

 private:
  Owned<duckdb_result> result_;
  std::vector<Column> columns_;
};

class DuckAppender final : public Appender {
 public:
  DuckAppender(Owned<duckdb_appender> appender, std::vector<ColumnType> types)
      : appender_(std::move(appender)), types_(std::move(types)) {}

  void integer(std::int64_t value) override {
    if (types_[column_++] == ColumnType::word)
      note(duckdb_append_uint64(*appender_, static_cast<std::uint64_t>(value)));
    else
      note(duckdb_append_int64(*appender_, value));
  }
  void text(std::string_view value) override {
    ++column_;
    note(duckdb_append_varchar_length(*appender_, value.data(), value.size()));
  }
  void null() override {
    ++column_;
    note(duckdb_append_null(*appender_));
  }
  DatabaseResult<> end_row() override {
    column_ = 0;
    note(duckdb_appender_end_row(*appender_));
    return result();
  }
  DatabaseResult<> finish() override {
    note(duckdb_appender_close(*appender_));
    return result();
  }

 private:
  void note(duckdb_state state) { failed_ = failed_ || state == DuckDBError; }
  DatabaseResult<> result() {
    if (!failed_) return {};
    duckdb_error_data data = duckdb_appender_error_data(*appender_);
    const DatabaseFailure reason =
        failure(kind_of(duckdb_error_data_error_type(data)), duckdb_error_data_message(data));
    duckdb_destroy_error_data(&data);
    return reason;
  }

  Owned<duckdb_appender> appender_;
  std::vector<ColumnType> types_;
  std::size_t column_ = 0;
  bool failed_ = false;
};

class DuckDatabase final : public Database {
 public:
  DuckDatabase(Owned<duckdb_database> database, Owned<duckdb_connection> connection)
      : database_(std::move(database)), connection_(std::move(connection)) {}

  DatabaseResult<> execute(const std::string& sql) override {
    const auto result = make_owned<duckdb_result>();
    if (duckdb_query(*connection_, sql.c_str(), result.get()) == DuckDBError)
      return failure(kind_of(duckdb_result_error_type(result.get())),
                     duckdb_result_error(result.get()));
    return {};
  }

  DatabaseResult<std::unique_ptr<Answer>> query(const std::string& sql) override {
    auto statement = prepare(sql);
    if (!statement) return statement.failure();
    std::vector<Column> columns;
    std::string list;
    bool is_cast = false;
    const idx_t count = duckdb_prepared_statement_column_count(**statement);
    for (idx_t c = 0; c < count; ++c) {
      const char* name = duckdb_prepared_statement_column_name(**statement, c);
      const duckdb_type type = duckdb_prepared_statement_column_type(**statement, c);
      columns.push_back({name, column_type(type)});
      duckdb_free(const_cast<char*>(name));
      is_cast = is_cast || !is_native(type);
      list += fmt::format("{}c{}{}", c == 0 ? "" : ", ", c, is_native(type) ? "" : "::VARCHAR");
    }
    if (is_cast) statement = prepare(cast_query(sql, list, count));
    if (!statement) return statement.failure();
    const auto pending = make_owned<duckdb_pending_result>();
    if (duckdb_pending_prepared_streaming(**statement, pending.get()) == DuckDBError)
      return failure(Kind::statement, duckdb_pending_error(*pending));
    auto result = make_owned<duckdb_result>();
    if (duckdb_execute_pending(*pending, result.get()) == DuckDBError)
      return failure(kind_of(duckdb_result_error_type(result.get())),
                     duckdb_result_error(result.get()));
    return std::unique_ptr<Answer>(new DuckAnswer(std::move(result), std::move(columns)));
  }

  DatabaseResult<std::unique_ptr<Appender>> append_to(
      const std::string& schema, const std::string& table,
      const std::vector<ColumnType>& columns) override {
    auto appender = make_owned<duckdb_appender>();
    if (duckdb_appender_create(*connection_, schema.empty() ? nullptr : schema.c_str(),
                               table.c_str(), appender.get()) == DuckDBError)
      return failure(Kind::statement, duckdb_appender_error(*appender));
    return std::unique_ptr<Appender>(new DuckAppender(std::move(appender), columns));
  }

  void cancel() override { duckdb_interrupt(*connection_); }

 private:
  DatabaseResult<Owned<duckdb_prepared_statement>> prepare(const std::string& sql) {
    auto statement = make_owned<duckdb_prepared_statement>();
    if (duckdb_prepare(*connection_, sql.c_str(), statement.get()) == DuckDBError)
      return failure(Kind::statement, duckdb_prepare_error(*statement));
    return statement;
  }

  // `sql` with its columns renamed c0, c1, ..., since two of them may have the same name.
  static std::string cast_query(const std::string& sql, const std::string& list, idx_t count) {
    std::string names;
    for (idx_t c = 0; c < count; ++c) names += fmt::format("{}c{}", c == 0 ? "" : ", ", c);
    const std::size_t end = sql.find_last_not_of("; \t\r\n");
    return fmt::format("SELECT {} FROM (\n{}\n) AS answer({})", list, sql.substr(0, end + 1),
                       names);
  }

  Owned<duckdb_database> database_;
  Owned<duckdb_connection> connection_;
};

// What has no room in memory goes beside the file, or where a database in memory has none, to the
// temporary files of the system; by itself it would go wherever the program was started.
DatabaseResult<std::string> temporary_folder(const std::string& where) {
  if (!where.empty()) return where + ".tmp";
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error)
    return DatabaseFailure{
        Kind::space,
        fmt::format("there is no folder for temporary files: {}; TMPDIR says which to use",
                    error.message())};
  return fmt::format("{}/panoptes-duckdb-{}", folder.string(), getpid());
}

// Makes the file at `where`, if any, the one that statements mean.
DatabaseResult<> attach(Database& database, const std::string& where) {
  if (where.empty()) return {};
  std::string path;
  for (const char c : where) path += c == '\'' ? std::string("''") : std::string(1, c);
  const auto attached =
      database.execute(fmt::format("ATTACH '{}' AS panoptes_file; USE panoptes_file", path));
  // Whatever is wrong with it, it is a file that cannot be used.
  if (!attached) return DatabaseFailure{Kind::space, attached.failure().message};
  return {};
}

}  // namespace
}  // namespace panoptes

extern "C" __attribute__((visibility("default"))) void panoptes_open_database(
    const std::string& where, const panoptes::DatabaseLimits& limits,
    std::unique_ptr<panoptes::Database>& database, panoptes::DatabaseFailure& failure) {
  using namespace panoptes;
  const auto config = make_owned<duckdb_config>();
  duckdb_create_config(config.get());
  if (limits.threads > 0)
    duckdb_set_config(*config, "threads", std::to_string(limits.threads).c_str());
  if (limits.memory_bytes > 0)
    duckdb_set_config(*config, "memory_limit", fmt::format("{}B", limits.memory_bytes).c_str());
  const auto temporary = temporary_folder(where);
  if (!temporary) {
    failure = temporary.failure();
    return;
  }
  duckdb_set_config(*config, "temp_directory", temporary->c_str());
  auto opened = make_owned<duckdb_database>();
  char* error = nullptr;
  if (duckdb_open_ext(nullptr, opened.get(), *config, &error) == DuckDBError) {
    failure = panoptes::failure(Kind::space, error);
    duckdb_free(error);
    return;
  }
  auto connection = make_owned<duckdb_connection>();
  if (duckdb_connect(*opened, connection.get()) == DuckDBError) {
    failure = {Kind::connection, "DuckDB: no connection"};
    return;
  }
  auto made = std::make_unique<DuckDatabase>(std::move(opened), std::move(connection));
  if (const auto attached = attach(*made, where); !attached) {
    failure = attached.failure();
    return;
  }
  database = std::move(made);
}
static_assert(std::is_same_v<decltype(panoptes_open_database), panoptes::OpenDatabase>);
