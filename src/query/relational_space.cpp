// SPDX-License-Identifier: Apache-2.0
#include "query/relational_space.hpp"

#include <fmt/format.h>

#include <map>

#include "query/findings.hpp"
#include "relational/expression_sql.hpp"
#include "relational/rows.hpp"

namespace panoptes {
namespace {

struct Found {
  std::vector<NumberedFinding> findings;
  std::map<std::uint64_t, StateWords> states;  // those of the findings
};

DatabaseResult<Found> read_findings(Database& database, const std::string& words) {
  const std::string sql = fmt::format(
      "SELECT findings.state - 1, reached.depth, findings.rule, kind, process, channel, "
      "tag, assertion, {} FROM findings JOIN reached ON reached.id = findings.state "
      "ORDER BY findings.state",
      words);
  Found found;
  const auto done = for_each_row(database, sql, [&](const Chunk& chunk, std::size_t r) {
    // -1 is `none` in 32 bits.
    const auto id = [&](std::size_t column) {
      return static_cast<std::uint32_t>(chunk.columns[column].integers[r]);
    };
    NumberedFinding next;
    next.state = static_cast<std::uint64_t>(chunk.columns[0].integers[r]);
    next.depth = static_cast<std::uint64_t>(chunk.columns[1].integers[r]);
    next.finding.rule = id(2);
    next.finding.kind = static_cast<ErrorKind>(id(3));
    next.finding.process = id(4);
    next.finding.channel = id(5);
    next.finding.tag = id(6);
    next.finding.assertion = id(7);
    found.findings.push_back(next);
    StateWords& state = found.states[next.state];
    if (!state.empty()) return;
    for (std::size_t c = 8; c < chunk.columns.size(); ++c)
      state.push_back(static_cast<Word>(chunk.columns[c].integers[r]));
  });
  if (!done) return done.failure();
  return found;
}

}  // namespace

DatabaseResult<SpaceFacts> load_relational(const Program& program, const SourceSet& sources,
                                           Database& database, const Dialect& dialect,
                                           const Related& related, const RelateOptions& options) {
  SpaceFacts facts;
  facts.conclusion =
      conclusion_of(Stop::finished, {});  // a query in a database ends when it has all
  facts.states = facts.expanded = related.states;
  facts.transitions = related.transitions;
  facts.depth = related.depth;
  const StateSql state(program, dialect);
  auto found = read_findings(database, state.words());
  if (!found) return found.failure();
  const std::string copy = fmt::format(
      "INSERT INTO panoptes.packed_states SELECT reached.id - 1, reached.depth,\n"
      "  parents.source - 1, parents.rule, {} FROM reached\n"
      "LEFT JOIN parents ON parents.state = reached.id ORDER BY reached.id;\n"
      "INSERT INTO panoptes.plain_transitions SELECT source - 1, rule, target - 1 FROM firings;\n"
      "{}",
      state.words("reached."), drop_relate_tables(dialect));
  if (auto done = database.execute(copy); !done) return done.failure();
  const auto state_of = [&](std::uint64_t number) { return StateView(found->states.at(number)); };
  if (auto done = append_findings(program, sources, found->findings, state_of,
                                  options.unread_messages_are_errors, database);
      !done)
    return done.failure();
  return facts;
}

}  // namespace panoptes
