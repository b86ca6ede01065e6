// SPDX-License-Identifier: Apache-2.0
#include "argos/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "argos/hints.hpp"
#include "protocol/limits.hpp"

namespace panoptes {

Op to_op(argos::UnaryOperator operation) {
  return operation == argos::UnaryOperator::negate ? Op::negate : Op::logical_not;
}

Op to_op(argos::ChannelQuestion question) {
  return question == argos::ChannelQuestion::length ? Op::length
         : question == argos::ChannelQuestion::full ? Op::full
                                                    : Op::empty;
}

Op to_op(argos::BinaryOperator operation) {
  using B = argos::BinaryOperator;
  switch (operation) {
    case B::logical_or: return Op::logical_or;
    case B::logical_and: return Op::logical_and;
    case B::equal: return Op::equal;
    case B::not_equal: return Op::not_equal;
    case B::less: return Op::less;
    case B::less_equal: return Op::less_equal;
    case B::greater: return Op::greater;
    case B::greater_equal: return Op::greater_equal;
    case B::add: return Op::add;
    case B::subtract: return Op::subtract;
    case B::multiply: return Op::multiply;
    case B::divide: return Op::divide;
    case B::remainder: return Op::remainder;
  }
  return Op::add;
}

namespace {

template <typename Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> result;
  for (const auto& entry : map) result.push_back(entry.first);
  return result;
}

}  // namespace

// ---- Resolver ------------------------------------------------------------------------------

const Binding* Resolver::find(const std::string& name, const Scope& scope) const {
  for (auto level = scope.rbegin(); level != scope.rend(); ++level)
    if (const auto found = (*level)->find(name); found != (*level)->end()) return &found->second;
  static const Bindings truth = {{"false", {true, 0, none}}, {"true", {true, 1, none}}};
  const auto built_in = truth.find(name);
  return built_in == truth.end() ? nullptr : &built_in->second;
}

std::vector<std::string> Resolver::visible(const Scope& scope) const {
  std::vector<std::string> names;
  for (const Bindings* level : scope)
    for (const auto& entry : *level) names.push_back(entry.first);
  return names;
}

// "did you mean `x`?" for one of the known names, or a macro.
std::string Resolver::meant(const std::string& name, std::vector<std::string> known) const {
  known.insert(known.end(), declarations_.macros.begin(), declarations_.macros.end());
  return did_you_mean(name, known);
}

std::optional<ExpressionId> Resolver::name(const argos::NameUse& use, Place place,
                                           const Scope& scope) {
  const Binding* binding = find(use.text, scope);
  const auto later = declarations_.later_constants.find(use.text);
  if (!binding && later != declarations_.later_constants.end()) {
    diagnostics_.error(place, fmt::format("constant `{}` has no value yet here", use.text),
                       "a constant is computed from those above it",
                       {{later->second, "declared here"}});
    return {};
  }
  if (!binding) {
    std::string suggestion = argos::value_hint(use.text);
    if (suggestion.empty()) suggestion = meant(use.text, visible(scope));
    if (declarations_.channels.contains(use.text))
      suggestion = fmt::format("`{0}` is a channel: ask it with len({0}), full({0}) or empty({0})",
                               use.text);
    else if (suggestion.empty())
      suggestion = fmt::format("declare it with `var {};`", use.text);
    diagnostics_.error(place, fmt::format("no variable is called `{}` here", use.text), suggestion);
    return {};
  }
  if (binding->is_constant) return protocol_.expressions.constant(binding->value);
  declarations_.read_variables.insert(binding->variable);
  if (binding->received != none) return binding->received;
  return protocol_.expressions.variable(binding->variable);
}

// A question to a member chosen at run time becomes a sum over the members, of which one counts.
std::optional<ExpressionId> Resolver::ask(const argos::AskChannel& question, const Scope& scope) {
  const auto resolved = channel(question.channel, scope);
  if (!resolved) return {};
  Expressions& pool = protocol_.expressions;
  const Op op = to_op(question.question);
  if (resolved->index == none) return pool.ask(op, resolved->first);
  ExpressionId sum = pool.constant(0);
  for (std::int64_t member = resolved->members.low; member <= resolved->members.high; ++member) {
    const auto id = static_cast<ChannelId>(resolved->first + member - resolved->members.low);
    const ExpressionId chosen = pool.binary(Op::equal, resolved->index, pool.constant(member));
    sum = pool.binary(Op::add, sum, pool.binary(Op::multiply, chosen, pool.ask(op, id)));
  }
  const ExpressionId exists = pool.binary(
      Op::logical_and,
      pool.binary(Op::greater_equal, resolved->index, pool.constant(resolved->members.low)),
      pool.binary(Op::less_equal, resolved->index, pool.constant(resolved->members.high)));
  return pool.binary(Op::require, sum, exists);
}

