// SPDX-License-Identifier: Apache-2.0
#include "relational/two_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include "rules/positions.hpp"

namespace panoptes {
namespace {

using Channels = std::array<std::set<ChannelId>, 2>;  // by process

// ---- what does not fit ---------------------------------------------------------------------

// Relations of two sides have a column for each variable and know the first message alone.
std::optional<Unfit> misfit(const Program& program, const Rule& rule) {
  const Expressions& pool = program.protocol.expressions;
  bool fits = rule.moves.size() == 1 && rule.position == 0;
  const auto look = [&](ExpressionId id) {
    pool.visit(id, [&](const ExpressionNode& node) {
      fits = fits && node.op != Op::element && node.op != Op::tag &&
             (node.op != Op::field ||
              (rule.kind == ActionKind::receive && node.a == rule.channel && node.value == 0));
    });
  };
  for (const ExpressionId id : rule.conditions) look(id);
  for (const ExpressionId id : rule.values) look(id);
  if (rule.check != none) look(rule.check);
  for (const Assignment& a : rule.assignments) {
    look(a.value);
    fits = fits && a.index == none;
  }
  if (fits) return {};
  if (rule.is_else)
    return Unfit{fmt::format("process `{}` has an `else`, which looks at what has arrived",
                             program.protocol.processes[rule.owner().process].name),
                 place_of(program, rule)};
  return Unfit{fmt::format("process `{}` does `{}`, with an array, another process or a message "
                           "behind the first",
                           program.protocol.processes[rule.owner().process].name, rule.text),
               place_of(program, rule)};
}

// Either all timeouts wait until nothing else can happen, or none does.
std::optional<Unfit> misfit_of_timeouts(const Program& program) {
  std::set<std::uint32_t> classes;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    if (program.rules[id].written_as != ActionKind::timeout) continue;
    classes.insert(program.class_of(id));
    if (program.round_of(id).waits_for_exchanges || classes.size() > 1)
      return Unfit{fmt::format("process `{}` does `{}`, which waits for other things than the rest",
                               program.protocol.processes[program.rules[id].owner().process].name,
                               program.rules[id].text),
                   place_of(program, program.rules[id])};
  }
  return {};
}

std::optional<Unfit> misfit(const Program& program) {
  const Protocol& protocol = program.protocol;
  const std::size_t count = protocol.processes.size();
  if (count != 2)
    return Unfit{
        fmt::format("it has {} process{}, not two", count, count == 1 ? "" : "es"),
        count == 0 ? Place{} : protocol.processes[std::min<std::size_t>(count, 3) - 1].place};
  if (!protocol.assertions.empty())
    return Unfit{fmt::format("it has a behaviour assertion: `{}`", protocol.assertions[0].name),
                 protocol.assertions[0].place};
  for (const Channel& channel : protocol.channels)
    if (channel.is_lossy || channel.is_duplicating || channel.is_reordering)
      return Unfit{fmt::format("channel `{}` is {}", channel.name,
                               channel.is_lossy         ? "lossy"
                               : channel.is_duplicating ? "duplicating"
                                                        : "reordering"),
                   channel.place};
  for (const Rule& rule : program.rules)
    if (rule.kind == ActionKind::flush)
      return Unfit{fmt::format("process `{}` does `{}`",
                               protocol.processes[rule.owner().process].name, rule.text),
                   place_of(program, rule)};
  if (!protocol.invariants.empty())
    return Unfit{fmt::format("it has an invariant: `{}`", protocol.invariants[0].name),
                 protocol.invariants[0].place};
  if (program.overflow == OverflowPolicy::error)
    return Unfit{"with --overflow error a send to a full channel does not wait",
                 protocol.processes[0].place};
  if (!program.rounds.empty() && program.rounds.back().rule_class > 1 &&
      program.rounds.back().first < program.rounds.back().end)
    return Unfit{"it has more than two classes of rules", protocol.processes[0].place};
  if (auto unfit = misfit_of_timeouts(program)) return unfit;
  for (const Rule& rule : program.rules) {
    if (rule.ends_inside)
      return Unfit{fmt::format("`{}` is one step with what follows it", rule.text),
                   place_of(program, rule)};
    if (auto unfit = misfit(program, rule)) return unfit;
  }
  for (const Channel& channel : protocol.channels) {
    if (channel.readers.size() > 1)
      return Unfit{fmt::format("channel `{}` has several readers", channel.name), channel.place};
    if (channel.is_sink)
      return Unfit{fmt::format("channel `{}` is a sink", channel.name), channel.place};
    if (channel.is_rendezvous())
      return Unfit{fmt::format("channel `{}` is a rendezvous", channel.name), channel.place};
    if (!channel.contents.empty())
      return Unfit{fmt::format("channel `{}` is not empty in the initial state", channel.name),
                   channel.place};
  }
  return {};
}

// Whether a message is received is asked apart from what its reception does.
std::optional<Unfit> misfit(const Protocol& protocol, const Process& process, const Transition& t) {
  if (t.kind != ActionKind::receive && t.kind != ActionKind::receive_default) return {};
  if (std::none_of(t.conditions.begin(), t.conditions.end(),
                   [&](ExpressionId id) { return protocol.expressions.can_fail(id); }))
    return {};
  return Unfit{fmt::format("process `{}` does `{}` under a condition that may have no value",
                           process.name, t.text),
               protocol.statements[t.statements.front()].place};
}

// There is at most one channel from each side to the other.
std::optional<Unfit> misfit(const Protocol& protocol, const Channels& senders,
                            const Channels& readers) {
  const auto channel = [&](ChannelId c) -> const Channel& { return protocol.channels[c]; };
  for (ProcessId p = 0; p < 2; ++p) {
    const std::string& process = protocol.processes[p].name;
    for (const ChannelId c : senders[p])
      if (readers[p].contains(c))
        return Unfit{fmt::format("process `{}` sends to channel `{}` which it reads itself",
                                 process, channel(c).name),
                     channel(c).place};
    std::set<ChannelId> incoming = readers[p];
    incoming.insert(senders[1 - p].begin(), senders[1 - p].end());
    if (incoming.size() > 1)
      return Unfit{
          fmt::format("there is more than one channel to process `{}`: `{}` and `{}`", process,
                      channel(*incoming.begin()).name, channel(*incoming.rbegin()).name),
          channel(*incoming.rbegin()).place};
    for (const ChannelId c : incoming)
      if (channel(c).capacity > TwoProcess::most_capacity)
        return Unfit{fmt::format("channel `{}` has more than {} slots", channel(c).name,
                                 TwoProcess::most_capacity),
                     channel(c).place};
  }
  return {};
}

std::optional<Unfit> misfit(const Protocol& protocol, const TwoProcess& fitted) {
  std::uint64_t attributes = fitted.attributes.size() + 2;
  for (const TwoProcess::Side* side : {&fitted.a, &fitted.b})
    attributes += std::uint64_t{side->capacity} * (1 + side->value_count);
  if (attributes <= TwoProcess::most_attributes) return {};
  return Unfit{fmt::format("a state has {} attributes (control states, variables, messages and "
                           "their values), more than {}",
                           attributes, TwoProcess::most_attributes),
               protocol.processes[0].place};
}

// ---- names ---------------------------------------------------------------------------------

// Messages by number, in the order in which they are met. One that comes with different numbers of
// values is several.
class Messages {
 public:
  std::int32_t of(const std::string& name, std::size_t value_count) {
    const auto [found, is_new] = numbers_.emplace(std::pair(name, value_count),
                                                  static_cast<std::int32_t>(numbers_.size() + 1));
    if (is_new) names_.push_back(own_names_.next(name));
    return found->second;
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::map<std::pair<std::string, std::size_t>, std::int32_t> numbers_;
  OwnNames own_names_;
  std::vector<std::string> names_;
};

// Columns need no quotes in SQL, where large letters and small ones are the same, and PostgreSQL
// looks at 63 of them.
constexpr std::size_t longest_column = 40;  // with room for what comes before and behind

std::vector<TwoProcess::Attribute> attributes_of(const Program& program) {
  std::vector<TwoProcess::Attribute> attributes;
  std::set<std::string> taken;
  for (VariableId v = 0; v < program.protocol.variables.size(); ++v) {
    const Variable& variable = program.protocol.variables[v];
    const std::string process = variable.process == none ? "" : variable.process == 0 ? "A" : "B";
    std::string plain = process.empty() ? "value_" : "value_" + process + "_";
    plain += variable.name;
    for (char& c : plain) {
      const auto letter = static_cast<unsigned char>(c);
      c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
    }
    plain.resize(std::min(plain.size(), longest_column));
    std::string column = plain;
    for (int copy = 2; !taken.insert(column).second; ++copy)
      column = fmt::format("{}_{}", plain, copy);
    attributes.push_back(
        {column, variable.name, process, v, read(program.layout.variables[v], program.initial)});
  }
  return attributes;
}

// ---- rows ----------------------------------------------------------------------------------

TwoProcess::Side side_of(const Process& process) {
  TwoProcess::Side side;
  side.process = process.name;
  side.states = control_state_names(process);
  side.initial = process.automaton.initial;
  for (StateId s = 0; s < process.automaton.states.size(); ++s) {
    if (process.automaton.states[s].is_end) side.ends.push_back(s);
    if (process.automaton.states[s].may_stop) side.stops.push_back(s);
  }
  return side;
}

// Procedures by number, in the order in which they are met. What a rule sends and receives, and
// from where to where, is not part of it.
class Procedures {
 public:
  explicit Procedures(const Program& program) : program_(program) {}

