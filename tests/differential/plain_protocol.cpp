// SPDX-License-Identifier: Apache-2.0
// Declarations to tables, expressions to values.
#include "differential/plain_protocol.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace panoptes::differential {
namespace {

// ---- arithmetic in 64 bits -------------------------------------------------------------------

std::int64_t wrap_around(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::int64_t quotient(std::int64_t left, std::int64_t right) {
  if (right == 0) throw Failure{"division_by_zero", ""};
  return right == -1 ? wrap_around(0 - bits(left)) : left / right;
}

// Never negative: the remainder by the absolute value.
std::int64_t remainder(std::int64_t left, std::int64_t right) {
  if (right == 0) throw Failure{"division_by_zero", ""};
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  if (right == least) return left < 0 ? left - least : left;
  const std::int64_t size = right < 0 ? -right : right;
  const std::int64_t result = left % size;
  return result < 0 ? result + size : result;
}

// Of an expression.
const std::array<std::string, 2> failures = {"division_by_zero", "index_out_of_range"};

// Whether it is `true` or `false`, and nothing else.
bool is_truth(const std::string& name, const Scope& scope) {
  return (name == "true" || name == "false") && scope.variables.count(name) == 0;
}

}  // namespace

int without_value(const Failure& failure) {
  const auto why = std::find(failures.begin(), failures.end(), failure.kind) - failures.begin();
  return no_value + static_cast<int>(why);
}

std::int64_t known(std::int64_t value) {
  for (std::size_t i = 0; i < failures.size(); ++i)
    if (value == no_value + static_cast<int>(i)) throw Failure{failures[i], ""};
  return value;
}

int into_range(std::int64_t value, const PlainRange& range) {
  const std::int64_t size = range.high - range.low + 1;
  const std::int64_t offset = remainder(remainder(value, size) - remainder(range.low, size), size);
  return static_cast<int>(range.low + offset);
}

// ---- options ---------------------------------------------------------------------------------

const argos::ChannelUse* channel_use(const PlainOption& option) {
  if (option.action == nullptr) return nullptr;
  const auto& action = option.action->action;
  if (const auto* send = std::get_if<argos::Send>(&action)) return &send->channel;
  if (const auto* broadcast = std::get_if<argos::Broadcast>(&action)) return &broadcast->channel;
  if (const auto* receive = std::get_if<argos::Receive>(&action)) return &receive->channel;
  if (const auto* other = std::get_if<argos::ReceiveDefault>(&action)) return &other->channel;
  if (const auto* timeout = std::get_if<argos::Timeout>(&action)) return &timeout->channel;
  if (const auto* flush = std::get_if<argos::Flush>(&action)) return &flush->channel;
  return nullptr;
}

bool is_send(const PlainOption& option) {
  return is<argos::Send>(option) || is<argos::Broadcast>(option);
}

const std::vector<argos::ExpressionPtr>& values_sent(const PlainOption& option) {
  const auto* broadcast = std::get_if<argos::Broadcast>(&option.action->action);
  return broadcast ? broadcast->values : std::get<argos::Send>(option.action->action).values;
}

bool is_reception(const PlainOption& option) {
  return is<argos::Receive>(option) || is<argos::ReceiveDefault>(option) ||
         is<argos::Timeout>(option);
}

std::vector<int> PlainAssertion::close(std::set<int> nodes) const {
  std::vector<int> fresh(nodes.begin(), nodes.end());
  while (!fresh.empty()) {
    const auto node = static_cast<std::size_t>(fresh.back());
    fresh.pop_back();
    for (const PlainOption& option : graph.nodes[node].options)
      if (option.action == nullptr && nodes.insert(option.target).second)
        fresh.push_back(option.target);
  }
  return {nodes.begin(), nodes.end()};
}

// ---- declarations ----------------------------------------------------------------------------

PlainProtocol::PlainProtocol(const argos::Model& model, const SourceSet& sources,
                             int default_capacity, bool ranges_wrap)
    : model_(model), sources_(sources), ranges_wrap_(ranges_wrap) {
  for (const argos::EnumerationDeclaration& enumeration : model.enumerations)
    for (std::size_t i = 0; i < enumeration.names.size(); ++i)
      shared_.constants[enumeration.names[i].text] = static_cast<std::int64_t>(i);
  for (const auto& [name, value] : model.constants)
    shared_.constants[name.text] = constant(*value, shared_);
  for (const argos::ChannelDeclaration& declaration : model.channels)
    declare_channel(declaration, declaration.family ? &*declaration.family : nullptr,
                    default_capacity);
  for (const argos::ProcessDeclaration& process : model.processes)
    for (const argos::ChannelDeclaration& declaration : process.channels)
      declare_channel(declaration,
                      process.family       ? &process.family->range
                      : declaration.family ? &*declaration.family
                                           : nullptr,
                      default_capacity);
  declare_variables(model.variables, shared_);
  for (const argos::ProcessDeclaration& process : model.processes) declare_process(process);
  for (std::size_t i = 0; i < model.assertions.size(); ++i)
    declare_assertion(model.assertions[i], i + 1);
  for (const argos::InvariantDeclaration& invariant : model.invariants)
    declare_invariant(invariant);
  start();
}

void PlainProtocol::declare_channel(const argos::ChannelDeclaration& declaration,
                                    const argos::Range* family, int default_capacity) {
  ChannelGroup group{static_cast<int>(channels.size()), family != nullptr, 0, 1};
  if (family) {
    group.low = constant(*family->low, shared_);
    group.count = constant(*family->high, shared_) - group.low + 1;
  }
  const std::vector<PlainMessage> contents = initial_contents(declaration);
  const std::size_t capacity =
      declaration.capacity ? static_cast<std::size_t>(constant(*declaration.capacity, shared_))
                           : std::max(static_cast<std::size_t>(default_capacity), contents.size());
  for (std::int64_t i = 0; i < group.count; ++i) {
    const std::string index = group.is_family ? "[" + std::to_string(group.low + i) + "]" : "";
    channels.push_back({declaration.name.text + index, capacity, declaration.is_sink,
                        declaration.is_lossy, declaration.is_duplicating,
                        declaration.is_reordering});
    initial.channels.push_back(contents);
    for (const PlainMessage& message : contents)
      messages_of_.emplace(static_cast<int>(channels.size()) - 1, message.name);
  }
  channel_groups_[declaration.name.text] = group;
}

std::vector<PlainMessage> PlainProtocol::initial_contents(
    const argos::ChannelDeclaration& declaration) {
  std::vector<PlainMessage> contents;
  for (const argos::InitialMessage& item : declaration.contents) {
    PlainMessage message{message_number(item.message.text), {}};
    for (const argos::ExpressionPtr& value : item.values)
      message.values.push_back(into_range(constant(*value, shared_), PlainRange{}));
    contents.push_back(message);
  }
  return contents;
}

void PlainProtocol::declare_variables(const std::vector<argos::VariableDeclaration>& declarations,
                                      Scope& scope) {
  for (const argos::VariableDeclaration& declaration : declarations) {
    PlainRange range;
    if (declaration.range) {
      range.low = constant(*declaration.range->low, scope);
      range.high = constant(*declaration.range->high, scope);
      if (range.high < range.low) throw std::out_of_range("empty range");
    }
    if (declaration.enumeration) range = {0, enumeration_size(declaration.enumeration->text) - 1};
    range.is_promise =
        (declaration.range || declaration.enumeration) && !declaration.wraps && !ranges_wrap_;
    const std::int64_t value = declaration.initial
                                   ? constant(*declaration.initial, scope)
                                   : std::clamp(std::int64_t{0}, range.low, range.high);
    scope.constants.erase(declaration.name.text);
    scope.lengths.erase(declaration.name.text);
    if (declaration.size)
      declare_array(declaration, range, value, scope);
    else
      scope.variables[declaration.name.text] = declare_variable(range, value);
  }
}

void PlainProtocol::declare_array(const argos::VariableDeclaration& declaration,
                                  const PlainRange& range, std::int64_t value, Scope& scope) {
  const std::int64_t length = constant(*declaration.size, scope);
  std::vector<std::int64_t> values(static_cast<std::size_t>(length), value);
  for (std::size_t i = 0; i < declaration.elements.size(); ++i)
    values.at(i) = constant(*declaration.elements[i], scope);
  scope.variables[declaration.name.text] = static_cast<int>(variables.size());
  scope.lengths[declaration.name.text] = length;
  for (const std::int64_t initial_value : values) declare_variable(range, initial_value);
}

std::int64_t PlainProtocol::enumeration_size(const std::string& name) const {
  for (const argos::EnumerationDeclaration& enumeration : model_.enumerations)
    if (enumeration.name && enumeration.name->text == name)
      return static_cast<std::int64_t>(enumeration.names.size());
  throw std::out_of_range("no enum " + name);
}

int PlainProtocol::declare_variable(const PlainRange& range, std::int64_t value) {
  variables.push_back(range);
  initial.variables.push_back(into_range(value, range));
  return static_cast<int>(variables.size()) - 1;
}

std::vector<std::pair<std::string, Scope>> PlainProtocol::members(
    const std::optional<argos::FamilyIndex>& family) const {
  if (!family) return {{"", shared_}};
  std::vector<std::pair<std::string, Scope>> all;
  const std::int64_t high = constant(*family->range.high, shared_);
  for (std::int64_t i = constant(*family->range.low, shared_); i <= high; ++i) {
    Scope scope = shared_;
    scope.variables.erase(family->name.text);
    scope.lengths.erase(family->name.text);
    scope.constants[family->name.text] = i;
    all.emplace_back("[" + std::to_string(i) + "]", scope);
  }
  return all;
}

void PlainProtocol::declare_process(const argos::ProcessDeclaration& declaration) {
  for (const auto& [index, scope] : members(declaration.family)) {
    PlainProcess& process = processes.emplace_back();
    process.name = declaration.name.text + index;
    process.scope = scope;
    parameters_.clear();
    declare_variables(declaration.variables, process.scope);
    process.graph = plain_graph(model_, declaration.body, process.scope, *this, scopes_);
    resolve(process.graph);
    name_nodes(process);
    find_channels_read(process);
    find_messages(process);
  }
}

void PlainProtocol::declare_assertion(const argos::AssertionDeclaration& declaration,
                                      std::size_t number) {
  const std::string name =
      declaration.name ? declaration.name->text : "assertion " + std::to_string(number);
  in_assertion_ = true;
  for (const auto& [index, scope] : members(declaration.family)) {
    PlainAssertion& assertion = assertions.emplace_back();
    assertion.name = name + index;
    assertion.scope = scope;
    assertion.graph = plain_graph(model_, declaration.body, assertion.scope, *this, scopes_);
    resolve(assertion.graph);
    find_moves(assertion);
    initial.assertion_sets.push_back(assertion.close({assertion.graph.start}));
  }
  in_assertion_ = false;
}

// A variable that only one process has may go by its name alone.
void PlainProtocol::declare_invariant(const argos::InvariantDeclaration& declaration) {
  std::map<std::string, std::set<int>> numbers;
  for (const PlainProcess& process : processes)
    for (const auto& [name, number] : process.scope.variables)
      if (!is_shared(number)) numbers[name].insert(number);
  for (const auto& [index, scope] : members(declaration.family)) {
    PlainInvariant& invariant = invariants.emplace_back();
    if (declaration.name) invariant.name = declaration.name->text + index;
    invariant.scope = scope;
    for (const auto& [name, all] : numbers)
      if (all.size() == 1) invariant.scope.variables.emplace(name, *all.begin());
    invariant.condition = declaration.condition.get();
    invariant.is_never = declaration.is_never;
  }
}

// In a process a parameter is a variable, in an assertion a constant. What a procedure declares is
// as it begins whenever the procedure is called, and again when it is left.
ParameterSteps PlainProtocol::enter(const argos::ProcedureDeclaration& procedure,
                                    const argos::Call& call, const Scope& outer, Scope& inner) {
  ParameterSteps steps;
  std::vector<int>& numbers = parameters_[procedure.name.text];
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    const std::string& name = procedure.parameters[i].name.text;
    if (procedure.parameters[i].kind != argos::ParameterKind::value) {
      if (numbers.size() <= i) numbers.resize(i + 1, -1);
      pass(procedure.parameters[i], *call.arguments.at(i), outer, inner, numbers[i], steps);
      continue;
    }
    if (in_assertion_) {
      inner.constants[name] = into_range(constant(*call.arguments.at(i), outer), PlainRange{});
      continue;
    }
    if (numbers.size() == i) numbers.push_back(declare_variable(PlainRange{}, 0));
    inner.constants.erase(name);
    inner.lengths.erase(name);
    inner.variables[name] = numbers[i];
    steps.push_back({numbers[i], call.arguments.at(i).get(), &outer});
  }
  if (numbers.size() == procedure.parameters.size() && !procedure.variables.empty()) {
    Scope declared = inner;
    declare_variables(procedure.variables, declared);
    for (const argos::VariableDeclaration& local : procedure.variables)
      numbers.push_back(declared.variables.at(local.name.text));
  }
  for (std::size_t i = 0; i < procedure.variables.size(); ++i) {
    const int number = numbers[procedure.parameters.size() + i];
    inner.constants.erase(procedure.variables[i].name.text);
    inner.variables[procedure.variables[i].name.text] = number;
    steps.push_back(
        {number, nullptr, nullptr, initial.variables[static_cast<std::size_t>(number)]});
  }
  return steps;
}

