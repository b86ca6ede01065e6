// SPDX-License-Identifier: Apache-2.0
// The plain checker: rules, checks and the search.
//
// A rule in a state is blocked, leads to a successor or fails. A failure is thrown as Failure by
// whatever finds out about it, and reported where the rule was fired.
#include "differential/plain_checker.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

#include "differential/plain_protocol.hpp"
#include "differential/plain_waiting.hpp"

namespace panoptes::differential {
namespace {

using Violations = std::vector<std::string>;  // "assertion event"

class Checker {
 public:
  Checker(const argos::Model& model, const SourceSet& sources, const PlainOptions& options)
      : protocol_(model, sources, options.default_capacity),
        options_(options),
        waiting_for_(protocol_, options.overflow_is_error) {}

  PlainResult check();

 private:
  // rules
  int channel_of(const PlainOption& option, const PlainState& state) const;
  int channel_read(const PlainOption& option, const PlainState& state) const;
  bool is_enabled(const PlainState& state, std::size_t process, const PlainOption& option) const;
  bool accepts(const PlainState& state, std::size_t process, int channel,
               const PlainMessage& message, bool by_default_too) const;
  bool takes(const PlainState& state, const PlainOption& option, const PlainMessage& message) const;
  bool condition_holds(const PlainState& state, const PlainOption& option) const;
  bool can_do_other(const PlainState& state, std::size_t process) const;
  PlainOptions::Timeouts kind_of(const PlainOption& timeout) const;
  bool likes(const PlainState& state, const PlainOption& option, const PlainMessage& message) const;
  void perform(PlainState& state, const PlainOption& option, Violations& violations) const;
  void send(PlainState& state, const PlainOption& option, Violations& violations) const;
  void receive(PlainState& state, const PlainOption& option, Violations& violations) const;
  void observe(PlainState& state, const PlainEvent& event, Violations& violations) const;
  bool fire(const PlainState& state, std::size_t process, const PlainOption& option);
  void fire_enabled(PlainState state, std::size_t process, const PlainOption& option);

