// SPDX-License-Identifier: Apache-2.0
#include "relational/five_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/clock.hpp"
#include "rules/finding.hpp"

namespace panoptes {
namespace {

using algebra::Names;
using algebra::Relation;
using algebra::Terms;

constexpr const char* one_message = "trigger_a = -trigger_b";  // what one sends the other receives
constexpr char before[] = "before_";  // a state before the one that is present

// Rows of S as the present ones of G.
Relation as_present(const Relation& states) {
  return rename(states, pairs(states.columns, with_prefix(at_present, states.columns)));
}
// The future rows of G as rows of S.
Relation futures(const Relation& transitions, const Names& states) {
  const Names names = with_prefix(in_future, states);
  return rename(project(transitions, names), pairs(names, states));
}

std::string is_one_of(const std::string& column, const std::vector<StateId>& states) {
  if (states.empty()) return "FALSE";
  return fmt::format("{} IN ({})", column, fmt::join(states, ", "));
}

std::string error_sql_of(ErrorKind kind) { return std::to_string(1 + static_cast<int>(kind)); }

template <typename Unite>
Relation all_of(const std::vector<Relation>& parts, Unite unite) {
  Relation all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) all = unite(all, parts[i]);
  return all;
}

}  // namespace

// The kinds of rules a process has, each a relation of its own.
struct FiveSteps::Rules {
  Doing doing;
  char letter;
  const char* meaning;
  std::set<TwoProcess::Row> TwoProcess::Side::*rows;

  static const std::vector<Rules>& all() {
    using Side = TwoProcess::Side;
    static const std::vector<Rules> rules = {
        {Doing::transmission, 'h', "transmissions", &Side::transmissions},
        {Doing::reception, 'r', "receptions", &Side::receptions},
        {Doing::internal, 'i', "internal steps", &Side::internals},
        {Doing::timeout, 't', "timeouts", &Side::timeouts}};
    return rules;
  }
  static const Rules& of(Doing doing) { return all()[static_cast<std::size_t>(doing)]; }
  std::string table(const SideView& side) const { return fmt::format("{}_{}", letter, side.own); }
};

FiveSteps::FiveSteps(RelationEngine& engine, const TwoProcess& protocol, const Program& program,
                     Dialect dialect)
    : protocol_(protocol),
      columns_(protocol),
      procedures_(program, protocol, dialect),
      tables_(engine) {}

SideView FiveSteps::other_side(const SideView& side) const {
  return side.own == "a" ? columns_.side_b() : columns_.side_a();
}

DatabaseResult<> FiveSteps::run() {
  tables_.clear();
  for (const auto step : {&FiveSteps::load, &FiveSteps::steady, &FiveSteps::expand,
                          &FiveSteps::find_failures, &FiveSteps::find_errors})
    if (auto done = (this->*step)(); !done) return done;
  return {};
}

// ---- step 1: the transition relations of each process ---------------------------------------

DatabaseResult<> FiveSteps::load_rows(const SideView& side, const Rules& rules) {
  const double start = steady_seconds();
  const Names columns = columns_.rule(side.own);
  const std::set<TwoProcess::Row>& rows = side.side->*rules.rows;
  std::vector<NumberRow> numbers;
  for (const auto& [now, trigger, next, procedure] : rows) {
    NumberRow& row = numbers.emplace_back(NumberRow{now, trigger, next});
    if (protocol_.is_extended) row.push_back(procedure);
  }
  if (auto loaded = tables_.engine().load(raw_name(rules.table(side)), columns, numbers); !loaded)
    return loaded;
  const char letter = static_cast<char>(rules.letter - 'a' + 'A');
  tables_.note({1, fmt::format("{}-{}", letter, side.letter()), rules.table(side),
                fmt::format("{} of {}", rules.meaning, side.letter()), columns, rows.size(), 0,
                steady_seconds() - start, true});
  return {};
}

bool FiveSteps::does(Doing doing) const {
  const auto rows = Rules::of(doing).rows;
  return doing == Doing::transmission || doing == Doing::reception ||
         !(protocol_.a.*rows).empty() || !(protocol_.b.*rows).empty();
}

DatabaseResult<> FiveSteps::load() {
  for (const SideView& side : {columns_.side_a(), columns_.side_b()})
    for (const Rules& rules : Rules::all())
      if (does(rules.doing))
        if (auto loaded = load_rows(side, rules); !loaded) return loaded;
  return {};
}

// ---- moves ---------------------------------------------------------------------------------