// A channel, a message or a variable. `number`: of a variable for the index of a channel.
void PlainProtocol::pass(const argos::Parameter& parameter, const argos::Expression& argument,
                         const Scope& outer, Scope& inner, int& number, ParameterSteps& steps) {
  const std::string& name = parameter.name.text;
  const auto* member = std::get_if<argos::Element>(&argument.node);
  const std::string& passed =
      member ? member->array.text : std::get<argos::NameUse>(argument.node).text;
  if (parameter.kind == argos::ParameterKind::message) {
    inner.messages[name] = message_name(passed, outer);
  } else if (parameter.kind == argos::ParameterKind::variable) {
    inner.constants.erase(name);
    inner.variables[name] = outer.variables.at(passed);
    inner.lengths.erase(name);
    if (outer.lengths.count(passed) > 0) inner.lengths[name] = outer.lengths.at(passed);
  } else if (member && is_constant(*member->index, outer)) {
    const ChannelGroup& group = channel_groups_.at(meant(passed, outer).name);
    const auto index = constant(*member->index, outer) - group.low;
    inner.channels[name] = {meant(passed, outer).name, group.first + static_cast<int>(index), -1};
  } else if (member) {
    if (number < 0) number = declare_variable(PlainRange{}, 0);
    inner.channels[name] = {meant(passed, outer).name, -1, number};
    steps.push_back({number, member->index.get(), &outer});
  } else if (outer.channels.count(passed) > 0) {
    inner.channels[name] = outer.channels.at(passed);
  } else {
    const ChannelGroup& group = channel_groups_.at(passed);
    inner.channels[name] = {passed, group.is_family ? -1 : group.first, -1};
  }
}

