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

// `ring[0] to ring[3]`
std::string members_text(const ChannelEntry& entry, const std::string& name) {
  return fmt::format("{0}[{1}] to {0}[{2}]", name, entry.members.low, entry.members.high);
}

template <typename Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> result;
  for (const auto& entry : map) result.push_back(entry.first);
  return result;
}

}  // namespace

const Binding* Resolver::find(const std::string& name, const Scope& scope,
                              Binding::Kind kind) const {
  for (auto level = scope.rbegin(); level != scope.rend(); ++level)
    if (const auto found = (*level)->find(name);
        found != (*level)->end() && found->second.kind == kind)
      return &found->second;
  if (kind != Binding::Kind::value) return nullptr;
  static const Bindings truth = {{"false", {true, 0, none}}, {"true", {true, 1, none}}};
  const auto built_in = truth.find(name);
  return built_in == truth.end() ? nullptr : &built_in->second;
}

std::vector<std::string> Resolver::visible(const Scope& scope) const {
  std::vector<std::string> names;
  for (const Bindings* level : scope)
    for (const auto& [name, binding] : *level)
      if (binding.kind == Binding::Kind::value) names.push_back(name);
  return names;
}

// "did you mean `x`?" for one of the known names, or a macro.
std::string Resolver::meant(const std::string& name, std::vector<std::string> known) const {
  known.insert(known.end(), declarations_.macros.begin(), declarations_.macros.end());
  return did_you_mean(name, known);
}

void Resolver::unknown_name(const argos::NameUse& use, Place place, const Scope& scope) {
  std::string suggestion = argos::hint(argos::Where::value, use.text);
  if (suggestion.empty()) suggestion = meant(use.text, visible(scope));
  if (declarations_.channels.contains(use.text) ||
      is_passed(use.text, Binding::Kind::channel, scope))
    suggestion =
        fmt::format("`{0}` is a channel: ask it with len({0}), full({0}) or empty({0})", use.text);
  else if (suggestion.empty())
    suggestion = fmt::format("declare it with `var {};`", use.text);
  diagnostics_.error(place, fmt::format("no variable is called `{}` here", use.text), suggestion);
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
    unknown_name(use, place, scope);
    return {};
  }
  if (binding->is_constant) return protocol_.expressions.constant(binding->value);
  if (binding->length > 0) {
    whole_array(use.text, *binding, place);
    return {};
  }
  declarations_.read_variables.insert(binding->variable);
  if (binding->received != none) return binding->received;
  return protocol_.expressions.variable(binding->variable);
}

void Resolver::whole_array(const std::string& name, const Binding& binding, Place place) {
  diagnostics_.error(place, fmt::format("`{}` is an array, and has no value as a whole", name),
                     binding.length == 1
                         ? fmt::format("name its element: `{}[0]`", name)
                         : fmt::format("name one of its elements: `{0}[0]` to `{0}[{1}]`", name,
                                       binding.length - 1));
}

void Resolver::no_array(const std::string& name, Place place) {
  std::string suggestion = fmt::format("an array is declared with a size: `var {}[4];`", name);
  if (declarations_.channels.contains(name))
    suggestion =
        fmt::format("`{0}` is a channel: ask it with len({0}), full({0}) or empty({0})", name);
  diagnostics_.error(place, fmt::format("`{}` is no array", name), suggestion);
}

std::optional<ExpressionId> Resolver::index(const argos::Expression& e, const std::string& array,
                                            const Binding& binding, Place place,
                                            const Scope& scope) {
  const auto result = expression(e, scope);
  if (!result || !protocol_.expressions.is_constant(*result) || unused_ > 0) return result;
  const std::int64_t value = protocol_.expressions[*result].value;
  if (value >= 0 && value < binding.length) return result;
  diagnostics_.error(place, fmt::format("there is no `{}[{}]`", array, value),
                     fmt::format("the array is {0}[0] to {0}[{1}]", array, binding.length - 1));
  return {};
}

std::optional<ExpressionId> Resolver::element(const argos::Element& element, Place place,
                                              const Scope& scope) {
  const std::string& array = element.array.text;
  const Binding* binding = find(array, scope);
  if (!binding && !declarations_.channels.contains(array))
    return name(argos::NameUse{array}, element.array.place, scope);
  if (!binding || binding->length == 0) {
    no_array(array, element.array.place);
    return {};
  }
  declarations_.read_variables.insert(binding->variable);
  const auto at = index(*element.index, array, *binding, place, scope);
  if (!at) return {};
  return protocol_.expressions.element(binding->variable, binding->length, *at);
}