// States with every rule of a process that can be used there.
Relation FiveSteps::match(const Relation& states, const SideView& side, Doing doing) const {
  const Relation rules = raw(Rules::of(doing).table(side));
  if (doing == Doing::transmission)
    return join(states, rules, procedures_.matches(side, at_present + side.last() + " = 0"));
  if (doing == Doing::reception)
    return join(states, rules,
                fmt::format("{}{} = {} AND {}", at_present, side.first(), side.trigger(),
                            procedures_.matches(side)));
  const bool waits = doing == Doing::timeout && protocol_.timeouts_wait;
  return join(waits ? idle(states) : states, rules, procedures_.matches(side));
}

// Those of them in which nothing can happen but timeouts.
Relation FiveSteps::idle(const Relation& states) const {
  std::vector<Relation> busy;
  for (const SideView& side : {columns_.side_a(), columns_.side_b()})
    for (const Doing doing : {Doing::transmission, Doing::reception, Doing::internal})
      if (does(doing)) busy.push_back(arrange(match(states, side, doing), states.columns));
  return minus(states, all_of(busy, algebra::unite_disjoint));
}

// The same with what becomes of them, where they do not end in an error.
Relation FiveSteps::moved(const Relation& states, const SideView& side, Doing doing) const {
  Relation rows = match(states, side, doing);
  if (const std::string outcome = procedures_.outcome(side); !outcome.empty())
    rows = select(rows, outcome + " = 0");
  Terms terms = {{"future_state_" + side.other, "present_state_" + side.other}};
  add(terms, procedures_.assignments(side));
  const Names in = slots(side.in, side.in_capacity, side.in_values);
  const Names out = slots(side.out, side.out_capacity, side.out_values);
  add(terms, doing == Doing::reception ? without_first(side) : unchanged(in));
  if (doing != Doing::transmission) {
    add(terms, unchanged(out));
    return append(rows, terms);
  }
  const Names sent = procedures_.sent(side);
  Names names;
  for (std::size_t i = 1; i <= sent.size(); ++i) names.push_back(fmt::format("sent_{}", i));
  if (!sent.empty()) rows = append(rows, pairs(names, sent));
  add(terms, with_last(side, "-" + side.trigger(), names));
  return append(rows, terms);
}

// As rows of G: the other process does nothing.
std::vector<Relation> FiveSteps::moves(const Relation& states,
                                       const std::vector<Doing>& doings) const {
  std::vector<Relation> parts;
  for (const SideView& side : {columns_.side_a(), columns_.side_b()}) {
    Terms nothing = {{"trigger_" + side.other, "0"}};
    if (protocol_.is_extended) nothing.emplace_back("procedure_" + side.other, "0");
    for (const Doing doing : doings)
      if (does(doing))
        parts.push_back(
            arrange(append(moved(states, side, doing), nothing), columns_.transition()));
  }
  return parts;
}

// ---- steps 2 and 3: the steady system --------------------------------------------------------

// One process transmits what the other receives: from pairs with empty channels (before_) to a
// state with a message in one of them (present_) to pairs again. The pairs come first in each join;
// H and R alone, joined by their triggers, would be Z.
Relation FiveSteps::exchanges(const Relation& pairs, const SideView& sender) const {
  const Names states = columns_.state();
  Names first = with_prefix(at_present, states);
  add(first, {sender.trigger()});
  if (protocol_.is_extended) add(first, {sender.procedure()});
  add(first, with_prefix(in_future, states));
  const Relation sent = arrange(moved(emptied(pairs), sender, Doing::transmission), first);
  Names both = with_prefix(before, states);
  add(both, columns_.doings());
  add(both, with_prefix(at_present, states));
  add(both, with_prefix(in_future, states));
  return arrange(moved(with_other_prefix(with_other_prefix(sent, states, at_present, before),
                                         states, in_future, at_present),
                       other_side(sender), Doing::reception),
                 both);
}

// With both channels empty, as present states.
Relation FiveSteps::emptied(const Relation& pairs) const {
  return as_present(append(pairs, columns_.empty_channels()));
}

Relation FiveSteps::steady_transitions(const Relation& pairs) const {
  Names columns = with_prefix(before, columns_.pair());
  add(columns, columns_.doings());
  add(columns, with_prefix(in_future, columns_.pair()));
  std::vector<Relation> parts;
  for (const SideView& sender : {columns_.side_a(), columns_.side_b()})
    parts.push_back(with_other_prefix(arrange(exchanges(pairs, sender), columns), columns_.pair(),
                                      before, at_present));
  for (const Relation& part : moves(emptied(pairs), {Doing::internal, Doing::timeout}))
    parts.push_back(arrange(part, columns_.steady()));
  return all_of(parts, algebra::unite_disjoint);
}