const std::string& PlainProtocol::message_name(const std::string& name, const Scope& scope) {
  const auto passed = scope.messages.find(name);
  return passed == scope.messages.end() ? name : passed->second;
}

// The channel, or family of channels, that a name is for.
PassedChannel PlainProtocol::meant(const std::string& name, const Scope& scope) const {
  const auto passed = scope.channels.find(name);
  if (passed != scope.channels.end()) return passed->second;
  const ChannelGroup& group = channel_groups_.at(name);
  return {name, group.is_family ? -1 : group.first, -1};
}

void PlainProtocol::resolve(PlainGraph& graph) {
  for (PlainNode& node : graph.nodes) {
    for (PlainOption& option : node.options) {
      const argos::ChannelUse* use = channel_use(option);
      if (use == nullptr) continue;
      if (const auto* broadcast = std::get_if<argos::Broadcast>(&option.action->action)) {
        const std::string& family = meant(use->name.text, *option.scope).name;
        option.channel = channel_groups_.at(family).first + option.member;
        option.message = message_number(message_name(broadcast->message.text, *option.scope));
        continue;
      }
      const bool chosen_at_call = meant(use->name.text, *option.scope).variable >= 0;
      if (!chosen_at_call && (!use->index || is_constant(*use->index, *option.scope))) {
        try {
          option.channel = find(*use, *option.scope, initial);
        } catch (const Failure&) {  // fails where it is fired
        }
      }
      if (const auto* send = std::get_if<argos::Send>(&option.action->action))
        option.message = message_number(message_name(send->message.text, *option.scope));
      if (const auto* receive = std::get_if<argos::Receive>(&option.action->action))
        option.message = message_number(message_name(receive->message.text, *option.scope));
    }
  }
}

