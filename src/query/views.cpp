// SPDX-License-Identifier: Apache-2.0
#include "query/views.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "query/column_names.hpp"
#include "query/readable_sql.hpp"
#include "verdict/trail.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_values = 3;  // of a message

std::string_view to_string(ActionKind kind) {
  switch (kind) {
    case ActionKind::internal: return "internal";
    case ActionKind::send: return "send";
    case ActionKind::receive:
    case ActionKind::receive_default: return "receive";
    case ActionKind::timeout: return "timeout";
    case ActionKind::check: return "assert";
    case ActionKind::bad_index: return "bad_index";
  }
  return "";
}

class Relations {
 public:
  Relations(const Program& program, const SourceSet& sources, const Dialect& dialect)
      : program_(program),
        protocol_(program.protocol),
        sources_(sources),
        dialect_(dialect),
        parts_(program, dialect),
        names_(state_columns(program.protocol)) {}

  std::vector<Relation> result() const {
    return {states(),     rules(),      failures(),        transitions(),    processes(),
            channels(),   locations(),  messages(),        control_states(), receptions(),
            assertions(), statements(), rule_statements(), alphabet(),       errors(),
            faulty(),     space()};
  }

 private:
  // ---- what a search finds ------------------------------------------------------------------

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
             {"action", "TEXT", "send, receive, timeout, internal, assert or bad_index"},
             {"channel", "TEXT", "the channel of a send, receive or timeout"},
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
             {"kind", "TEXT", "assertion, overflow, division_by_zero or index_out_of_range"},
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
    for (std::size_t i = 1; i <= most_values; ++i)
      view.columns.push_back({fmt::format("value_{}", i), "BIGINT",
                              fmt::format("value {}; NULL where it has none", i)});
    view.query = union_of(branches,
                          "SELECT NULL::BIGINT, NULL::TEXT, NULL::BIGINT, NULL::TEXT, NULL::TEXT, "
                          "NULL::BIGINT, NULL::BIGINT, NULL::BIGINT WHERE FALSE");
    return view;
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
    for (std::size_t i = 0; i < most_values; ++i)
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
             {"is_accepted", "BOOLEAN", "and takes that message"},
             {"can_only_receive", "BOOLEAN", "where it is there are receives only"}},
            union_of(branches,
                     "SELECT NULL::BIGINT, NULL::TEXT, NULL::TEXT, NULL::TEXT, NULL::TEXT, "
                     "NULL::BOOLEAN, NULL::BOOLEAN, NULL::BOOLEAN WHERE FALSE"),
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
          accepts.push_back(
              fmt::format("({} AND {} IN ({}))", reads.back(), tag, fmt::join(tags, ", ")));
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
        "SELECT state, {}, {}, {}, {}, {}, {}, {} FROM panoptes.packed_states\n"
        "WHERE {} <> 0 AND NOT {}",
        quoted_text(protocol_.processes[process].name), parts_.control(process),
        quoted_text(protocol_.channels[channel].name),
        parts_.message_name(channel, parts_.sql().message(layout, 0)), by_control(reading),
        by_control(accepted),
        parts_.is_at(process, [](const ControlInfo& info) { return info.receives_only; }), tag,
        parts_.is_at(process, [](const ControlInfo& info) { return info.is_end; }));
  }

  std::string conditions_of(const Reception& reception) const {
    const ExpressionSql expressions(parts_.sql());
    std::vector<std::string> conditions;
    for (const ExpressionId condition : reception.conditions)
      conditions.push_back(expressions.condition(condition));
    return conditions.empty() ? "TRUE" : fmt::format("({})", fmt::join(conditions, " AND "));
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

  // ---- what a protocol consists of ----------------------------------------------------------

  Relation rules() const {
    Relation table{"rules",
                   "the rules the protocol was compiled to",
                   {{"rule", "BIGINT", "its number"},
                    {"process", "TEXT", "whose rule it is"},
                    {"from_control", "TEXT", "control state it starts in"},
                    {"to_control", "TEXT", "control state it leads to"},
                    {"action", "TEXT", "send, receive, timeout, internal, assert or bad_index"},
                    {"channel", "TEXT", "the channel of a send, receive or timeout"},
                    {"message", "TEXT", "name of what is sent or received"},
                    {"text", "TEXT", "as written"},
                    {"place", "TEXT", "line:column of its first statement"},
                    {"is_external", "BOOLEAN", "it changes what other processes can see"}},
                   {},
                   {}};
    for (RuleId id = 0; id < program_.rules.size(); ++id) {
      const Rule& rule = program_.rules[id];
      const Channel* channel = rule.channel == none ? nullptr : &protocol_.channels[rule.channel];
      const bool has_message = rule.tag > 0 && channel;
      table.rows.push_back(
          {number_cell(id), protocol_.processes[rule.owner().process].name,
           parts_.control_name(rule.owner().process, rule.owner().from),
           parts_.control_name(rule.owner().process, rule.owner().to),
           std::string(to_string(rule.kind)), channel ? Cell{channel->name} : Cell{},
           has_message ? Cell{channel->sort[rule.tag - 1].name} : Cell{}, rule.text,
           rule.statements.empty() ? Cell{}
                                   : Cell{sources_.line_and_column(
                                         protocol_.statements[rule.statements.front()].place)},
           number_cell(is_external(program_, rule))});
    }
    return table;
  }

  Relation processes() const {
    Relation table{"processes",
                   "the processes",
                   {{"process", "TEXT", "its name"},
                    {"states_column", "TEXT", "its column in states"},
                    {"family", "TEXT", "the name it is declared with"},
                    {"control_states", "BIGINT", "how many it has"},
                    {"initial", "TEXT", "the one it begins in"},
                    {"place", "TEXT", "line:column of its declaration"}},
                   {},
                   {}};
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p) {
      const Process& process = protocol_.processes[p];
      const auto initial = static_cast<StateId>(read(program_.layout.control[p], program_.initial));
      table.rows.push_back({process.name, names_.processes[p], process.declaration,
                            number_cell(process.automaton.states.size()),
                            parts_.control_name(p, initial),
                            sources_.line_and_column(process.place)});
    }
    return table;
  }

  Relation channels() const {
    Relation table{"channels",
                   "the channels",
                   {{"channel", "TEXT", "its name"},
                    {"states_column", "TEXT", "its column in states"},
                    {"capacity", "BIGINT", "messages it has room for; 0 for a sink"},
                    {"reader", "TEXT", "the process that receives from it"},
                    {"is_sink", "BOOLEAN", "it accepts and forgets"},
                    {"place", "TEXT", "line:column of its declaration"}},
                   {},
                   {}};
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c) {
      const Channel& channel = protocol_.channels[c];
      table.rows.push_back(
          {channel.name, names_.channels[c], number_cell(channel.is_sink ? 0 : channel.capacity),
           channel.readers.empty() ? Cell{} : Cell{protocol_.reader_names(channel)},
           number_cell(channel.is_sink), sources_.line_and_column(channel.place)});
    }
    return table;
  }

  Relation alphabet() const {
    Relation table{"alphabet",
                   "every message that can be in a channel",
                   {{"channel", "TEXT", "name of the channel"},
                    {"message", "TEXT", "name of the message"},
                    {"value_count", "BIGINT", "values it carries"}},
                   {},
                   {}};
    for (const Channel& channel : protocol_.channels)
      for (const MessageType& type : channel.sort)
        table.rows.push_back({channel.name, type.name, number_cell(type.values.size())});
    return table;
  }

  Relation control_states() const {
    Relation table{"control_states",
                   "the control states of the processes",
                   {{"process", "TEXT", "whose state it is"},
                    {"control_state", "TEXT", "its name, as in states"},
                    {"place", "TEXT", "line:column of its statement"},
                    {"is_initial", "BOOLEAN", "the process begins there"},
                    {"is_end", "BOOLEAN", "the process ends there"},
                    {"may_stop", "BOOLEAN", "the process may stop there"},
                    {"can_only_receive", "BOOLEAN", "there are receives only"}},
                   {},
                   {}};
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p)
      for (StateId s = 0; s < program_.control[p].size(); ++s) {
        const ControlInfo& info = program_.at(p, s);
        const auto initial = read(program_.layout.control[p], program_.initial);
        table.rows.push_back({protocol_.processes[p].name, parts_.control_name(p, s),
                              sources_.line_and_column(program_.state(p, s).place),
                              number_cell(initial == static_cast<std::int64_t>(s)),
                              number_cell(info.is_end), number_cell(info.may_stop),
                              number_cell(info.receives_only)});
      }
    return table;
  }

  Relation statements() const {
    Relation table{"statements",
                   "the statements of the processes, once for all copies",
                   {{"statement", "BIGINT", "its number"},
                    {"place", "TEXT", "line:column"},
                    {"owner", "TEXT", "process or procedure it is written in"},
                    {"text", "TEXT", "as written"}},
                   {},
                   {}};
    std::set<StatementId> seen;
    for (const Process& process : protocol_.processes)
      for (const ControlState& state : process.automaton.states)
        for (const Transition& transition : state.transitions)
          seen.insert(transition.statements.begin(), transition.statements.end());
    for (const StatementId id : seen) {
      const StatementInfo& info = protocol_.statements[id];
      table.rows.push_back({number_cell(id), sources_.line_and_column(info.place),
                            text_or_null(info.owner), info.text});
    }
    return table;
  }

  Relation rule_statements() const {
    Relation table{"rule_statements",
                   "the statements each rule stands for",
                   {{"rule", "BIGINT", "as in rules"}, {"statement", "BIGINT", "as in statements"}},
                   {},
                   {}};
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      for (const StatementId statement : program_.rules[id].statements)
        table.rows.push_back({number_cell(id), number_cell(statement)});
    return table;
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
  const SourceSet& sources_;
  const Dialect& dialect_;
  ReadableSql parts_;
  StateColumns names_;
};

