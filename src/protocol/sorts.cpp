// SPDX-License-Identifier: Apache-2.0
#include "protocol/sorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "base/display.hpp"

namespace panoptes {
namespace {

void for_each_transition(const Protocol& protocol,
                         const std::function<void(ProcessId, const Transition&)>& visit) {
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    for (const ControlState& state : protocol.processes[p].automaton.states)
      for (const Transition& t : state.transitions) visit(p, t);
}

void add_to_sort(Channel& channel, const std::string& name, std::size_t arity) {
  for (const MessageType& type : channel.sort)
    if (type.name == name && type.values.size() == arity) return;
  channel.sort.push_back({name, std::vector<Interval>(arity)});
}

Place place_of(const Protocol& protocol, const Transition& t) {
  return t.statements.empty() ? Place{} : protocol.statements[t.statements.front()].place;
}

std::size_t values_read(const Protocol& protocol, ExpressionId id) {
  std::size_t most = 0;
  protocol.expressions.visit(id, [&](const ExpressionNode& node) {
    if (node.op == Op::field) most = std::max(most, std::size_t{node.b} + 1);
  });
  return most;
}

// How many values a message must have for a receive to find all it takes; for its conditions to.
std::size_t values_taken(const Protocol& protocol, const Transition& t) {
  std::size_t most = 0;
  for (const Assignment& a : t.assignments) most = std::max(most, values_read(protocol, a.value));
  return most;
}

std::size_t values_looked_at(const Protocol& protocol, const Transition& t) {
  std::size_t most = 0;
  for (const ExpressionId id : t.conditions) most = std::max(most, values_read(protocol, id));
  return most;
}

// `m` is sent to `c` ...
std::string with_values(std::size_t most) {
  if (most == 0) return " without a value";
  return most == 1 ? " with one value only" : fmt::format(" with {} values at most", most);
}

std::vector<std::string> names(const std::map<std::string, Place>& map) {
  std::vector<std::string> result;
  for (const auto& entry : map) result.push_back(entry.first);
  return result;
}

std::uint32_t sort_index(const Channel& channel, const Transition& t) {
  for (std::uint32_t i = 0; i < channel.sort.size(); ++i)
    if (channel.sort[i].name == t.message && channel.sort[i].values.size() == t.values.size())
      return i;
  return none;
}

}  // namespace

std::vector<std::string> Traffic::never_received() const {
  std::vector<std::string> result;
  for (const auto& entry : sent)
    if (is_read && !takes_default && !received.contains(entry.first)) result.push_back(entry.first);
  return result;
}

std::vector<std::string> Traffic::never_sent() const {
  std::vector<std::string> result;
  for (const auto& entry : received)
    if (!sent.contains(entry.first)) result.push_back(entry.first);
  return result;
}

std::vector<Traffic> collect_traffic(const Protocol& protocol) {
  std::vector<Traffic> traffic(protocol.channels.size());
  for (ChannelId c = 0; c < protocol.channels.size(); ++c)
    for (const InitialContent& content : protocol.channels[c].contents) {
      traffic[c].sent.try_emplace(content.name, protocol.channels[c].place);
      traffic[c].sent_arities[content.name].insert(content.values.size());
    }
  for_each_transition(protocol, [&](ProcessId process, const Transition& t) {
    if (t.channel == none) return;
    Traffic& on = traffic[t.channel];
    if (is_receive(t.kind) || t.kind == ActionKind::flush) on.is_read = true;
    if (t.kind == ActionKind::receive_default) on.takes_default = true;
    if (t.kind == ActionKind::timeout) on.has_timeout = true;
    if (t.kind == ActionKind::receive) on.received.try_emplace(t.message, place_of(protocol, t));
    if (t.kind != ActionKind::send) return;
    on.sent.try_emplace(t.message, place_of(protocol, t));
    on.sent_arities[t.message].insert(t.values.size());
    if (on.senders.empty() || on.senders.back().process != process)
      on.senders.push_back({process, {}});
    on.senders.back().messages.insert(sort_index(protocol.channels[t.channel], t));
  });
  return traffic;
}

void collect_sorts(Protocol& protocol) {
  for (Channel& channel : protocol.channels)
    for (const InitialContent& content : channel.contents)
      add_to_sort(channel, content.name, content.values.size());
  for_each_transition(protocol, [&](ProcessId, const Transition& t) {
    if (t.kind == ActionKind::send)
      add_to_sort(protocol.channels[t.channel], t.message, t.values.size());
  });
}

void find_readers(const std::vector<ChannelRead>& reads, Protocol& protocol) {
  for (const ChannelRead& read : reads) {
    auto& readers = protocol.channels[read.channel].readers;
    if (std::find(readers.begin(), readers.end(), read.process) == readers.end())
      readers.push_back(read.process);
  }
}

void check_for_one_reader(const std::vector<ChannelRead>& reads, const Protocol& protocol,
                          Diagnostics& diagnostics) {
  std::vector<const ChannelRead*> first(protocol.channels.size());
  for (const ChannelRead& read : reads) {
    if (protocol.channels[read.channel].is_rendezvous()) continue;  // whoever is met takes it
    if (!first[read.channel]) first[read.channel] = &read;
    const ChannelRead& other = *first[read.channel];
    if (other.process != read.process)
      diagnostics.error(
          read.place,
          fmt::format("channel `{}` is read by `{}` and by `{}`",
                      protocol.channels[read.channel].name, protocol.processes[other.process].name,
                      protocol.processes[read.process].name),
          "a channel has one reader: use a channel for each", {{other.place, "read here too"}});
  }
}

namespace {

// What is wrong with several channels of a family alike, at one place, is one complaint with their
// names.
class ChannelWarnings {
 public:
  // The names of the channels go between `before` and `after`, of which there is one for several.
  struct Text {
    std::string before, after, after_several;
    friend auto operator<=>(const Text&, const Text&) = default;
  };