int PlainProtocol::message_number(const std::string& name) {
  const auto [found, is_new] =
      message_numbers_.emplace(name, static_cast<int>(message_names.size()));
  if (is_new) message_names.push_back(name);
  return found->second;
}

bool PlainProtocol::is_shared(int variable) const {
  for (const auto& [name, first] : shared_.variables) {
    const auto length = shared_.lengths.find(name);
    const std::int64_t count = length == shared_.lengths.end() ? 1 : length->second;
    if (variable >= first && variable < first + count) return true;
  }
  return false;
}

std::string PlainProtocol::place_text(Place place) const {
  const LineColumn where = sources_.line_column(place);
  return std::to_string(where.line) + ":" + std::to_string(where.column);
}

void PlainProtocol::name_nodes(PlainProcess& process) const {
  for (const PlainNode& node : process.graph.nodes) {
    NodeName name{place_text(node.place), ""};
    name.label = node.labels.empty() ? name.place : node.labels[0];
    process.names.push_back(name);
  }
  process.names[PlainGraph::end] = {"end", "end"};
}

void PlainProtocol::find_channels_read(PlainProcess& process) const {
  for (const PlainNode& node : process.graph.nodes) {
    for (const PlainOption& option : node.options) {
      if (!is_reception(option) && !is<argos::Flush>(option)) continue;
      const std::vector<int> possible = possible_channels(option);
      process.channels_read.insert(possible.begin(), possible.end());
    }
  }
}

