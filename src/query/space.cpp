// SPDX-License-Identifier: Apache-2.0
#include "query/space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "base/parse_value.hpp"
#include "base/utf8.hpp"
#include "query/create_space.hpp"
#include "query/findings.hpp"
#include "relational/rows.hpp"

namespace panoptes {
namespace {

// What `space` says of itself.
struct Known {
  std::string identity, limits;
  SpaceFacts facts;
};

// The first row of an answer, numbers as text too; nothing where there is none.
DatabaseResult<std::optional<std::vector<std::string>>> first_row(Database& database,
                                                                  const std::string& sql) {
  std::optional<std::vector<std::string>> result;
  const auto done = for_each_row(database, sql, [&](const Chunk& chunk, std::size_t r) {
    if (result) return;
    result.emplace();
    for (const Chunk::Values& values : chunk.columns)
      result->push_back(!values.texts.empty()      ? values.texts[r]
                        : !values.integers.empty() ? std::to_string(values.integers[r])
                                                   : std::string{});
  });
  if (!done) return done.failure();
  return result;
}

Stop kept_stop(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Stop::omission); ++i)
    if (to_string(static_cast<Stop>(i)) == text) return static_cast<Stop>(i);
  return Stop::interrupted;
}

// What is in the database already.
struct Present {
  bool has_schema = false;
  std::optional<Known> known;
};

// SQL that counts schemas `panoptes`, and what is in them, of any kind.
std::string count_schema(const Dialect& dialect) {
  std::vector<std::string> counts;
  if (dialect.engine() == Engine::duckdb) {
    for (const char* kind : {"tables", "views", "sequences", "functions", "types"})
      counts.push_back(
          fmt::format("(SELECT count(*) FROM duckdb_{}() WHERE schema_name = 'panoptes' AND "
                      "database_name = current_database())",
                      kind));
    return fmt::format(
        "SELECT count(*), {} FROM duckdb_schemas() WHERE schema_name = 'panoptes' AND "
        "database_name = current_database()",
        fmt::join(counts, " + "));
  }
  constexpr std::pair<const char*, const char*> catalogs[] = {
      {"pg_class", "relnamespace"}, {"pg_proc", "pronamespace"}, {"pg_type", "typnamespace"}};
  for (const auto& [table, column] : catalogs)
    counts.push_back(
        fmt::format("(SELECT count(*) FROM pg_catalog.{} WHERE {} = (SELECT oid FROM "
                    "pg_catalog.pg_namespace WHERE nspname = 'panoptes'))",
                    table, column));
  return fmt::format("SELECT count(*), {} FROM pg_catalog.pg_namespace WHERE nspname = 'panoptes'",
                     fmt::join(counts, " + "));
}

// What a row of `space` says; nothing where it is none of ours.
std::optional<Known> known_by(const std::vector<std::string>& cells) {
  Known known{cells[0], cells[1], {}};
  known.facts.conclusion = conclusion_of(kept_stop(cells[2]), {});
  std::uint64_t* const numbers[] = {&known.facts.states, &known.facts.expanded,
                                    &known.facts.transitions, &known.facts.depth};
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const auto number = parse_count(cells[3 + i]);
    if (!number) return {};
    *numbers[i] = *number;
  }
  return known;
}

DatabaseResult<Present> find_space(Database& database, const Dialect& dialect) {
  const auto counts = first_row(database, count_schema(dialect));
  if (!counts) return counts.failure();
  Present found;
  found.has_schema = (**counts)[0] != "0";
  if (!found.has_schema || (**counts)[1] == "0") return found;
  const auto row = first_row(database,
                             "SELECT identity, limits, ended_by, states, expanded, transitions, "
                             "depth FROM panoptes.space");
  // Only where there is no such table is it certain that this is no space.
  if (!row && row.failure().kind != DatabaseFailure::Kind::statement) return row.failure();
  if (row && *row) found.known = known_by(**row);
  if (found.known) return found;
  return DatabaseFailure{
      DatabaseFailure::Kind::privilege,
      "the database has a schema `panoptes` that is no state space; use another database"};
}

