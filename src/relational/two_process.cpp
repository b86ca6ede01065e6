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

std::string misfit(const Protocol& protocol, const Process& process, const Transition& t) {
  const std::string where = fmt::format("process `{}` does `{}`", process.name, t.text);
  if (t.kind == ActionKind::timeout) return where + ", a timeout";
  if (t.kind != ActionKind::send && t.kind != ActionKind::receive &&
      t.kind != ActionKind::receive_default)
    return where + ", which neither sends nor receives";
  if (!t.conditions.empty()) return where + " under a condition";
  const Channel& channel = protocol.channels[t.channel];
  for (const MessageType& message : channel.sort)
    if (!message.values.empty())
      return fmt::format("message `{}` of channel `{}` carries values", message.name, channel.name);
  return {};
}

// The channels each side sends to and reads from; "" where there is at most one of each, and each
// leads from one side to the other.
std::string misfit(const Protocol& protocol, const std::vector<std::set<ChannelId>>& senders,
                   const std::vector<std::set<ChannelId>>& readers) {
  const auto name = [&](ChannelId c) { return protocol.channels[c].name; };
  for (ProcessId p = 0; p < 2; ++p) {
    const std::string& process = protocol.processes[p].name;
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

// What a transition sends or receives; of a default reception, all that can come and that no other
// reception of the state takes.
std::vector<std::string> messages_of(const Protocol& protocol, const ControlState& state,
                                     const Transition& t) {
  if (t.kind != ActionKind::receive_default) return {t.message};
  std::vector<std::string> messages;
  for (const MessageType& type : protocol.channels[t.channel].sort)
    if (std::none_of(state.transitions.begin(), state.transitions.end(), [&](const Transition& o) {
          return o.kind == ActionKind::receive && o.channel == t.channel && o.message == type.name;
        }))
      messages.push_back(type.name);
  return messages;
}

// Messages by number, in the order in which they are met.
class Numbering {
 public:
  std::int32_t of(const std::string& message) {
    const auto [found, is_new] =
        numbers_.emplace(message, static_cast<std::int32_t>(numbers_.size() + 1));
    if (is_new) names_.push_back(message);
    return found->second;
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::map<std::string, std::int32_t> numbers_;
  std::vector<std::string> names_;
};

void add_rows(const Protocol& protocol, const Process& process, Numbering& numbers,
              TwoProcess::Side& side) {
  const std::vector<ControlState>& states = process.automaton.states;
  for (StateId s = 0; s < states.size(); ++s)
    for (const Transition& t : states[s].transitions)
      for (const std::string& message : messages_of(protocol, states[s], t)) {
        const std::int32_t number = numbers.of(message);
        if (t.kind == ActionKind::send)
          side.transmissions.emplace(s, -number, t.target);
        else
          side.receptions.emplace(s, number, t.target);
      }
}

}  // namespace

Result<TwoProcess, Unfit> two_process(const Program& program) {
  const Protocol& protocol = program.protocol;
  if (std::string reason = misfit(protocol); !reason.empty()) return Unfit{reason};
  if (program.overflow == OverflowPolicy::error)
    return Unfit{"with --overflow error a send to a full channel does not wait"};
  std::vector<std::set<ChannelId>> senders(2), readers(2);
  for (ProcessId p = 0; p < 2; ++p)
    for (const ControlState& state : protocol.processes[p].automaton.states)
      for (const Transition& t : state.transitions) {
        if (std::string reason = misfit(protocol, protocol.processes[p], t); !reason.empty())
          return Unfit{reason};
        (t.kind == ActionKind::send ? senders : readers)[p].insert(t.channel);
      }
  if (std::string reason = misfit(protocol, senders, readers); !reason.empty())
    return Unfit{reason};

  TwoProcess result{side_of(protocol.processes[0]), side_of(protocol.processes[1]), {}};
  Numbering numbers;
  for (ProcessId p = 0; p < 2; ++p) {
    TwoProcess::Side& side = p == 0 ? result.a : result.b;
    add_rows(protocol, protocol.processes[p], numbers, side);
    std::set<ChannelId> incoming = readers[p];
    incoming.merge(senders[1 - p]);
    for (const ChannelId c : incoming) {
      side.channel = protocol.channels[c].name;
      side.capacity = protocol.channels[c].capacity;
    }
  }
  result.messages = std::move(numbers).names();
  return result;
}

}  // namespace panoptes