std::vector<int> PlainProtocol::possible_channels(const PlainOption& option) const {
  if (option.channel >= 0) return {option.channel};
  const PassedChannel meant_one = meant(channel_use(option)->name.text, *option.scope);
  const ChannelGroup& group = channel_groups_.at(meant_one.name);
  std::vector<int> all;
  for (int i = 0; i < group.count; ++i) all.push_back(group.first + i);
  return all;
}

std::vector<int> PlainProtocol::possible_channels(const argos::ChannelUse& use,
                                                  const Scope& scope) const {
  const PassedChannel channel = meant(use.name.text, scope);
  const ChannelGroup& group = channel_groups_.at(channel.name);
  if (channel.variable < 0 && (!use.index || is_constant(*use.index, scope)))
    return {find(use, scope, initial)};
  std::vector<int> all;
  for (int i = 0; i < group.count; ++i) all.push_back(group.first + i);
  return all;
}

std::vector<int> PlainProtocol::possible_elements(const std::string& array,
                                                  const argos::Expression& index,
                                                  const Scope& scope) const {
  if (is_constant(index, scope)) return {element(array, index, scope, initial)};
  std::vector<int> all;
  for (int i = 0; i < scope.lengths.at(array); ++i) all.push_back(scope.variables.at(array) + i);
  return all;
}

