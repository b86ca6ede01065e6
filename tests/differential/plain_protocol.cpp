// SPDX-License-Identifier: Apache-2.0
// Declarations to tables, expressions to values.
#include "differential/plain_protocol.hpp"

#include <algorithm>
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

// Whether it is `true` or `false`, and nothing else.
bool is_truth(const std::string& name, const Scope& scope) {
  return (name == "true" || name == "false") && scope.variables.count(name) == 0;
}

}  // namespace

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
  if (const auto* receive = std::get_if<argos::Receive>(&action)) return &receive->channel;
  if (const auto* other = std::get_if<argos::ReceiveDefault>(&action)) return &other->channel;
  if (const auto* timeout = std::get_if<argos::Timeout>(&action)) return &timeout->channel;
  return nullptr;
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
                             int default_capacity)
    : model_(model), sources_(sources) {
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
    channels.push_back({declaration.name.text + index, capacity, declaration.is_sink});
    initial.channels.push_back(contents);
  }
  channel_groups_[declaration.name.text] = group;
}

std::vector<PlainMessage> PlainProtocol::initial_contents(
    const argos::ChannelDeclaration& declaration) {
  std::vector<PlainMessage> contents;
  for (const argos::InitialMessage& item : declaration.contents) {
    PlainMessage message{message_number(item.message.text), 0, {}};
    for (const argos::ExpressionPtr& value : item.values)
      message.values[static_cast<std::size_t>(message.value_count++)] =
          into_range(constant(*value, shared_), PlainRange{});
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
    const std::int64_t value = declaration.initial
                                   ? constant(*declaration.initial, scope)
                                   : std::clamp(std::int64_t{0}, range.low, range.high);
    scope.constants.erase(declaration.name.text);
    scope.variables[declaration.name.text] = declare_variable(range, value);
  }
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

// In a process a parameter is a variable, in an assertion a constant.
ParameterSteps PlainProtocol::enter(const argos::ProcedureDeclaration& procedure,
                                    const argos::Call& call, const Scope& outer, Scope& inner) {
  ParameterSteps steps;
  std::vector<int>& numbers = parameters_[procedure.name.text];
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    const std::string& name = procedure.parameters[i].text;
    if (in_assertion_) {
      inner.constants[name] = into_range(constant(*call.arguments.at(i), outer), PlainRange{});
      continue;
    }
    if (numbers.size() == i) numbers.push_back(declare_variable(PlainRange{}, 0));
    inner.constants.erase(name);
    inner.variables[name] = numbers[i];
    steps.push_back({numbers[i], call.arguments.at(i).get(), &outer});
  }
  return steps;
}

void PlainProtocol::resolve(PlainGraph& graph) {
  for (PlainNode& node : graph.nodes) {
    for (PlainOption& option : node.options) {
      const argos::ChannelUse* use = channel_use(option);
      if (use == nullptr) continue;
      if (!use->index || is_constant(*use->index, *option.scope)) {
        try {
          option.channel = find(*use, *option.scope, initial);
        } catch (const Failure&) {  // fails where it is fired
        }
      }
      if (const auto* send = std::get_if<argos::Send>(&option.action->action))
        option.message = message_number(send->message.text);
      if (const auto* receive = std::get_if<argos::Receive>(&option.action->action))
        option.message = message_number(receive->message.text);
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
  return std::any_of(shared_.variables.begin(), shared_.variables.end(),
                     [&](const auto& declared) { return declared.second == variable; });
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
      if (!is_reception(option)) continue;
      const std::vector<int> possible = possible_channels(option);
      process.channels_read.insert(possible.begin(), possible.end());
    }
  }
}

std::vector<int> PlainProtocol::possible_channels(const PlainOption& option) const {
  if (option.channel >= 0) return {option.channel};
  const ChannelGroup& group = channel_groups_.at(channel_use(option)->name.text);
  std::vector<int> all;
  for (int i = 0; i < group.count; ++i) all.push_back(group.first + i);
  return all;
}

std::vector<int> PlainProtocol::possible_channels(const argos::ChannelUse& use,
                                                  const Scope& scope) const {
  const ChannelGroup& group = channel_groups_.at(use.name.text);
  if (!use.index || is_constant(*use.index, scope)) return {find(use, scope, initial)};
  std::vector<int> all;
  for (int i = 0; i < group.count; ++i) all.push_back(group.first + i);
  return all;
}

void PlainProtocol::find_moves(PlainAssertion& assertion) const {
  const std::vector<PlainNode>& nodes = assertion.graph.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const PlainOption& option : nodes[i].options) {
      if (option.channel < 0) continue;
      const PlainEvent event{option.channel, is<argos::Send>(option), option.message};
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
    const auto known = scope.constants.find(name->text);
    if (known != scope.constants.end()) return known->second;
    if (is_truth(name->text, scope)) return name->text == "true";
    return state.variables[static_cast<std::size_t>(scope.variables.at(name->text))];
  }
  if (const auto* question = std::get_if<argos::AskChannel>(&expression.node))
    return ask(*question, scope, state);
  if (const auto* unary = std::get_if<argos::Unary>(&expression.node)) {
    const std::int64_t operand = evaluate(*unary->operand, scope, state);
    if (unary->operation == argos::UnaryOperator::logical_not) return operand == 0;
    return wrap_around(0 - bits(operand));
  }
  return evaluate(std::get<argos::Binary>(expression.node), scope, state);
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

int PlainProtocol::find(const argos::ChannelUse& use, const Scope& scope,
                        const PlainState& state) const {
  const ChannelGroup& group = channel_groups_.at(use.name.text);
  if (!group.is_family) return group.first;
  const std::int64_t index = evaluate(*use.index, scope, state);
  if (index < group.low || index >= group.low + group.count)
    throw Failure{"index_out_of_range", ""};
  return group.first + static_cast<int>(index - group.low);
}

bool PlainProtocol::is_full(int number, const PlainState& state) const {
  return !channel(number).is_sink &&
         state.channels[static_cast<std::size_t>(number)].size() >= channel(number).capacity;
}

const PlainMessage* PlainProtocol::head(int number, const PlainState& state) const {
  const std::vector<PlainMessage>& messages = state.channels[static_cast<std::size_t>(number)];
  return messages.empty() ? nullptr : &messages.front();
}

void PlainProtocol::assign(PlainState& state, int variable, std::int64_t value) const {
  const auto number = static_cast<std::size_t>(variable);
  state.variables[number] = into_range(value, variables[number]);
}

void PlainProtocol::run(const ParameterSteps& steps, PlainState& state) const {
  for (const ParameterStep& step : steps)
    assign(state, step.variable, step.value ? evaluate(*step.value, *step.scope, state) : 0);
}

}  // namespace panoptes::differential
