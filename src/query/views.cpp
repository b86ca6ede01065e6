// SPDX-License-Identifier: Apache-2.0
#include "query/views.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "query/column_names.hpp"
#include "query/protocol_tables.hpp"
#include "query/readable_sql.hpp"

namespace panoptes {
namespace {

constexpr std::size_t least_values = 3;  // columns for those of a message

class Relations {
 public:
  Relations(const Program& program, const SourceSet& sources, const Dialect& dialect)
      : program_(program),
        protocol_(program.protocol),
        tables_(program, sources, dialect),
        dialect_(dialect),
        parts_(program, dialect),
        names_(state_columns(program.protocol)) {}

  std::vector<Relation> result() const {
    return {states(),
            tables_.rules(),
            failures(),
            transitions(),
            tables_.processes(),
            tables_.channels(),
            locations(),
            messages(),
            tables_.control_states(),
            receptions(),
            assertions(),
            tables_.statements(),
            tables_.rule_statements(),
            tables_.alphabet(),
            errors(),
            faulty(),
            space()};
  }

 private:
  Relation states() const {
    Relation view{"states", "the states that were reached, one row each", {}, {}, {}};
    std::vector<std::string> values;
    const auto add = [&](RelationColumn column, std::string value) {
      values.push_back(fmt::format("{} AS {}", value, quoted_name(column.name)));
      view.columns.push_back(std::move(column));
    };
    add({"state", "BIGINT", "its number; 0 is the initial one"}, "state");
    add({"depth", "BIGINT", "steps of the shortest way there"}, "depth");
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p)
      add({names_.processes[p], "TEXT",
           fmt::format("control state of process {}", protocol_.processes[p].name)},
          parts_.control(p));
    for (VariableId v = 0; v < protocol_.variables.size(); ++v)
      add({names_.variables[v], "BIGINT", fmt::format("variable {}", variable_name(v))},
          parts_.sql().slot(program_.layout.variables[v]));
    for (VariableId v = 0; v < protocol_.variables.size(); ++v)
      if (!names_.value_names[v].empty())
        add({names_.value_names[v], "TEXT",
             fmt::format("its value by name, of {}", variable_name(v))},
            parts_.variable_text(v));
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c)
      add({names_.channels[c], "TEXT[]",
           fmt::format("messages in channel {}, the next to be received first",
                       protocol_.channels[c].name)},
          parts_.contents(c));
    add({"is_end", "BOOLEAN", "every process has ended"},
        parts_.all_are_at([](const ControlInfo& info) { return info.is_end; }));
    add({"may_stop", "BOOLEAN", "every process is where it may stop"},
        parts_.all_are_at([](const ControlInfo& info) { return info.may_stop; }));
    add({"is_expanded", "BOOLEAN", "its transitions are known; false only where a limit was met"},
        "state < (SELECT expanded FROM panoptes.space)");
    view.query = fmt::format("SELECT {} FROM panoptes.packed_states", fmt::join(values, ",\n  "));
    return view;
  }

  Relation transitions() const {
    return {"transitions",
            "every firing of a rule, those that end in an error included",
            {{"source", "BIGINT", "number of the state it happens in"},
             {"rule", "BIGINT", "the rule, as in rules"},
             {"target", "BIGINT", "number of the state it leads to; NULL where it fails"},
             {"process", "TEXT", "who does it"},
             {"action", "TEXT",
              "send, lose, receive, copy, timeout, flush, internal, assert or bad_index"},
             {"channel", "TEXT", "the channel of what is no internal, assert or bad_index"},
             {"message", "TEXT", "name of what is sent or received"},
             {"failure", "TEXT", "kind of the error it ends in; NULL where it does not"}},
            "SELECT fired.source, fired.rule, fired.target, rules.process, rules.action, "
            "rules.channel, rules.message, fired.failure FROM (\n"
            "  SELECT source, rule, target, NULL::TEXT AS failure FROM panoptes.plain_transitions\n"
            "  UNION ALL\n"
            "  SELECT state, rule, NULL::BIGINT, min(kind) FROM panoptes.failures GROUP BY state, "
            "rule\n"
            ") AS fired JOIN panoptes.rules ON rules.rule = fired.rule",
            {}};
  }

  static Relation failures() {
    return {"failures",
            "rules that fired into an error, by assertion where they violate several",
            {{"state", "BIGINT", "number of the state it happens in"},
             {"rule", "BIGINT", "the rule, as in rules"},
             {"kind", "TEXT",
              "assertion, overflow, division_by_zero, index_out_of_range, out_of_range or "
              "endless_atomic"},
             {"assertion", "TEXT", "the behaviour assertion it violates, if it is one"}},
            {},
            {}};
  }

