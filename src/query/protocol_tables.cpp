// SPDX-License-Identifier: Apache-2.0
#include "query/protocol_tables.hpp"

#include <set>
#include <string_view>

#include "verdict/trail.hpp"

namespace panoptes {
namespace {

std::string_view to_string(ActionKind kind) {
  switch (kind) {
    case ActionKind::internal: return "internal";
    case ActionKind::send: return "send";
    case ActionKind::receive:
    case ActionKind::receive_default: return "receive";
    case ActionKind::timeout: return "timeout";
    case ActionKind::flush: return "flush";
    case ActionKind::lose: return "lose";
    case ActionKind::copy: return "copy";
    case ActionKind::check: return "assert";
    case ActionKind::bad_index: return "bad_index";
  }
  return "";
}

}  // namespace

ProtocolTables::ProtocolTables(const Program& program, const SourceSet& sources,
                               const Dialect& dialect)
    : program_(program),
      protocol_(program.protocol),
      sources_(sources),
      parts_(program, dialect),
      names_(state_columns(program.protocol)) {}

Relation ProtocolTables::rules() const {
  Relation table{"rules",
                 "the rules the protocol was compiled to",
                 {{"rule", "BIGINT", "its number"},
                  {"process", "TEXT", "whose rule it is"},
                  {"from_control", "TEXT", "control state it starts in"},
                  {"to_control", "TEXT", "control state it leads to"},
                  {"action", "TEXT",
                   "send, lose, receive, copy, timeout, flush, internal, assert or bad_index"},
                  {"channel", "TEXT", "the channel of what is no internal, assert or bad_index"},
                  {"message", "TEXT", "name of what is sent or received"},
                  {"text", "TEXT", "as written"},
                  {"place", "TEXT", "line:column of its first statement"},
                  {"is_external", "BOOLEAN", "it changes what other processes can see"}},
                 {},
                 {}};
  const std::vector<bool> external = external_moves(program_);
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
         rule.statements.empty()
             ? Cell{}
             : Cell{sources_.line_and_column(protocol_.statements[rule.statements.front()].place)},
         number_cell(external[id])});
  }
  return table;
}

Relation ProtocolTables::processes() const {
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

Relation ProtocolTables::channels() const {
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
    table.rows.push_back({channel.name, names_.channels[c],
                          number_cell(channel.is_sink ? 0 : channel.capacity),
                          channel.readers.empty() ? Cell{} : Cell{protocol_.reader_names(channel)},
                          number_cell(channel.is_sink), sources_.line_and_column(channel.place)});
  }
  return table;
}

Relation ProtocolTables::alphabet() const {
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

Relation ProtocolTables::control_states() const {
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

Relation ProtocolTables::statements() const {
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

// Those of the rule, of who meets its process, and what may follow before others can move: steps
// inside of an indivisible sequence are no transitions of their own.
std::set<StatementId> ProtocolTables::statements_of(const Rule& rule) const {
  std::set<StatementId> result(rule.statements.begin(), rule.statements.end());
  if (rule.partner) result.insert(rule.partner->statements.begin(), rule.partner->statements.end());
  if (!rule.ends_inside) return result;
  const ProcessMove& alone = rule.moves[rule.moves.size() - 1];
  std::set<StateId> seen{alone.to};
  std::vector<StateId> waiting{alone.to};
  while (!waiting.empty()) {
    const StateId state = waiting.back();
    waiting.pop_back();
    for (const Transition& t : program_.state(alone.process, state).transitions) {
      result.insert(t.statements.begin(), t.statements.end());
      if (t.ends_inside && seen.insert(t.target).second) waiting.push_back(t.target);
    }
  }
  return result;
}

Relation ProtocolTables::rule_statements() const {
  Relation table{"rule_statements",
                 "the statements each rule stands for",
                 {{"rule", "BIGINT", "as in rules"}, {"statement", "BIGINT", "as in statements"}},
                 {},
                 {}};
  for (RuleId id = 0; id < program_.rules.size(); ++id)
    for (const StatementId statement : statements_of(program_.rules[id]))
      table.rows.push_back({number_cell(id), number_cell(statement)});
  return table;
}

}  // namespace panoptes