// A question to a member chosen at run time becomes a sum over the members, of which one counts.
std::optional<ExpressionId> Resolver::ask(const argos::AskChannel& question, const Scope& scope) {
  const auto resolved = channel(question.channel, scope);
  if (!resolved) return {};
  Expressions& pool = protocol_.expressions;
  const Op op = to_op(question.question);
  if (op != Op::length && protocol_.channels[resolved->first].is_rendezvous()) {
    diagnostics_.error(question.channel.place,
                       fmt::format("the rendezvous `{}` is never full and never empty",
                                   question.channel.name.text),
                       "it has no slots",
                       {{protocol_.channels[resolved->first].place, "declared here"}});
    return {};
  }
  if (resolved->index == none) return pool.ask(op, resolved->first);
  ExpressionId sum = pool.constant(0);
  for (std::int64_t member = resolved->members.low; member <= resolved->members.high; ++member) {
    const auto id = static_cast<ChannelId>(resolved->first + member - resolved->members.low);
    const ExpressionId chosen = pool.binary(Op::equal, resolved->index, pool.constant(member));
    sum = pool.binary(Op::add, sum, pool.binary(Op::multiply, chosen, pool.ask(op, id)));
  }
  return where_member(sum, resolved->index, resolved->members);
}

ExpressionId Resolver::where_member(ExpressionId value, ExpressionId index,
                                    const Interval& members) {
  Expressions& pool = protocol_.expressions;
  const ExpressionId exists = pool.binary(
      Op::logical_and, pool.binary(Op::greater_equal, index, pool.constant(members.low)),
      pool.binary(Op::less_equal, index, pool.constant(members.high)));
  return pool.binary(Op::require, value, exists);
}

std::optional<ExpressionId> Resolver::expression(const argos::Expression& e, const Scope& scope) {
  Expressions& pool = protocol_.expressions;
  if (const auto* number = std::get_if<argos::Number>(&e.node)) return pool.constant(number->value);
  if (const auto* use = std::get_if<argos::NameUse>(&e.node)) return name(*use, e.place, scope);
  if (const auto* part = std::get_if<argos::Element>(&e.node))
    return element(*part, e.place, scope);
  if (const auto* question = std::get_if<argos::AskChannel>(&e.node)) return ask(*question, scope);
  if (std::holds_alternative<argos::RemoteVariable>(e.node) ||
      std::holds_alternative<argos::AtState>(e.node) ||
      std::holds_alternative<argos::HeadIs>(e.node))
    return outside(e, scope);
  if (const auto* unary = std::get_if<argos::Unary>(&e.node)) {
    const auto operand = expression(*unary->operand, scope);
    if (!operand) return {};
    return pool.unary(to_op(unary->operation), *operand);
  }
  if (const auto* all = std::get_if<argos::Quantifier>(&e.node))
    return quantifier(*all, e.place, scope);
  return operation(std::get<argos::Binary>(e.node), e.place, scope);
}

// Written out, one operand for each value of the index.
std::optional<ExpressionId> Resolver::quantifier(const argos::Quantifier& q, Place place,
                                                 const Scope& scope) {
  const auto over = range(q.range, scope);
  if (!over) return {};
  Expressions& pool = protocol_.expressions;
  std::vector<ExpressionId> operands;
  Bindings bound;
  Scope inner = scope;
  inner.push_back(&bound);
  if (quantifiers_ == 0) written_out_ = 0;
  std::uint64_t size = 0;
  bool is_complete = true;
  ++quantifiers_;
  for (std::int64_t i = over->low; i <= over->high && is_complete; ++i) {
    if (++written_out_ > BuildLimits::quantified || size > BuildLimits::expression_size) {
      diagnostics_.error(place, "this quantifier is too large",
                         "it is written out, its body once for each value of the index: let it go "
                         "over fewer of them");
      is_complete = false;
      continue;
    }
    bound[q.index.text] = {true, i, none};
    const auto body = expression(*q.body, inner);
    is_complete = body.has_value();
    if (!body) continue;
    operands.push_back(pool.truth(*body));
    size += pool.tree_size(operands.back()) + 1;
  }
  --quantifiers_;
  if (!is_complete) return {};
  switch (q.kind) {
    case argos::QuantifierKind::forall: return pool.joined(Op::logical_and, operands);
    case argos::QuantifierKind::exists: return pool.joined(Op::logical_or, operands);
    default: return pool.joined(Op::add, operands);
  }
}