  static Relation errors() {
    return {"errors",
            "what check reports, each time it was found",
            {{"error", "BIGINT", "what is one error to check has one number, from 1"},
             {"kind", "TEXT", "deadlock, unspecified_reception, assertion, ..."},
             {"state", "BIGINT", "number of the state it was found in"},
             {"rule", "BIGINT", "the rule that fired into it, if one did"},
             {"process", "TEXT", "whose error it is, if of one process"},
             {"control_state", "TEXT", "where that is; of a deadlock, where all are"},
             {"place", "TEXT", "the same by line:column"},
             {"message", "TEXT", "message, event or channel concerned"},
             {"statement", "TEXT", "line:column of the statement to blame, if it is one"},
             {"text", "TEXT", "the error in a sentence"},
             {"is_warning", "BOOLEAN", "unread messages, unless --strict"}},
            "SELECT error, kind, state, rule, process, control_state, place, message, statement, "
            "text, is_warning FROM panoptes.findings JOIN panoptes.error_groups ON "
            "error_groups.number = findings.number",
            {}};
  }

  // The columns of states, so that nobody has to look a number up.
  Relation faulty() const {
    Relation view{"faulty",
                  "states from which an error can be reached, and those it was found in",
                  {{"state", "BIGINT", "its number"},
                   {"error_kinds", "TEXT", "what was found in it; NULL: it only leads there"}},
                  {},
                  {}};
    std::vector<std::string> rest;
    for (const RelationColumn& column : states().columns) {
      if (column.name == "state") continue;
      rest.push_back("states." + column.name);
      view.columns.push_back(column);
    }
    view.query = fmt::format(
        "WITH RECURSIVE found(state, kind) AS (\n"
        "  SELECT DISTINCT state, kind FROM panoptes.findings JOIN panoptes.error_groups\n"
        "    ON error_groups.number = findings.number WHERE NOT is_warning\n"
        "), backwards(state) AS (\n"
        "  SELECT state FROM found\n"
        "  UNION\n"
        "  SELECT source FROM panoptes.plain_transitions JOIN backwards ON target = state\n"
        ") SELECT backwards.state, kinds.kinds, {}\n"
        "FROM backwards JOIN panoptes.states ON states.state = backwards.state\n"
        "LEFT JOIN (SELECT state, string_agg(kind, ', ' ORDER BY kind) AS kinds FROM found GROUP "
        "BY state) AS kinds ON kinds.state = backwards.state",
        fmt::join(rest, ", "));
    return view;
  }

