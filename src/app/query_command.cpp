// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/system.hpp"
#include "base/options.hpp"
#include "base/version.hpp"
#include "query/answer.hpp"
#include "query/named.hpp"
#include "query/question.hpp"
#include "query/relational_space.hpp"
#include "query/space.hpp"
#include "report/show.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

int complain(const std::string& message) {
  fmt::print(stderr, "panoptes: {}\n", message);
  return ExitCode::bad_input;
}

// For whatever is not the fault of a query.
int give_up(const DatabaseFailure& failure) {
  if (failure.kind != DatabaseFailure::Kind::interrupted) return fail(failure);
  fmt::print(stderr, "panoptes: interrupted\n");
  return ExitCode::unknown;
}

// ---- the question ---------------------------------------------------------------------------

// What is asked; "" where that makes no sense, with the reason in `problem`.
std::string question_of(const Arguments& arguments, std::string& problem) {
  std::string sql = arguments.sql;
  if (arguments.has("named")) {
    const NamedQuery* named = find_named_query(arguments.get("named"));
    if (!named)
      problem =
          fmt::format("there is no query `{}`; `--named list` lists them", arguments.get("named"));
    else
      sql = std::string(named->sql);
  } else if (sql.empty()) {
    sql.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  if (problem.empty()) problem = why_not_a_question(sql);
  // Engines want no semicolon where they put something around it.
  sql.erase(sql.find_last_not_of("; \t\r\n") + 1);
  return problem.empty() ? sql : "";
}

// ---- the space ------------------------------------------------------------------------------

ReceptionPolicy receptions_of(const Arguments& arguments) {
  if (arguments.get("receptions") == "reading") return ReceptionPolicy::reading;
  if (arguments.get("receptions") == "any") return ReceptionPolicy::any;
  return ReceptionPolicy::blocked;
}

std::uint64_t memory_of(const Arguments& arguments) {
  return parse_size(arguments.get("memory")).value_or(available_memory_bytes() / 4 * 3);
}

NativeSpaceOptions native_options(const Arguments& arguments) {
  NativeSpaceOptions options;
  options.use_interpreter = arguments.get("stepper") == "interpreter";
  options.strict = arguments.has("strict");
  options.limits.memory_bytes = memory_of(arguments);
  options.limits.seconds = parse_duration(arguments.get("time")).value_or(0.0);
  options.limits.depth = parse_count(arguments.get("depth")).value_or(0);
  options.explore.receptions = receptions_of(arguments);
  options.explore.resident = resident_bytes;
  options.explore.fixed_bytes = arguments.fixed_bytes;
  options.interrupted = &interrupted();
  return options;
}

// Everything that the rows of the space depend on.
std::string identity_of(const Arguments& arguments, const Loaded& loaded) {
  const Program& program = *loaded.program;
  std::string text =
      fmt::format("panoptes {} {} {} {} {}\n", version, arguments.get("receptions"),
                  arguments.has("strict"), arguments.has("relational"), arguments.get("depth"));
  for (std::uint32_t file = 0; file < loaded.sources.file_count(); ++file)
    text += loaded.sources.text(file);
  return text + show_rules_json(program) + show_layout_json(program) +
         show_automata_json(program, loaded.sources);
}

DatabaseResult<Space> space_of(const Arguments& arguments, const Loaded& loaded,
                               const std::vector<Relation>& relations, const Dialect& dialect,
                               Database& database) {
  SpaceRequest request;
  request.model = arguments.model;
  request.identity = identity_of(arguments, loaded);
  request.limits = fmt::format("{} {}", arguments.get("time"), arguments.get("memory"));
  request.is_relational = arguments.has("relational");
  ProgressLine progress;
  SpaceMaker maker;
  Related related;
  RelateOptions options;
  options.receptions = receptions_of(arguments);
  options.unread_messages_are_errors = arguments.has("strict");
  if (request.is_relational)
    maker.prepare = [&]() -> DatabaseResult<> {
      auto done = relate(*loaded.program, database, dialect, options);
      if (!done) return done.failure();
      related = std::move(*done);
      return {};
    };
  maker.fill = [&]() -> DatabaseResult<SpaceFacts> {
    if (request.is_relational)
      return load_relational(*loaded.program, loaded.sources, database, dialect, related, options);
    NativeSpaceOptions native = native_options(arguments);
    native.observer = progress.observer();
    return load_native(*loaded.program, loaded.sources, database, native);
  };
  return make_space(database, dialect, *loaded.program, relations, request, maker);
}

// ---- the answer -----------------------------------------------------------------------------

// Standard output, or a file that is there only when it is complete. What is no plain file, such as
// a pipe, is written to directly.
class Output {
 public:
  explicit Output(std::string path) : path_(std::move(path)), part_(path_) {
    if (path_.empty()) return;
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    is_replaced_ = !fs::exists(status) || fs::is_regular_file(status);
    if (is_replaced_) part_ += ".part";
    file_.open(part_, std::ios::binary | std::ios::trunc);
  }
  ~Output() {
    if (!is_replaced_ || is_kept_) return;
    std::error_code error;
    fs::remove(part_, error);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_open() const { return path_.empty() || file_.is_open(); }
  const std::string& part() const { return part_; }

  bool write(std::string_view text) {
    if (path_.empty()) return print(std::string(text));
    return static_cast<bool>(file_.write(text.data(), static_cast<std::streamsize>(text.size())));
  }
  bool keep() {
    if (path_.empty()) return true;
    file_.close();
    if (!file_ || !is_replaced_) return static_cast<bool>(file_);
    std::error_code error;
    fs::rename(part_, path_, error);
    is_kept_ = !error;
    return is_kept_;
  }

 private:
  std::string path_;
  std::string part_;  // what is written to
  std::ofstream file_;
  bool is_replaced_ = false;
  bool is_kept_ = false;
};

std::string json_head(const Arguments& arguments, const SpaceFacts& facts) {
  const nlohmann::ordered_json head = {
      {"schema", "panoptes-query-1"},
      {"model", arguments.model},
      {"promise", facts.is_complete() ? "exhaustive" : "partial"},
      {"ended_by", std::string(to_string(facts.stop))},
      {"states", facts.states},
      {"transitions", facts.transitions},
  };
  std::string text = head.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.resize(text.size() - 2);  // what follows belongs to it
  return text + ",\n  \"rows\": [";
}

// The rows of `sql` in the format that is wanted.
DatabaseResult<Printed> print_answer(const Arguments& arguments, const SpaceFacts& facts,
                                     const Dialect& dialect, Database& database,
                                     const std::string& sql, Output& output) {
  const std::string format = arguments.get("format");
  const WriteText write = [&](std::string_view text) { return output.write(text); };
  if (format == "parquet") {
    const auto done = database.execute(
        fmt::format("COPY (\n{}\n) TO {} (FORMAT parquet)", sql, quoted_text(output.part())));
    if (!done) return done.failure();
    return Printed{};
  }
  const std::string asked = format == "json"
                                ? fmt::format("SELECT {} FROM (\n{}\n) AS panoptes_row",
                                              dialect.row_as_json("panoptes_row"), sql)
                                : sql;
  auto answer = database.query(asked);
  if (!answer) return answer.failure();
  if (format == "csv") return print_csv(**answer, write);
  if (format != "json")
    return print_table(**answer, arguments.has("output") ? 0 : terminal_width(), write);
  if (!write(json_head(arguments, facts))) return Printed{0, false};
  auto printed = print_json_rows(**answer, write);
  if (printed && printed->is_written)
    printed->is_written = write(printed->rows == 0 ? "]\n}\n" : "\n  ]\n}\n");
  return printed;
}

// ---- what is wrong with a question ----------------------------------------------------------

bool is_about_a_name(const std::string& message) {
  return message.find("does not exist") != std::string::npos ||
         message.find("not found") != std::string::npos;
}

std::string what_there_is(const std::vector<Relation>& relations) {
  std::string text = "There are, with their columns (see --schema):\n";
  for (const Relation& relation : relations) {
    std::vector<std::string> names;
    for (const RelationColumn& column : relation.columns) names.push_back(column.name);
    text += fmt::format("  {}({})\n", relation.name, fmt::join(names, ", "));
  }
  return text + "  path_to(state)\n";
}

// DuckDB shows the place of a syntax error twice.
std::string said_once(const std::string& message) {
  const std::size_t first = message.find("\n\nLINE ");
  if (first == std::string::npos) return message;
  const std::size_t second = message.find("\n\nLINE ", first + 1);
  return second == std::string::npos ? message : message.substr(0, second);
}

int refuse(const DatabaseFailure& failure, const std::vector<Relation>& relations) {
  if (failure.kind != DatabaseFailure::Kind::statement) return give_up(failure);
  fmt::print(stderr, "panoptes: {}\n", said_once(failure.message));
  if (is_about_a_name(failure.message)) fmt::print(stderr, "{}", what_there_is(relations));
  return ExitCode::bad_input;
}

// The answer to `sql`, in a transaction that cannot write; the exit code.
int answer(const Arguments& arguments, const SpaceFacts& facts,
           const std::vector<Relation>& relations, const Dialect& dialect, Database& database,
           const std::string& sql) {
  Output output(arguments.get("output"));
  if (!output.is_open()) return complain(fmt::format("cannot write `{}`", arguments.get("output")));
  if (const auto begun = begin_asking(database); !begun) return give_up(begun.failure());
  auto printed = print_answer(arguments, facts, dialect, database, sql, output);
  static_cast<void>(database.rollback());
  if (!printed && arguments.get("format") != "table") {
    // Its own words, not those we have put around it, are what the engine should complain of.
    static_cast<void>(begin_asking(database));
    const auto again = database.query(sql);
    const DatabaseFailure reason = again ? printed.failure() : again.failure();
    return refuse(reason, relations);
  }
  if (!printed) return refuse(printed.failure(), relations);
  if (!printed->is_written || !output.keep()) {
    fmt::print(stderr, "panoptes: cannot write the answer\n");
    return ExitCode::internal_failure;
  }
  return facts.is_complete() ? ExitCode::holds : ExitCode::unknown;
}

int ask(const Arguments& arguments, const Loaded& loaded, const std::string& sql) {
  const DatabaseAddress address = *parse_database_address(arguments.get("db"));
  const Dialect dialect(address.engine);
  if (arguments.get("format") == "parquet" && address.engine != Engine::duckdb)
    return complain("--format parquet is for --db duckdb; csv is for all");
  // Half is for the database; the search ends when both together take more than all.
  DatabaseLimits limits;
  limits.memory_bytes = memory_of(arguments) / 2;
  limits.threads = static_cast<unsigned>(parse_count(arguments.get("threads")).value_or(0));
  const auto opened = open_database(address, limits);
  if (!opened) return give_up(opened.failure());
  Database& database = **opened;
  const InterruptWatch watch(database);
  const std::vector<Relation> relations = space_relations(*loaded.program, loaded.sources, dialect);
  const auto space = space_of(arguments, loaded, relations, dialect, database);
  if (!space) return give_up(space.failure());
  if (space->has_replaced)
    fmt::print(stderr,
               "note: the database held another model's space, or with other options; it was "
               "replaced\n");
  if (!space->facts.is_complete())
    fmt::print(stderr,
               "warning: the space is partial ({}): {} states, {} of them with their transitions\n",
               to_string(space->facts.stop), with_commas(space->facts.states),
               with_commas(space->facts.expanded));
  return answer(arguments, space->facts, relations, dialect, database, sql);
}

}  // namespace

int query_command(const Arguments& arguments) {
  if (arguments.get("named") == "list")
    return print(list_named_queries()) ? ExitCode::holds : ExitCode::internal_failure;
  const Loaded loaded = load(arguments);
  fmt::print(stderr, "{}", loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  if (arguments.has("schema")) {
    const Dialect dialect(parse_database_address(arguments.get("db"))->engine);
    const std::string text =
        describe_relations(space_relations(*loaded.program, loaded.sources, dialect));
    return print(text) ? ExitCode::holds : ExitCode::internal_failure;
  }
  std::string problem;
  const std::string sql = question_of(arguments, problem);
  if (!problem.empty()) return complain(problem);
  try {
    return ask(arguments, loaded, sql);
  } catch (const InternalFault& fault) {
    fmt::print(stderr,
               "panoptes: internal failure: {}\n"
               "This is a fault of Panoptes, not of the model.\n",
               fault.what());
    return ExitCode::internal_failure;
  }
}

}  // namespace panoptes