std::string create_table(const Relation& relation) {
  std::vector<std::string> columns;
  for (const RelationColumn& column : relation.columns)
    columns.push_back(fmt::format("{} {}", quoted_name(column.name), column.type));
  return fmt::format("CREATE TABLE panoptes.{} ({});\n", relation.name, fmt::join(columns, ", "));
}

std::string create_view(const Relation& relation) {
  std::vector<std::string> names;
  for (const RelationColumn& column : relation.columns) names.push_back(quoted_name(column.name));
  return fmt::format("CREATE VIEW panoptes.{} ({}) AS\n{};\n", relation.name,
                     fmt::join(names, ", "), relation.query);
}

// The steps of a shortest way to a state: back from parent to parent, then every step beside the
// state before it, for what it receives.
std::string path_query(const Program& program, const Dialect& dialect) {
  const ReadableSql parts(program, dialect);
  const std::string words = parts.sql().words();
  std::string heads, tails, received, sent;
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    if (program.layout.channels[c].pieces.empty()) continue;
    heads += fmt::format(", {} AS head_{}", parts.head(c), c);
    tails += fmt::format(", {} AS tail_{}", parts.tail(c), c);
    const std::string name = quoted_text(program.protocol.channels[c].name);
    received += fmt::format(" WHEN {} THEN before.head_{}", name, c);
    sent += fmt::format(" WHEN {} THEN after.tail_{}", name, c);
  }
  const auto by_channel = [](const std::string& cases) {
    return cases.empty() ? std::string("NULL::TEXT")
                         : fmt::format("CASE rules.channel{} END", cases);
  };
  return fmt::format(
      "WITH RECURSIVE back(state, depth, parent, rule, {0}) AS (\n"
      "  SELECT state, depth, parent, rule, {0} FROM panoptes.packed_states WHERE state = goal\n"
      "  UNION ALL\n"
      "  SELECT packed.state, packed.depth, packed.parent, packed.rule, {1}\n"
      "  FROM back JOIN panoptes.packed_states AS packed ON packed.state = back.parent\n"
      "), steps AS (SELECT state, depth, parent, rule{2}{3} FROM back)\n"
      "SELECT after.depth AS step, after.parent AS source, after.rule, rules.process, "
      "rules.action, rules.channel,\n"
      "  COALESCE(CASE rules.action WHEN 'receive' THEN {4} WHEN 'send' THEN {5} END, "
      "rules.message) AS message,\n"
      "  rules.text, after.state AS target\n"
      "FROM steps AS after JOIN steps AS before ON before.state = after.parent JOIN panoptes.rules "
      "ON rules.rule = after.rule ORDER BY after.depth",
      words, parts.sql().words("packed."), heads, tails, by_channel(received), by_channel(sent));
}

}  // namespace

