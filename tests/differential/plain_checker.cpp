// SPDX-License-Identifier: Apache-2.0
// The plain checker: rules, checks and the search.
//
// A rule in a state is blocked, leads to a successor or fails. A failure is thrown as Failure by
// whatever finds out about it, and reported where the rule was fired.
#include "differential/plain_checker.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

#include "differential/plain_waiting.hpp"

namespace panoptes::differential {
namespace {

using Violations = std::vector<std::string>;  // "assertion event"

class Checker {
 public:
  Checker(const argos::Model& model, const SourceSet& sources, const PlainOptions& options,
          PlainWatcher* watcher)
      : protocol_(model, sources, options.default_capacity, options.ranges_wrap),
        options_(options),
        watcher_(watcher),
        waiting_for_(protocol_, options.overflow_is_error) {}

  PlainResult check();

 private:
  struct Sequence;  // of an atomic
  // What the line makes of a send or a receive.
  struct Delivery {
    std::size_t position = 0;  // of the message that is received
    bool is_fault = false;     // what is sent is lost, what is received stays
  };

  // rules
  int channel_of(const PlainOption& option, const PlainState& state) const;
  int channel_read(const PlainOption& option, const PlainState& state) const;
  std::vector<Delivery> deliveries(const PlainOption& option, const PlainState& state) const;
  bool is_enabled(const PlainState& state, std::size_t process, const PlainOption& option,
                  const Delivery& delivery) const;
  bool accepts(const PlainState& state, std::size_t process, int channel,
               const PlainMessage& message, bool by_default_too) const;
  bool has_taker(const PlainState& state, std::size_t process, int number, int message) const;
  bool takes(const PlainState& state, const PlainOption& option, const PlainMessage& message) const;
  bool condition_holds(const PlainState& state, const PlainOption& option) const;
  bool can_do_other(const PlainState& state, std::size_t process) const;
  PlainOptions::Timeouts kind_of(const PlainOption& timeout) const;
  bool likes(const PlainState& state, const PlainOption& option, const PlainMessage& message) const;
  void perform(PlainState& state, const PlainOption& option, const Delivery& delivery,
               Violations& violations) const;
  PlainMessage sent(const PlainState& state, const PlainOption& option) const;
  PlainMessage offered(const PlainState& state, const PlainOption& option) const;
  void send(PlainState& state, const PlainOption& option, bool is_lost,
            Violations& violations) const;
  void store(PlainState& state, const PlainOption& option, const PlainMessage& message) const;
  void receive(PlainState& state, const PlainOption& option, const Delivery& delivery,
               Violations& violations) const;
  void observe(PlainState& state, const PlainEvent& event, Violations& violations) const;
  void tell(const std::set<std::size_t>& processes, const PlainState* target,
            bool is_sequence = false) const;
  bool fire(const PlainState& state, std::size_t process, const PlainOption& option);
  bool fire(const PlainState& state, std::size_t process, const PlainOption& option,
            const Delivery& delivery);
  void fire_enabled(PlainState state, std::size_t process, const PlainOption& option,
                    const Delivery& delivery);
  std::optional<PlainState> successor(PlainState state, std::size_t process,
                                      const PlainOption& option, const Delivery& delivery);

  // rendezvous
  struct Partner {
    std::size_t process;
    const PlainOption* option;
  };
  std::vector<Partner> partners(const PlainState& state, std::size_t process,
                                const PlainOption& option) const;
  bool agree(PlainState state, const PlainOption& option, std::size_t other,
             const PlainOption& taking) const;
  bool can_meet(const PlainState& state, std::size_t process, const PlainOption& option) const;
  std::optional<PlainState> meet(PlainState state, std::size_t process, const PlainOption& option,
                                 const Partner& partner);
  bool fire_rendezvous(const PlainState& state, std::size_t process, const PlainOption& option);
  void follow_rendezvous(Sequence& sequence, std::size_t number, const PlainOption& option,
                         const Partner& partner);

  // atomic
  void go_alone(PlainState first, std::size_t process, const PlainOption& option,
                std::set<std::size_t> movers = {});
  void follow(Sequence& sequence, std::size_t number);
  bool follow(Sequence& sequence, std::size_t number, const PlainOption& option,
              const Delivery& delivery);
  void find_endless(Sequence& sequence);

  // checks
  void check_state(const PlainState& state, const std::vector<bool>& can_move);
  void check_deadlock(const PlainState& state);
  void check_receptions(const PlainState& state, std::size_t process, bool can_move);
  bool helps(const PlainState& state, std::size_t process, int number) const;
  void check_end(const PlainState& state);
  std::set<int> channels_read_at(const PlainState& state, std::size_t process) const;
  // What a finding says of each part of a family that may differ between findings of a group.
  using Differences = std::vector<std::pair<std::string, std::string>>;
  PlainError& group(PlainError error, const Differences& differences);
  void report(const std::string& kind, const std::string& process, const NodeName& at,
              const std::string& message, std::uint64_t steps);

  // livelocks
  using StateSet = std::set<const PlainState*>;
  struct Move {
    std::size_t process;
    bool is_external;
    const PlainState* target;
  };
  bool is_external(const PlainOption& option) const;
  bool may_be_external(std::size_t process, const PlainOption& option) const;
  bool may_end(const PlainState& state) const;
  StateSet livelocked() const;
  StateSet reachable(const PlainState* state) const;
  void check_livelocks();
  void report_livelock(const StateSet& states);
  void check_stuck();
  std::map<const PlainState*, std::set<std::size_t>> free_processes() const;

  // search
  void expand(const PlainState& state);
  std::vector<bool> fire_all(const PlainState& state);
  const PlainState* reach(PlainState state, std::uint64_t depth);

  const PlainNode& node_of(const PlainState& state, std::size_t process) const {
    const auto node = static_cast<std::size_t>(state.control[process]);
    return protocol_.processes[process].graph.nodes[node];
  }
  const NodeName& name_of(const PlainState& state, std::size_t process) const {
    const auto node = static_cast<std::size_t>(state.control[process]);
    return protocol_.processes[process].names[node];
  }
  const std::string& message_name(int message) const {
    return protocol_.message_names[static_cast<std::size_t>(message)];
  }