// What the statements that some way leads to send.
void PlainProtocol::find_messages(const PlainProcess& process) {
  std::set<int> seen{process.graph.start};
  std::vector<int> waiting{process.graph.start};
  while (!waiting.empty()) {
    const auto node = static_cast<std::size_t>(waiting.back());
    waiting.pop_back();
    for (const PlainOption& option : process.graph.nodes[node].options) {
      if (seen.insert(option.target).second) waiting.push_back(option.target);
      if (!is_send(option)) continue;
      for (const int number : possible_channels(option))
        messages_of_.emplace(number, option.message);
    }
  }
}

void PlainProtocol::find_moves(PlainAssertion& assertion) const {
  const std::vector<PlainNode>& nodes = assertion.graph.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const PlainOption& option : nodes[i].options) {
      if (option.channel < 0) continue;
      const PlainEvent event{option.channel, is_send(option), option.message};
      assertion.events.insert(event);
      assertion.moves[{static_cast<int>(i), event}].push_back(option.target);
    }
  }
}

void PlainProtocol::start() {
  for (const PlainProcess& process : processes) {
    initial.control.push_back(process.graph.start);
    run(process.graph.before_start, initial);
  }
}

// ---- expressions and channels ----------------------------------------------------------------

std::int64_t PlainProtocol::evaluate(const argos::Expression& expression, const Scope& scope,
                                     const PlainState& state) const {
  if (const auto* number = std::get_if<argos::Number>(&expression.node)) return number->value;
  if (const auto* name = std::get_if<argos::NameUse>(&expression.node)) {
    const auto constant = scope.constants.find(name->text);
    if (constant != scope.constants.end()) return known(constant->second);
    if (is_truth(name->text, scope)) return name->text == "true";
    return known(state.variables[static_cast<std::size_t>(scope.variables.at(name->text))]);
  }
  if (const auto* part = std::get_if<argos::Element>(&expression.node)) {
    const int number = element(part->array.text, *part->index, scope, state);
    return state.variables[static_cast<std::size_t>(number)];
  }
  if (const auto* question = std::get_if<argos::AskChannel>(&expression.node))
    return ask(*question, scope, state);
  if (const auto* remote = std::get_if<argos::RemoteVariable>(&expression.node)) {
    const Scope& its = processes[find_process(remote->process, scope, state)].scope;
    const argos::VariableUse& variable = remote->variable;
    if (variable.index)
      return state.variables[static_cast<std::size_t>(
          element(variable.name.text, *variable.index, its, state))];
    return state.variables[static_cast<std::size_t>(its.variables.at(variable.name.text))];
  }
  if (const auto* at = std::get_if<argos::AtState>(&expression.node))
    return is_at(find_process(at->process, scope, state), at->state.text, state);
  if (const auto* head_is = std::get_if<argos::HeadIs>(&expression.node)) {
    const PlainMessage* first = head(find(head_is->channel, scope, state), state);
    const bool is_it = first != nullptr && message_names[static_cast<std::size_t>(first->name)] ==
                                               head_is->message.text;
    return is_it != head_is->is_other;
  }
  if (const auto* unary = std::get_if<argos::Unary>(&expression.node)) {
    const std::int64_t operand = evaluate(*unary->operand, scope, state);
    if (unary->operation == argos::UnaryOperator::logical_not) return operand == 0;
    return wrap_around(0 - bits(operand));
  }
  if (const auto* all = std::get_if<argos::Quantifier>(&expression.node))
    return evaluate(*all, scope, state);
  return evaluate(std::get<argos::Binary>(expression.node), scope, state);
}

// From the first value of the index to the one that decides.
std::int64_t PlainProtocol::evaluate(const argos::Quantifier& quantifier, const Scope& scope,
                                     const PlainState& state) const {
  const std::string& index = quantifier.index.text;
  Scope inner = scope;
  inner.variables.erase(index);
  inner.lengths.erase(index);
  std::int64_t found = 0;
  const std::int64_t high = evaluate(*quantifier.range.high, scope, state);
  for (std::int64_t i = evaluate(*quantifier.range.low, scope, state); i <= high; ++i) {
    inner.constants[index] = i;
    const bool holds = evaluate(*quantifier.body, inner, state) != 0;
    if (quantifier.kind == argos::QuantifierKind::forall && !holds) return 0;
    if (quantifier.kind == argos::QuantifierKind::exists && holds) return 1;
    if (holds) ++found;
  }
  if (quantifier.kind == argos::QuantifierKind::count) return found;
  return quantifier.kind == argos::QuantifierKind::forall;
}

