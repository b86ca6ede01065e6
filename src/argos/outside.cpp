// SPDX-License-Identifier: Apache-2.0
#include "argos/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "argos/hints.hpp"

namespace panoptes {
namespace {

constexpr std::string_view depth_name = "depth";

// Sets of up to so many numbers are asked for one by one, which machine code can do.
constexpr std::size_t most_comparisons = 8;

// `node` and 2 for `node[2]`; nothing else is a member of a family.
std::pair<std::string, std::optional<std::int64_t>> family_and_member(const std::string& name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return {name, {}};
  return {name.substr(0, bracket), std::stoll(name.substr(bracket + 1))};
}

std::string qualified(const Protocol& protocol, const Variable& variable) {
  if (variable.process == none) return variable.name;
  return fmt::format("{}.{}", protocol.processes[variable.process].name, variable.name);
}

// The variables that a process has, or where it is none all share, by their names: an array by its
// own.
Bindings variables_of(const Protocol& protocol, ProcessId process) {
  Bindings result;
  for (VariableId v = 0; v < protocol.variables.size(); ++v) {
    const Variable& variable = protocol.variables[v];
    if (variable.process != process || variable.element > 0) continue;
    Binding binding{false, 0, v};
    binding.length = variable.elements;
    binding.enumeration = variable.enumeration;
    result[variable.elements > 0 ? array_name(variable.name) : variable.name] = binding;
  }
  return result;
}

// Variables that only one process has, by their names alone.
Bindings sole_variables(const Protocol& protocol) {
  Bindings result;
  std::set<std::string> several;
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    for (const auto& [name, binding] : variables_of(protocol, p))
      if (!result.try_emplace(name, binding).second) several.insert(name);
  for (const std::string& name : several) result.erase(name);
  return result;
}

// The processes that one declaration has declared.
struct ProcessFamily {
  ProcessId first = none;
  bool is_family = false;
  Interval members{0, 0};
};

class OutsideResolver final : public Resolver {
 public:
  // Expressions are added to `into`, which may be another protocol with the same variables and
  // channels.
  OutsideResolver(const Protocol& protocol, Protocol& into, Declarations& declarations,
                  Diagnostics& diagnostics)
      : Resolver(into, declarations, diagnostics), system_(protocol) {}

 private:
  using Id = std::optional<ExpressionId>;

  Id outside(const argos::Expression& e, const Scope& scope) override {
    if (const auto* head = std::get_if<argos::HeadIs>(&e.node)) return head_is(*head, scope);
    if (const auto* remote = std::get_if<argos::RemoteVariable>(&e.node))
      return of_process(remote->process, e.place, scope,
                        [&](ProcessId p) { return variable(p, remote->variable, e.place, scope); });
    const auto& at = std::get<argos::AtState>(e.node);
    return of_process(at.process, e.place, scope,
                      [&](ProcessId p) { return is_at(p, at.state.text, e.place); });
  }

  void unknown_name(const argos::NameUse& use, Place place, const Scope& scope) override {
    std::vector<const Variable*> meant_ones;
    for (const Variable& variable : system_.variables)
      if (variable.element == 0 &&
          (variable.elements > 0 ? array_name(variable.name) : variable.name) == use.text)
        meant_ones.push_back(&variable);
    if (meant_ones.size() > 1) {
      diagnostics().error(place, fmt::format("several processes have a variable `{}`", use.text),
                          fmt::format("name one: `{}` or `{}`", qualified(system_, *meant_ones[0]),
                                      qualified(system_, *meant_ones[1])));
      return;
    }
    std::vector<std::string> names = visible(scope);
    for (const Variable& variable : system_.variables)
      names.push_back(qualified(system_, variable));
    std::string suggestion = argos::hint(argos::Where::value, use.text);
    if (declarations().channels.contains(use.text))
      suggestion = fmt::format(
          "`{0}` is a channel: ask it with len({0}), full({0}), empty({0}) or "
          "head({0}) == m",
          use.text);
    if (suggestion.empty()) suggestion = meant(use.text, names);
    if (suggestion.empty())
      suggestion =
          "an expression may name variables, `process.variable`, `process@label`, "
          "`len(channel)` and `head(channel) == message`";
    diagnostics().error(place, fmt::format("no variable is called `{}`", use.text), suggestion);
  }

  // ---- processes