  const PlainProtocol protocol_;
  const PlainOptions options_;
  PlainWatcher* const watcher_;
  mutable std::vector<PlainEvent> events_;  // of the step that is being done
  const PlainWaiting waiting_for_;
  std::map<PlainState, std::uint64_t> depths_;
  std::deque<const std::pair<const PlainState, std::uint64_t>*> waiting_;
  std::uint64_t depth_ = 0;  // of the state being expanded
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, PlainError> errors_;
  std::map<Key, std::map<std::string, std::set<std::string>>> differences_;
  PlainResult result_;
  std::uint64_t reports_ = 0;
  bool is_trying_ = false;     // fire() only says what is enabled
  std::set<std::size_t> met_;  // who has met somebody in the state being expanded
  // For livelocks: what can happen in each state, and in which states a step fails.
  std::map<const PlainState*, std::vector<Move>> moves_;
  StateSet failing_;
  std::set<std::pair<const PlainState*, std::size_t>> refusing_;  // and who is stuck on a message
  const PlainState* current_ = nullptr;                           // being expanded
};

// ---- rules -----------------------------------------------------------------------------------

int Checker::channel_of(const PlainOption& option, const PlainState& state) const {
  return option.channel >= 0 ? option.channel
                             : protocol_.find(*channel_use(option), *option.scope, state);
}

// Of a channel that a variable chooses, where there is none, the step fails, and once.
std::vector<Checker::Delivery> Checker::deliveries(const PlainOption& option,
                                                   const PlainState& state) const {
  const bool receives = is<argos::Receive>(option) || is<argos::ReceiveDefault>(option);
  if (!receives && !is_send(option)) return {{}};
  int number = option.channel;
  try {
    PlainState called = state;
    protocol_.call(option.before, called);
    if (number < 0) number = channel_of(option, called);
  } catch (const Failure&) {
    if (number < 0) return {{}};
  }
  const PlainChannel& line = protocol_.channel(number);
  const bool is_faulty = receives ? line.is_duplicating : line.is_lossy;
  std::vector<Delivery> all;
  for (std::size_t i = 0; i < (receives && line.is_reordering ? line.capacity : 1); ++i) {
    all.push_back({i, false});
    if (is_faulty) all.push_back({i, true});
  }
  return all;
}

bool Checker::is_enabled(const PlainState& state, std::size_t process, const PlainOption& option,
                         const Delivery& delivery) const {
  if (option.action == nullptr) return true;
  if (is<argos::Else>(option)) return !can_do_other(state, process);
  if (channel_use(option) == nullptr) {
    if (!condition_holds(state, option)) return false;
    const auto* test = std::get_if<argos::Test>(&option.action->action);
    return test == nullptr || protocol_.evaluate(*test->condition, *option.scope, state) != 0;
  }
  int number = 0;
  try {
    number = channel_of(option, state);
  } catch (const Failure&) {  // which matters only where it may be executed otherwise
    if (!condition_holds(state, option)) return false;
    throw;
  }
  if (protocol_.is_rendezvous(option)) return false;  // not alone
  const std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  const PlainMessage* first =
      delivery.position < messages.size() ? &messages[delivery.position] : nullptr;
  const bool waits = is<argos::Receive>(option) || is<argos::ReceiveDefault>(option);
  if (waits && first == nullptr) return false;
  if (is<argos::Receive>(option) && first->name != option.message) return false;
  if (is<argos::Timeout>(option) && first != nullptr) return false;
  if (is<argos::ReceiveDefault>(option) && accepts(state, process, number, *first, false))
    return false;
  if (!condition_holds(state, option)) return false;
  if (is<argos::Broadcast>(option) && option.member == 0 && !options_.overflow_is_error)
    for (const int member : protocol_.family_with_slots(option))
      if (protocol_.is_full(member, state)) return false;
  if (is_send(option))
    return delivery.is_fault || options_.overflow_is_error || !protocol_.is_full(number, state);
  return !is<argos::Receive>(option) || likes(state, option, *first);
}

// Whether an option that is no `else` is enabled, be it to fail. A timeout that waits for all
// others waits for an `else` as well.
bool Checker::can_do_other(const PlainState& state, std::size_t process) const {
  for (const PlainOption& option : node_of(state, process).options) {
    if (is<argos::Else>(option)) continue;
    if (is<argos::Timeout>(option) && kind_of(option) != PlainOptions::Timeouts::empty) continue;
    try {
      PlainState called = state;
      protocol_.call(option.before, called);
      for (const Delivery& delivery : deliveries(option, state))
        if (is_enabled(called, process, option, delivery)) return true;
      if (can_meet(state, process, option)) return true;
    } catch (const Failure&) {
      return true;
    }
  }
  return false;
}

// Whether somebody is there to send to the option, or to receive from it.
bool Checker::can_meet(const PlainState& state, std::size_t process,
                       const PlainOption& option) const {
  if (!protocol_.is_rendezvous(option)) return false;
  if (is<argos::Send>(option)) return !partners(state, process, option).empty();
  for (std::size_t other = 0; other < protocol_.processes.size(); ++other)
    for (const PlainOption& sending : node_of(state, other).options) {
      if (!is<argos::Send>(sending) || !protocol_.is_rendezvous(sending)) continue;
      for (const Partner& partner : partners(state, other, sending))
        if (partner.process == process && partner.option == &option) return true;
    }
  return false;
}

PlainOptions::Timeouts Checker::kind_of(const PlainOption& timeout) const {
  using enum PlainOptions::Timeouts;
  const auto said = std::get<argos::Timeout>(timeout.action->action).kind;
  if (!said) return options_.timeouts;
  return *said == argos::TimeoutWord::empty  ? empty
         : *said == argos::TimeoutWord::lock ? lock
                                             : quiet;
}

// The `when` before it; a broadcast that has begun goes on.
bool Checker::condition_holds(const PlainState& state, const PlainOption& option) const {
  return option.action->when == nullptr || option.member > 0 ||
         protocol_.evaluate(*option.action->when, *option.scope, state) != 0;
}

// What a receive says of the values of the message.
bool Checker::likes(const PlainState& state, const PlainOption& option,
                    const PlainMessage& message) const {
  const auto& receive = std::get<argos::Receive>(option.action->action);
  const std::size_t count = message.values.size();
  Scope scope = *option.scope;  // where the values that come have the names of where they go
  for (std::size_t i = 0; i < std::min(count, receive.targets.size()); ++i)
    if (!receive.targets[i].index)
      scope.constants[receive.targets[i].name.text] = message.values[i];
  for (std::size_t i = 0; i < receive.expected.size(); ++i) {
    if (receive.expected[i] == nullptr) continue;
    const std::int64_t expected = protocol_.evaluate(*receive.expected[i], scope, state);
    if (i >= count || known(message.values[i]) != expected) return false;
  }
  return receive.when == nullptr || protocol_.evaluate(*receive.when, scope, state) != 0;
}

// The channel that a reception reads before anything of it is done; -1 if its index fails.
int Checker::channel_read(const PlainOption& option, const PlainState& state) const {
  if (option.channel >= 0) return option.channel;
  try {
    PlainState called = state;
    protocol_.call(option.before, called);
    return channel_of(option, called);
  } catch (const Failure&) {
    return -1;
  }
}

// Whether the control state of `process` has a receive that takes `message` from the channel.
bool Checker::accepts(const PlainState& state, std::size_t process, int number,
                      const PlainMessage& message, bool by_default_too) const {
  for (const PlainOption& option : node_of(state, process).options) {
    const bool may = is<argos::Receive>(option) && option.message == message.name;
    const bool may_any = by_default_too && is<argos::ReceiveDefault>(option);
    if ((may || may_any) && channel_read(option, state) == number && takes(state, option, message))
      return true;
  }
  return false;
}

// Whether it has one that takes the message whatever its values are.
bool Checker::has_taker(const PlainState& state, std::size_t process, int number,
                        int message) const {
  const auto takes_all = [&](const PlainOption& option) {
    if (!is<argos::Receive>(option) || option.message != message) return false;
    const auto& receive = std::get<argos::Receive>(option.action->action);
    return option.action->when == nullptr && receive.when == nullptr &&
           std::ranges::all_of(receive.expected, [](const auto& e) { return e == nullptr; }) &&
           channel_read(option, state) == number;
  };
  return std::ranges::any_of(node_of(state, process).options, takes_all);
}

// Whether its conditions let a reception take the message; where one fails, it does and fails.
bool Checker::takes(const PlainState& state, const PlainOption& option,
                    const PlainMessage& message) const {
  try {
    PlainState called = state;
    protocol_.call(option.before, called);
    return condition_holds(called, option) &&
           (!is<argos::Receive>(option) || likes(called, option, message));
  } catch (const Failure&) {
    return true;
  }
}

void Checker::perform(PlainState& state, const PlainOption& option, const Delivery& delivery,
                      Violations& violations) const {
  if (option.action == nullptr) return;
  const auto& action = option.action->action;
  if (const auto* assignment = std::get_if<argos::Assign>(&action)) {
    std::vector<PlainAssignment> parts;
    for (const argos::Assignment& part : assignment->parts)
      parts.push_back({&part.variable, part.value.get()});
    protocol_.assign(state, parts, *option.scope);
  } else if (const auto* check = std::get_if<argos::Check>(&action)) {
    if (protocol_.evaluate(*check->condition, *option.scope, state) == 0)
      throw Failure{"assertion", ""};
  } else if (is_send(option)) {
    send(state, option, delivery.is_fault, violations);
  } else if (is<argos::Receive>(option) || is<argos::ReceiveDefault>(option)) {
    receive(state, option, delivery, violations);
  } else if (is<argos::Flush>(option)) {
    state.channels[static_cast<std::size_t>(channel_of(option, state))].clear();
  }
}

PlainMessage Checker::sent(const PlainState& state, const PlainOption& option) const {
  PlainMessage message{option.message, {}};
  for (const argos::ExpressionPtr& value : values_sent(option))
    message.values.push_back(
        into_range(protocol_.evaluate(*value, *option.scope, state), PlainRange{}));
  return message;
}

// What a receiver can ask about before it is sent: a value that fails fails whoever asks for it.
PlainMessage Checker::offered(const PlainState& state, const PlainOption& option) const {
  PlainMessage message{option.message, {}};
  for (const argos::ExpressionPtr& value : std::get<argos::Send>(option.action->action).values) {
    try {
      message.values.push_back(
          into_range(protocol_.evaluate(*value, *option.scope, state), PlainRange{}));
    } catch (const Failure& failure) {
      message.values.push_back(without_value(failure));
    }
  }
  return message;
}

void Checker::send(PlainState& state, const PlainOption& option, bool is_lost,
                   Violations& violations) const {
  const int number = channel_of(option, state);
  if (!is_lost && protocol_.is_full(number, state))
    throw Failure{"overflow", protocol_.channel(number).name + "!" + message_name(option.message)};
  const PlainMessage message = option.member > 0 ? state.broadcast.value() : sent(state, option);
  if (!protocol_.channel(number).is_sink && !is_lost)
    state.channels[static_cast<std::size_t>(number)].push_back(message);
  const bool goes_on = option.member + 1 < option.members;
  state.broadcast = goes_on ? std::optional(message) : std::nullopt;
  observe(state, PlainEvent{number, true, option.message}, violations);
}

void Checker::store(PlainState& state, const PlainOption& option,
                    const PlainMessage& message) const {
  const auto* receive = std::get_if<argos::Receive>(&option.action->action);
  if (receive == nullptr) return;
  std::vector<PlainAssignment> parts;
  for (std::size_t i = 0; i < std::min(message.values.size(), receive->targets.size()); ++i)
    if (receive->targets[i].name.text != "_")
      parts.push_back({&receive->targets[i], nullptr, message.values[i]});
  protocol_.assign(state, parts, *option.scope);
}

void Checker::receive(PlainState& state, const PlainOption& option, const Delivery& delivery,
                      Violations& violations) const {
  const int number = channel_of(option, state);
  std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  const PlainMessage message = messages[delivery.position];
  store(state, option, message);  // with the message still there
  if (!delivery.is_fault)
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(delivery.position));
  observe(state, PlainEvent{number, false, message.name}, violations);
}

void Checker::tell(const std::set<std::size_t>& processes, const PlainState* target,
                   bool is_sequence) const {
  if (watcher_ == nullptr || target == nullptr) return;
  const std::vector<PlainEvent> none;
  watcher_->step(*current_, {processes, is_sequence ? none : events_, is_sequence}, *target);
}

void Checker::observe(PlainState& state, const PlainEvent& event, Violations& violations) const {
  events_.push_back(event);
  for (std::size_t i = 0; i < protocol_.assertions.size(); ++i) {
    const PlainAssertion& assertion = protocol_.assertions[i];
    if (assertion.events.count(event) == 0) continue;
    std::set<int> moved;
    for (const int node : state.assertion_sets[i]) {
      const auto targets = assertion.moves.find({node, event});
      if (targets == assertion.moves.end()) continue;
      moved.insert(targets->second.begin(), targets->second.end());
    }
    if (moved.empty())
      violations.push_back(assertion.name + " " + protocol_.channel(event.channel).name +
                           (event.is_send ? "!" : "?") + message_name(event.message));
    state.assertion_sets[i] = assertion.close(moved);
  }
}

// Fires one rule; says whether it was enabled. While trying, that is all.
bool Checker::fire(const PlainState& state, std::size_t process, const PlainOption& option) {
  if (is<argos::Send>(option) && protocol_.is_rendezvous(option) &&
      fire_rendezvous(state, process, option))
    return true;
  bool is_any_enabled = false;
  for (const Delivery& delivery : deliveries(option, state))
    if (fire(state, process, option, delivery)) is_any_enabled = true;
  return is_any_enabled;
}

bool Checker::fire(const PlainState& state, std::size_t process, const PlainOption& option,
                   const Delivery& delivery) {
  try {
    PlainState called = state;
    protocol_.call(option.before, called);
    if (!is_enabled(called, process, option, delivery)) return false;
    if (!is_trying_) fire_enabled(state, process, option, delivery);
  } catch (const Failure& failure) {
    if (is_trying_) return true;
    report(failure.kind, protocol_.processes[process].name, name_of(state, process),
           failure.message.empty() && option.statement()
               ? protocol_.place_text(option.statement()->place)
               : failure.message,
           depth_ + 1);
    failing_.insert(current_);
  }
  if (!is_trying_) ++result_.transitions;
  return true;
}

void Checker::fire_enabled(PlainState state, std::size_t process, const PlainOption& option,
                           const Delivery& delivery) {
  std::optional<PlainState> next = successor(std::move(state), process, option, delivery);
  if (!next) return;
  if (option.ends_inside) return go_alone(std::move(*next), process, option);
  const PlainState* target = reach(std::move(*next), depth_ + 1);
  tell({process}, target);
  if (options_.livelocks) moves_[current_].push_back({process, is_external(option), target});
}

// From the state before the calls that the option begins with. Nothing where an assertion is
// violated, which is reported.
std::optional<PlainState> Checker::successor(PlainState state, std::size_t process,
                                             const PlainOption& option, const Delivery& delivery) {
  Violations violations;
  events_.clear();
  const std::optional<Failure> failure = protocol_.call(option.before, state);
  perform(state, option, delivery, violations);
  if (failure) throw *failure;
  protocol_.run(option.after, state);
  for (const std::string& violation : violations)
    report("assertion", "", NodeName{}, violation, depth_ + 1);
  if (!violations.empty()) failing_.insert(current_);
  if (!violations.empty()) return {};
  state.control[process] = option.target;
  return state;
}

// ---- rendezvous ------------------------------------------------------------------------------

// Who would receive what the option sends, each by one of its options. None where the index of the
// channel fails: whoever fires the option finds out.
std::vector<Checker::Partner> Checker::partners(const PlainState& state, std::size_t process,
                                                const PlainOption& option) const {
  std::vector<Partner> result;
  const int number = channel_read(option, state);
  if (number < 0) return result;
  for (std::size_t other = 0; other < protocol_.processes.size(); ++other) {
    if (other == process) continue;
    for (const PlainOption& taking : node_of(state, other).options) {
      if (!is_reception(taking) || !protocol_.is_rendezvous(taking) ||
          channel_read(taking, state) != number)
        continue;
      if (is<argos::Receive>(taking) && taking.message != option.message) continue;
      try {
        if (agree(state, option, other, taking)) result.push_back({other, &taking});
      } catch (const Failure&) {  // both move, and fail
        if (is<argos::Receive>(taking) || !has_taker(state, other, number, option.message))
          result.push_back({other, &taking});
      }
    }
  }
  return result;
}

// Whether the conditions of both hold for what would be sent.
bool Checker::agree(PlainState state, const PlainOption& option, std::size_t other,
                    const PlainOption& taking) const {
  const PlainState before = state;
  protocol_.call(option.before, state);
  if (!condition_holds(state, option)) return false;
  const PlainMessage message = offered(state, option);
  protocol_.call(taking.before, state);
  if (!condition_holds(state, taking)) return false;
  return is<argos::Receive>(taking)
             ? likes(state, taking, message)
             : !accepts(before, other, channel_of(option, state), message, false);
}

// The sender first, then the receiver; nothing where an assertion is violated, which is reported as
// the fault of what is sent.
std::optional<PlainState> Checker::meet(PlainState state, std::size_t process,
                                        const PlainOption& option, const Partner& partner) {
  agree(state, option, partner.process, *partner.option);  // or fails
  events_.clear();
  const std::optional<Failure> failed = protocol_.call(option.before, state);
  const int number = channel_of(option, state);
  const PlainMessage message = sent(state, option);
  if (failed) throw *failed;
  protocol_.run(option.after, state);
  const PlainOption& taking = *partner.option;
  const std::optional<Failure> fails = protocol_.call(taking.before, state);
  store(state, taking, message);
  if (fails) throw *fails;
  protocol_.run(taking.after, state);
  Violations violations, more;
  observe(state, PlainEvent{number, true, option.message}, violations);
  observe(state, PlainEvent{number, false, option.message}, more);
  std::set<std::string> all(violations.begin(), violations.end());
  for (std::string& violation : more) {
    violation[violation.rfind('?')] = '!';
    all.insert(violation);
  }
  for (const std::string& violation : all)
    report("assertion", "", NodeName{}, violation, depth_ + 1);
  if (!all.empty()) failing_.insert(current_);
  if (!all.empty()) return {};
  state.control[process] = option.target;
  state.control[partner.process] = taking.target;
  return state;
}

bool Checker::fire_rendezvous(const PlainState& state, std::size_t process,
                              const PlainOption& option) {
  const std::vector<Partner> found = partners(state, process, option);
  for (const Partner& partner : found) {
    met_.insert(partner.process);
    if (is_trying_) continue;
    ++result_.transitions;
    try {
      std::optional<PlainState> next = meet(state, process, option, partner);
      if (!next) continue;
      if (partner.option->ends_inside) {
        go_alone(std::move(*next), partner.process, *partner.option, {process});
        continue;
      }
      const PlainState* target = reach(std::move(*next), depth_ + 1);
      tell({process, partner.process}, target);
      if (options_.livelocks) {
        moves_[current_].push_back({process, true, target});
        moves_[current_].push_back({partner.process, true, target});
      }
    } catch (const Failure& failure) {
      report(failure.kind, protocol_.processes[process].name, name_of(state, process),
             failure.message.empty() ? protocol_.place_text(option.action->place) : failure.message,
             depth_ + 1);
      failing_.insert(current_);
    }
  }
  return !found.empty();
}

// ---- atomic ----------------------------------------------------------------------------------

// What a process does alone, from one state inside on: states inside in the order in which they are
// found, nearest first, and where it all ends.
struct Checker::Sequence {
  using Inside = std::pair<PlainState, std::size_t>;  // with the process that is alone
  // What tells rules apart: the option and its partner's, its channel, the message that is taken.
  using Step = std::tuple<const PlainOption*, const PlainOption*, int, int, int, int>;
  struct Link {
    std::size_t from, to;
    Step step;
  };
  std::map<Inside, std::size_t> numbers;
  std::vector<Inside> inside;
  std::vector<std::size_t> depths;
  std::vector<Link> links;
  std::map<std::size_t, std::set<std::size_t>> next;  // by links
  std::set<PlainState> ends;
  std::set<std::size_t> movers = {};  // whoever moves before it ends
  std::uint64_t failures = 0;

