// SPDX-License-Identifier: Apache-2.0
#include "relational/five_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "relational/rows.hpp"

namespace panoptes {
namespace {

using algebra::Names;
using algebra::Relation;
using algebra::Terms;

Names with_prefix(const std::string& prefix, Names names) {
  for (std::string& name : names) name.insert(0, prefix);
  return names;
}

// b_to_a_1, ..., b_to_a_N
Names slots(const std::string& channel, std::uint32_t capacity) {
  Names names;
  for (std::uint32_t i = 1; i <= capacity; ++i) names.push_back(fmt::format("{}_{}", channel, i));
  return names;
}

void add(Names& names, const Names& more) { names.insert(names.end(), more.begin(), more.end()); }
void add(Terms& terms, const Terms& more) { terms.insert(terms.end(), more.begin(), more.end()); }

// (old, new) for columns that get or lose a prefix.
Terms pairs(const Names& from, const Names& to) {
  Terms terms;
  for (std::size_t i = 0; i < from.size(); ++i) terms.emplace_back(from[i], to[i]);
  return terms;
}

// Rows of S as the present ones of G, and the future rows of G as rows of S.
Relation as_present(const Relation& states) {
  return rename(states, pairs(states.columns, with_prefix("present_", states.columns)));
}
Relation futures(const Relation& transitions, const Names& states) {
  const Names names = with_prefix("future_", states);
  return rename(project(transitions, names), pairs(names, states));
}

// ---- channels ------------------------------------------------------------------------------

// Every slot of a channel, before or after, is empty but the first, which holds `first`.
Terms holding(const std::string& time, const std::string& channel, std::uint32_t capacity,
              const std::string& first) {
  Terms terms;
  for (const std::string& slot : slots(channel, capacity))
    terms.emplace_back(time + slot, terms.empty() ? first : "0");
  return terms;
}

Terms unchanged(const std::string& channel, std::uint32_t capacity) {
  Terms terms;
  for (const std::string& slot : slots(channel, capacity))
    terms.emplace_back("future_" + slot, "present_" + slot);
  return terms;
}

// A message goes to the first empty slot.
Terms with_last(const std::string& channel, std::uint32_t capacity, const std::string& message) {
  Terms terms;
  std::string before;
  for (const std::string& slot : slots(channel, capacity)) {
    const std::string is_first = before.empty() ? "" : fmt::format(" AND {} <> 0", before);
    terms.emplace_back("future_" + slot,
                       fmt::format("CASE WHEN present_{0} = 0{1} THEN {2} ELSE present_{0} END",
                                   slot, is_first, message));
    before = "present_" + slot;
  }
  return terms;
}

// The first message goes, and all others move up.
Terms without_first(const std::string& channel, std::uint32_t capacity) {
  Terms terms;
  for (std::uint32_t i = 1; i <= capacity; ++i)
    terms.emplace_back(fmt::format("future_{}_{}", channel, i),
                       i == capacity ? "0" : fmt::format("present_{}_{}", channel, i + 1));
  return terms;
}

// ---- sides ---------------------------------------------------------------------------------

// The same for A and for B: one side and how its columns are called.
struct View {
  std::string own, other;  // a, b
  std::string in, out;     // channels: b_to_a, a_to_b
  std::uint32_t in_capacity, out_capacity;