// Each message is sent by so many rules and received by so many: no row of Z is needed for that.
DatabaseResult<> FiveSteps::make_z() {
  StepRelation z{2, "Z", "z", "possible steady transitions", columns_.possible()};
  for (const auto& [sender, receiver] :
       {std::pair(&protocol_.a, &protocol_.b), {&protocol_.b, &protocol_.a}}) {
    std::map<std::int32_t, std::uint64_t> received;
    for (const TwoProcess::Row& row : receiver->receptions) ++received[std::get<1>(row)];
    for (const TwoProcess::Row& row : sender->transmissions) z.rows += received[-std::get<1>(row)];
  }
  z.is_built = z.rows <= most_built_rows;
  if (!z.is_built) {
    tables_.note(std::move(z));
    return {};
  }
  const Names columns = z.columns;
  return tables_.make(std::move(z),
                      unite_disjoint(arrange(join(raw("h_a"), raw("r_b"), one_message), columns),
                                     arrange(join(raw("h_b"), raw("r_a"), one_message), columns)));
}

// Every exchange as a transmission and a reception, and every step without one as it is.
Relation FiveSteps::steady_rows() const {
  const Names states = columns_.state();
  Names first = with_prefix(before, states);
  add(first, columns_.doings());
  add(first, with_prefix(at_present, states));
  std::vector<Relation> parts;
  for (const SideView& sender : {columns_.side_a(), columns_.side_b()}) {
    const Relation both = exchanges(raw("p"), sender);
    const auto without = [&](const std::string& side) {
      Terms nothing = {{"trigger_" + side, "0"}};
      if (protocol_.is_extended) nothing.emplace_back("procedure_" + side, "0");
      return substitute(both, nothing);
    };
    parts.push_back(with_other_prefix(
        with_other_prefix(arrange(without(sender.other), first), states, at_present, in_future),
        states, before, at_present));
    parts.push_back(arrange(without(sender.own), columns_.transition()));
  }
  for (const Relation& part : moves(emptied(raw("p")), {Doing::internal, Doing::timeout}))
    parts.push_back(part);
  return all_of(parts, algebra::unite);
}

Terms FiveSteps::initial_pair() const {
  Terms terms = {{"state_a", std::to_string(protocol_.a.initial)},
                 {"state_b", std::to_string(protocol_.b.initial)}};
  for (const TwoProcess::Attribute& attribute : protocol_.attributes)
    terms.emplace_back(attribute.column, integer_sql(attribute.initial));
  return terms;
}

std::string FiveSteps::is_initial() const {
  Terms terms = initial_pair();
  add(terms, columns_.empty_channels());
  std::string text;
  for (const auto& [column, value] : terms)
    text += fmt::format("{}{} = {}", text.empty() ? "" : " AND ", column, value);
  return text;
}

DatabaseResult<> FiveSteps::steady() {
  if (auto made = make_z(); !made) return made;
  const Names columns = columns_.pair();
  if (auto made = tables_.make_fixpoint(
          {2, "P", "p", "stable states of the steady system"}, algebra::row(initial_pair()),
          [&](const std::string& table) {
            return futures(steady_transitions(algebra::table(table, columns)), columns);
          });
      !made)
    return made;
  if (auto made = tables_.make({2, "J", "j", "steady transitions"}, steady_transitions(raw("p")));
      !made)
    return made;
  return tables_.make(
      {3, "steady G", "g_steady", "steady transitions, by transmission and reception"},
      steady_rows());
}

// ---- step 4: all that channels have room for --------------------------------------------------

Relation FiveSteps::transitions(const Relation& states) const {
  return all_of(moves(as_present(states),
                      {Doing::transmission, Doing::reception, Doing::internal, Doing::timeout}),
                algebra::unite_disjoint);
}

DatabaseResult<> FiveSteps::expand() {
  const Names columns = columns_.state();
  const Relation start =
      unite(append(raw("p"), columns_.empty_channels()), futures(raw("g_steady"), columns));
  if (auto made = tables_.make_fixpoint({4, "S", "s", "global states"}, start,
                                        [&](const std::string& table) {
                                          return futures(
                                              transitions(algebra::table(table, columns)), columns);
                                        });
      !made)
    return made;
  return tables_.make({4, "G", "g", "global transitions"}, transitions(raw("s")));
}

// ---- step 5: errors, as differences -----------------------------------------------------------

// Rules that are used and lead nowhere, by what their procedures compute. Not in the paper, whose
// procedures only decide.
std::vector<Relation> FiveSteps::failing(const SideView& side) const {
  const std::string outcome = procedures_.outcome(side);
  std::vector<Relation> parts;
  if (outcome.empty()) return parts;
  for (const Rules& rules : Rules::all())
    if (does(rules.doing))
      parts.push_back(select(append(match(as_present(raw("s")), side, rules.doing),
                                    {{"error", outcome}, {"process", side.number()}}),
                             "error <> 0"));
  return parts;
}