  std::size_t come_to(Inside to, std::size_t depth) {
    const auto [found, is_new] = numbers.emplace(to, inside.size());
    if (is_new) {
      inside.push_back(std::move(to));
      depths.push_back(depth);
    }
    return found->second;
  }
  void link(std::size_t from, std::size_t to, const Step& step) {
    links.push_back({from, to, step});
    next[from].insert(to);
  }
  // By states that are no nearer to the first one of the sequence than `from` is.
  bool leads(std::size_t from, std::size_t to) const {
    std::set<std::size_t> reached{from};
    std::vector<std::size_t> waiting{from};
    while (!waiting.empty() && reached.count(to) == 0) {
      const auto links_on = next.find(waiting.back());
      waiting.pop_back();
      if (links_on == next.end()) continue;
      for (const std::size_t on : links_on->second)
        if (depths[on] >= depths[from] && reached.insert(on).second) waiting.push_back(on);
    }
    return reached.count(to) != 0;
  }
};

void Checker::go_alone(PlainState first, std::size_t process, const PlainOption& option,
                       std::set<std::size_t> movers) {
  Sequence sequence;
  sequence.movers = std::move(movers);
  sequence.movers.insert(process);
  sequence.come_to({std::move(first), process}, 0);
  for (std::size_t i = 0; i < sequence.inside.size(); ++i) follow(sequence, i);
  find_endless(sequence);
  for (const PlainState& end : sequence.ends) {
    const PlainState* target = reach(end, depth_ + 1);
    tell({process}, target, true);
    if (options_.livelocks && target != nullptr)
      for (const std::size_t mover : sequence.movers)
        moves_[current_].push_back({mover, may_be_external(process, option), target});
  }
  if (sequence.failures > 0) failing_.insert(current_);
  result_.transitions += sequence.ends.size() + sequence.failures;
  --result_.transitions;  // the first step is none of its own
}

// All that the process can do there; where that is nothing, the others may go on.
void Checker::follow(Sequence& sequence, std::size_t number) {
  const PlainState state = sequence.inside[number].first;
  const std::size_t process = sequence.inside[number].second;
  bool moves = false;
  for (const PlainOption& option : node_of(state, process).options) {
    if (is<argos::Timeout>(option) && kind_of(option) != PlainOptions::Timeouts::empty) continue;
    std::vector<std::function<bool()>> steps;
    if (is<argos::Send>(option) && protocol_.is_rendezvous(option))
      for (const Partner& partner : partners(state, process, option))
        steps.push_back([&, partner] {
          follow_rendezvous(sequence, number, option, partner);
          return true;
        });
    if (steps.empty())
      for (const Delivery& delivery : deliveries(option, state))
        steps.push_back([&, delivery] { return follow(sequence, number, option, delivery); });
    for (const auto& step : steps) {
      try {
        if (step()) moves = true;
      } catch (const Failure& failure) {
        moves = true;
        ++sequence.failures;
        report(failure.kind, protocol_.processes[process].name, name_of(state, process),
               failure.message.empty() && option.statement()
                   ? protocol_.place_text(option.statement()->place)
                   : failure.message,
               depth_ + 1);
      }
    }
  }
  if (!moves) sequence.ends.insert(state);
}

bool Checker::follow(Sequence& sequence, std::size_t number, const PlainOption& option,
                     const Delivery& delivery) {
  const auto [before, process] = sequence.inside[number];
  PlainState state = before;
  protocol_.call(option.before, state);
  if (!is_enabled(state, process, option, delivery)) return false;
  const int how = static_cast<int>(2 * delivery.position) + (delivery.is_fault ? 1 : 0);
  Sequence::Step step{&option, nullptr, -1, -1, -1, how};
  if (option.action && channel_use(option)) {
    const int channel = channel_of(option, state);
    const auto& messages = state.channels[static_cast<std::size_t>(channel)];
    const bool takes = is<argos::Receive>(option) || is<argos::ReceiveDefault>(option);
    const PlainMessage* taken = takes ? &messages[delivery.position] : nullptr;
    step = {&option,
            nullptr,
            channel,
            taken ? taken->name : -1,
            taken ? static_cast<int>(taken->values.size()) : -1,
            how};
  }
  const std::optional<PlainState> next = successor(before, process, option, delivery);
  if (!next) {
    ++sequence.failures;
  } else if (option.ends_inside) {
    const std::size_t to = sequence.come_to({*next, process}, sequence.depths[number] + 1);
    sequence.link(number, to, step);
  } else {
    sequence.ends.insert(*next);
  }
  return true;
}

// The partner moves alone then, if it is inside; else nobody does.
void Checker::follow_rendezvous(Sequence& sequence, std::size_t number, const PlainOption& option,
                                const Partner& partner) {
  const auto [state, process] = sequence.inside[number];
  const std::optional<PlainState> next = meet(state, process, option, partner);
  sequence.movers.insert(partner.process);
  if (!next) {
    ++sequence.failures;
  } else if (partner.option->ends_inside) {
    const std::size_t to = sequence.come_to({*next, partner.process}, sequence.depths[number] + 1);
    sequence.link(number, to, {&option, partner.option, -1, -1, -1, 0});
  } else {
    sequence.ends.insert(*next);
  }
}

// Each step that leads back once: to a state from which the sequence can come to the step again,
// and past none that is nearer to where it began. There is one in every round that it can go.
void Checker::find_endless(Sequence& sequence) {
  std::set<Sequence::Step> back;
  for (const auto& [from, to, step] : sequence.links) {
    if (sequence.depths[to] > sequence.depths[from] || back.count(step) != 0) continue;
    if (!sequence.leads(to, from)) continue;
    back.insert(step);
    ++sequence.failures;
    const auto& [state, process] = sequence.inside[from];
    report("endless_atomic", protocol_.processes[process].name, name_of(state, process), "",
           depth_ + 1);
  }
}

// ---- checks ----------------------------------------------------------------------------------

void Checker::report(const std::string& kind, const std::string& process, const NodeName& at,
                     const std::string& message, std::uint64_t steps) {
  // An event is about a channel, behind the name of an assertion where one is violated.
  const std::size_t blank = message.rfind(' ');
  const std::string assertion = blank == std::string::npos ? "" : message.substr(0, blank);
  const std::string event = blank == std::string::npos ? message : message.substr(blank + 1);
  PlainError error{kind, without_indices(process), at.place, without_indices(message), at.label};
  error.steps = steps;
  ++group(std::move(error), {{"process", process},
                             {"assertion", assertion},
                             {"channel", event.substr(0, event.find_first_of("!?"))}})
        .count;
}

// Breadth first: the first of a group has the shortest trail.
PlainError& Checker::group(PlainError error, const Differences& differences) {
  ++reports_;
  const Key key{error.kind, error.process, error.place, error.message};
  for (const auto& [what, value] : differences) differences_[key][what].insert(value);
  return errors_.try_emplace(key, std::move(error)).first->second;
}

bool is_end_state(const PlainNode& node, int number) {
  return number == PlainGraph::end ||
         std::any_of(node.labels.begin(), node.labels.end(),
                     [](const std::string& label) { return label.rfind("end", 0) == 0; });
}

void Checker::check_state(const PlainState& state, const std::vector<bool>& can_move) {
  if (std::find(can_move.begin(), can_move.end(), true) == can_move.end()) check_deadlock(state);
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
    check_receptions(state, i, can_move[i]);
  if (std::all_of(state.control.begin(), state.control.end(),
                  [](int node) { return node == PlainGraph::end; }))
    check_end(state);
  for (const PlainInvariant& invariant : protocol_.invariants)
    if (!protocol_.holds(invariant, state))
      report("invariant", "", NodeName{}, invariant.name, depth_);
}

void Checker::check_deadlock(const PlainState& state) {
  Differences places;
  std::string labels;
  bool is_deadlock = false;
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i) {
    if (!is_end_state(node_of(state, i), state.control[i])) is_deadlock = true;
    places.emplace_back(protocol_.processes[i].name, name_of(state, i).place);
    labels += (i > 0 ? "," : "") + name_of(state, i).label;
  }
  if (!is_deadlock) return;
  PlainError error{"deadlock", "", by_family(places), "", labels};
  error.steps = depth_;
  ++group(std::move(error), places).count;
}