  std::uint32_t of(RuleId id) {
    const Rule& rule = program_.rules[id];
    const bool talks = rule.kind == ActionKind::send || rule.kind == ActionKind::receive;
    if (talks && rule.conditions.empty() && rule.values.empty() && rule.assignments.empty())
      return 0;
    const auto key = std::tuple(rule.owner().process, rule.kind, rule.channel, rule.conditions,
                                rule.values, rule.assignments, rule.check);
    const auto [found, is_new] =
        numbers_.emplace(key, static_cast<std::uint32_t>(numbers_.size() + 1));
    if (is_new)
      all_.push_back({own_names_[rule.owner().process].next(rule.text), rule.owner().process, id});
    return found->second;
  }
  std::vector<TwoProcess::Procedure> all() && { return std::move(all_); }

 private:
  using Key = std::tuple<ProcessId, ActionKind, ChannelId, std::vector<ExpressionId>,
                         std::vector<ExpressionId>, std::vector<Assignment>, ExpressionId>;
  const Program& program_;
  std::map<Key, std::uint32_t> numbers_;
  std::array<OwnNames, 2> own_names_;
  std::vector<TwoProcess::Procedure> all_;
};

void add_rule(const Program& program, RuleId id, Messages& messages, Procedures& procedures,
              TwoProcess::Side& side) {
  const Rule& rule = program.rules[id];
  const std::uint32_t procedure = procedures.of(id);
  if (rule.kind == ActionKind::send || rule.kind == ActionKind::receive) {
    const MessageType& type = program.protocol.channels[rule.channel].sort[rule.tag - 1];
    const std::int32_t number = messages.of(type.name, type.values.size());
    if (rule.kind == ActionKind::send) {
      side.transmissions.emplace(rule.owner().from, -number, rule.owner().to, procedure);
    } else {
      side.receptions.emplace(rule.owner().from, number, rule.owner().to, procedure);
      side.has_guarded_reception = side.has_guarded_reception || !rule.conditions.empty();
    }
    return;
  }
  const bool is_timeout = rule.written_as == ActionKind::timeout;
  (is_timeout ? side.timeouts : side.internals)
      .emplace(rule.owner().from, 0, rule.owner().to, procedure);
}

// A message that is received here and sent nowhere has no rule, but a row that is never used.
void add_never_sent(const Protocol& protocol, const Transition& t, StateId source,
                    Messages& messages, TwoProcess::Side& side) {
  if (t.kind != ActionKind::receive) return;
  const std::vector<MessageType>& sort = protocol.channels[t.channel].sort;
  if (std::none_of(sort.begin(), sort.end(),
                   [&](const MessageType& type) { return type.name == t.message; }))
    side.receptions.emplace(source, messages.of(t.message, 0), t.target, 0);
}

void set_channel(const Protocol& protocol, const std::set<ChannelId>& incoming,
                 TwoProcess::Side& side) {
  for (const ChannelId c : incoming) {
    side.channel = protocol.channels[c].name;
    side.channel_id = c;
    side.capacity = protocol.channels[c].capacity;
    for (const MessageType& type : protocol.channels[c].sort)
      side.value_count = std::max(side.value_count, static_cast<std::uint32_t>(type.values.size()));
  }
}

TwoProcess relations_of(const Program& program, const Channels& senders, const Channels& readers) {
  const Protocol& protocol = program.protocol;
  TwoProcess result;
  Messages messages;
  Procedures procedures(program);
  for (ProcessId p = 0; p < 2; ++p) {
    TwoProcess::Side& side = p == 0 ? result.a : result.b;
    side = side_of(protocol.processes[p]);
    for (StateId s = 0; s < program.control[p].size(); ++s) {
      const ControlInfo& info = program.at(p, s);
      for_each_rule(info, [&](RuleId id) { add_rule(program, id, messages, procedures, side); });
      for (const Transition& t : program.state(p, s).transitions)
        add_never_sent(protocol, t, s, messages, side);
    }
    std::set<ChannelId> incoming = readers[p];
    incoming.insert(senders[1 - p].begin(), senders[1 - p].end());
    set_channel(protocol, incoming, side);
  }
  result.messages = std::move(messages).names();
  result.attributes = attributes_of(program);
  result.procedures = std::move(procedures).all();
  result.is_extended = !result.procedures.empty() || !result.attributes.empty() ||
                       result.a.value_count + result.b.value_count > 0;
  result.timeouts_wait = std::any_of(
      program.rounds.begin(), program.rounds.end(),
      [](const RuleRound& round) { return round.rule_class > 0 && round.first < round.end; });
  return result;
}

}  // namespace

Result<TwoProcess, Unfit> two_process(const Program& program) {
  const Protocol& protocol = program.protocol;
  if (auto unfit = misfit(program)) return *unfit;
  Channels senders, readers;
  for (ProcessId p = 0; p < 2; ++p)
    for (const ControlState& state : protocol.processes[p].automaton.states)
      for (const Transition& t : state.transitions) {
        if (auto unfit = misfit(protocol, protocol.processes[p], t)) return *unfit;
        if (t.kind == ActionKind::send) senders[p].insert(t.channel);
        if (is_receive(t.kind)) readers[p].insert(t.channel);
      }
  if (auto unfit = misfit(protocol, senders, readers)) return *unfit;
  TwoProcess result = relations_of(program, senders, readers);
  if (auto unfit = misfit(protocol, result)) return *unfit;
  return result;
}

}  // namespace panoptes