std::int64_t PlainProtocol::evaluate(const argos::Binary& binary, const Scope& scope,
                                     const PlainState& state) const {
  using Operator = argos::BinaryOperator;
  const std::int64_t left = evaluate(*binary.left, scope, state);
  if (binary.operation == Operator::logical_or && left != 0) return 1;
  if (binary.operation == Operator::logical_and && left == 0) return 0;
  const std::int64_t right = evaluate(*binary.right, scope, state);
  switch (binary.operation) {
    case Operator::logical_or:
    case Operator::logical_and: return right != 0;
    case Operator::equal: return left == right;
    case Operator::not_equal: return left != right;
    case Operator::less: return left < right;
    case Operator::less_equal: return left <= right;
    case Operator::greater: return left > right;
    case Operator::greater_equal: return left >= right;
    case Operator::add: return wrap_around(bits(left) + bits(right));
    case Operator::subtract: return wrap_around(bits(left) - bits(right));
    case Operator::multiply: return wrap_around(bits(left) * bits(right));
    case Operator::divide: return quotient(left, right);
    case Operator::remainder: return remainder(left, right);
  }
  return 0;
}

std::size_t PlainProtocol::find_process(const argos::ProcessUse& use, const Scope& scope,
                                        const PlainState& state) const {
  std::string name = use.name.text;
  if (use.index) name += "[" + std::to_string(evaluate(*use.index, scope, state)) + "]";
  for (std::size_t i = 0; i < processes.size(); ++i)
    if (processes[i].name == name) return i;
  throw Failure{"index_out_of_range", ""};
}

bool PlainProtocol::is_at(std::size_t process, const std::string& label,
                          const PlainState& state) const {
  const auto number = static_cast<std::size_t>(state.control[process]);
  const auto has_it = [&](const PlainNode& node) {
    return std::find(node.labels.begin(), node.labels.end(), label) != node.labels.end();
  };
  const std::vector<PlainNode>& nodes = processes[process].graph.nodes;
  if (std::any_of(nodes.begin(), nodes.end(), has_it)) return has_it(nodes[number]);
  return processes[process].names[number].label == label;
}

bool PlainProtocol::holds(const PlainInvariant& invariant, const PlainState& state) const {
  try {
    return (evaluate(*invariant.condition, invariant.scope, state) != 0) != invariant.is_never;
  } catch (const Failure&) {
    return false;
  }
}

std::int64_t PlainProtocol::ask(const argos::AskChannel& question, const Scope& scope,
                                const PlainState& state) const {
  const int number = find(question.channel, scope, state);
  const std::size_t length = state.channels[static_cast<std::size_t>(number)].size();
  switch (question.question) {
    case argos::ChannelQuestion::length: return static_cast<std::int64_t>(length);
    case argos::ChannelQuestion::full: return is_full(number, state);
    case argos::ChannelQuestion::empty: return length == 0;
  }
  return 0;
}

// Whether nothing but numbers, constants and the index of a family is in it.
bool PlainProtocol::is_constant(const argos::Expression& expression, const Scope& scope) const {
  if (std::holds_alternative<argos::Number>(expression.node)) return true;
  if (const auto* name = std::get_if<argos::NameUse>(&expression.node))
    return scope.constants.count(name->text) > 0 || is_truth(name->text, scope);
  if (const auto* unary = std::get_if<argos::Unary>(&expression.node))
    return is_constant(*unary->operand, scope);
  const auto* binary = std::get_if<argos::Binary>(&expression.node);
  return binary != nullptr && is_constant(*binary->left, scope) &&
         is_constant(*binary->right, scope);
}