std::optional<ExpressionId> Resolver::expression(const argos::Expression& e, const Scope& scope) {
  Expressions& pool = protocol_.expressions;
  if (const auto* number = std::get_if<argos::Number>(&e.node)) return pool.constant(number->value);
  if (const auto* use = std::get_if<argos::NameUse>(&e.node)) return name(*use, e.place, scope);
  if (const auto* question = std::get_if<argos::AskChannel>(&e.node)) return ask(*question, scope);
  if (const auto* unary = std::get_if<argos::Unary>(&e.node)) {
    const auto operand = expression(*unary->operand, scope);
    if (!operand) return {};
    return pool.unary(to_op(unary->operation), *operand);
  }
  const auto& binary = std::get<argos::Binary>(e.node);
  const auto left = expression(*binary.left, scope);
  const auto right = expression(*binary.right, scope);
  if (!left || !right) return {};
  const Op op = to_op(binary.operation);
  if ((op == Op::divide || op == Op::remainder) && pool.is_constant(*right) &&
      pool[*right].value == 0)
    diagnostics_.warning(e.place, "this always divides by zero");
  const ExpressionId result = pool.binary(op, *left, *right);
  if (pool.tree_size(result) > BuildLimits::expression_size) {
    diagnostics_.error(e.place, "this expression is too large",
                       "assign parts of it to variables first");
    return {};
  }
  return result;
}

std::optional<std::int64_t> Resolver::constant(const argos::Expression& e, const Scope& scope,
                                               std::string_view what) {
  const auto id = expression(e, scope);
  if (!id) return {};
  if (!protocol_.expressions.is_constant(*id)) {
    diagnostics_.error(e.place, fmt::format("{} must be constant", what));
    return {};
  }
  return protocol_.expressions[*id].value;
}

std::optional<Interval> Resolver::range(const argos::Range& range, const Scope& scope) {
  const auto low = constant(*range.low, scope, "the low end of a range");
  const auto high = constant(*range.high, scope, "the high end of a range");
  if (!low || !high) return {};
  if (*low > *high) {
    diagnostics_.error(range.place, fmt::format("the range {}..{} is empty", *low, *high));
    return {};
  }
  if (*low < short_integer.low || *high > short_integer.high) {
    diagnostics_.error(range.place,
                       fmt::format("the range {}..{} does not fit into 16 bits", *low, *high),
                       "a range lies within -32768..32767");
    return {};
  }
  return Interval{*low, *high};
}

std::optional<ResolvedChannel> Resolver::channel(const argos::ChannelUse& use, const Scope& scope) {
  const auto found = declarations_.channels.find(use.name.text);
  if (found == declarations_.channels.end()) {
    std::string suggestion = meant(use.name.text, keys(declarations_.channels));
    if (suggestion.empty())
      suggestion = fmt::format("declare it with `channel {};`", use.name.text);
    diagnostics_.error(use.name.place, fmt::format("no channel is called `{}`", use.name.text),
                       suggestion);
    return {};
  }
  declarations_.used_channels.insert(use.name.text);
  const ChannelEntry& entry = found->second;
  if (!entry.is_family) {
    if (!use.index) return ResolvedChannel{entry.first, {0, 0}, none};
    diagnostics_.error(use.place, fmt::format("`{}` is one channel, not a family", use.name.text),
                       {}, {{entry.place, "declared here"}});
    return {};
  }
  const std::string members =
      fmt::format("{0}[{1}] to {0}[{2}]", use.name.text, entry.members.low, entry.members.high);
  if (!use.index) {
    diagnostics_.error(use.place, fmt::format("`{}` is a family of channels", use.name.text),
                       fmt::format("name one of {}", members));
    return {};
  }
  const auto index = expression(*use.index, scope);
  if (!index) return {};
  if (!protocol_.expressions.is_constant(*index)) {
    if (protocol_.expressions.can_fail(*index)) {
      diagnostics_.error(use.index->place, "an index may divide by a non-zero constant only",
                         "compute it in a variable first");
      return {};
    }
    return ResolvedChannel{entry.first, entry.members, *index};
  }
  const std::int64_t member = protocol_.expressions[*index].value;
  if (!entry.members.contains(member)) {
    diagnostics_.error(use.place, fmt::format("there is no `{}[{}]`", use.name.text, member),
                       fmt::format("the family is {}", members));
    return {};
  }
  return ResolvedChannel{
      static_cast<ChannelId>(entry.first + member - entry.members.low), {0, 0}, none};
}