  std::optional<ProcessFamily> family_called(const argos::ProcessUse& use, Place place) {
    ProcessFamily result;
    std::vector<std::string> names;
    for (ProcessId p = 0; p < system_.processes.size(); ++p) {
      const Process& process = system_.processes[p];
      names.push_back(process.declaration);
      if (process.declaration != use.name.text) continue;
      const auto member = family_and_member(process.name).second;
      if (result.first == none) {
        result = {p, member.has_value(), {member.value_or(0), member.value_or(0)}};
      } else if (member) {
        result.members.high = *member;
      }
    }
    if (result.first == none) {
      diagnostics().error(
          place, fmt::format("no process is called `{}`", use.name.text),
          declarations().enumerations.contains(use.name.text)
              ? fmt::format("`{}` is an enum, whose names stand alone", use.name.text)
              : did_you_mean(use.name.text, names));
      return {};
    }
    if (result.is_family == (use.index != nullptr)) return result;
    if (result.is_family)
      diagnostics().error(use.place, fmt::format("`{}` is a family of processes", use.name.text),
                          fmt::format("name one of {}", members_text(use, result)));
    else
      diagnostics().error(use.place,
                          fmt::format("`{}` is one process, not a family", use.name.text));
    return {};
  }

  static std::string members_text(const argos::ProcessUse& use, const ProcessFamily& family) {
    return fmt::format("{0}[{1}] to {0}[{2}]", use.name.text, family.members.low,
                       family.members.high);
  }

  // What `of` says of the process. Of a member that an expression chooses, a sum over all of them,
  // of which one counts.
  template <typename Of>
  Id of_process(const argos::ProcessUse& use, Place place, const Scope& scope, Of of) {
    const auto family = family_called(use, place);
    if (!family) return {};
    if (!use.index) return of(family->first);
    const Id index = expression(*use.index, scope);
    if (!index) return {};
    const auto process = [&](std::int64_t member) {
      return static_cast<ProcessId>(family->first + member - family->members.low);
    };
    if (pool().is_constant(*index)) {
      const std::int64_t member = pool()[*index].value;
      if (family->members.contains(member)) return of(process(member));
      diagnostics().error(use.place, fmt::format("there is no `{}[{}]`", use.name.text, member),
                          fmt::format("the family is {}", members_text(use, *family)));
      return {};
    }
    ExpressionId sum = none;
    for (std::int64_t member = family->members.low; member <= family->members.high; ++member) {
      const Id part = of(process(member));
      if (!part) return {};
      const ExpressionId chosen = pool().binary(Op::equal, *index, pool().constant(member));
      sum = plus(sum, pool().binary(Op::multiply, chosen, *part));
    }
    return where_member(sum, *index, family->members);
  }

  // `sum`: none where nothing has been added yet.
  ExpressionId plus(ExpressionId sum, ExpressionId part) {
    return sum == none ? part : pool().binary(Op::add, sum, part);
  }

  Id variable(ProcessId process, const argos::VariableUse& use, Place place, const Scope& scope) {
    const Bindings known = variables_of(system_, process);
    const auto found = known.find(use.name.text);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const auto& entry : known) names.push_back(entry.first);
      diagnostics().error(place,
                          fmt::format("process `{}` has no variable called `{}`",
                                      system_.processes[process].name, use.name.text),
                          did_you_mean(use.name.text, names));
      return {};
    }
    const Binding& binding = found->second;
    declarations().read_variables.insert(binding.variable);
    if (!use.index) {
      if (binding.length == 0) return pool().variable(binding.variable);
      whole_array(use.name.text, binding, place);
      return {};
    }
    if (binding.length == 0) {
      no_array(use.name.text, place);
      return {};
    }
    const Id at = index(*use.index, use.name.text, binding, place, scope);
    if (!at) return {};
    return pool().element(binding.variable, binding.length, *at);
  }

  // Whether some statement of the process has the label, be it one that no way leads to.
  static bool has_label(const Automaton& automaton, const std::string& label) {
    const auto is_in = [&](const std::vector<std::string>& labels) {
      return std::find(labels.begin(), labels.end(), label) != labels.end();
    };
    return is_in(automaton.lost_labels) ||
           std::any_of(automaton.states.begin(), automaton.states.end(),
                       [&](const ControlState& state) { return is_in(state.labels); });
  }