int PlainProtocol::element(const std::string& array, const argos::Expression& index,
                           const Scope& scope, const PlainState& state) const {
  const std::int64_t at = evaluate(index, scope, state);
  if (at < 0 || at >= scope.lengths.at(array)) throw Failure{"index_out_of_range", ""};
  return scope.variables.at(array) + static_cast<int>(at);
}

int PlainProtocol::find(const argos::VariableUse& use, const Scope& scope,
                        const PlainState& state) const {
  if (use.index) return element(use.name.text, *use.index, scope, state);
  return scope.variables.at(use.name.text);
}

int PlainProtocol::find(const argos::ChannelUse& use, const Scope& scope,
                        const PlainState& state) const {
  const PassedChannel channel = meant(use.name.text, scope);
  if (channel.number >= 0) return channel.number;
  const ChannelGroup& group = channel_groups_.at(channel.name);
  const std::int64_t index =
      channel.variable >= 0 ? known(state.variables[static_cast<std::size_t>(channel.variable)])
                            : evaluate(*use.index, scope, state);
  if (index < group.low || index >= group.low + group.count)
    throw Failure{"index_out_of_range", ""};
  return group.first + static_cast<int>(index - group.low);
}

bool PlainProtocol::is_full(int number, const PlainState& state) const {
  return !channel(number).is_sink &&
         state.channels[static_cast<std::size_t>(number)].size() >= channel(number).capacity;
}

std::vector<int> PlainProtocol::family_with_slots(const PlainOption& option) const {
  const std::string& name = meant(channel_use(option)->name.text, *option.scope).name;
  const ChannelGroup& group = channel_groups_.at(name);
  std::vector<int> result;
  for (int number = group.first; number < group.first + group.count; ++number)
    if (!channel(number).is_sink && !channel(number).is_lossy) result.push_back(number);
  return result;
}

bool PlainProtocol::is_rendezvous(const PlainOption& option) const {
  const argos::ChannelUse* use = channel_use(option);
  if (use == nullptr || is<argos::Timeout>(option)) return false;
  const std::string& name = meant(use->name.text, *option.scope).name;
  const PlainChannel& first = channel(channel_groups_.at(name).first);
  return first.capacity == 0 && !first.is_sink;
}

const PlainMessage* PlainProtocol::head(int number, const PlainState& state) const {
  const std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  return messages.empty() ? nullptr : &messages.front();
}

int PlainProtocol::fitted(int variable, std::int64_t value) const {
  const PlainRange& range = variables[static_cast<std::size_t>(variable)];
  if (range.is_promise && (value < range.low || value > range.high))
    throw Failure{"out_of_range", ""};
  return into_range(value, range);
}

void PlainProtocol::assign(PlainState& state, std::vector<PlainAssignment> parts,
                           const Scope& scope) const {
  const auto number = [&](const PlainAssignment& part) {
    return scope.variables.at(part.target->name.text);
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const auto& a, const auto& b) { return number(a) < number(b); });
  std::vector<std::pair<int, int>> values;
  for (const PlainAssignment& part : parts) {
    const int variable = find(*part.target, scope, state);
    const std::int64_t value = part.value ? evaluate(*part.value, scope, state) : part.received;
    values.emplace_back(variable, fitted(variable, value));
  }
  for (const auto& [variable, value] : values)
    state.variables[static_cast<std::size_t>(variable)] = value;
}

void PlainProtocol::run(const ParameterSteps& steps, PlainState& state) const {
  for (const ParameterStep& step : steps)
    state.variables[static_cast<std::size_t>(step.variable)] = fitted(
        step.variable, step.value ? evaluate(*step.value, *step.scope, state) : step.otherwise);
}

std::optional<Failure> PlainProtocol::call(const ParameterSteps& steps, PlainState& state) const {
  std::map<int, Failure> failed;  // by variable
  for (const ParameterStep& step : steps) {
    try {
      run({step}, state);
    } catch (const Failure& failure) {
      state.variables[static_cast<std::size_t>(step.variable)] = without_value(failure);
      failed.emplace(step.variable, failure);
    }
  }
  return failed.empty() ? std::nullopt : std::optional(failed.begin()->second);
}

}  // namespace panoptes::differential