std::optional<VariableId> Resolver::target(const argos::Name& name, const Scope& scope) {
  const Binding* binding = find(name.text, scope);
  if (!binding) {
    std::string suggestion = did_you_mean(name.text, visible(scope));
    if (suggestion.empty()) suggestion = fmt::format("declare it with `var {};`", name.text);
    diagnostics_.error(name.place, fmt::format("no variable is called `{}` here", name.text),
                       suggestion);
    return {};
  }
  if (binding->is_constant) {
    diagnostics_.error(name.place, fmt::format("`{}` is constant here", name.text));
    return {};
  }
  declarations_.written_variables.insert(binding->variable);
  return binding->variable;
}

// ---- declarations --------------------------------------------------------------------------

namespace {

class Declarer {
 public:
  Declarer(const BuildOptions& options, Protocol& protocol, Diagnostics& diagnostics)
      : options_(options),
        protocol_(protocol),
        diagnostics_(diagnostics),
        resolver_(protocol, result_, diagnostics) {}

  Declarations run(const argos::Model& model) {
    result_.macros = model.macros;
    declare_constants(model.constants);
    for (const auto& variable : model.variables)
      declare_variable(variable, none, {&result_.shared}, resolver_, protocol_, result_.shared,
                       diagnostics_);
    for (const auto& channel : model.channels) declare_channel(channel, {});
    for (const auto& process : model.processes) {
      std::optional<Interval> family;
      if (process.family) family = resolver_.range(process.family->range, {&result_.shared});
      for (const auto& channel : process.channels) {
        if (family && channel.family) {
          diagnostics_.error(channel.name.place,
                             "a family of channels cannot be declared in a family of processes",
                             "declare it at the top level");
          continue;
        }
        declare_channel(channel, family);
      }
    }
    for (const auto& procedure : model.procedures) declare_procedure(procedure);
    return std::move(result_);
  }

  static void declare_variable(const argos::VariableDeclaration& declaration, ProcessId process,
                               const Scope& scope, Resolver& resolver, Protocol& protocol,
                               Bindings& bindings, Diagnostics& diagnostics) {
    const argos::Name& name = declaration.name;
    if (!is_free(name, bindings, diagnostics)) return;
    Variable variable{name.text, name.place, process, short_integer, 0, {}};
    if (declaration.range) {
      const auto range = resolver.range(*declaration.range, scope);
      if (range) variable.declared = *range;
    }
    variable.initial = std::clamp<std::int64_t>(0, variable.declared.low, variable.declared.high);
    if (declaration.initial) {
      const auto value = resolver.constant(*declaration.initial, scope, "an initial value");
      if (value && !variable.declared.contains(*value))
        diagnostics.error(declaration.initial->place,
                          fmt::format("{} is outside {}..{}", *value, variable.declared.low,
                                      variable.declared.high));
      else if (value)
        variable.initial = *value;
    }
    bindings[name.text] = {false, 0, static_cast<VariableId>(protocol.variables.size()),
                           name.place};
    protocol.variables.push_back(std::move(variable));
    if (protocol.variables.size() > BuildLimits::variables)
      diagnostics.error(name.place, "the protocol has too many variables");
  }

 private:
  static bool is_free(const argos::Name& name, const Bindings& bindings, Diagnostics& diagnostics) {
    const auto found = bindings.find(name.text);
    if (found == bindings.end()) return true;
    diagnostics.error(name.place, fmt::format("`{}` is declared twice", name.text), {},
                      {{found->second.place, "first here"}});
    return false;
  }

  void declare_constants(const std::vector<argos::ConstantDeclaration>& constants) {
    for (const auto& constant : constants)
      result_.later_constants.try_emplace(constant.name.text, constant.name.place);
    for (const auto& [name, value] : constants) {
      if (!is_free(name, result_.shared, diagnostics_)) continue;
      const auto number = resolver_.constant(*value, {&result_.shared}, "a constant");
      declare_constant(name, number.value_or(0));
      result_.later_constants.erase(name.text);
    }
  }

  void declare_constant(const argos::Name& name, std::int64_t value) {
    result_.shared[name.text] = {true, value, none, name.place};
    protocol_.constants.push_back({name.text, value});
  }

