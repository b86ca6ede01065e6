// SPDX-License-Identifier: Apache-2.0
#include "relational/two_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace panoptes {
namespace {

// What is wrong with the protocol as a whole; "" where nothing is.
std::string misfit(const Protocol& protocol) {
  if (protocol.processes.size() != 2)
    return fmt::format("it has {} process{}, not two", protocol.processes.size(),
                       protocol.processes.size() == 1 ? "" : "es");
  if (!protocol.variables.empty())
    return fmt::format("it has variables: `{}`", protocol.variables.front().name);
  if (!protocol.assertions.empty())
    return fmt::format("it has a behaviour assertion: `{}`", protocol.assertions.front().name);
  for (const Channel& channel : protocol.channels) {
    if (channel.is_sink) return fmt::format("channel `{}` is a sink", channel.name);
    if (!channel.contents.empty())
      return fmt::format("channel `{}` is not empty in the initial state", channel.name);
  }
  return {};
}

std::string misfit(const Program& program, const Rule& rule) {
  const std::string where = fmt::format("process `{}` does `{}`",
                                        program.protocol.processes[rule.process].name, rule.text);
  if (rule.kind == ActionKind::timeout) return where + ", a timeout";
  if (rule.kind != ActionKind::send && rule.kind != ActionKind::receive)
    return where + ", which neither sends nor receives";
  if (!rule.conditions.empty()) return where + " under a condition";
  const Channel& channel = program.protocol.channels[rule.channel];
  if (!channel.sort[rule.tag - 1].values.empty())
    return fmt::format("message `{}` of channel `{}` carries values",
                       channel.sort[rule.tag - 1].name, channel.name);
  return {};
}

// The channels each side sends to and reads from; "" where there is at most one of each, and each
// leads from one side to the other.
std::string misfit(const Program& program, const std::vector<std::set<ChannelId>>& senders,
                   const std::vector<std::set<ChannelId>>& readers) {
  const auto name = [&](ChannelId c) { return program.protocol.channels[c].name; };
  for (ProcessId p = 0; p < 2; ++p) {
    const std::string& process = program.protocol.processes[p].name;
    std::set<ChannelId> incoming = readers[p];
    for (const ChannelId c : senders[p])
      if (readers[p].contains(c))
        return fmt::format("process `{}` sends to channel `{}` which it reads itself", process,
                           name(c));
    incoming.insert(senders[1 - p].begin(), senders[1 - p].end());
    if (incoming.size() > 1)
      return fmt::format("there is more than one channel to process `{}`: `{}` and `{}`", process,
                         name(*incoming.begin()), name(*incoming.rbegin()));
  }
  return {};
}

// Copies of one place in the text, as of a procedure that is called twice, get numbers.
std::vector<std::string> state_names(const Automaton& automaton) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> copies;
  for (const ControlState& state : automaton.states) {
    const std::size_t copy = ++copies[state.name];
    names.push_back(copy == 1 ? state.name : fmt::format("{}#{}", state.name, copy));
  }
  return names;
}

TwoProcess::Side side_of(const Process& process) {
  TwoProcess::Side side;
  side.process = process.name;
  side.states = state_names(process.automaton);
  side.initial = process.automaton.initial;
  for (StateId s = 0; s < process.automaton.states.size(); ++s) {
    if (process.automaton.states[s].is_end) side.ends.push_back(s);
    if (process.automaton.states[s].may_stop) side.stops.push_back(s);
  }
  return side;
}

}  // namespace

Result<TwoProcess, Unfit> two_process(const Program& program) {
  if (std::string reason = misfit(program.protocol); !reason.empty()) return Unfit{reason};
  std::vector<std::set<ChannelId>> senders(2), readers(2);
  for (const Rule& rule : program.rules) {
    if (std::string reason = misfit(program, rule); !reason.empty()) return Unfit{reason};
    (rule.kind == ActionKind::send ? senders : readers)[rule.process].insert(rule.channel);
  }
  if (std::string reason = misfit(program, senders, readers); !reason.empty()) return Unfit{reason};

  TwoProcess result{
      side_of(program.protocol.processes[0]), side_of(program.protocol.processes[1]), {}};
  std::map<std::string, std::int32_t> numbers;
  for (const Rule& rule : program.rules) {
    const Channel& channel = program.protocol.channels[rule.channel];
    const std::string& message = channel.sort[rule.tag - 1].name;
    const auto [found, is_new] =
        numbers.emplace(message, static_cast<std::int32_t>(numbers.size() + 1));
    if (is_new) result.messages.push_back(message);
    const bool is_send = rule.kind == ActionKind::send;
    TwoProcess::Side& own = rule.process == 0 ? result.a : result.b;
    TwoProcess::Side& other = rule.process == 0 ? result.b : result.a;
    TwoProcess::Side& reader = is_send ? other : own;
    reader.channel = channel.name;
    reader.capacity = channel.capacity;
    (is_send ? own.transmissions : own.receptions)
        .emplace(rule.source, is_send ? -found->second : found->second, rule.target);
  }
  return result;
}

}  // namespace panoptes
