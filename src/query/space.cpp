// SPDX-License-Identifier: Apache-2.0
#include "query/space.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/hash.hpp"
#include "query/findings.hpp"

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
  auto answer = database.query(sql);
  if (!answer) return answer.failure();
  Chunk chunk;
  const auto more = (*answer)->next(chunk);
  if (!more) return more.failure();
  std::optional<std::vector<std::string>> result;
  if (!*more) return result;
  result.emplace();
  for (const Chunk::Values& values : chunk.columns)
    result->push_back(!values.texts.empty()      ? values.texts[0]
                      : !values.integers.empty() ? std::to_string(values.integers[0])
                                                 : std::string{});
  // The rest must be taken before the next call.
  Chunk rest;
  while (true) {
    const auto again = (*answer)->next(rest);
    if (!again) return again.failure();
    if (!*again) return result;
  }
}

std::uint64_t to_number(const std::string& text) { return std::stoull(text); }

Stop stop_of(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Stop::omission); ++i)
    if (to_string(static_cast<Stop>(i)) == text) return static_cast<Stop>(i);
  return Stop::interrupted;
}

// The space that is there; nothing where there is none.
DatabaseResult<std::optional<Known>> known_space(Database& database) {
  const auto tables =
      first_row(database,
                "SELECT count(*), count(CASE WHEN table_name = 'space' THEN 1 END) FROM "
                "information_schema.tables WHERE table_schema = 'panoptes'");
  if (!tables) return tables.failure();
  if ((**tables)[0] == "0") return std::optional<Known>{};
  const DatabaseFailure stranger{
      DatabaseFailure::Kind::statement,
      "the database has a schema `panoptes` that is no state space; use another database"};
  if ((**tables)[1] == "0") return stranger;
  const auto row = first_row(database,
                             "SELECT identity, limits, ended_by, states, expanded, transitions, "
                             "depth FROM panoptes.space");
  if (!row || !*row) return stranger;
  const std::vector<std::string>& cells = **row;
  Known known{cells[0], cells[1], {}};
  known.facts.stop = stop_of(cells[2]);
  known.facts.states = to_number(cells[3]);
  known.facts.expanded = to_number(cells[4]);
  known.facts.transitions = to_number(cells[5]);
  known.facts.depth = to_number(cells[6]);
  return std::optional<Known>{known};
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
  return {request.model,
          std::string(request.is_relational ? "relational" : "native"),
          cell(facts.is_complete()),
          std::string(to_string(facts.stop)),
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
                                 const std::vector<Relation>& relations,
                                 const SpaceRequest& request, const SpaceMaker& maker) {
  const std::string identity = hashed(request.identity);
  const auto known = known_space(database);
  if (!known) return known.failure();
  if (*known && (*known)->identity == identity &&
      ((*known)->facts.is_complete() || (*known)->limits == request.limits))
    return Space{(*known)->facts, true, false};
  if (maker.prepare)
    if (auto done = maker.prepare(); !done) return done.failure();

  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun().failure();
  std::string create = *known ? "DROP SCHEMA panoptes CASCADE;\n" : "";
  create += "CREATE SCHEMA IF NOT EXISTS panoptes;\n" + create_space_tables(program, dialect);
  create += create_space_views(program, relations, dialect);
  if (auto done = database.execute(create); !done) return done.failure();
  const auto facts = maker.fill();
  if (!facts) return facts.failure();
  if (facts->stop == Stop::interrupted)
    return DatabaseFailure{DatabaseFailure::Kind::interrupted, "interrupted"};
  for (const Relation& relation : relations) {
    const auto done = relation.name == "space"
                          ? append_rows(database, relation.name, relation.columns,
                                        {space_row(request, *facts, identity)})
                          : append_rows(database, relation.name, relation.columns, relation.rows);
    if (!done) return done.failure();
  }
  if (dialect.needs_help())
    if (auto done = database.execute(help); !done) return done.failure();
  if (auto done = transaction.commit(); !done) return done.failure();
  return Space{*facts, false, known->has_value()};
}

}  // namespace panoptes
