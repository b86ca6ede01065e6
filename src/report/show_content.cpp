// SPDX-License-Identifier: Apache-2.0
#include "report/show_content.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace panoptes {
namespace {

// A channel with the index it was written with; a statement is the same for all members. What a
// broadcast sends to each member is written nowhere.
std::string written_text(const Program& program, const Transition& t) {
  if (t.channel == none || t.statements.empty()) return t.text;
  const StatementInfo& statement = program.protocol.statements[t.statements.front()];
  return statement.is_broadcast ? t.text : statement.text;
}

}  // namespace

std::string message_name(const MessageType& type) {
  if (type.values.empty()) return type.name;
  std::string out = type.name + "(";
  for (std::size_t i = 0; i < type.values.size(); ++i)
    out += fmt::format("{}{}..{}", i == 0 ? "" : ", ", type.values[i].low, type.values[i].high);
  return out + ")";
}

std::string action_text(const Program& program, const Transition& t, Wording wording) {
  std::string out = wording == Wording::written ? written_text(program, t) : t.text;
  if (t.kind == ActionKind::bad_index) out += " with an index out of range";
  // Its guards are part of the text.
  for (std::uint32_t i = 0; i < t.choosing && t.channel != none; ++i)
    out += fmt::format(
        " if {}", to_text(program.protocol.expressions, t.conditions[i], program.protocol.names()));
  return out;
}

std::string written_channel(const Program& program, const Transition& t) {
  std::string text = written_text(program, t);
  text.erase(text.rfind('?'));
  if (!text.starts_with("when (")) return text;
  int depth = 0;
  const auto closes = [&](char c) { return (depth += (c == '(') - (c == ')')) == 0 && c == ')'; };
  const auto end = std::find_if(text.begin(), text.end(), closes);
  return text.substr(static_cast<std::size_t>(end - text.begin()) + 2);
}

std::vector<std::string> not_accepted(const Program& program, const ControlState& state,
                                      Wording wording) {
  std::vector<std::string> result;
  for (const OpenReception& open : open_receptions(program.protocol, state)) {
    const Channel& channel = program.protocol.channels[open.channel];
    std::string line = channel.name + ":";
    if (wording == Wording::written) {
      const auto receive = std::find_if(
          state.transitions.begin(), state.transitions.end(),
          [&](const auto& t) { return is_receive(t.kind) && t.channel == open.channel; });
      line = written_channel(program, *receive) + ":";
    }
    for (const std::uint32_t i : open.not_accepted) line += " " + channel.sort[i].name;
    result.push_back(std::move(line));
  }
  return result;
}

std::string state_title(const Automaton& automaton, StateId id, const SourceSet& sources) {
  const ControlState& state = automaton.states[id];
  std::vector<std::string> facts;
  if (id == automaton.initial) facts.emplace_back("start");
  if (state.may_stop && !state.is_end) facts.emplace_back("may stop");
  return state_title(automaton, id, sources, facts);
}

std::string state_title(const Automaton& automaton, StateId id, const SourceSet& sources,
                        const std::vector<std::string>& facts) {
  const ControlState& state = automaton.states[id];
  std::vector<std::string> all = facts;
  if (!state.is_end && state.name != sources.line_and_column(state.place))
    all.insert(all.begin(), sources.line_and_column(state.place));
  return all.empty() ? state.name : fmt::format("{} ({})", state.name, fmt::join(all, ", "));
}

std::vector<std::string> places_of(const Automaton& automaton, StateId id,
                                   const SourceSet& sources) {
  std::vector<Place> places;
  for (const StateId each : automaton.states[id].merged) places.push_back(automaton.places[each]);
  std::sort(places.begin(), places.end());
  std::vector<std::string> result;
  for (const Place& place : places) {
    std::string text = sources.line_and_column(place);
    if (std::find(result.begin(), result.end(), text) == result.end())
      result.push_back(std::move(text));
  }
  return result;
}

std::string channel_title(const Channel& channel) {
  if (channel.is_sink) return channel.name + " (sink)";
  return channel_title(channel, channel.name);
}

std::string channel_title(const Channel& channel, const std::string& name) {
  // A blank behind the index of a family.
  return fmt::format("{}{}[{}]", name, name.ends_with(']') ? " " : "", channel.capacity);
}

