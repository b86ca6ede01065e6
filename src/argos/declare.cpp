// SPDX-License-Identifier: Apache-2.0
// The declarations of a model: every name gets a number, and every number its facts.
#include <fmt/format.h>

#include <algorithm>

#include "argos/names.hpp"
#include "protocol/limits.hpp"

namespace panoptes {
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
    protocol_.has_given_lines = are_given(options_.faults);
    for (const auto& enumeration : model.enumerations) declare_enumeration(enumeration);
    declare_constants(model.constants);
    result_.ranges = options_.ranges;
    for (const auto& variable : model.variables)
      declare_variable(variable, none, {&result_.shared}, resolver_, protocol_, result_.shared,
                       diagnostics_);
    for (const auto& channel : model.channels) declare_channel(channel, {});
    for (const auto& process : model.processes) {
      std::optional<Interval> family;
      if (process.family) family = resolver_.range(process.family->range, {&result_.shared});
      for (const auto& channel : process.channels) {
        if (process.family && !family) result_.channels[channel.name.text].is_broken = true;
        if (process.family && !family) continue;
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
    if (process != none) warn_of_hidden(name, scope, diagnostics);
    Variable variable{name.text, name.place, process, short_integer, 0, {}};
    if (declaration.range) {
      const auto range = resolver.range(*declaration.range, scope);
      if (range) variable.declared = *range;
    }
    variable.wraps = declaration.wraps || (!declaration.range && !declaration.enumeration);
    if (declaration.enumeration) resolver.use_enumeration(*declaration.enumeration, variable);
    variable.initial = std::clamp<std::int64_t>(0, variable.declared.low, variable.declared.high);
    if (declaration.initial)
      set_initial(*declaration.initial, scope, resolver, variable, diagnostics);
    Binding binding{false, 0, static_cast<VariableId>(protocol.variables.size()), name.place};
    if (declaration.size) {
      variable.elements = array_length(declaration, scope, resolver, diagnostics);
      binding.length = variable.elements;
    }
    binding.enumeration = variable.enumeration;
    bindings[name.text] = binding;
    if (protocol.variables.size() + std::max(1u, variable.elements) > BuildLimits::variables) {
      diagnostics.error(name.place, "the protocol has too many variables",
                        fmt::format("there may be {} of them, elements of arrays included",
                                    BuildLimits::variables));
      variable.elements = std::min(variable.elements, 1u);
    }
    for (; variable.element < std::max(1u, variable.elements); ++variable.element) {
      if (variable.elements > 0) variable.name = fmt::format("{}[{}]", name.text, variable.element);
      if (variable.element < declaration.elements.size())
        set_initial(*declaration.elements[variable.element], scope, resolver, variable,
                    diagnostics);
      protocol.variables.push_back(variable);
    }
  }

  static void set_initial(const argos::Expression& e, const Scope& scope, Resolver& resolver,
                          Variable& variable, Diagnostics& diagnostics) {
    const auto value = resolver.constant(e, scope, "an initial value");
    if (value && !variable.declared.contains(*value))
      diagnostics.error(e.place, fmt::format("{} is outside {}..{}", *value, variable.declared.low,
                                             variable.declared.high));
    else if (value)
      variable.initial = *value;
  }

  // At least 1, whatever is wrong with it.
  static std::uint32_t array_length(const argos::VariableDeclaration& declaration,
                                    const Scope& scope, Resolver& resolver,
                                    Diagnostics& diagnostics) {
    const Place place = declaration.size->place;
    const auto size = resolver.constant(*declaration.size, scope, "the size of an array");
    if (!size) return 1;
    if (*size < 1) {
      diagnostics.error(place, fmt::format("an array of {} elements makes no sense", *size));
      return 1;
    }
    if (*size > static_cast<std::int64_t>(BuildLimits::variables)) {
      diagnostics.error(place, fmt::format("an array of {} elements is too large", *size),
                        fmt::format("there may be {} variables, elements of arrays included",
                                    BuildLimits::variables));
      return 1;
    }
    const std::size_t given = declaration.elements.size();
    if (given > 0 && given != static_cast<std::size_t>(*size))
      diagnostics.error(declaration.name.place,
                        fmt::format("`{}` has {} {}, and gets {}", declaration.name.text, *size,
                                    *size == 1 ? "element" : "elements", given),
                        "give as many values as it has elements, or one without braces for all");
    return static_cast<std::uint32_t>(*size);
  }

 private:
  // A constant is meant to be seen everywhere.
  static void warn_of_hidden(const argos::Name& name, const Scope& scope,
                             Diagnostics& diagnostics) {
    const auto hidden = scope.front()->find(name.text);
    if (hidden == scope.front()->end() || !hidden->second.is_constant) return;
    diagnostics.warning(name.place, fmt::format("this variable hides the constant `{}`", name.text),
                        "give it another name", {{hidden->second.place, "declared here"}});
  }

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

  void declare_enumeration(const argos::EnumerationDeclaration& declaration) {
    const auto id = static_cast<EnumerationId>(protocol_.enumerations.size());
    Enumeration enumeration;
    if (declaration.name) {
      enumeration.name = declaration.name->text;
      const auto [found, fresh] = result_.enumerations.try_emplace(
          enumeration.name, Declarations::NamedEnumeration{id, declaration.name->place});
      if (!fresh)
        diagnostics_.error(declaration.name->place,
                           fmt::format("enum `{}` is declared twice", enumeration.name), {},
                           {{found->second.place, "first here"}});
    }
    for (const argos::Name& name : declaration.names) {
      if (is_free(name, result_.shared, diagnostics_))
        declare_constant(name, static_cast<std::int64_t>(enumeration.names.size()), id);
      enumeration.names.push_back(name.text);
    }
    if (enumeration.names.size() > BuildLimits::enumeration)
      diagnostics_.error(declaration.names[BuildLimits::enumeration].place,
                         fmt::format("an enum has at most {} names", BuildLimits::enumeration));
    protocol_.enumerations.push_back(std::move(enumeration));
  }

  void declare_constant(const argos::Name& name, std::int64_t value,
                        EnumerationId enumeration = none) {
    result_.shared[name.text] = {true, value, none, name.place, 0, enumeration};
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
    if (declaration.family) {
      process_family = resolver_.range(*declaration.family, {&result_.shared});
      entry.is_broken = !process_family;
    }
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
    const Channel prototype = make_channel(declaration, count);
    for (std::int64_t member = entry.members.low; member <= entry.members.high; ++member) {
      protocol_.channels.push_back(prototype);
      if (entry.is_family)
        protocol_.channels.back().name = fmt::format("{}[{}]", name.text, member);
      set_line(options_.faults, protocol_.channels.back());
    }
  }

  // One of `members` that come next.
  Channel make_channel(const argos::ChannelDeclaration& declaration, std::size_t members) {
    Channel channel;
    for (const argos::InitialMessage& message : declaration.contents)
      result_.messages.insert(message.message.text);
    channel.name = declaration.name.text;
    channel.place = declaration.name.place;
    channel.is_sink = declaration.is_sink;
    channel.is_lossy = declaration.is_lossy;
    channel.is_duplicating = declaration.is_duplicating;
    channel.is_reordering = declaration.is_reordering;
    for (const argos::InitialMessage& message : declaration.contents) {
      InitialContent content{message.message.text, {}};
      for (const auto& value : message.values) {
        for (std::size_t member = 0; member < members; ++member)
          result_
              .value_uses[{static_cast<ChannelId>(protocol_.channels.size() + member), content.name,
                           content.values.size()}]
              .sent.insert(resolver_.enumeration(*value, {&result_.shared}));
        const auto constant = resolver_.constant(*value, {&result_.shared}, "an initial value");
        if (constant) warn_of_wide_value(*constant, value->place, diagnostics_);
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
    if (*capacity < 0)
      diagnostics_.error(place, fmt::format("a capacity of {} makes no sense", *capacity));
    else if (*capacity > BuildLimits::capacity)
      diagnostics_.error(place,
                         fmt::format("a channel has at most {} slots", BuildLimits::capacity));
    else if (channel.contents.size() > static_cast<std::size_t>(*capacity))
      diagnostics_.error(place,
                         fmt::format("{} messages do not fit into {} {}", channel.contents.size(),
                                     *capacity, *capacity == 1 ? "slot" : "slots"));
    else if (*capacity == 0 && declaration.is_queue)
      diagnostics_.warning(place,
                           "a queue without slots is a rendezvous: sender and receiver move "
                           "in one step",
                           "declare it as a `channel` if that is meant");
    if (*capacity == 0 && (channel.is_lossy || channel.is_duplicating || channel.is_reordering))
      diagnostics_.error(place, std::string(no_line_problem), std::string(no_line_suggestion));
    if (*capacity == 1 && channel.is_reordering)
      diagnostics_.warning(place, "a line of one slot has nothing to reorder",
                           "give the channel more slots");
    if (*capacity >= 0 && *capacity <= BuildLimits::capacity)
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
    for (const auto& [name, kind] : declaration.parameters)
      if (!seen.insert(name.text).second)
        diagnostics_.error(name.place, fmt::format("parameter `{}` appears twice", name.text));
    for (const argos::VariableDeclaration& variable : declaration.variables) {
      if (variable.size)
        diagnostics_.error(variable.name.place, "a procedure declares no arrays",
                           "declare it in the process, and pass it: `var a`");
      if (seen.contains(variable.name.text))
        diagnostics_.error(variable.name.place,
                           fmt::format("`{}` is a parameter already", variable.name.text));
    }
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

void warn_of_wide_value(std::int64_t value, Place place, Diagnostics& diagnostics) {
  if (short_integer.contains(value)) return;
  diagnostics.warning(
      place,
      fmt::format("{} does not fit into {}..{}, the range of a value in a message", value,
                  short_integer.low, short_integer.high),
      fmt::format("it arrives as {}", wrap_into(value, short_integer.low, short_integer.high)));
}

void find_enumerations(const Declarations& declarations, Protocol& protocol) {
  const auto only = [](const std::set<EnumerationId>& uses) {
    return uses.size() == 1 ? *uses.begin() : none;
  };
  for (const auto& [value, uses] : declarations.value_uses) {
    const auto& [channel, message, index] = value;
    const EnumerationId sent = only(uses.sent);
    const EnumerationId found = sent != none ? sent : only(uses.received);
    if (found == none) continue;
    for (MessageType& type : protocol.channels[channel].sort) {
      if (type.name != message || type.values.size() <= index) continue;
      type.enumerations.resize(std::max(type.enumerations.size(), index + 1), none);
      type.enumerations[index] = found;
    }
  }
}

Bindings declare_locals(const std::vector<argos::VariableDeclaration>& variables, ProcessId process,
                        const Scope& scope, Resolver& resolver, Protocol& protocol,
                        Diagnostics& diagnostics) {
  Bindings locals;
  for (const auto& variable : variables)
    Declarer::declare_variable(variable, process, scope, resolver, protocol, locals, diagnostics);
  return locals;
}

}  // namespace panoptes