  std::string trigger() const { return "trigger_" + own; }
  // The other process does nothing.
  Terms other_rests() const {
    return {{"trigger_" + other, "0"}, {"future_state_" + other, "present_state_" + other}};
  }
};

View view_a(const TwoProcess& p) {
  return {"a", "b", "b_to_a", "a_to_b", p.a.capacity, p.b.capacity};
}
View view_b(const TwoProcess& p) {
  return {"b", "a", "a_to_b", "b_to_a", p.b.capacity, p.a.capacity};
}

Names rule_columns(const std::string& side) {
  return {"present_state_" + side, "trigger_" + side, "future_state_" + side};
}

// Of Z and J.
Names steady_columns() {
  return {"present_state_a", "present_state_b", "trigger_a",
          "trigger_b",       "future_state_a",  "future_state_b"};
}
constexpr const char* one_message = "trigger_a = -trigger_b";  // what one sends the other receives

std::string is_one_of(const std::string& column, const std::vector<StateId>& states) {
  if (states.empty()) return "FALSE";
  return fmt::format("{} IN ({})", column, fmt::join(states, ", "));
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

FiveSteps::FiveSteps(Database& database, const TwoProcess& protocol)
    : database_(database), protocol_(protocol) {
  assert(protocol.a.capacity <= most_capacity && protocol.b.capacity <= most_capacity);
}

Names FiveSteps::state_columns() const {
  Names names = {"state_a", "state_b"};
  add(names, slots("b_to_a", protocol_.a.capacity));
  add(names, slots("a_to_b", protocol_.b.capacity));
  return names;
}

Names FiveSteps::transition_columns() const {
  Names names = with_prefix("present_", state_columns());
  add(names, {"trigger_a", "trigger_b"});
  add(names, with_prefix("future_", state_columns()));
  return names;
}

const StepRelation& FiveSteps::relation(const std::string& table) const {
  const auto found = std::find_if(relations_.begin(), relations_.end(),
                                  [&](const StepRelation& r) { return r.table == table; });
  assert(found != relations_.end());
  return *found;
}

Relation FiveSteps::raw(const std::string& table) const {
  return algebra::table(raw_name(table), relation(table).columns);
}

DatabaseResult<> FiveSteps::run() {
  relations_.clear();
  for (const auto step :
       {&FiveSteps::load, &FiveSteps::steady, &FiveSteps::expand, &FiveSteps::find_errors})
    if (auto done = (this->*step)(); !done) return done;
  return {};
}

DatabaseResult<> FiveSteps::make(StepRelation relation, const Relation& rows) {
  const double start = now();
  const std::string name = raw_name(relation.table);
  if (auto made =
          database_.execute(fmt::format("CREATE TEMPORARY TABLE {} AS\n{}", name, rows.sql));
      !made)
    return made;
  const auto counted = number_of(database_, fmt::format("SELECT count(*) FROM {}", name));
  if (!counted) return counted.failure();
  relation.columns = rows.columns;
  relation.rows = *counted;
  relation.seconds = now() - start;
  relations_.push_back(std::move(relation));
  return {};
}

DatabaseResult<> FiveSteps::make_fixpoint(StepRelation relation, const Relation& start,
                                          Relation (FiveSteps::*next)(const std::string&) const) {
  const double begun = now();
  const std::string table = relation.table;
  if (auto made = make(std::move(relation), start); !made) return made;
  StepRelation& made = relations_.back();
  // What the round before has found, and what this one finds.
  std::string last = raw_name("last"), fresh = raw_name("fresh");
  if (auto begin = database_.execute(
          fmt::format("CREATE TEMPORARY TABLE {} AS SELECT * FROM {}", last, raw_name(table)));
      !begin)
    return begin;
  for (std::uint64_t found = made.rows; found > 0; ++made.rounds) {
    if (auto joined = database_.execute(
            fmt::format("CREATE TEMPORARY TABLE {0} AS\n{1};\nINSERT INTO {2} SELECT * FROM {0};\n"
                        "DROP TABLE {3}",
                        fresh, minus((this->*next)(last), raw(table)).sql, raw_name(table), last));
        !joined)
      return joined;
    const auto counted = number_of(database_, fmt::format("SELECT count(*) FROM {}", fresh));
    if (!counted) return counted.failure();
    found = *counted;
    made.rows += found;
    std::swap(last, fresh);
  }
  made.seconds = now() - begun;
  return database_.execute(fmt::format("DROP TABLE {}", last));
}

// ---- step 1: the transition relations of each process ---------------------------------------

DatabaseResult<> FiveSteps::load_rows(const std::string& table,
                                      const std::set<TwoProcess::Row>& rows) {
  const double start = now();
  const std::string side = table.substr(2);
  const Names columns = rule_columns(side);
  std::string definitions;
  for (const std::string& column : columns)
    definitions += fmt::format("{}{} INTEGER", definitions.empty() ? "" : ", ", column);
  const std::string name = raw_name(table);
  if (auto made =
          database_.execute(fmt::format("CREATE TEMPORARY TABLE {} ({})", name, definitions));
      !made)
    return made;
  auto appender = database_.append_to("", name, std::vector(3, ColumnType::integer));
  if (!appender) return appender.failure();
  for (const auto& [present, trigger, future] : rows) {
    (*appender)->integer(present);
    (*appender)->integer(trigger);
    (*appender)->integer(future);
    if (auto ended = (*appender)->end_row(); !ended) return ended;
  }
  if (auto finished = (*appender)->finish(); !finished) return finished;
  appender->reset();
  // A planner that knows how few triggers there are does not join on them first.
  if (auto counted = database_.execute(fmt::format("ANALYZE {}", name)); !counted) return counted;
  const std::string process = side == "a" ? "A" : "B";
  const bool is_transmission = table[0] == 'h';
  relations_.push_back({1, (is_transmission ? "H-" : "R-") + process, table,
                        (is_transmission ? "transmissions of " : "receptions of ") + process,
                        columns, rows.size(), 0, now() - start, true});
  return {};
}

DatabaseResult<> FiveSteps::load() {
  for (const auto& [table, rows] : {std::pair("h_a", &protocol_.a.transmissions),
                                    {"r_a", &protocol_.a.receptions},
                                    {"h_b", &protocol_.b.transmissions},
                                    {"r_b", &protocol_.b.receptions}})
    if (auto loaded = load_rows(table, *rows); !loaded) return loaded;
  return {};
}

// ---- steps 2 and 3: the steady system --------------------------------------------------------

// From each pair of states: one process transmits what the other receives. The pairs come first in
// each join; H and R alone, joined by their triggers, would be Z.
Relation FiveSteps::steady_transitions(const Relation& pairs) const {
  return unite_disjoint(
      arrange(join(join(pairs, raw("h_a")), raw("r_b"), one_message), steady_columns()),
      arrange(join(join(pairs, raw("h_b")), raw("r_a"), one_message), steady_columns()));
}

Relation FiveSteps::next_pairs(const std::string& table) const {
  const Names columns = {"state_a", "state_b"};
  return futures(steady_transitions(as_present(algebra::table(table, columns))), columns);
}

// Each message was sent by so many rules and received by so many: no row of Z is needed for that.
DatabaseResult<> FiveSteps::count_z() {
  const double start = now();
  const auto pairs = [](const std::string& h, const std::string& r) {
    return fmt::format(
        "SELECT h.n * r.n AS n FROM\n"
        "(SELECT trigger_{0} AS t, count(*) AS n FROM raw_h_{0} GROUP BY trigger_{0}) AS h JOIN\n"
        "(SELECT -trigger_{1} AS t, count(*) AS n FROM raw_r_{1} GROUP BY trigger_{1}) AS r\n"
        "ON h.t = r.t",
        h, r);
  };
  const auto counted =
      number_of(database_, fmt::format("SELECT CAST(sum(n) AS BIGINT) FROM ({} UNION ALL {}) AS z",
                                       pairs("a", "b"), pairs("b", "a")));
  if (!counted) return counted.failure();
  StepRelation z{2, "Z", "z", "possible steady transitions", {}, *counted, 0, now() - start, false};
  z.columns = steady_columns();
  if (z.rows > most_built_rows) {
    relations_.push_back(std::move(z));
    return {};
  }
  z.is_built = true;
  return make(std::move(z),
              unite_disjoint(arrange(join(raw("h_a"), raw("r_b"), one_message), steady_columns()),
                             arrange(join(raw("h_b"), raw("r_a"), one_message), steady_columns())));
}

// Four times select and append: what A sends, B receives, B sends, A receives.
Relation FiveSteps::steady_rows() const {
  std::vector<Relation> parts;
  for (const View& v : {view_a(protocol_), view_b(protocol_)}) {
    const Relation sent = select(raw("j"), v.trigger() + " < 0");
    Terms transmission = holding("present_", v.in, v.in_capacity, "0");
    add(transmission, holding("present_", v.out, v.out_capacity, "0"));
    add(transmission, holding("future_", v.in, v.in_capacity, "0"));
    add(transmission, holding("future_", v.out, v.out_capacity, "-" + v.trigger()));
    parts.push_back(append(substitute(sent, v.other_rests()), transmission));

    const std::string received = "trigger_" + v.other;
    Terms reception = holding("present_", v.in, v.in_capacity, "0");
    add(reception, holding("present_", v.out, v.out_capacity, received));
    add(reception, holding("future_", v.in, v.in_capacity, "0"));
    add(reception, holding("future_", v.out, v.out_capacity, "0"));
    parts.push_back(append(
        substitute(sent, {{v.trigger(), "0"}, {"present_state_" + v.own, "future_state_" + v.own}}),
        reception));
  }
  Relation all = arrange(parts[0], transition_columns());
  for (std::size_t i = 1; i < parts.size(); ++i)
    all = unite(all, arrange(parts[i], transition_columns()));
  return all;
}

DatabaseResult<> FiveSteps::steady() {
  if (auto counted = count_z(); !counted) return counted;
  const Relation start{
      {"state_a", "state_b"},
      fmt::format("SELECT {} AS state_a, {} AS state_b", protocol_.a.initial, protocol_.b.initial)};
  if (auto made = make_fixpoint({2, "P", "p", "stable states of the steady system"}, start,
                                &FiveSteps::next_pairs);
      !made)
    return made;
  if (auto made =
          make({2, "J", "j", "steady transitions"}, steady_transitions(as_present(raw("p"))));
      !made)
    return made;
  return make({3, "steady G", "g_steady", "steady transitions, by transmission and reception"},
              steady_rows());
}

// ---- step 4: all that channels have room for --------------------------------------------------

Relation FiveSteps::transitions(const Relation& states) const {
  const Names columns = transition_columns();
  std::vector<Relation> parts;
  for (const View& v : {view_a(protocol_), view_b(protocol_)}) {
    const std::string last = fmt::format("present_{}_{}", v.out, v.out_capacity);
    Terms transmission = v.other_rests();
    add(transmission, unchanged(v.in, v.in_capacity));
    add(transmission, with_last(v.out, v.out_capacity, "-" + v.trigger()));
    parts.push_back(append(join(states, raw("h_" + v.own), last + " = 0"), transmission));

    const std::string first = fmt::format("present_{}_1", v.in);
    Terms reception = v.other_rests();
    add(reception, without_first(v.in, v.in_capacity));
    add(reception, unchanged(v.out, v.out_capacity));
    parts.push_back(append(
        join(states, raw("r_" + v.own), fmt::format("{} = {}", first, v.trigger())), reception));
  }
  Relation all = arrange(parts[0], columns);
  for (std::size_t i = 1; i < parts.size(); ++i)
    all = unite_disjoint(all, arrange(parts[i], columns));
  return all;
}

Relation FiveSteps::next_states(const std::string& table) const {
  const Names columns = state_columns();
  return futures(transitions(as_present(algebra::table(table, columns))), columns);
}

DatabaseResult<> FiveSteps::expand() {
  Terms empty = holding("", "b_to_a", protocol_.a.capacity, "0");
  add(empty, holding("", "a_to_b", protocol_.b.capacity, "0"));
  const Relation start = unite(append(raw("p"), empty), futures(raw("g_steady"), state_columns()));
  if (auto made = make_fixpoint({4, "S", "s", "global states"}, start, &FiveSteps::next_states);
      !made)
    return made;
  return make({4, "G", "g", "global transitions"}, transitions(as_present(raw("s"))));
}

// ---- step 5: errors, as differences -----------------------------------------------------------

DatabaseResult<> FiveSteps::find_errors() {
  const Names present = with_prefix("present_", state_columns());
  const Relation left =
      rename(arrange(raw("g"), present), pairs(present, state_columns()));  // minus() is a set's
  const std::string both_may_stop =
      fmt::format("({} AND {})", is_one_of("state_a", protocol_.a.stops),
                  is_one_of("state_b", protocol_.b.stops));
  if (auto made = make({5, "deadlocks", "deadlocks", "states that cannot be left"},
                       select(minus(raw("s"), left), "NOT " + both_may_stop));
      !made)
    return made;

  const Names reception = {"process", "state", "message"};
  const Names rule = {"process", "present_state", "trigger", "future_state"};
  std::vector<Relation> unspecified, nonexecutable;
  for (const View& v : {view_a(protocol_), view_b(protocol_)}) {
    const TwoProcess::Side& side = v.own == "a" ? protocol_.a : protocol_.b;
    const Terms process = {{"process", v.own == "a" ? "'A'" : "'B'"}};
    const Names met = {"state_" + v.own, v.in + "_1"};
    const Names specified = {"present_state_" + v.own, v.trigger()};
    const Relation heads =
        select(project(raw("s"), met),
               fmt::format("{}_1 <> 0 AND NOT {}", v.in, is_one_of(met[0], side.ends)));
    unspecified.push_back(arrange(append(minus(rename(heads, pairs(met, {"state", "message"})),
                                               rename(project(raw("r_" + v.own), specified),
                                                      pairs(specified, {"state", "message"}))),
                                         process),
                                  reception));
    const Names columns = rule_columns(v.own);
    const Relation rules = unite_disjoint(raw("h_" + v.own), raw("r_" + v.own));
    const Relation never = minus(rules, project(raw("g"), columns));
    nonexecutable.push_back(
        arrange(append(rename(never, pairs(columns, {"present_state", "trigger", "future_state"})),
                       process),
                rule));
  }
  if (auto made = make({5, "unspecified receptions", "unspecified_receptions",
                        "messages that come first where no rule receives them"},
                       unite_disjoint(unspecified[0], unspecified[1]));
      !made)
    return made;
  return make({5, "nonexecutable interactions", "nonexecutable", "rules that are never used"},
              unite_disjoint(nonexecutable[0], nonexecutable[1]));
}

}  // namespace panoptes