  // Whether all ways to these states end inside of an indivisible sequence. That of a sender is
  // over where it meets a receiver.
  bool are_inside(const Automaton& automaton, const std::vector<bool>& states) const {
    bool has_way = false;
    for (const ControlState& state : automaton.states)
      for (const Transition& transition : state.transitions) {
        if (!states[transition.target]) continue;
        const bool is_meeting = transition.kind == ActionKind::send && transition.channel != none &&
                                system_.channels[transition.channel].is_rendezvous();
        if (!transition.ends_inside || is_meeting) return false;
        has_way = true;
      }
    return has_way && !states[automaton.initial];
  }

  Id is_at(ProcessId process, const std::string& label, Place place) {
    std::vector<bool> states;
    std::vector<std::string> names;
    const Automaton& automaton = system_.processes[process].automaton;
    // `end` is the closing brace, but where the model calls something else so.
    const bool is_label = has_label(automaton, label), is_brace = label == "end" && !is_label;
    for (const ControlState& state : automaton.states) {
      names.push_back(state.name);
      names.insert(names.end(), state.labels.begin(), state.labels.end());
      const bool has_it =
          std::find(state.labels.begin(), state.labels.end(), label) != state.labels.end();
      const bool is_here =
          has_it || (is_brace && state.is_end) ||
          (!is_label &&
           fmt::format("|{}|", state.name).find(fmt::format("|{}|", label)) != std::string::npos);
      states.push_back(is_here);
      if (!is_here || state.name.find('|') == std::string::npos) continue;
      diagnostics().error(place,
                          fmt::format("`{}` is not told apart from others: {}", label, state.name),
                          fmt::format("--labels {} keeps it apart", label));
      return {};
    }
    if (std::find(states.begin(), states.end(), true) == states.end()) {
      const auto& lost = system_.processes[process].automaton.lost_labels;
      if (std::find(lost.begin(), lost.end(), label) != lost.end()) {
        diagnostics().warning(
            place,
            fmt::format("process `{}` is never at `{}`", system_.processes[process].name, label),
            "no way leads there; if it begins an option, write a statement before it");
        return pool().constant(0);
      }
      diagnostics().error(place,
                          fmt::format("process `{}` has no state called `{}`",
                                      system_.processes[process].name, label),
                          did_you_mean(label, names));
      return {};
    }
    if (are_inside(automaton, states))
      diagnostics().warning(
          place,
          fmt::format("process `{}` is seen at `{}` only where it waits there",
                      system_.processes[process].name, label),
          "it lies inside of `atomic`, which is one step; label what comes behind it");
    return is_one_of(pool().ask(Op::control, process), states);
  }

  // ---- channels

  Id head_is(const argos::HeadIs& head, const Scope& scope) {
    const auto resolved = channel(head.channel, scope);
    if (!resolved) return {};
    bool is_known = false;
    const auto of = [&](ChannelId c) {
      std::vector<bool> tags(1, false);
      for (const MessageType& type : system_.channels[c].sort)
        tags.push_back(type.name == head.message.text);
      is_known = is_known || std::find(tags.begin(), tags.end(), true) != tags.end();
      return is_one_of(pool().tag(c), tags);
    };
    Id result;
    if (resolved->index == none) {
      result = of(resolved->first);
    } else {
      ExpressionId sum = none;
      const Interval& members = resolved->members;
      for (std::int64_t member = members.low; member <= members.high; ++member) {
        const auto id = static_cast<ChannelId>(resolved->first + member - members.low);
        const ExpressionId chosen =
            pool().binary(Op::equal, resolved->index, pool().constant(member));
        sum = plus(sum, pool().binary(Op::multiply, chosen, of(id)));
      }
      result = where_member(sum, resolved->index, members);
    }
    if (!is_known)
      diagnostics().warning(head.message.place,
                            fmt::format("no message `{}` is ever in channel `{}`",
                                        head.message.text, head.channel.name.text));
    return head.is_other ? pool().unary(Op::logical_not, *result) : result;
  }

  ExpressionId is_one_of(ExpressionId number, const std::vector<bool>& set) {
    if (static_cast<std::size_t>(std::count(set.begin(), set.end(), true)) > most_comparisons)
      return pool().member(number, set);
    ExpressionId any = none;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (!set[i]) continue;
      const ExpressionId is_it =
          pool().binary(Op::equal, number, pool().constant(static_cast<std::int64_t>(i)));
      any = any == none ? is_it : pool().binary(Op::logical_or, any, is_it);
    }
    return any == none ? pool().constant(0) : any;
  }

  const Protocol& system_;
};