void Checker::check_receptions(const PlainState& state, std::size_t process, bool can_move) {
  const std::vector<PlainOption>& options = node_of(state, process).options;
  if (state.control[process] == PlainGraph::end) return;
  if (options_.receptions == PlainOptions::Receptions::blocked &&
      (can_move || std::any_of(options.begin(), options.end(), [&](const PlainOption& option) {
         return waiting_for_.may_come(state, process, option);
       })))
    return;
  const std::set<int> channels = options_.receptions == PlainOptions::Receptions::any
                                     ? protocol_.processes[process].channels_read
                                     : channels_read_at(state, process);
  for (const int number : channels) {
    const PlainMessage* first = protocol_.head(number, state);
    if (first == nullptr || helps(state, process, number)) continue;
    report("unspecified_reception", protocol_.processes[process].name, name_of(state, process),
           protocol_.channel(number).name + "?" + message_name(first->name), depth_);
    refusing_.insert({current_, process});
  }
}

// Whether the process takes the next message of the channel. On a line that reorders, that may be
// any; and where there is room, also one that may still come.
bool Checker::helps(const PlainState& state, std::size_t process, int number) const {
  const std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  const auto is_taken = [&](const PlainMessage& message) {
    return accepts(state, process, number, message, true);
  };
  if (!protocol_.channel(number).is_reordering) return is_taken(messages[0]);
  for (const PlainMessage& message : messages)
    if (is_taken(message)) return true;
  if (protocol_.is_full(number, state)) return false;
  // Whatever its values are: some receive of the state is called so, or takes all.
  for (const PlainOption& option : node_of(state, process).options) {
    if (channel_use(option) == nullptr || channel_read(option, state) != number) continue;
    for (int name = 0; name < static_cast<int>(protocol_.message_names.size()); ++name)
      if (protocol_.may_hold(number, name) &&
          (is<argos::ReceiveDefault>(option) ||
           (is<argos::Receive>(option) && option.message == name)))
        return true;
  }
  return false;
}