  // checks
  void check_state(const PlainState& state, const std::vector<bool>& can_move);
  void check_deadlock(const PlainState& state);
  void check_receptions(const PlainState& state, std::size_t process, bool can_move);
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
  bool may_end(const PlainState& state) const;
  StateSet livelocked() const;
  StateSet reachable(const PlainState* state) const;
  void check_livelocks();
  void report_livelock(const StateSet& states);

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
  const PlainWaiting waiting_for_;
  std::map<PlainState, std::uint64_t> depths_;
  std::deque<const std::pair<const PlainState, std::uint64_t>*> waiting_;
  std::uint64_t depth_ = 0;  // of the state being expanded
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, PlainError> errors_;
  std::map<Key, std::map<std::string, std::set<std::string>>> differences_;
  PlainResult result_;
  std::uint64_t reports_ = 0;
  bool is_trying_ = false;  // fire() only says what is enabled
  // For livelocks: what can happen in each state, and in which states a step fails.
  std::map<const PlainState*, std::vector<Move>> moves_;
  StateSet failing_;
  const PlainState* current_ = nullptr;  // being expanded
};

// ---- rules -----------------------------------------------------------------------------------

int Checker::channel_of(const PlainOption& option, const PlainState& state) const {
  return option.channel >= 0 ? option.channel
                             : protocol_.find(*channel_use(option), *option.scope, state);
}

bool Checker::is_enabled(const PlainState& state, std::size_t process,
                         const PlainOption& option) const {
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
  const PlainMessage* first = protocol_.head(number, state);
  const bool waits = is<argos::Receive>(option) || is<argos::ReceiveDefault>(option);
  if (waits && first == nullptr) return false;
  if (is<argos::Receive>(option) && first->name != option.message) return false;
  if (is<argos::Timeout>(option) && first != nullptr) return false;
  if (is<argos::ReceiveDefault>(option) && accepts(state, process, number, *first, false))
    return false;
  if (!condition_holds(state, option)) return false;
  if (is<argos::Send>(option))
    return options_.overflow_is_error || !protocol_.is_full(number, state);
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
      protocol_.run(option.before, called);
      if (is_enabled(called, process, option)) return true;
    } catch (const Failure&) {
      return true;
    }
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

// The `when` before it.
bool Checker::condition_holds(const PlainState& state, const PlainOption& option) const {
  return option.action->when == nullptr ||
         protocol_.evaluate(*option.action->when, *option.scope, state) != 0;
}

// What a receive says of the values of the message.
bool Checker::likes(const PlainState& state, const PlainOption& option,
                    const PlainMessage& message) const {
  const auto& receive = std::get<argos::Receive>(option.action->action);
  const auto count = static_cast<std::size_t>(message.value_count);
  Scope scope = *option.scope;  // where the values that come have the names of where they go
  for (std::size_t i = 0; i < std::min(count, receive.targets.size()); ++i)
    scope.constants[receive.targets[i].text] = message.values[i];
  for (std::size_t i = 0; i < receive.expected.size(); ++i) {
    if (receive.expected[i] == nullptr) continue;
    const std::int64_t expected = protocol_.evaluate(*receive.expected[i], scope, state);
    if (i >= count || message.values[i] != expected) return false;
  }
  return receive.when == nullptr || protocol_.evaluate(*receive.when, scope, state) != 0;
}

// The channel that a reception reads before anything of it is done; -1 if its index fails.
int Checker::channel_read(const PlainOption& option, const PlainState& state) const {
  if (option.channel >= 0) return option.channel;
  try {
    PlainState called = state;
    protocol_.run(option.before, called);
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

// Whether its conditions let a reception take the message; where one fails, it does and fails.
bool Checker::takes(const PlainState& state, const PlainOption& option,
                    const PlainMessage& message) const {
  try {
    PlainState called = state;
    protocol_.run(option.before, called);
    return condition_holds(called, option) &&
           (!is<argos::Receive>(option) || likes(called, option, message));
  } catch (const Failure&) {
    return true;
  }
}

void Checker::perform(PlainState& state, const PlainOption& option, Violations& violations) const {
  if (option.action == nullptr) return;
  const auto& action = option.action->action;
  if (const auto* assignment = std::get_if<argos::Assign>(&action)) {
    std::vector<std::int64_t> values;  // all of them before anything is assigned
    for (const argos::Assignment& part : assignment->parts)
      values.push_back(protocol_.evaluate(*part.value, *option.scope, state));
    for (std::size_t i = 0; i < values.size(); ++i)
      protocol_.assign(state, option.scope->variables.at(assignment->parts[i].variable.text),
                       values[i]);
  } else if (const auto* check = std::get_if<argos::Check>(&action)) {
    if (protocol_.evaluate(*check->condition, *option.scope, state) == 0)
      throw Failure{"assertion", ""};
  } else if (is<argos::Send>(option)) {
    send(state, option, violations);
  } else if (is<argos::Receive>(option) || is<argos::ReceiveDefault>(option)) {
    receive(state, option, violations);
  }
}

void Checker::send(PlainState& state, const PlainOption& option, Violations& violations) const {
  const int number = channel_of(option, state);
  const auto& action = std::get<argos::Send>(option.action->action);
  if (protocol_.is_full(number, state))
    throw Failure{"overflow", protocol_.channel(number).name + "!" + action.message.text};
  PlainMessage message{option.message, static_cast<int>(action.values.size()), {}};
  for (std::size_t i = 0; i < action.values.size(); ++i)
    message.values[i] =
        into_range(protocol_.evaluate(*action.values[i], *option.scope, state), PlainRange{});
  if (!protocol_.channel(number).is_sink)
    state.channels[static_cast<std::size_t>(number)].push_back(message);
  observe(state, PlainEvent{number, true, option.message}, violations);
}

void Checker::receive(PlainState& state, const PlainOption& option, Violations& violations) const {
  const int number = channel_of(option, state);
  std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  const PlainMessage message = messages.front();
  messages.erase(messages.begin());
  if (const auto* action = std::get_if<argos::Receive>(&option.action->action)) {
    const auto count = static_cast<std::size_t>(message.value_count);
    for (std::size_t i = 0; i < std::min(count, action->targets.size()); ++i) {
      const std::string& target = action->targets[i].text;
      if (target != "_")
        protocol_.assign(state, option.scope->variables.at(target), message.values[i]);
    }
  }
  observe(state, PlainEvent{number, false, message.name}, violations);
}

void Checker::observe(PlainState& state, const PlainEvent& event, Violations& violations) const {
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
  try {
    if (option.before.empty()) {
      if (!is_enabled(state, process, option)) return false;
      if (!is_trying_) fire_enabled(state, process, option);
    } else {
      PlainState called = state;
      protocol_.run(option.before, called);
      if (!is_enabled(called, process, option)) return false;
      if (!is_trying_) fire_enabled(std::move(called), process, option);
    }
  } catch (const Failure& failure) {
    if (is_trying_) return true;
    report(failure.kind, protocol_.processes[process].name, name_of(state, process),
           failure.message.empty() && option.action ? protocol_.place_text(option.action->place)
                                                    : failure.message,
           depth_ + 1);
    failing_.insert(current_);
  }
  if (!is_trying_) ++result_.transitions;
  return true;
}

void Checker::fire_enabled(PlainState state, std::size_t process, const PlainOption& option) {
  Violations violations;
  perform(state, option, violations);
  protocol_.run(option.after, state);
  for (const std::string& violation : violations)
    report("assertion", "", NodeName{}, violation, depth_ + 1);
  if (!violations.empty()) failing_.insert(current_);
  if (!violations.empty()) return;
  state.control[process] = option.target;
  const PlainState* target = reach(std::move(state), depth_ + 1);
  if (options_.livelocks) moves_[current_].push_back({process, is_external(option), target});
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
    if (first == nullptr || accepts(state, process, number, *first, true)) continue;
    report("unspecified_reception", protocol_.processes[process].name, name_of(state, process),
           protocol_.channel(number).name + "?" + message_name(first->name), depth_);
  }
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
  if (const auto* assignment = std::get_if<argos::Assign>(&option.action->action))
    return std::any_of(assignment->parts.begin(), assignment->parts.end(), [&](const auto& part) {
      return protocol_.is_shared(option.scope->variables.at(part.variable.text));
    });
  return is<argos::Send>(option) || is<argos::Receive>(option) || is<argos::ReceiveDefault>(option);
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
  bool exchanges = false;
  for (std::size_t i = 0; i < protocol_.processes.size(); ++i)
    for (const PlainOption& option : node_of(state, i).options)
      if (!is<argos::Timeout>(option) && fire(state, i, option)) {
        can_move[i] = true;
        exchanges = exchanges || channel_use(option) != nullptr;
      }
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
  reach(protocol_.initial, 0);
  while (!waiting_.empty()) {
    const auto& [state, depth] = *waiting_.front();
    waiting_.pop_front();
    depth_ = depth;
    current_ = &state;
    expand(state);
  }
  if (options_.livelocks && result_.complete) check_livelocks();
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
                        const PlainOptions& options) {
  try {
    return Checker(model, sources, options).check();
  } catch (const Failure& failure) {  // before anything was fired: in a declaration
    throw std::invalid_argument(failure.kind + " in a declaration");
  }
}

}  // namespace panoptes::differential