std::vector<StateId> table_states(const Automaton& automaton) {
  std::vector<bool> is_target(automaton.states.size());
  is_target[automaton.initial] = true;
  for (const ControlState& state : automaton.states)
    for (const Transition& t : state.transitions) is_target[t.target] = true;
  std::vector<StateId> result;
  for (StateId s = 0; s < automaton.states.size(); ++s)
    if (!automaton.states[s].is_end || is_target[s]) result.push_back(s);
  return result;
}

std::vector<std::string> in_text_order(const std::map<std::string, Place>& actions) {
  std::vector<std::string> result;
  for (const auto& entry : actions) result.push_back(entry.first);
  std::stable_sort(result.begin(), result.end(), [&](const std::string& a, const std::string& b) {
    return actions.at(a) < actions.at(b);
  });
  return result;
}

Place first_place(const Program& program, const std::vector<StatementId>& statements, Place place) {
  for (const StatementId statement : statements)
    place = std::min(place, program.protocol.statements[statement].place);
  return place;
}

TransitionTable transition_table(const Program& program, const Automaton& automaton) {
  TransitionTable table;
  std::map<std::string, Place> first;  // by action
  for (const ControlState& state : automaton.states)
    for (const Transition& t : state.transitions) {
      Place& place = first[action_text(program, t)];
      place = first_place(program, t.statements, place);
    }
  table.actions = in_text_order(first);
  std::map<std::string, std::size_t> column;
  for (const std::string& action : table.actions) column.emplace(action, column.size());
  for (const StateId s : table_states(automaton)) {
    TransitionTable::Row row{s, {}};
    for (const Transition& t : automaton.states[s].transitions) {
      std::vector<StateId>& next = row.next[column.at(action_text(program, t))];
      if (std::find(next.begin(), next.end(), t.target) == next.end()) next.push_back(t.target);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> ChannelUse::Sender::texts(bool is_received) const {
  std::vector<std::string> result;
  for (const Message& message : messages)
    if (message.is_received == is_received) result.push_back(message.text);
  return result;
}

std::vector<std::string> ChannelUse::Sender::texts() const {
  std::vector<std::string> result;
  for (const Message& message : messages) result.push_back(message.text);
  return result;
}

std::vector<ChannelUse> channel_uses(const Program& program) {
  std::vector<ChannelUse> result;
  const std::vector<Traffic> traffic = collect_traffic(program.protocol);
  for (ChannelId c = 0; c < traffic.size(); ++c) {
    const Channel& channel = program.protocol.channels[c];
    const Traffic& on = traffic[c];
    ChannelUse& use = result.emplace_back();
    use.takes_default = on.takes_default;
    use.has_timeout = on.has_timeout;
    if (!channel.is_sink) {
      use.never_received = on.never_received();
      use.never_sent = on.never_sent();
    }
    const auto add = [&](const std::string& name, std::string text) {
      const auto& lost = use.never_received;
      use.senders.back().messages.push_back(
          {std::move(text), std::find(lost.begin(), lost.end(), name) == lost.end()});
    };
    if (!channel.contents.empty()) use.senders.push_back({none, {}});
    for (const InitialContent& content : channel.contents)
      add(content.name, content.values.empty()
                            ? content.name
                            : fmt::format("{}({})", content.name, fmt::join(content.values, ", ")));
    for (const Traffic::Sender& sender : on.senders) {
      use.senders.push_back({sender.process, {}});
      for (const std::uint32_t i : sender.messages)
        add(channel.sort[i].name, message_name(channel.sort[i]));
    }
  }
  return result;
}

std::vector<std::string> silent_processes(const Program& program) {
  std::vector<std::string> result;
  for (const Process& process : program.protocol.processes) {
    const auto& states = process.automaton.states;
    const bool is_silent = std::all_of(states.begin(), states.end(), [](const ControlState& state) {
      return std::all_of(state.transitions.begin(), state.transitions.end(),
                         [](const Transition& t) { return t.channel == none; });
    });
    if (is_silent) result.push_back(process.name);
  }
  return result;
}

}  // namespace panoptes