std::set<int> Checker::channels_read_at(const PlainState& state, std::size_t process) const {
  std::set<int> channels;
  for (const PlainOption& option : node_of(state, process).options) {
    if (!is_reception(option)) continue;
    const int number = channel_read(option, state);
    if (number >= 0) channels.insert(number);
  }
  return channels;
}

void Checker::check_end(const PlainState& state) {
  for (std::size_t i = 0; i < protocol_.channels.size(); ++i)
    if (!state.channels[i].empty())
      report("unread_messages", "", NodeName{}, protocol_.channels[i].name, depth_);
  for (std::size_t i = 0; i < protocol_.assertions.size(); ++i) {
    const std::vector<int>& nodes = state.assertion_sets[i];
    if (std::find(nodes.begin(), nodes.end(), PlainGraph::end) == nodes.end())
      report("assertion", "", NodeName{}, protocol_.assertions[i].name + " end", depth_);
  }
}

// ---- livelocks -------------------------------------------------------------------------------

bool Checker::is_external(const PlainOption& option) const {
  if (option.action == nullptr) return false;
  if (is_send(option)) return true;
  if (const auto* assignment = std::get_if<argos::Assign>(&option.action->action))
    return std::any_of(assignment->parts.begin(), assignment->parts.end(), [&](const auto& part) {
      return protocol_.is_shared(option.scope->variables.at(part.variable.name.text));
    });
  return is<argos::Receive>(option) || is<argos::ReceiveDefault>(option) ||
         is<argos::Flush>(option);
}