  Relation locations() const {
    std::vector<std::string> branches;
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p)
      branches.push_back(fmt::format("SELECT state, {}, {} FROM panoptes.packed_states",
                                     quoted_text(protocol_.processes[p].name), parts_.control(p)));
    return {"locations",
            "where each process is in each state",
            {{"state", "BIGINT", "number of the state"},
             {"process", "TEXT", "name of the process"},
             {"control_state", "TEXT", "where it is"}},
            union_of(branches, "SELECT NULL::BIGINT, NULL::TEXT, NULL::TEXT WHERE FALSE"),
            {}};
  }

  Relation messages() const {
    std::vector<std::string> branches;
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c) {
      std::uint32_t position = 0;
      for (const ChannelPiece& piece : program_.layout.channels[c].pieces)
        branches.push_back(messages_of(c, piece, position));
    }
    Relation view{"messages",
                  "the messages that are in a channel in each state",
                  {{"state", "BIGINT", "number of the state"},
                   {"channel", "TEXT", "name of the channel"},
                   {"position", "BIGINT", "1 is the next to be received"},
                   {"message", "TEXT", "with its values"},
                   {"name", "TEXT", "without them"}},
                  {},
                  {}};
    for (std::size_t i = 1; i <= most_values(); ++i)
      view.columns.push_back({fmt::format("value_{}", i), "BIGINT",
                              fmt::format("value {}; NULL where it has none", i)});
    std::string nothing = "SELECT NULL::BIGINT, NULL::TEXT, NULL::BIGINT, NULL::TEXT, NULL::TEXT";
    for (std::size_t i = 0; i < most_values(); ++i) nothing += ", NULL::BIGINT";
    view.query = union_of(branches, nothing + " WHERE FALSE");
    return view;
  }

  std::size_t most_values() const {
    std::size_t most = least_values;
    for (const Channel& channel : protocol_.channels)
      for (const MessageType& type : channel.sort) most = std::max(most, type.values.size());
    return most;
  }

  // The messages in one word of a channel, whatever their number.
  std::string messages_of(ChannelId channel, const ChannelPiece& piece,
                          std::uint32_t& position) const {
    const ChannelLayout& layout = program_.layout.channels[channel];
    std::vector<std::string> slots;
    for (std::uint32_t i = 0; i < piece.slots; ++i)
      slots.push_back(
          fmt::format("({}::BIGINT, {})", ++position, piece.shift + i * layout.slot_bits));
    std::string values;
    for (std::size_t i = 0; i < most_values(); ++i)
      values += ", " + parts_.message_value(channel, i, "slot");
    return fmt::format(
        "SELECT state, {}, position, {}, {}{} FROM (\n  SELECT state, slots.position, ({} & {}) AS "
        "slot FROM panoptes.packed_states CROSS JOIN (VALUES {}) AS slots(position, shift)\n) AS "
        "slots WHERE {} <> 0",
        quoted_text(protocol_.channels[channel].name), parts_.message(channel, "slot"),
        parts_.message_name(channel, "slot"), values,
        dialect_.shift_right_by(StateSql::word(piece.word), "slots.shift"),
        dialect_.word(layout.slot_mask()), fmt::join(slots, ", "), parts_.tag(channel, "slot"));
  }

  Relation receptions() const {
    std::vector<std::string> branches;
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c)
      if (protocol_.channels[c].reader() != none && !program_.layout.channels[c].pieces.empty())
        branches.push_back(receptions_of(protocol_.channels[c].reader(), c));
    return {"receptions",
            "what each process that has not ended finds first in each channel of its own",
            {{"state", "BIGINT", "number of the state"},
             {"process", "TEXT", "the process that reads the channel"},
             {"control_state", "TEXT", "where it is"},
             {"channel", "TEXT", "name of the channel"},
             {"message", "TEXT", "name of the message that is first there"},
             {"is_reading", "BOOLEAN", "it can receive from that channel where it is"},
             {"is_accepted", "BOOLEAN",
              "and takes that message; on a line that reorders, one that is there or may come"},
             {"can_only_receive", "BOOLEAN", "where it is there are receives only"},
             {"is_stuck", "BOOLEAN", "and nothing that it waits for can come any more"}},
            union_of(branches,
                     "SELECT NULL::BIGINT, NULL::TEXT, NULL::TEXT, NULL::TEXT, NULL::TEXT, "
                     "NULL::BOOLEAN, NULL::BOOLEAN, NULL::BOOLEAN, NULL::BOOLEAN WHERE FALSE"),
            {}};
  }

  std::string receptions_of(ProcessId process, ChannelId channel) const {
    const ChannelLayout& layout = program_.layout.channels[channel];
    const std::string tag = parts_.sql().tag(layout, 0);
    std::string reading, accepted;
    for (StateId s = 0; s < program_.control[process].size(); ++s) {
      std::vector<std::string> reads, accepts;
      for (const Reception& reception : program_.at(process, s).receptions) {
        if (reception.channel != channel) continue;
        reads.push_back(conditions_of(reception));
        std::vector<std::size_t> tags;
        for (std::size_t t = 1; t < reception.accepts.size(); ++t)
          if (reception.accepts[t]) tags.push_back(t);
        if (!tags.empty())
          accepts.push_back(fmt::format("({} AND {} IN ({}){})", reads.back(), tag,
                                        fmt::join(tags, ", "), guards_of(reception)));
      }
      if (!reads.empty()) reading += fmt::format(" WHEN {} THEN {}", s, fmt::join(reads, " OR "));
      if (!accepts.empty())
        accepted += fmt::format(" WHEN {} THEN {}", s, fmt::join(accepts, " OR "));
    }
    const auto by_control = [&](const std::string& cases) {
      if (cases.empty()) return std::string("FALSE");
      return fmt::format("CASE {}{} ELSE FALSE END", parts_.sql().control(process), cases);
    };
    return fmt::format(
        "SELECT state, {}, {}, {}, {}, {}, {}, {}, {} FROM panoptes.packed_states\n"
        "WHERE {} <> 0 AND NOT {}",
        quoted_text(protocol_.processes[process].name), parts_.control(process),
        quoted_text(protocol_.channels[channel].name),
        parts_.message_name(channel, parts_.sql().message(layout, 0)), by_control(reading),
        by_control(protocol_.channels[channel].is_reordering ? taken_cases(process, channel)
                                                             : accepted),
        parts_.is_at(process, [](const ControlInfo& info) { return info.receives_only; }),
        by_control(stuck_cases(process, channel)), tag,
        parts_.is_at(process, [](const ControlInfo& info) { return info.is_end; }));
  }

  // On a line that reorders any message may be taken, and one may still come: by control state,
  // that the table of errors does not say otherwise.
  std::string taken_cases(ProcessId process, ChannelId channel) const {
    const ExpressionSql expressions(parts_.sql());
    std::string cases;
    for (const StateError& row : program_.errors.states)
      if (row.kind == ErrorKind::unspecified_reception && row.process == process &&
          row.channel == channel && row.counts_under(ReceptionPolicy::any))
        for (const auto& [state, predicate] : row.at)
          cases += fmt::format(" WHEN {} THEN NOT {}", state, expressions.condition(predicate));
    return cases;
  }

  // By control state, what the table of errors says.
  std::string stuck_cases(ProcessId process, ChannelId channel) const {
    const ExpressionSql expressions(parts_.sql());
    std::string cases;
    for (const StateError& row : program_.errors.states) {
      if (row.kind != ErrorKind::unspecified_reception || row.process != process ||
          row.channel != channel || row.idle != Idle::process)
        continue;
      for (const auto& [state, predicate] : row.at)
        cases += fmt::format(" WHEN {} THEN {}", state, expressions.condition(predicate));
    }
    return cases;
  }

  std::string conditions_of(const Reception& reception) const {
    const ExpressionSql expressions(parts_.sql());
    std::vector<std::string> conditions;
    for (const ExpressionId condition : reception.conditions)
      conditions.push_back(expressions.condition(condition));
    return conditions.empty() ? "TRUE" : fmt::format("({})", fmt::join(conditions, " AND "));
  }

  // A guard without a value takes the message, and its step fails.
  std::string guards_of(const Reception& reception) const {
    const ExpressionSql expressions(parts_.sql());
    std::string guards;
    for (const ExpressionId guard : reception.guards)
      guards += fmt::format(" AND NOT ({})", expressions.is_zero(guard));
    return guards;
  }

  Relation assertions() const {
    std::vector<std::string> branches;
    for (std::size_t a = 0; a < protocol_.assertions.size(); ++a) {
      std::vector<std::size_t> complete;
      const auto& accepts_end = protocol_.assertions[a].accepts_end;
      for (std::size_t subset = 0; subset < accepts_end.size(); ++subset)
        if (accepts_end[subset]) complete.push_back(subset);
      const std::string slot = parts_.sql().slot(program_.layout.assertions[a]);
      branches.push_back(fmt::format(
          "SELECT state, {}, {} FROM panoptes.packed_states",
          quoted_text(protocol_.assertions[a].name),
          complete.empty() ? "FALSE" : fmt::format("{} IN ({})", slot, fmt::join(complete, ", "))));
    }
    return {"assertions",
            "how far each behaviour assertion is in each state",
            {{"state", "BIGINT", "number of the state"},
             {"assertion", "TEXT", "its name"},
             {"is_complete", "BOOLEAN", "the protocol may end here"}},
            union_of(branches, "SELECT NULL::BIGINT, NULL::TEXT, NULL::BOOLEAN WHERE FALSE"),
            {}};
  }

  static Relation space() {
    return {"space",
            "the search all of this comes from, one row",
            {{"model", "TEXT", "the file"},
             {"engine", "TEXT", "native, or relational"},
             {"is_complete", "BOOLEAN", "every reachable state is there"},
             {"ended_by", "TEXT",
              "what ended the search, as in a report: finished, depth limit reached, ..."},
             {"states", "BIGINT", "rows of states"},
             {"expanded", "BIGINT", "those whose transitions are known: the first so many"},
             {"transitions", "BIGINT", "rows of transitions"},
             {"depth", "BIGINT", "the greatest"},
             {"identity", "TEXT", "what the space depends on, hashed"},
             {"limits", "TEXT", "limits that were given"}},
            {},
            {}};
  }

  // ---- helpers ------------------------------------------------------------------------------

  std::string variable_name(VariableId id) const {
    const Variable& variable = protocol_.variables[id];
    return variable.process == none
               ? variable.name
               : protocol_.processes[variable.process].name + "." + variable.name;
  }

  static std::string union_of(const std::vector<std::string>& branches, const std::string& empty) {
    return branches.empty() ? empty : fmt::format("{}", fmt::join(branches, "\nUNION ALL "));
  }

  const Program& program_;
  const Protocol& protocol_;
  ProtocolTables tables_;
  const Dialect& dialect_;
  ReadableSql parts_;
  StateColumns names_;
};

}  // namespace

std::vector<Relation> space_relations(const Program& program, const SourceSet& sources,
                                      const Dialect& dialect) {
  return Relations(program, sources, dialect).result();
}

std::string describe_relations(const std::vector<Relation>& relations) {
  std::string out;
  for (const Relation& relation : relations) {
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", relation.name, relation.sentence);
    std::size_t width = 0;
    for (const RelationColumn& column : relation.columns)
      width = std::max(width, column.name.size());
    for (const RelationColumn& column : relation.columns)
      out += fmt::format("  {:<{}}  {:<7}  {}\n", column.name, width, column.type, column.sentence);
  }
  return out +
         "\npath_to(state): the steps of a shortest way from the initial state, as a table\n"
         "  step, source, rule, process, action, channel, message, text, target\n";
}

}  // namespace panoptes