// A protocol without processes, for expressions that are to be in a pool of their own.
Protocol context_of(const Protocol& protocol) {
  Protocol context;
  context.channels = protocol.channels;
  context.variables = protocol.variables;
  context.enumerations = protocol.enumerations;
  return context;
}

void add_asked_names(const argos::Expression& e, std::set<std::string>& names) {
  const auto add = [&](const argos::ExpressionPtr& part) {
    if (part) add_asked_names(*part, names);
  };
  if (const auto* at = std::get_if<argos::AtState>(&e.node)) {
    names.insert(at->state.text);
    add(at->process.index);
  } else if (const auto* remote = std::get_if<argos::RemoteVariable>(&e.node)) {
    add(remote->process.index);
    add(remote->variable.index);
  } else if (const auto* element = std::get_if<argos::Element>(&e.node)) {
    add(element->index);
  } else if (const auto* quantifier = std::get_if<argos::Quantifier>(&e.node)) {
    add(quantifier->body);
  } else if (const auto* question = std::get_if<argos::AskChannel>(&e.node)) {
    add(question->channel.index);
  } else if (const auto* head = std::get_if<argos::HeadIs>(&e.node)) {
    add(head->channel.index);
  } else if (const auto* unary = std::get_if<argos::Unary>(&e.node)) {
    add(unary->operand);
  } else if (const auto* binary = std::get_if<argos::Binary>(&e.node)) {
    add(binary->left);
    add(binary->right);
  }
}

}  // namespace

std::set<std::string> asked_names(const argos::Expression& expression) {
  std::set<std::string> names;
  add_asked_names(expression, names);
  return names;
}

Declarations declarations_of(const Protocol& protocol) {
  Declarations result;
  result.shared = variables_of(protocol, none);
  for (const NamedConstant& constant : protocol.constants)
    result.shared[constant.name] = {true, constant.value, none};
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    const Channel& channel = protocol.channels[c];
    const auto [family, member] = family_and_member(channel.name);
    const Interval members = member ? Interval{*member, *member} : Interval{0, 0};
    const auto [found, fresh] = result.channels.try_emplace(
        family, ChannelEntry{c, member.has_value(), members, channel.place});
    if (!fresh && member) found->second.members.high = *member;
  }
  return result;
}

std::optional<ChannelId> resolve_channel(const argos::ChannelUse& use, const Bindings& index,
                                         Protocol& protocol, Declarations& declarations,
                                         Diagnostics& diagnostics) {
  const auto channel =
      Resolver(protocol, declarations, diagnostics).channel(use, {&declarations.shared, &index});
  if (!channel) return {};
  if (channel->index == none) return channel->first;
  diagnostics.error(use.place, "the member of a family is a constant here",
                    "a property may be a family, too: `ltl name[i : 0..3] { ... }`");
  return {};
}

std::optional<CostExpression> resolve_cost(const argos::Expression& expression,
                                           const Protocol& protocol, Diagnostics& diagnostics) {
  Declarations declarations = declarations_of(protocol);
  Protocol context = context_of(protocol);
  const Bindings sole = sole_variables(protocol);
  const Bindings depth{{std::string(depth_name), Binding{false, 0, CostExpression::depth}}};
  const auto root = OutsideResolver(protocol, context, declarations, diagnostics)
                        .expression(expression, {&depth, &sole, &declarations.shared});
  if (!root) return {};
  return CostExpression{std::move(context.expressions), *root};
}

std::optional<ExpressionId> resolve_outside(const argos::Expression& expression, Protocol& protocol,
                                            Diagnostics& diagnostics) {
  Declarations declarations = declarations_of(protocol);
  return resolve_outside(expression, {}, protocol, declarations, diagnostics, false);
}

std::optional<ExpressionId> resolve_outside(const argos::Expression& expression,
                                            const Bindings& index, Protocol& protocol,
                                            Declarations& declarations, Diagnostics& diagnostics,
                                            bool is_trial) {
  Protocol context;
  if (is_trial) context = context_of(protocol);
  const Bindings sole = sole_variables(protocol);
  return OutsideResolver(protocol, is_trial ? context : protocol, declarations, diagnostics)
      .expression(expression, {&sole, &declarations.shared, &index});
}

}  // namespace panoptes