// The option, or anything that may follow it before its atomic ends.
bool Checker::may_be_external(std::size_t process, const PlainOption& option) const {
  std::set<const PlainOption*> seen;
  std::vector<const PlainOption*> waiting{&option};
  while (!waiting.empty()) {
    const PlainOption& next = *waiting.back();
    waiting.pop_back();
    if (is_external(next)) return true;
    if (!next.ends_inside || !seen.insert(&next).second) continue;
    const auto target = static_cast<std::size_t>(next.target);
    for (const PlainOption& more : protocol_.processes[process].graph.nodes[target].options)
      waiting.push_back(&more);
  }
  return false;
}

bool Checker::may_end(const PlainState& state) const {
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
    if (!is_end_state(node_of(state, i), state.control[i])) return false;
  return true;
}

// States from which nothing but internal steps is ever possible: all of them at first, and then
// those go that have something else, or lead to one that has gone, until none goes.
Checker::StateSet Checker::livelocked() const {
  StateSet left;
  for (const auto& [state, depth] : depths_)
    if (moves_.count(&state) != 0 && failing_.count(&state) == 0 && !may_end(state))
      left.insert(&state);
  for (bool goes = true; goes;) {
    goes = false;
    for (auto at = left.begin(); at != left.end();) {
      const std::vector<Move>& moves = moves_.at(*at);
      const bool is_free = std::any_of(moves.begin(), moves.end(), [&](const Move& move) {
        return move.is_external || left.count(move.target) == 0;
      });
      goes = goes || is_free;
      at = is_free ? left.erase(at) : std::next(at);
    }
  }
  return left;
}

