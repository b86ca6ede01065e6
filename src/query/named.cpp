// SPDX-License-Identifier: Apache-2.0
#include "query/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace panoptes {
namespace {

constexpr auto query_table = std::to_array<NamedQuery>({
    {"deadlocks", "no rule is enabled, and not every process may stop",
     "SELECT * FROM states\n"
     "WHERE is_expanded AND NOT may_stop\n"
     "  AND state NOT IN (SELECT source FROM transitions)\n"
     "ORDER BY state"},
    {"unspecified_receptions", "a process waits for ever, with a message that it does not take",
     "SELECT state, process, control_state, channel, message FROM receptions\n"
     "WHERE is_reading AND NOT is_accepted AND is_stuck\n"
     "  AND state IN (SELECT state FROM states WHERE is_expanded)\n"
     "ORDER BY state, process, channel"},
    {"receptions_reading", "the same with --receptions reading: it may do something else",
     "SELECT state, process, control_state, channel, message FROM receptions\n"
     "WHERE is_reading AND NOT is_accepted\n"
     "ORDER BY state, process, channel"},
    {"receptions_any", "the same with --receptions any: it need not be reading that channel",
     "SELECT state, process, control_state, channel, message FROM receptions\n"
     "WHERE NOT is_accepted\n"
     "ORDER BY state, process, channel"},
    {"assertions", "an assertion is violated, or not complete where the protocol ends",
     "SELECT state, rule, process, place, text, assertion FROM failures JOIN rules USING (rule)\n"
     "WHERE kind = 'assertion'\n"
     "UNION ALL\n"
     "SELECT state, NULL, NULL, NULL, NULL, assertion FROM assertions\n"
     "WHERE NOT is_complete AND state IN (SELECT state FROM states WHERE is_end)\n"
     "ORDER BY state, rule"},
    {"unread_messages", "every process has ended and a channel is not empty",
     "SELECT state, channel, message FROM messages\n"
     "WHERE position = 1 AND state IN (SELECT state FROM states WHERE is_end)\n"
     "ORDER BY state, channel"},
    {"overflows", "with --overflow error, a send finds its channel full",
     "SELECT state, rule, process, channel, message FROM failures JOIN rules USING (rule)\n"
     "WHERE kind = 'overflow'\n"
     "ORDER BY state, rule"},
    {"divisions_by_zero", "an expression divides by zero",
     "SELECT state, rule, process, place, text FROM failures JOIN rules USING (rule)\n"
     "WHERE kind = 'division_by_zero'\n"
     "ORDER BY state, rule"},
    {"indices_out_of_range", "a member of a family or array that does not exist",
     "SELECT state, rule, process, place, text FROM failures JOIN rules USING (rule)\n"
     "WHERE kind = 'index_out_of_range'\n"
     "ORDER BY state, rule"},
    {"values_out_of_range", "a value that the declared range of its variable does not hold",
     "SELECT state, rule, process, place, text FROM failures JOIN rules USING (rule)\n"
     "WHERE kind = 'out_of_range'\n"
     "ORDER BY state, rule"},
    {"invariants", "an always or never does not hold",
     "SELECT state, message AS invariant, text FROM errors\n"
     "WHERE kind = 'invariant'\n"
     "ORDER BY state, invariant"},
    {"livelocks", "only internal steps from here on, and for ever",
     "WITH RECURSIVE free(state) AS (\n"
     "  (SELECT state FROM states WHERE may_stop OR NOT is_expanded\n"
     "   UNION SELECT state FROM failures\n"
     "   UNION SELECT source FROM transitions JOIN rules USING (rule) WHERE is_external\n"
     "   UNION (SELECT state FROM states EXCEPT SELECT source FROM transitions))\n"
     "  UNION\n"
     "  SELECT source FROM transitions JOIN free ON target = free.state\n"
     ")\n"
     "SELECT * FROM states WHERE state NOT IN (SELECT state FROM free)\n"
     "ORDER BY state"},
    {"faulty", "states from which an error can be reached, those it was found in first",
     "SELECT * FROM faulty\n"
     "ORDER BY error_kinds IS NULL, state"},
    {"dead_code", "statements that no reachable state executes",
     "SELECT place, owner, text FROM statements\n"
     "WHERE statement NOT IN (SELECT statement FROM rule_statements JOIN transitions USING "
     "(rule))\n"
     "ORDER BY statement"},
    {"dead_messages", "messages that are never in their channel, though the text has them",
     "SELECT channel, message FROM alphabet\n"
     "WHERE (channel, message) NOT IN (SELECT channel, name FROM messages)\n"
     "ORDER BY channel, message"},
});

}  // namespace

std::span<const NamedQuery> named_queries() { return query_table; }

const NamedQuery* find_named_query(std::string_view name) {
  const auto found = std::find_if(query_table.begin(), query_table.end(),
                                  [&](const NamedQuery& query) { return query.name == name; });
  return found == query_table.end() ? nullptr : &*found;
}

std::string list_named_queries() {
  std::string out;
  for (const NamedQuery& query : query_table)
    out += fmt::format("{:<24}{}\n", query.name, query.sentence);
  return out;
}

}  // namespace panoptes
