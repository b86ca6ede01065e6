// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>
#include <iterator>

#include "api/spaces.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/database.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/output.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

// For whatever is not the fault of a query.
int give_up(const DatabaseFailure& failure) {
  if (failure.kind != DatabaseFailure::Kind::interrupted) return fail(failure);
  tell(fmt::format("panoptes: {}\n", interrupted() ? "interrupted" : "--time is over"));
  return ExitCode::unknown;
}

// ---- the question ---------------------------------------------------------------------------

// What is asked; "" where that makes no sense, with the reason in `problem`.
std::string question_of(const Arguments& arguments, std::string& problem) {
  std::string sql = arguments.operand("SQL");
  if (arguments.has(option::named)) {
    sql = find_named_query(arguments.get(option::named))->sql;
  } else if (sql.empty()) {
    sql.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  if (problem.empty()) problem = why_not_a_question(sql);
  return problem.empty() ? statement_of(sql) : "";
}

// ---- the space ------------------------------------------------------------------------------

// What the two that share --memory may take. A database in this process has a third of what is left
// beside it for its buffers, and needs another for all else; one on a server takes nothing here.
struct Memory {
  std::uint64_t search = 0, database = 0;
};
Memory shared_memory_of(const Arguments& arguments, Engine engine) {
  const std::uint64_t all = memory_of(arguments);
  if (engine != Engine::duckdb) return {all, all / 2};
  const std::uint64_t part = part_beside_duckdb(all, 3);
  return {part, part};
}

SpaceSearch search_of(const Arguments& arguments, Engine engine, ProgressLine& progress) {
  SpaceSearch search;
  search.native = space_options(arguments);
  search.native.limits.memory_bytes = shared_memory_of(arguments, engine).search;
  set_time_limits(arguments, search.native.limits);
  search.native.limits.seconds /= 2.0;  // the other half is the database's
  // What DuckDB takes of the process is not the search's.
  if (engine != Engine::duckdb) measure_memory(arguments, search.native.explore);
  search.native.interrupted = &interrupted();
  search.native.observer = progress.observer();
  search.progress = [&](const std::string& what) { progress.show(what); };
  return search;
}

// ---- what is wrong with a question ----------------------------------------------------------

bool is_about_a_name(const std::string& message) {
  for (const char* said : {"does not exist", "not found", "Cannot extract field"})
    if (message.find(said) != std::string::npos) return true;
  return false;
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

// `meant`: what columns are called that the question names as the model does; mostly "". An engine
// would suggest others.
int refuse(const DatabaseFailure& failure, const std::vector<Relation>& relations,
           const std::string& meant) {
  if (failure.kind != DatabaseFailure::Kind::statement) return give_up(failure);
  const bool is_about_name = is_about_a_name(failure.message);
  if (is_about_name && !meant.empty()) {
    tell(fmt::format("panoptes: {}\n{}", failure.message.substr(0, failure.message.find('\n')),
                     meant));
    return ExitCode::bad_input;
  }
  tell(fmt::format("panoptes: {}\n", said_once(failure.message)));
  if (is_about_name) tell(what_there_is(relations));
  return ExitCode::bad_input;
}

// A failure of a statement that has a line before the user's, told as if it had not.
DatabaseFailure a_line_earlier(DatabaseFailure failure) {
  const std::string mark = "\nLINE ";
  const std::size_t at = failure.message.find(mark);
  if (at == std::string::npos) return failure;
  const std::size_t begin = at + mark.size(), end = failure.message.find(':', begin);
  const auto line = parse_count(failure.message.substr(begin, end - begin));
  if (end == std::string::npos || line.value_or(0) < 2) return failure;
  const std::string number = fmt::format("{}", *line - 1);
  const std::size_t less = end - begin - number.size();
  const std::size_t caret = failure.message.find('\n', end);
  if (caret != std::string::npos) failure.message.erase(caret + 1, less);
  failure.message.replace(begin, end - begin, number);
  return failure;
}

// Why `sql` was not answered. Where we have put something around it, the engine should complain of
// its own words; so it is asked how it would go about it, which it need not do for that.
DatabaseFailure reason_of(const DatabaseFailure& failure, AnswerFormat format, Database& database,
                          const std::string& sql) {
  if (failure.kind != DatabaseFailure::Kind::statement ||
      (format != AnswerFormat::json && format != AnswerFormat::parquet))
    return failure;
  if (const auto begun = begin_asking(database); !begun) return begun.failure();
  const auto plan = database.query("EXPLAIN\n" + sql);
  return a_line_earlier(plan ? failure : plan.failure());
}

// The answer to `sql`, in a transaction that cannot write; the exit code.
int answer(const Arguments& arguments, const Protocol& protocol, const SpaceFacts& facts,
           const std::vector<Relation>& relations, const Dialect& dialect, Database& database,
           const std::string& sql, Output& output) {
  if (const auto begun = begin_asking(database); !begun) return give_up(begun.failure());
  const AnswerForm form{arguments.get(option::answer_format),
                        arguments.has(option::output) ? 0 : terminal_width(), output.part()};
  auto printed =
      print_answer(arguments.model, form, facts, dialect, database, sql,
                   [&](std::string_view text) { return output.write(text) && output.is_wanted(); });
  static_cast<void>(database.rollback());
  if (!printed)
    return refuse(reason_of(printed.failure(), arguments.get(option::answer_format), database, sql),
                  relations, columns_meant(protocol, sql));
  if (output.is_wanted() && (!printed->is_written || !output.keep())) {
    tell("panoptes: cannot write the answer\n");
    return ExitCode::internal_failure;
  }
  return facts.is_complete() ? ExitCode::holds : ExitCode::unknown;
}

int ask(const Arguments& arguments, const Loaded& loaded, const std::string& sql) {
  const DatabaseAddress address = *arguments.get(option::db);
  const Dialect dialect(address.engine);
  if (arguments.get(option::answer_format) == AnswerFormat::parquet &&
      address.engine != Engine::duckdb)
    return complain("--format parquet is for --db duckdb; csv is for all");
  // Before a search that may take its time.
  Output output(arguments.get(option::output));
  if (!output.is_open()) return complain(fmt::format("--output {}", output.problem()));
  const std::uint64_t memory_bytes = shared_memory_of(arguments, address.engine).database;
  const auto opened = open_database(address, limits_of(arguments, memory_bytes));
  if (!opened) return give_up(opened.failure());
  Database& database = **opened;
  const InterruptWatch watch(database, arguments);
  const DatabaseCeiling ceiling(arguments, address.engine);
  std::vector<Relation> relations = space_relations(*loaded.program, loaded.sources, dialect);
  const auto space = [&] {
    ProgressLine progress(arguments.has(option::progress));
    return space_of(arguments.model, arguments, loaded, relations, dialect, database,
                    search_of(arguments, address.engine, progress));
  }();
  if (!space) return give_up(space.failure());
  if (space->has_replaced)
    tell(
        "note: the database held another model's space, or with other options; it was "
        "replaced\n");
  if (!space->facts.is_complete())
    tell(fmt::format(
        "warning: the space is partial ({}): {} states, {} of them with their transitions\n",
        to_string(space->facts.conclusion.stop), with_commas(space->facts.states),
        with_commas(space->facts.expanded)));
  return answer(arguments, loaded.program->protocol, space->facts, relations, dialect, database,
                sql, output);
}

}  // namespace

int query_command(const Arguments& arguments) {
  if (arguments.get(option::named) == "list")
    return print(list_named_queries()) ? ExitCode::holds : ExitCode::internal_failure;
  Loaded loaded = load(arguments);
  if (arguments.has(option::relational)) refuse_indivisible(loaded);
  tell(loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  if (arguments.has(option::schema)) {
    const Dialect dialect(arguments.get(option::db)->engine);
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
    return own_fault(fault.what());
  }
}

}  // namespace panoptes