// In one step or more.
Checker::StateSet Checker::reachable(const PlainState* state) const {
  StateSet reached;
  std::vector<const PlainState*> waiting{state};
  while (!waiting.empty()) {
    const PlainState* from = waiting.back();
    waiting.pop_back();
    for (const Move& move : moves_.at(from))
      if (reached.insert(move.target).second) waiting.push_back(move.target);
  }
  return reached;
}

// What a run ends up in: sets of states each of which leads to just the same set.
void Checker::check_livelocks() {
  std::map<const PlainState*, StateSet> reached;
  for (const PlainState* state : livelocked()) reached[state] = reachable(state);
  std::set<StateSet> livelocks;
  for (const auto& [state, states] : reached)
    if (std::all_of(states.begin(), states.end(), [&, &all = states](const PlainState* other) {
          return reached.at(other).size() == all.size();
        }))
      livelocks.insert(states);
  for (const StateSet& states : livelocks) report_livelock(states);
}

void Checker::report_livelock(const StateSet& states) {
  std::set<std::size_t> moving;
  std::uint64_t steps = depths_.size();
  for (const PlainState* state : states) {
    steps = std::min(steps, depths_.at(*state));
    for (const Move& move : moves_.at(state)) moving.insert(move.process);
  }
  std::string process;
  Differences shares;
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i) {
    const std::string& name = protocol_.processes[i].name;
    const bool moves = moving.count(i) != 0;
    if (moves) process += (process.empty() ? "" : ",") + name;
    std::set<std::string> places;
    for (const PlainState* state : states) places.insert(name_of(*state, i).place);
    std::string all;
    for (const std::string& one : places) all += (all.empty() ? "" : "|") + one;
    shares.emplace_back(name, (moves ? "*" : "") + all);
  }
  PlainError found{"livelock", without_indices(process), by_family(shares), "", ""};
  found.steps = steps;
  PlainError& error = group(std::move(found), shares);
  error.steps = std::min(steps, error.steps);
  error.count += states.size();
}

