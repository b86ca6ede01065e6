// SPDX-License-Identifier: Apache-2.0
#include "differential/plain_waiting.hpp"

#include <algorithm>

namespace panoptes::differential {
namespace {

// The nodes that control can come to.
std::set<int> reachable(const PlainGraph& graph) {
  std::set<int> reached{graph.start};
  std::vector<int> fresh{graph.start};
  while (!fresh.empty()) {
    const auto node = static_cast<std::size_t>(fresh.back());
    fresh.pop_back();
    for (const PlainOption& option : graph.nodes[node].options)
      if (reached.insert(option.target).second) fresh.push_back(option.target);
  }
  return reached;
}

// Whether an expression has one of these names.
bool mentions(const argos::Expression& expression, const std::set<std::string>& names) {
  if (const auto* name = std::get_if<argos::NameUse>(&expression.node))
    return names.count(name->text) > 0;
  if (const auto* question = std::get_if<argos::AskChannel>(&expression.node))
    return question->channel.index && mentions(*question->channel.index, names);
  if (const auto* unary = std::get_if<argos::Unary>(&expression.node))
    return mentions(*unary->operand, names);
  if (const auto* binary = std::get_if<argos::Binary>(&expression.node))
    return mentions(*binary->left, names) || mentions(*binary->right, names);
  if (const auto* element = std::get_if<argos::Element>(&expression.node))
    return mentions(*element->index, names);
  if (const auto* all = std::get_if<argos::Quantifier>(&expression.node))
    return mentions(*all->body, names);
  return false;
}

}  // namespace

PlainWaiting::PlainWaiting(const PlainProtocol& protocol, bool overflow_is_error)
    : protocol_(protocol), overflow_is_error_(overflow_is_error) {
  for (std::size_t i = 0; i < protocol.processes.size(); ++i) {
    const PlainGraph& graph = protocol.processes[i].graph;
    for (const int node : reachable(graph))
      for (const PlainOption& option : graph.nodes[static_cast<std::size_t>(node)].options)
        if (option.action != nullptr) note(i, option);
  }
}

void PlainWaiting::note(std::size_t process, const PlainOption& option) {
  const auto& action = option.action->action;
  if (const auto* assign = std::get_if<argos::Assign>(&action))
    for (const argos::Assignment& part : assign->parts) note_target(process, option, part.variable);
  const auto* receive = std::get_if<argos::Receive>(&action);
  if (receive != nullptr)
    for (const argos::VariableUse& target : receive->targets) note_target(process, option, target);
  if (channel_use(option) == nullptr) return;
  for (const int channel : protocol_.possible_channels(option)) {
    if (receive != nullptr || is<argos::ReceiveDefault>(option) || is<argos::Flush>(option))
      takers_[channel].insert(process);
    if (!is_send(option)) continue;
    senders_[channel].insert(process);
    const auto count = static_cast<int>(values_sent(option).size());
    sent_[channel][{option.message, count}].insert(process);
  }
}

void PlainWaiting::note_target(std::size_t process, const PlainOption& option,
                               const argos::VariableUse& target) {
  const Scope& scope = *option.scope;
  if (scope.variables.count(target.name.text) == 0) return;  // `_`
  if (target.index)
    for (const int variable : protocol_.possible_elements(target.name.text, *target.index, scope))
      writers_[variable].insert(process);
  else
    writers_[scope.variables.at(target.name.text)].insert(process);
}

bool PlainWaiting::others(const Processes& all, std::size_t process) {
  return all.size() > all.count(process);
}

bool PlainWaiting::others_take(int channel, std::size_t process) const {
  const auto takers = takers_.find(channel);
  return takers != takers_.end() && others(takers->second, process);
}

bool PlainWaiting::may_come(const PlainState& state, std::size_t process,
                            const PlainOption& option) const {
  if (option.action == nullptr || is<argos::Else>(option)) return true;
  PlainState called = state;
  protocol_.call(option.before, called);
  const Case at{process, option, *option.scope, *option.scope, called};
  if (!may_hold(at, option.action->when)) return false;
  if (const auto* test = std::get_if<argos::Test>(&option.action->action))
    return may_hold(at, test->condition);
  return channel_use(option) == nullptr || exchange_may_come(at);
}

// An index that leads nowhere is an error, and that is something that happens.
bool PlainWaiting::exchange_may_come(const Case& at) const {
  const PlainOption& option = at.option;
  const argos::ChannelUse& use = *channel_use(option);
  int channel = option.channel;
  if (channel < 0) {
    const int chosen = protocol_.meant(use.name.text, at.scope).variable;
    if (chosen >= 0 ? can_change(at, chosen) : use.index && can_change(at, *use.index, at.scope))
      return true;
    try {
      channel = protocol_.find(use, at.scope, at.state);
    } catch (const Failure&) {
      return true;
    }
  }
  if (protocol_.is_rendezvous(option)) {  // somebody may come
    const auto* receive = std::get_if<argos::Receive>(&option.action->action);
    return receive == nullptr || may_like(at, nullptr, receive->targets.size());
  }
  const PlainMessage* first = protocol_.head(channel, at.state);
  if (is<argos::Send>(option)) return room_may_come(at, channel);
  if (is<argos::Broadcast>(option)) {
    const std::vector<int> family = protocol_.family_with_slots(option);
    return std::all_of(family.begin(), family.end(),
                       [&](int member) { return room_may_come(at, member); });
  }
  if (is<argos::Timeout>(option)) return first == nullptr || others_take(channel, at.process);
  if (is<argos::Flush>(option)) return true;
  if (first == nullptr) return can_be_sent(at, channel);
  if (protocol_.channel(channel).is_reordering) return any_may_come(at, channel);
  if (is<argos::ReceiveDefault>(option)) return true;  // or another option takes it
  return first->name == option.message && may_like(at, first, first->values.size());
}

bool PlainWaiting::room_may_come(const Case& at, int channel) const {
  return overflow_is_error_ || protocol_.channel(channel).is_lossy ||
         !protocol_.is_full(channel, at.state) || others_take(channel, at.process);
}

// On a line that reorders: one that is there, or where there is room one that is not there yet.
bool PlainWaiting::any_may_come(const Case& at, int channel) const {
  if (is<argos::ReceiveDefault>(at.option)) return true;
  for (const PlainMessage& message : at.state.channels[static_cast<std::size_t>(channel)])
    if (message.name == at.option.message && may_like(at, &message, message.values.size()))
      return true;
  return !protocol_.is_full(channel, at.state) && can_be_sent(at, channel);
}

// A message that the option takes, by another process.
bool PlainWaiting::can_be_sent(const Case& at, int channel) const {
  const auto sent = sent_.find(channel);
  if (sent == sent_.end()) return false;
  for (const auto& [message, processes] : sent->second) {
    if (!others(processes, at.process)) continue;
    if (is<argos::ReceiveDefault>(at.option)) return true;
    if (message.first == at.option.message &&
        may_like(at, nullptr, static_cast<std::size_t>(message.second)))
      return true;
  }
  return false;
}

// What a receive says of a message with so many values; null: of one that is not there yet.
bool PlainWaiting::may_like(const Case& at, const PlainMessage* message, std::size_t count) const {
  const auto& receive = std::get<argos::Receive>(at.option.action->action);
  Scope scope = at.scope, text = at.scope;
  std::set<std::string> coming;
  for (std::size_t i = 0; i < std::min(count, receive.targets.size()); ++i) {
    if (receive.targets[i].index) continue;
    coming.insert(receive.targets[i].name.text);
    scope.constants[receive.targets[i].name.text] = message == nullptr ? 0 : message->values[i];
    text.constants.erase(receive.targets[i].name.text);
    text.variables.erase(receive.targets[i].name.text);
  }
  const Case with_values{at.process, at.option, scope, text, at.state};
  for (std::size_t i = 0; i < receive.expected.size(); ++i) {
    if (receive.expected[i] == nullptr || can_change(with_values, *receive.expected[i], text))
      continue;
    const bool is_known = i >= count || message != nullptr;
    if (!is_known || (message == nullptr && mentions(*receive.expected[i], coming))) continue;
    try {
      const std::int64_t expected = protocol_.evaluate(*receive.expected[i], scope, at.state);
      if (i >= count || message->values[i] != expected) return false;
    } catch (const Failure&) {
    }
  }
  if (receive.when != nullptr && message == nullptr && mentions(*receive.when, coming)) return true;
  return may_hold(with_values, receive.when);
}

// It may be something else than 0 one day; where it fails, the step is taken.
bool PlainWaiting::may_hold(const Case& at, const argos::ExpressionPtr& condition) const {
  if (condition == nullptr || can_change(at, *condition, at.text)) return true;
  try {
    return protocol_.evaluate(*condition, at.scope, at.state) != 0;
  } catch (const Failure&) {
    return true;
  }
}

bool PlainWaiting::can_change(const Case& at, const argos::Expression& expression,
                              const Scope& scope) const {
  if (const auto* name = std::get_if<argos::NameUse>(&expression.node)) {
    const auto variable = scope.variables.find(name->text);  // neither is `true`
    return scope.constants.count(name->text) == 0 && variable != scope.variables.end() &&
           can_change(at, variable->second);
  }
  if (const auto* question = std::get_if<argos::AskChannel>(&expression.node))
    return can_change(at, question->channel, scope);
  if (const auto* unary = std::get_if<argos::Unary>(&expression.node))
    return can_change(at, *unary->operand, scope);
  if (const auto* binary = std::get_if<argos::Binary>(&expression.node))
    return can_change(at, *binary->left, scope) || can_change(at, *binary->right, scope);
  if (const auto* element = std::get_if<argos::Element>(&expression.node)) {
    const std::vector<int> elements =
        protocol_.possible_elements(element->array.text, *element->index, scope);
    return can_change(at, *element->index, scope) ||
           std::any_of(elements.begin(), elements.end(),
                       [&](int variable) { return can_change(at, variable); });
  }
  if (const auto* all = std::get_if<argos::Quantifier>(&expression.node)) {
    Scope inner = scope;
    const std::int64_t high = protocol_.evaluate(*all->range.high, scope, at.state);
    std::int64_t& index = inner.constants[all->index.text];
    for (index = protocol_.evaluate(*all->range.low, scope, at.state); index <= high; ++index)
      if (can_change(at, *all->body, inner)) return true;
  }
  return false;
}

// How full a channel is.
bool PlainWaiting::can_change(const Case& at, const argos::ChannelUse& use,
                              const Scope& scope) const {
  if (use.index && can_change(at, *use.index, scope)) return true;
  const std::vector<int> channels = protocol_.possible_channels(use, scope);
  return std::any_of(channels.begin(), channels.end(), [&](int channel) {
    const auto senders = senders_.find(channel);
    return others_take(channel, at.process) ||
           (senders != senders_.end() && others(senders->second, at.process));
  });
}

// A parameter that is set on the way to the option is what it is set to.
bool PlainWaiting::can_change(const Case& at, int variable) const {
  for (auto step = at.option.before.rbegin(); step != at.option.before.rend(); ++step)
    if (step->variable == variable)
      return step->value != nullptr && can_change(at, *step->value, *step->scope);
  const auto writers = writers_.find(variable);
  return writers != writers_.end() && others(writers->second, at.process);
}

}  // namespace panoptes::differential