  void declare_channel(const argos::ChannelDeclaration& declaration,
                       std::optional<Interval> process_family) {
    const argos::Name& name = declaration.name;
    if (const auto found = result_.channels.find(name.text); found != result_.channels.end()) {
      diagnostics_.error(name.place, fmt::format("channel `{}` is declared twice", name.text), {},
                         {{found->second.place, "first here"}});
      return;
    }
    ChannelEntry entry{
        static_cast<ChannelId>(protocol_.channels.size()), false, {0, 0}, name.place};
    if (declaration.family)
      process_family = resolver_.range(*declaration.family, {&result_.shared});
    if (process_family) {
      entry.is_family = true;
      entry.members = *process_family;
    }
    result_.channels[name.text] = entry;
    const auto count = static_cast<std::size_t>(entry.members.high - entry.members.low + 1);
    if (protocol_.channels.size() + count > BuildLimits::channels) {
      diagnostics_.error(name.place, fmt::format("more than {} channels", BuildLimits::channels));
      return;
    }
    const Channel prototype = make_channel(declaration);
    for (std::int64_t member = entry.members.low; member <= entry.members.high; ++member) {
      protocol_.channels.push_back(prototype);
      if (entry.is_family)
        protocol_.channels.back().name = fmt::format("{}[{}]", name.text, member);
    }
  }

  Channel make_channel(const argos::ChannelDeclaration& declaration) {
    Channel channel;
    channel.name = declaration.name.text;
    channel.place = declaration.name.place;
    channel.is_sink = declaration.is_sink;
    for (const argos::InitialMessage& message : declaration.contents) {
      InitialContent content{message.message.text, {}};
      for (const auto& value : message.values) {
        const auto constant = resolver_.constant(*value, {&result_.shared}, "an initial value");
        content.values.push_back(
            constant ? wrap_into(*constant, short_integer.low, short_integer.high) : 0);
      }
      channel.contents.push_back(std::move(content));
    }
    channel.capacity =
        std::max(options_.default_capacity, static_cast<std::uint32_t>(channel.contents.size()));
    if (declaration.is_sink) channel.capacity = 0;
    if (declaration.capacity) set_capacity(declaration, channel);
    channel.declared_capacity = channel.capacity;
    channel.capacity = narrowed_capacity(channel, options_.most_slots);
    return channel;
  }

  void set_capacity(const argos::ChannelDeclaration& declaration, Channel& channel) {
    const auto capacity =
        resolver_.constant(*declaration.capacity, {&result_.shared}, "a capacity");
    if (!capacity) return;
    const Place place = declaration.capacity->place;
    if (*capacity == 0)
      diagnostics_.error(place, "a channel needs at least one slot",
                         "messages are passed through slots, there is no rendezvous in Argos");
    else if (*capacity < 0)
      diagnostics_.error(place, fmt::format("a capacity of {} makes no sense", *capacity));
    else if (*capacity > BuildLimits::capacity)
      diagnostics_.error(place,
                         fmt::format("a channel has at most {} slots", BuildLimits::capacity));
    else if (channel.contents.size() > static_cast<std::size_t>(*capacity))
      diagnostics_.error(place,
                         fmt::format("{} messages do not fit into {} {}", channel.contents.size(),
                                     *capacity, *capacity == 1 ? "slot" : "slots"));
    else
      channel.capacity = static_cast<std::uint32_t>(*capacity);
  }

  void declare_procedure(const argos::ProcedureDeclaration& declaration) {
    const auto [found, inserted] =
        result_.procedures.try_emplace(declaration.name.text, &declaration);
    if (!inserted)
      diagnostics_.error(declaration.name.place,
                         fmt::format("procedure `{}` is declared twice", declaration.name.text), {},
                         {{found->second->name.place, "first here"}});
    std::set<std::string> seen;
    for (const argos::Name& parameter : declaration.parameters)
      if (!seen.insert(parameter.text).second)
        diagnostics_.error(parameter.place,
                           fmt::format("parameter `{}` appears twice", parameter.text));
  }

  const BuildOptions& options_;
  Protocol& protocol_;
  Diagnostics& diagnostics_;
  Declarations result_;
  Resolver resolver_;
};

}  // namespace

Declarations declare(const argos::Model& model, const BuildOptions& options, Protocol& protocol,
                     Diagnostics& diagnostics) {
  return Declarer(options, protocol, diagnostics).run(model);
}

Bindings declare_locals(const argos::ProcessDeclaration& process, ProcessId id, const Scope& scope,
                        Resolver& resolver, Protocol& protocol, Diagnostics& diagnostics) {
  Bindings locals;
  for (const auto& variable : process.variables)
    Declarer::declare_variable(variable, id, scope, resolver, protocol, locals, diagnostics);
  return locals;
}

}  // namespace panoptes