std::vector<Relation> space_relations(const Program& program, const SourceSet& sources,
                                      const Dialect& dialect) {
  return Relations(program, sources, dialect).result();
}

std::string create_space_tables(const Program& program, const Dialect& dialect) {
  std::string words;
  for (std::uint32_t i = 0; i < program.layout.words; ++i)
    words += fmt::format(", {} {}", StateSql::word(i), dialect.word_type());
  return fmt::format(
      "CREATE TABLE panoptes.packed_states (state BIGINT, depth BIGINT, parent BIGINT, rule "
      "BIGINT{});\n"
      "CREATE TABLE panoptes.plain_transitions (source BIGINT, rule BIGINT, target BIGINT);\n"
      "CREATE TABLE panoptes.error_groups (number BIGINT, error BIGINT, kind TEXT, process "
      "TEXT, control_state TEXT, place TEXT, message TEXT, statement TEXT, text TEXT, is_warning "
      "BOOLEAN);\n"
      "CREATE TABLE panoptes.findings (number BIGINT, state BIGINT, rule BIGINT);\n",
      words);
}

std::string create_space_views(const Program& program, const std::vector<Relation>& relations,
                               const Dialect& dialect) {
  std::string sql;
  for (const Relation& relation : relations)
    if (relation.query.empty()) sql += create_table(relation);
  for (const Relation& relation : relations)
    if (!relation.query.empty()) sql += create_view(relation);
  return sql +
         dialect.table_function(
             "panoptes.path_to", "goal",
             "step BIGINT, source BIGINT, rule BIGINT, process TEXT, action TEXT, channel "
             "TEXT, message TEXT, text TEXT, target BIGINT",
             path_query(program, dialect)) +
         ";\n";
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