DatabaseResult<> FiveSteps::find_failures() {
  const Names states = columns_.state();
  Names columns = {"error", "process", "procedure"};
  add(columns, with_prefix(at_present, states));
  std::vector<Relation> parts;
  for (const SideView& side : {columns_.side_a(), columns_.side_b()})
    for (const Relation& part : failing(side))
      parts.push_back(arrange(rename(part, {{side.procedure(), "procedure"}}), columns));
  if (parts.empty()) return {};
  return tables_.make(
      {5, "failures", "failures", "rules that end in an error"},
      with_other_prefix(all_of(parts, algebra::unite_disjoint), states, at_present, ""));
}

// What comes first in the channel of a process that does not receive it, with as much of the state
// as that depends on: all of it only where some reception asks for more than the message.
Relation FiveSteps::not_received(const SideView& side) const {
  const bool is_guarded = side.side->has_guarded_reception;
  const Names met = is_guarded ? columns_.state() : Names{"state_" + side.own, side.first()};
  const Relation heads =
      select(project(raw("s"), met), fmt::format("{} <> 0 AND NOT {}", side.first(),
                                                 is_one_of("state_" + side.own, side.side->ends)));
  const Relation received =
      join(as_present(heads), raw("r_" + side.own),
           fmt::format("{}{} = {}{}", at_present, side.first(), side.trigger(),
                       is_guarded ? " AND " + procedures_.matches(side) : ""));
  return minus(heads, with_other_prefix(arrange(received, with_prefix(at_present, met)), met,
                                        at_present, ""));
}

DatabaseResult<> FiveSteps::find_errors() {
  const Names states = columns_.state();
  // minus() is a set's, so that equal rows do not matter.
  Relation stuck =
      minus(raw("s"), with_other_prefix(arrange(raw("g"), with_prefix(at_present, states)), states,
                                        at_present, ""));
  if (tables_.has("failures")) stuck = minus(stuck, arrange(raw("failures"), states));
  const std::string both_may_stop =
      fmt::format("({} AND {})", is_one_of("state_a", protocol_.a.stops),
                  is_one_of("state_b", protocol_.b.stops));
  if (auto made = tables_.make({5, "deadlocks", "deadlocks", "states that cannot be left"},
                               select(stuck, "NOT " + both_may_stop));
      !made)
    return made;
  std::vector<Relation> unspecified;
  for (const SideView& side : {columns_.side_a(), columns_.side_b()}) {
    const Names met = {"state_" + side.own, side.first()};
    unspecified.push_back(
        arrange(append(rename(project(not_received(side), met), pairs(met, {"state", "message"})),
                       {{"process", side.number()}}),
                {"process", "state", "message"}));
  }
  if (auto made = tables_.make({5, "unspecified receptions", "unspecified_receptions",
                                "messages that come first where no rule receives them"},
                               all_of(unspecified, algebra::unite_disjoint));
      !made)
    return made;
  return find_unused();
}

DatabaseResult<> FiveSteps::find_unused() {
  Names names = {"present_state", "trigger", "future_state"};
  if (protocol_.is_extended) names.emplace_back("procedure");
  Names with_process = {"process"};
  add(with_process, names);
  std::vector<Relation> parts;
  for (const SideView& side : {columns_.side_a(), columns_.side_b()}) {
    const Names columns = columns_.rule(side.own);
    std::vector<Relation> rules;
    for (const Rules& each : Rules::all())
      if (does(each.doing)) rules.push_back(raw(each.table(side)));
    Relation unused = minus(all_of(rules, algebra::unite_disjoint), project(raw("g"), columns));
    for (const Relation& part : failing(side)) unused = minus(unused, arrange(part, columns));
    parts.push_back(arrange(
        append(rename(unused, pairs(columns, names)), {{"process", side.number()}}), with_process));
  }
  return tables_.make(
      {5, "nonexecutable interactions", "nonexecutable", "rules that are never used"},
      all_of(parts, algebra::unite_disjoint));
}

Relation FiveSteps::unsafe() const {
  Names columns = {"error", "process"};
  add(columns, columns_.state());
  std::vector<Relation> parts = {
      arrange(append(raw("deadlocks"),
                     {{"error", error_sql_of(ErrorKind::deadlock)}, {"process", both_processes}}),
              columns)};
  for (const SideView& side : {columns_.side_a(), columns_.side_b()})
    parts.push_back(arrange(append(join(raw("s"), not_received(side)),
                                   {{"error", error_sql_of(ErrorKind::unspecified_reception)},
                                    {"process", side.number()}}),
                            columns));
  if (tables_.has("failures")) parts.push_back(project(raw("failures"), columns));
  return all_of(parts, algebra::unite_disjoint);
}

}  // namespace panoptes