std::optional<ExpressionId> Resolver::operation(const argos::Binary& binary, Place place,
                                                const Scope& scope) {
  Expressions& pool = protocol_.expressions;
  const Op op = to_op(binary.operation);
  const auto left = expression(*binary.left, scope);
  const bool decides = left && pool.is_constant(*left) &&
                       ((op == Op::logical_and && pool[*left].value == 0) ||
                        (op == Op::logical_or && pool[*left].value != 0));
  if (decides) ++unused_;
  const auto right = expression(*binary.right, scope);
  if (decides) --unused_;
  if (!left || !right) return {};
  if ((op == Op::divide || op == Op::remainder) && pool.is_constant(*right) &&
      pool[*right].value == 0)
    diagnostics_.warning(place, "this always divides by zero");
  const ExpressionId result = pool.binary(op, *left, *right);
  if (pool.tree_size(result) > BuildLimits::expression_size) {
    diagnostics_.error(place, "this expression is too large", "say it in smaller parts");
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

std::optional<ResolvedChannel> Resolver::channel(const NamedChannel& use, const Scope& scope) {
  if (const Binding* passed = find(use.name, scope, Binding::Kind::channel)) {
    declarations_.used_channels.insert(passed->meant);
    if (!use.index) return passed->channel;
    diagnostics_.error(use.place, fmt::format("`{}` is one channel, not a family", use.name));
    return {};
  }
  const Binding* family = find(use.name, scope, Binding::Kind::family);
  const std::string& name = family ? family->meant : use.name;
  const ChannelEntry* const found = entry_of(name, use.name_place);
  if (!found) return {};
  const ChannelEntry& entry = *found;
  if (!entry.is_family) {
    if (!use.index) return ResolvedChannel{entry.first, {0, 0}, none};
    diagnostics_.error(use.place, fmt::format("`{}` is one channel, not a family", name), {},
                       {{entry.place, "declared here"}});
    return {};
  }
  if (use.index) return member(entry, name, use, scope);
  diagnostics_.error(use.place, fmt::format("`{}` is a family of channels", name),
                     fmt::format("name one of {}", members_text(entry, name)));
  return {};
}

// What is declared by that name; null, with a complaint, where nothing is.
const ChannelEntry* Resolver::entry_of(const std::string& name, Place place) {
  const auto found = declarations_.channels.find(name);
  if (found != declarations_.channels.end()) {
    declarations_.used_channels.insert(name);
    return found->second.is_broken ? nullptr : &found->second;
  }
  std::string suggestion = meant(name, keys(declarations_.channels));
  if (suggestion.empty()) suggestion = fmt::format("declare it with `channel {};`", name);
  diagnostics_.error(place, fmt::format("no channel is called `{}`", name), suggestion);
  return nullptr;
}

std::optional<ResolvedChannel> Resolver::family(const argos::Broadcast& broadcast,
                                                const Scope& scope) {
  const std::string& used = broadcast.channel.name.text;
  const Binding* one = find(used, scope, Binding::Kind::channel);
  const Binding* all = find(used, scope, Binding::Kind::family);
  const std::string& name = one ? one->meant : all ? all->meant : used;
  const ChannelEntry* const entry = entry_of(name, broadcast.channel.name.place);
  if (!entry) return {};
  if (!one && entry->is_family) return ResolvedChannel{entry->first, entry->members, none};
  diagnostics_.error(
      broadcast.channel.place,
      fmt::format("a broadcast needs a family, and `{}` is one channel", used),
      one ? "pass the family itself, without an index"
          : fmt::format("write `{0}!{1}`, or declare a family: `channel {0}[0..2][1]`", used,
                        broadcast.message.text),
      {{entry->place, "declared here"}});
  return {};
}

// The member of a family that an index chooses.
std::optional<ResolvedChannel> Resolver::member(const ChannelEntry& entry, const std::string& name,
                                                const NamedChannel& use, const Scope& scope) {
  const auto index = expression(*use.index, scope);
  if (!index) return {};
  if (!protocol_.expressions.is_constant(*index)) {
    return ResolvedChannel{entry.first, entry.members, *index};
  }
  const std::int64_t number = protocol_.expressions[*index].value;
  if (!entry.members.contains(number) && unused_ > 0)
    return ResolvedChannel{entry.first, {0, 0}, none};
  if (!entry.members.contains(number)) {
    diagnostics_.error(use.place, fmt::format("there is no `{}[{}]`", name, number),
                       fmt::format("the family is {}", members_text(entry, name)));
    return {};
  }
  return ResolvedChannel{
      static_cast<ChannelId>(entry.first + number - entry.members.low), {0, 0}, none};
}

std::optional<Binding> Resolver::channel_argument(const NamedChannel& use, const Scope& scope) {
  Binding result;
  result.meant = use.name;
  for (const auto kind : {Binding::Kind::channel, Binding::Kind::family})
    if (const Binding* passed = find(use.name, scope, kind)) {
      if (!use.index) return *passed;
      result.meant = passed->meant;
    }
  const auto found = declarations_.channels.find(result.meant);
  if (!use.index && found != declarations_.channels.end() && found->second.is_family) {
    result.kind = Binding::Kind::family;
    return result;
  }
  const auto resolved = channel(use, scope);
  if (!resolved) return {};
  result.kind = Binding::Kind::channel;
  result.channel = *resolved;
  return result;
}

const std::string& Resolver::message(const std::string& name, const Scope& scope) const {
  const Binding* passed = find(name, scope, Binding::Kind::message);
  return passed ? passed->meant : name;
}

void Resolver::use_enumeration(const argos::Name& name, Variable& variable) {
  const auto found = declarations_.enumerations.find(name.text);
  if (found == declarations_.enumerations.end()) {
    std::string suggestion = argos::hint(argos::Where::type, name.text);
    if (suggestion.empty()) suggestion = did_you_mean(name.text, keys(declarations_.enumerations));
    if (suggestion.empty())
      suggestion = fmt::format(
          "a range has two bounds, `0..{0}`; an enum is declared so: `enum {0} {{ idle, busy }}`",
          name.text.size() > 40 ? "name" : name.text);
    diagnostics_.error(name.place, fmt::format("no enum is called `{}`", name.text), suggestion);
    return;
  }
  variable.enumeration = found->second.id;
  const std::size_t count = protocol_.enumerations[variable.enumeration].names.size();
  variable.declared = {0, static_cast<std::int64_t>(count) - 1};
}

EnumerationId Resolver::enumeration(const argos::Expression& e, const Scope& scope) const {
  const auto* use = std::get_if<argos::NameUse>(&e.node);
  const auto* element = std::get_if<argos::Element>(&e.node);
  const Binding* binding = use       ? find(use->text, scope)
                           : element ? find(element->array.text, scope)
                                     : nullptr;
  return binding ? binding->enumeration : none;
}

const Binding* Resolver::find_target(const argos::VariableUse& use, const Scope& scope,
                                     bool is_received) {
  const std::string& name = use.name.text;
  const Binding* binding = find(name, scope);
  if (!binding) {
    std::string suggestion = did_you_mean(name, visible(scope));
    if (suggestion.empty())
      suggestion = fmt::format("declare it with `var {}{};`", name, use.index ? "[4]" : "");
    diagnostics_.error(use.name.place, fmt::format("no variable is called `{}` here", name),
                       suggestion);
    return nullptr;
  }
  if (!binding->is_constant) return binding;
  diagnostics_.error(
      use.name.place, fmt::format("`{}` is constant here", name),
      is_received ? fmt::format("to take this value alone, compare: `c?m(== {})`", name) : "");
  return nullptr;
}

std::optional<ResolvedTarget> Resolver::target(const argos::VariableUse& use, const Scope& scope,
                                               bool is_received) {
  const std::string& name = use.name.text;
  const Binding* binding = find_target(use, scope, is_received);
  if (!binding) return {};
  declarations_.written_variables.insert(binding->variable);
  if (!use.index && binding->length > 0) {
    diagnostics_.error(use.name.place,
                       fmt::format("`{}` is an array, and cannot be assigned to as a whole", name),
                       fmt::format("assign to its elements: `{}[0]`", name));
    return {};
  }
  if (!use.index) return ResolvedTarget{binding->variable};
  if (binding->length == 0) {
    no_array(name, use.name.place);
    return {};
  }
  const auto at = index(*use.index, name, *binding, use.place, scope);
  if (!at) return {};
  return ResolvedTarget{binding->variable, *at, binding->length};
}

std::optional<Binding> Resolver::variable_argument(const argos::VariableUse& use,
                                                   const Scope& scope) {
  const Binding* binding = find_target(use, scope);
  return binding ? std::optional(*binding) : std::nullopt;
}

}  // namespace panoptes