// Of every state, who moves there or in a state that can be reached, or is excused there: all where
// nobody moves, where a step fails or the rest is a livelock, and who is stuck on a message.
std::map<const PlainState*, std::set<std::size_t>> Checker::free_processes() const {
  const PlainStuckFaults& faults = options_.stuck_faults;
  std::map<const PlainState*, std::set<std::size_t>> free;
  const StateSet circling = faults.forgets_livelocks ? StateSet{} : livelocked();
  for (const auto& [state, depth] : depths_) {
    const auto moves = moves_.find(&state);
    const bool fails = !faults.forgets_failures && failing_.count(&state) != 0;
    for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
      if (moves == moves_.end() || fails || circling.count(&state) != 0 ||
          (!faults.forgets_receptions && refusing_.count({&state, i}) != 0))
        free[&state].insert(i);
    if (moves != moves_.end())
      for (const Move& move : moves->second) free[&state].insert(move.process);
  }
  for (bool goes = !faults.looks_at_one_step; goes;) {
    goes = false;
    for (const auto& [state, moves] : moves_) {
      std::set<std::size_t>& here = free[state];
      const std::size_t before = here.size();
      for (const Move& move : moves)
        here.insert(free[move.target].begin(), free[move.target].end());
      goes = goes || here.size() > before;
    }
  }
  return free;
}

void Checker::check_stuck() {
  const auto free = free_processes();
  std::multimap<std::uint64_t, const PlainState*> by_depth;  // the nearest is reported first
  for (const auto& [state, depth] : depths_) by_depth.emplace(depth, &state);
  for (const auto& [depth, state] : by_depth)
    for (std::size_t i = 0; i < protocol_.processes.size(); ++i) {
      const bool may_stop = !options_.stuck_faults.forgets_ends &&
                            is_end_state(node_of(*state, i), state->control[i]);
      if (free.at(state).count(i) == 0 && !may_stop)
        report("stuck", protocol_.processes[i].name, name_of(*state, i), "", depth);
    }
}

// ---- search ----------------------------------------------------------------------------------

// Where states with errors are not expanded, what can move is found out first, and nothing else.
void Checker::expand(const PlainState& state) {
  if (options_.expands_faulty) return check_state(state, fire_all(state));
  is_trying_ = true;
  const std::vector<bool> can_move = fire_all(state);
  is_trying_ = false;
  const std::uint64_t before = reports_;
  check_state(state, can_move);
  if (reports_ == before) fire_all(state);
}

// First what waits for nobody; then timeouts that wait for sends and receives, then those that wait
// for everything.
std::vector<bool> Checker::fire_all(const PlainState& state) {
  using Timeouts = PlainOptions::Timeouts;
  std::vector<bool> can_move(protocol_.processes.size(), false);
  met_.clear();
  bool exchanges = false;
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
    for (const PlainOption& option : node_of(state, i).options)
      if (!is<argos::Timeout>(option) && fire(state, i, option)) {
        can_move[i] = true;
        exchanges = exchanges || (channel_use(option) != nullptr && !is<argos::Flush>(option));
      }
  for (const std::size_t i : met_) can_move[i] = true;
  for (const Timeouts kind : {Timeouts::empty, Timeouts::quiet, Timeouts::lock}) {
    if (kind == Timeouts::quiet && exchanges) continue;
    if (kind == Timeouts::lock &&
        std::find(can_move.begin(), can_move.end(), true) != can_move.end())
      continue;
    for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
      for (const PlainOption& option : node_of(state, i).options)
        if (is<argos::Timeout>(option) && kind_of(option) == kind && fire(state, i, option))
          can_move[i] = true;
  }
  return can_move;
}

const PlainState* Checker::reach(PlainState state, std::uint64_t depth) {
  if (depths_.size() >= options_.state_limit && depths_.count(state) == 0) {
    result_.complete = false;
    return nullptr;
  }
  const auto [found, is_new] = depths_.emplace(std::move(state), depth);
  if (is_new) waiting_.push_back(&*found);
  return &found->first;
}

PlainResult Checker::check() {
  if (watcher_ != nullptr) watcher_->begin(protocol_);
  reach(protocol_.initial, 0);
  while (!waiting_.empty()) {
    const auto& [state, depth] = *waiting_.front();
    waiting_.pop_front();
    depth_ = depth;
    current_ = &state;
    expand(state);
  }
  if (options_.livelocks && result_.complete) {
    check_livelocks();
    check_stuck();
  }
  result_.states = depths_.size();
  result_.depth = depth_;
  for (auto& [key, error] : errors_) {
    const bool concerns_all = error.kind == "deadlock" || error.kind == "livelock";
    for (const auto& [what, values] : differences_[key]) {
      if (values.size() < 2) continue;
      if (concerns_all)
        error.members.insert(what);
      else
        error.members.insert(values.begin(), values.end());
    }
    result_.errors.push_back(std::move(error));
  }
  return result_;
}

}  // namespace

std::string without_indices(const std::string& text) {
  std::string result;
  bool in_index = false;
  for (const char letter : text) {
    in_index = in_index || letter == '[';
    if (!in_index) result += letter;
    in_index = in_index && letter != ']';
  }
  return result;
}

std::string by_family(const std::vector<std::pair<std::string, std::string>>& said) {
  std::vector<std::pair<std::string, std::vector<std::string>>> families;
  for (const auto& [process, what] : said) {
    const std::string family = without_indices(process);
    if (families.empty() || families.back().first != family) families.push_back({family, {}});
    families.back().second.push_back(what);
  }
  std::string result;
  for (auto& [family, members] : families) {
    std::sort(members.begin(), members.end());
    for (const std::string& member : members) result += (result.empty() ? "" : ",") + member;
  }
  return result;
}

std::set<std::string> groups_of(const PlainResult& result) {
  std::set<std::string> groups;
  for (const PlainError& e : result.errors)
    groups.insert(e.kind + " [" + e.process + "] [" + e.place + "] [" + e.message + "]");
  return groups;
}

PlainResult plain_check(const argos::Model& model, const SourceSet& sources,
                        const PlainOptions& options, PlainWatcher* watcher) {
  try {
    return Checker(model, sources, options, watcher).check();
  } catch (const Failure& failure) {  // before anything was fired: in a declaration
    throw std::invalid_argument(failure.kind + " in a declaration");
  }
}

}  // namespace panoptes::differential