  void add(Place place, Text text, const Channel& channel, std::string suggestion) {
    const auto [found, fresh] =
        index_.try_emplace(std::tuple(place, text, suggestion), all_.size());
    if (fresh) all_.push_back({place, std::move(text), {}, std::move(suggestion)});
    std::string name = fmt::format("`{}`", channel.name);
    auto& channels = all_[found->second].channels;
    if (channels.empty() || channels.back() != name) channels.push_back(std::move(name));
  }

  void tell(Diagnostics& diagnostics) const {
    for (const auto& [place, text, channels, suggestion] : all_)
      diagnostics.warning(
          place,
          text.before + few_of(channels) + (channels.size() > 1 ? text.after_several : text.after),
          suggestion);
  }

 private:
  struct Warning {
    Place place;
    Text text;
    std::vector<std::string> channels;
    std::string suggestion;
  };
  std::map<std::tuple<Place, Text, std::string>, std::size_t> index_;
  std::vector<Warning> all_;
};

}  // namespace

void check_completeness(const Protocol& protocol, const std::vector<std::string>& macros,
                        Diagnostics& diagnostics) {
  const auto meant = [&](const std::string& message, std::vector<std::string> known) {
    known.insert(known.end(), macros.begin(), macros.end());
    return did_you_mean(message, known);
  };
  const std::vector<Traffic> traffic = collect_traffic(protocol);
  ChannelWarnings warnings;
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    const Channel& channel = protocol.channels[c];
    const Traffic& on = traffic[c];
    if (channel.is_sink) continue;
    for (const std::string& message : on.never_received())
      warnings.add(on.sent.at(message),
                   {fmt::format("`{}` is sent to ", message), " but never received from it",
                    " but never received from them"},
                   channel, meant(message, names(on.received)));
    for (const std::string& message : on.never_sent())
      warnings.add(on.received.at(message),
                   {fmt::format("`{}` is received from ", message), " but never sent to it",
                    " but never sent to them"},
                   channel, meant(message, names(on.sent)));
    if (!on.is_read && !on.sent.empty())
      warnings.add(
          channel.place,
          {"channel ", " is written to but never read", " are written to but never read"}, channel,
          channel.is_lossy
              ? std::string()
              : "it blocks its senders when it is full; `sink` declares one that does not");
  }
  for_each_transition(protocol, [&](ProcessId, const Transition& t) {
    if (t.kind != ActionKind::receive) return;
    const auto found = traffic[t.channel].sent_arities.find(t.message);
    if (found == traffic[t.channel].sent_arities.end()) return;
    const std::size_t sent = *found->second.rbegin();
    const bool takes = values_taken(protocol, t) > sent;
    if (!takes && values_looked_at(protocol, t) <= sent) return;
    warnings.add(place_of(protocol, t),
                 {fmt::format("`{}` is sent to ", t.message), with_values(sent), with_values(sent)},
                 protocol.channels[t.channel],
                 takes ? "the variable keeps the value it has" : "there is nothing to compare");
  });
  warnings.tell(diagnostics);
}

std::vector<OpenReception> open_receptions(const Protocol& protocol, const ControlState& state) {
  std::map<ChannelId, std::set<std::string>> accepted;
  std::set<ChannelId> complete;
  for (const Transition& t : state.transitions) {
    if (!is_receive(t.kind)) continue;
    accepted[t.channel];
    if (!t.conditions.empty()) continue;  // an index, for instance: perhaps it does not hold
    if (t.kind == ActionKind::receive) accepted[t.channel].insert(t.message);
    if (t.kind == ActionKind::receive_default) complete.insert(t.channel);
  }
  std::vector<OpenReception> result;
  for (const auto& [channel, messages] : accepted) {
    OpenReception open{channel, {}};
    const auto& sort = protocol.channels[channel].sort;
    for (std::uint32_t i = 0; i < sort.size(); ++i)
      if (!complete.contains(channel) && !messages.contains(sort[i].name))
        open.not_accepted.push_back(i);
    if (!open.not_accepted.empty()) result.push_back(std::move(open));
  }
  return result;
}

double channel_contents_log10(double sort_log10, std::uint32_t capacity) {
  // sum of |S|^i for i = 0..N, kept in logarithms: the sum is dominated by its largest terms.
  double sum_log10 = 0.0;
  for (std::uint32_t i = 1; i <= capacity; ++i) {
    const double term = sort_log10 * i;
    const double larger = std::max(sum_log10, term);
    sum_log10 = larger + std::log10(1.0 + std::pow(10.0, std::min(sum_log10, term) - larger));
  }
  return sum_log10;
}

double worst_case_log10(const Protocol& protocol) {
  double total = 0.0;
  for (const Process& process : protocol.processes)
    total += std::log10(static_cast<double>(process.automaton.states.size()));
  for (const Variable& variable : protocol.variables)
    if (!variable.range.is_empty())
      total += std::log10(static_cast<double>(variable.range.high - variable.range.low + 1));
  for (const Channel& channel : protocol.channels) {
    double messages = 0.0;
    for (const MessageType& type : channel.sort) {
      double contents = 1.0;
      for (const Interval& value : type.values)
        contents *= static_cast<double>(std::max<std::int64_t>(1, value.high - value.low + 1));
      messages += contents;
    }
    if (messages > 0.0 && !channel.is_sink)
      total += channel_contents_log10(std::log10(messages), channel.capacity);
  }
  return total;
}

}  // namespace panoptes