// SQL that takes a space away, and nothing else: where something is made of it that is not ours,
// PostgreSQL refuses.
std::string drop_space(const std::vector<Relation>& relations, const Dialect& dialect) {
  std::string sql = dialect.engine() == Engine::duckdb
                        ? "DROP MACRO TABLE IF EXISTS panoptes.path_to;\n"
                        : "DROP FUNCTION IF EXISTS panoptes.path_to(BIGINT) RESTRICT;\n";
  for (auto relation = relations.rbegin(); relation != relations.rend(); ++relation)
    if (!relation->query.empty())
      sql += fmt::format("DROP VIEW IF EXISTS panoptes.{} RESTRICT;\n", relation->name);
  std::vector<std::string> tables = {"packed_states", "plain_transitions", "error_groups",
                                     "findings"};
  for (const Relation& relation : relations)
    if (relation.query.empty()) tables.push_back(relation.name);
  for (const std::string& table : tables)
    sql += fmt::format("DROP TABLE IF EXISTS panoptes.{} RESTRICT;\n", table);
  return sql;
}

DatabaseResult<> drop(Database& database, const std::string& sql) {
  auto done = database.execute(sql);
  if (done || done.failure().kind != DatabaseFailure::Kind::statement) return done;
  return DatabaseFailure{
      DatabaseFailure::Kind::privilege,
      fmt::format("the space in the database cannot be replaced: {}", done.failure().message)};
}

std::string hashed(const std::string& text) {
  StateWords words((text.size() + 7) / 8 + 1, 0);
  words.back() = text.size();
  for (std::size_t i = 0; i < text.size(); ++i)
    words[i / 8] |= Word{static_cast<unsigned char>(text[i])} << (i % 8 * 8);
  return fmt::format("{:016x}{:016x}", hash_words(words), hash_words(words, 1));
}

std::vector<Cell> space_row(const SpaceRequest& request, const SpaceFacts& facts,
                            const std::string& identity) {
  const auto cell = [](std::uint64_t value) { return Cell{static_cast<std::int64_t>(value)}; };
  return {as_utf8(request.model),  // a path may be any bytes, a text of a database may not
          std::string(request.is_relational ? "relational" : "native"),
          cell(facts.is_complete()),
          std::string(to_string(facts.conclusion.stop)),
          cell(facts.states),
          cell(facts.expanded),
          cell(facts.transitions),
          cell(facts.depth),
          identity,
          request.limits};
}

// Where the engine looks for rows by an index.
constexpr const char* help =
    "CREATE UNIQUE INDEX ON panoptes.packed_states (state);\n"
    "CREATE INDEX ON panoptes.plain_transitions (source);\n"
    "CREATE INDEX ON panoptes.plain_transitions (target);\n"
    "ANALYZE panoptes.packed_states;\n"
    "ANALYZE panoptes.plain_transitions;\n"
    "ANALYZE panoptes.rules;\n";

}  // namespace

DatabaseResult<> begin_asking(Database& database) {
  if (auto done = database.execute("SET search_path = 'panoptes'"); !done) return done;
  return database.execute("BEGIN TRANSACTION READ ONLY");
}

DatabaseResult<Space> make_space(Database& database, const Dialect& dialect, const Program& program,
                                 std::vector<Relation>& relations, const SpaceRequest& request,
                                 const SpaceMaker& maker) {
  const std::string identity = hashed(request.identity);
  const auto found = find_space(database, dialect);
  if (!found) return found.failure();
  const std::optional<Known>& known = found->known;
  if (known && known->identity == identity &&
      (known->facts.is_complete() || known->limits == request.limits))
    return Space{known->facts, true, false};
  if (maker.prepare)
    if (auto done = maker.prepare(); !done) return done.failure();

  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun().failure();
  if (known)
    if (auto done = drop(database, drop_space(relations, dialect)); !done) return done.failure();
  // Who owns the schema need not be allowed to make one.
  std::string create = found->has_schema ? "" : "CREATE SCHEMA panoptes;\n";
  create += create_space_tables(program, dialect);
  create += create_space_views(program, relations, dialect);
  if (auto done = database.execute(create); !done) return done.failure();
  // A search needs the memory that their rows take here.
  for (Relation& relation : relations)
    if (auto done = append_rows(database, relation.name, relation.columns,
                                std::exchange(relation.rows, {}));
        !done)
      return done.failure();
  const auto facts = maker.fill();
  if (!facts) return facts.failure();
  if (facts->conclusion.stop == Stop::interrupted)
    return DatabaseFailure{DatabaseFailure::Kind::interrupted, "interrupted"};
  const auto space = std::ranges::find(relations, "space", &Relation::name);
  assert(space != relations.end());
  if (auto done = append_rows(database, space->name, space->columns,
                              {space_row(request, *facts, identity)});
      !done)
    return done.failure();
  if (dialect.needs_help())
    if (auto done = database.execute(help); !done) return done.failure();
  if (auto done = transaction.commit(); !done) return done.failure();
  return Space{*facts, false, known.has_value()};
}

}  // namespace panoptes
