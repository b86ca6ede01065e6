// SPDX-License-Identifier: Apache-2.0
// The translation of a body into a raw automaton.
//
// Idea: every statement gets a state, filled with the transitions of that statement to the state of
// the next one. The first statement of an option is its guard and has no state: its transitions are
// *lent* to the state of the `if` or `do`. A nested `if` or `do` in guard position lends all its
// options. A call in guard position lends the guard of the procedure's body, with the parameters
// already set (compose_before). An `if`, `do` or call that is the guard of the only option is
// jumped to instead, so that the outer state is a transit state.
//
// What is translated within `atomic { ... }` is inside: the states of its statements, the first one
// included, and its transitions. The `atomic` itself has a state outside, which leads to the first:
// so whoever comes from there, by a jump or from the statement before, has not begun yet.
//
// A broadcast is a chain of sends, one to each member, with states inside between them. The first
// waits until there is room in all, so that none of the others waits.
#include "argos/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "argos/hints.hpp"
#include "argos/unparse.hpp"
#include "protocol/compose.hpp"
#include "protocol/limits.hpp"

namespace panoptes {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

constexpr std::string_view condition_elsewhere =
    "what holds in every state is `always (condition);`, at the top level; what holds where a "
    "process is, `assert(condition)` there";

bool is_structure(const argos::Statement& statement) {
  return std::holds_alternative<argos::If>(statement.action) ||
         std::holds_alternative<argos::Do>(statement.action) ||
         std::holds_alternative<argos::Atomic>(statement.action) ||
         std::holds_alternative<argos::Call>(statement.action);
}

class Translator {
 public:
  Translator(const TranslationInput& input, Declarations& declarations, Resolver& resolver,
             Protocol& protocol, Diagnostics& diagnostics)
      : input_(input),
        declarations_(declarations),
        resolver_(resolver),
        protocol_(protocol),
        diagnostics_(diagnostics) {}

  RawAutomaton run() {
    Body body{input_.owner, input_.scope, {}, {}, {}, none};
    result_.end = new_state(input_.end, none);
    result_.states[result_.end].state.is_end = true;
    result_.states[result_.end].state.may_stop = true;
    result_.states[result_.end].source_order = UINT32_MAX;
    result_.initial = block(*input_.body, result_.end, none, body);
    finish(body);
    return std::move(result_);
  }

 private:
  // One body being translated: that of the process, or one inlined copy of a procedure's.
  struct Body {
    std::string owner;
    Scope scope;
    std::map<std::string, StateId> labels;
    std::map<std::string, Place> label_places;
    struct PendingJump {
      StateId state;
      std::size_t transition;
      argos::Name label;
    };
    std::vector<PendingJump> jumps;
    StateId loop_exit = none;  // where `break` goes; none outside a `do`
  };

  StateId new_state(Place place, StateId preceded_by) {
    const auto id = static_cast<StateId>(result_.states.size());
    result_.states.emplace_back();
    result_.states.back().state.place = place;
    result_.states.back().preceded_by = preceded_by;
    result_.states.back().is_inside = atomic_depth_ > 0;
    if (++declarations_.control_states > BuildLimits::control_states && !gave_up_) {
      gave_up_ = true;
      diagnostics_.error(place,
                         fmt::format("the processes need more than {} control states",
                                     BuildLimits::control_states),
                         "procedures are inlined at every call: call them less often");
    }
    return id;
  }

  void add(StateId state, Transition transition, bool is_jump) {
    RawState& raw = result_.states[state];
    transition.ends_inside |= atomic_depth_ > 0;
    raw.state.transitions.push_back(std::move(transition));
    raw.is_jump.push_back(is_jump);
    if (++declarations_.transitions > BuildLimits::transitions && !gave_up_) {
      gave_up_ = true;
      diagnostics_.error(raw.state.place, fmt::format("{} needs more than {} transitions",
                                                      input_.owner, BuildLimits::transitions));
    }
  }

  StatementId statement_id(Place place, const std::string& owner, std::string text) {
    const auto [found, inserted] = declarations_.statement_ids.try_emplace(
        std::pair(place, owner), static_cast<StatementId>(protocol_.statements.size()));
    if (inserted) protocol_.statements.push_back({place, owner, std::move(text)});
    return found->second;
  }

  // ---- sequences ---------------------------------------------------------------------------

  // The entry of `statements`, followed by `next`.
  StateId block(const argos::Block& statements, StateId next, StateId inside, Body& body) {
    const std::vector<StateId> entries = open_block(statements, 0, inside, body);
    fill_block(statements, 0, entries, next, body);
    return entries.empty() ? next : entries.front();
  }

  // States for statements `from`.. of a block; fill_block() gives them their transitions.
  std::vector<StateId> open_block(const argos::Block& statements, std::size_t from, StateId inside,
                                  Body& body) {
    std::vector<StateId> entries;
    for (std::size_t i = from; i < statements.size(); ++i) {
      entries.push_back(new_state(statements[i].place, i == from ? inside : entries.back()));
      attach_labels(statements[i], entries.back(), body);
    }
    return entries;
  }

  void fill_block(const argos::Block& statements, std::size_t from,
                  const std::vector<StateId>& entries, StateId next, Body& body) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      fill(entries[i], statements[from + i], i + 1 < entries.size() ? entries[i + 1] : next, body);
  }

  void attach_labels(const argos::Statement& statement, StateId state, Body& body) {
    for (const argos::Name& label : statement.labels) {
      const auto [found, inserted] = body.labels.try_emplace(label.text, state);
      if (!inserted) {
        diagnostics_.error(label.place, fmt::format("label `{}` is set twice", label.text), {},
                           {{body.label_places[label.text], "first here"}});
        continue;
      }
      body.label_places[label.text] = label.place;
      ControlState& control = result_.states[state].state;
      control.labels.push_back(label.text);
      if (label.text.starts_with("end")) control.may_stop = true;
    }
  }

  void fill(StateId state, const argos::Statement& statement, StateId next, Body& body) {
    if (gave_up_ || !enter(statement.place)) return;
    result_.states[state].source_order = order_++;
    if (const auto* choice = std::get_if<argos::If>(&statement.action)) {
      fill_choice(state, choice->options, next, body);
    } else if (const auto* loop = std::get_if<argos::Do>(&statement.action)) {
      result_.states[state].state.is_labelled = true;
      const StateId outer_exit = std::exchange(body.loop_exit, next);
      fill_choice(state, loop->options, state, body);
      body.loop_exit = outer_exit;
    } else if (const auto* call = std::get_if<argos::Call>(&statement.action)) {
      fill_call(state, statement, *call, next, body);
    } else if (const auto* atomic = std::get_if<argos::Atomic>(&statement.action)) {
      fill_atomic(state, statement, *atomic, next, body);
    } else {
      lend_simple(state, statement, next, {}, body);
    }
    --depth_;
  }

  void fill_atomic(StateId state, const argos::Statement& statement, const argos::Atomic& atomic,
                   StateId next, Body& body) {
    if (!may_be_atomic(statement)) return;
    ++atomic_depth_;
    const StateId inner = block(atomic.body, next, state, body);
    --atomic_depth_;
    jump(state, inner, {}, none);
    entered_[state] = {inner, {}};
  }

  bool may_be_atomic(const argos::Statement& statement) {
    if (input_.is_assertion)
      diagnostics_.error(statement.place, "an assertion speaks of sends and receives only",
                         "it makes no steps, so nothing comes in between");
    return !input_.is_assertion;
  }

  void fill_choice(StateId state, const std::vector<argos::Option>& options, StateId after,
                   Body& body) {
    if (options.size() == 1 && is_structure(options[0].body.front())) {
      const StateId inner = block(options[0].body, after, state, body);
      jump(state, inner, {}, none);
      entered_[state] = {inner, {}};
      return;
    }
    for (const argos::Option& option : options) lend_option(state, option, after, {}, body);
  }

  // ---- guards ------------------------------------------------------------------------------

  // Of an option within an option, the less likely tag counts.
  void lend_option(StateId outer, const argos::Option& option, StateId after,
                   const std::vector<Assignment>& before, Body& body) {
    const std::size_t first = result_.states[outer].state.transitions.size();
    lend(outer, option.body, after, before, body);
    if (option.likelihood == argos::Likelihood::untagged) return;
    if (input_.is_assertion)
      diagnostics_.error(option.place, "an assertion has no likely or unlikely options");
    const auto tag = static_cast<std::int8_t>(option.likelihood);
    auto& transitions = result_.states[outer].state.transitions;
    for (std::size_t i = first; i < transitions.size(); ++i)
      transitions[i].likelihood =
          transitions[i].likelihood == 0 ? tag : std::min(tag, transitions[i].likelihood);
  }

  // Adds the option with body `statements` to `outer`: its guard's transitions, then the rest.
  void lend(StateId outer, const argos::Block& statements, StateId after,
            const std::vector<Assignment>& before, Body& body) {
    const argos::Statement& guard = statements.front();
    if (gave_up_ || !enter(guard.place)) return;
    const std::uint32_t guard_order = order_++;
    const std::vector<StateId> others = open_block(statements, 1, outer, body);
    const StateId rest = others.empty() ? after : others.front();
    const bool is_loop = std::holds_alternative<argos::Do>(guard.action);
    if (!guard.labels.empty() || is_loop) {
      const StateId own = new_state(guard.place, outer);
      result_.states[own].is_statement = false;  // it is reached as a guard
      attach_labels(guard, own, body);
      fill(own, guard, rest, body);
      result_.states[own].source_order = guard_order;
      lend_state(outer, own, before);
    } else if (const auto* choice = std::get_if<argos::If>(&guard.action)) {
      for (const argos::Option& option : choice->options)
        lend_option(outer, option, rest, before, body);
    } else if (const auto* call = std::get_if<argos::Call>(&guard.action)) {
      lend_call(outer, guard, *call, rest, before, body);
    } else if (const auto* atomic = std::get_if<argos::Atomic>(&guard.action)) {
      ++atomic_depth_;
      if (may_be_atomic(guard)) lend(outer, atomic->body, rest, before, body);
      --atomic_depth_;
    } else {
      lend_simple(outer, guard, rest, before, body);
    }
    fill_block(statements, 1, others, after, body);
    --depth_;
  }

  // Adds the options of `inner` to `outer`; a jump made only to enter a structure is followed.
  void lend_state(StateId outer, StateId inner, const std::vector<Assignment>& before) {
    if (const auto entered = entered_.find(inner); entered != entered_.end()) {
      lend_state(outer, entered->second.state,
                 compose(before, entered->second.assignments, protocol_));
      return;
    }
    const auto transitions = result_.states[inner].state.transitions;
    const auto is_jump = result_.states[inner].is_jump;
    lent_[inner].push_back({outer, result_.states[outer].state.transitions.size()});
    for (std::size_t i = 0; i < transitions.size(); ++i)
      add(outer, compose_before(before, transitions[i], protocol_), is_jump[i]);
  }

  void lend_simple(StateId state, const argos::Statement& statement, StateId next,
                   const std::vector<Assignment>& before, Body& body) {
    const auto guard = guard_of(statement, body);
    if (!guard) return;
    if (const auto* skip = std::get_if<argos::Skip>(&statement.action)) {
      result_.states[state].is_bare_label = skip->is_understood;
      jump(state, next, before, statement, "skip", *guard, body);
    } else if (std::holds_alternative<argos::Break>(statement.action)) {
      if (body.loop_exit == none)
        diagnostics_.error(statement.place, "`break` outside a `do`",
                           "only a `do` can be left; to leave an `if`, just end the option");
      jump(state, body.loop_exit == none ? next : body.loop_exit, before, statement, "break",
           *guard, body);
    } else if (const auto* to = std::get_if<argos::Goto>(&statement.action)) {
      body.jumps.push_back({state, result_.states[state].state.transitions.size(), to->label});
      jump(state, next, before, statement, "goto " + to->label.text, *guard, body);
    } else if (const auto* cast = std::get_if<argos::Broadcast>(&statement.action)) {
      lend_broadcast(state, statement, *cast, next, before, *guard, body);
    } else {
      for (Transition& transition : outcomes(steps(statement, body))) {
        note_exchange(transition, statement.place);
        transition.target = next;
        transition.statements = {statement_id(
            statement.place, body.owner, guard->text + as_written(statement, transition, body))};
        apply(*guard, transition);
        add(state, compose_before(before, std::move(transition), protocol_), false);
      }
    }
  }

  // What there is to know about a step, for later.
  void note_exchange(Transition& transition, Place place) {
    if (transition.kind != ActionKind::bad_index) transition.written_as = transition.kind;
    if (transition.kind == ActionKind::send || transition.kind == ActionKind::receive)
      result_.external.insert(
          {transition.channel, transition.kind == ActionKind::send, transition.message});
    if ((is_receive(transition.kind) || transition.kind == ActionKind::flush) &&
        !input_.is_assertion)
      declarations_.reads.push_back({transition.channel, input_.process, place});
  }

  // The `when` before a statement.
  struct Guard {
    std::vector<ExpressionId> conditions;  // one at most
    std::string text;                      // as it stands before the statement
  };

  // Nothing where it makes no sense.
  std::optional<Guard> guard_of(const argos::Statement& statement, Body& body) {
    if (statement.when == nullptr) return Guard{};
    if (input_.is_assertion) {
      diagnostics_.error(statement.when->place, "an assertion has no conditions",
                         std::string(condition_elsewhere));
      return {};
    }
    const auto condition = resolver_.expression(*statement.when, body.scope);
    if (!condition) return {};
    return Guard{{*condition}, fmt::format("when ({}) ", argos::unparse(*statement.when))};
  }

  // Behind the conditions that choose a member of a family: it is looked at for that one alone.
  void apply(const Guard& guard, Transition& transition) {
    transition.conditions.insert(transition.conditions.begin() + transition.choosing,
                                 guard.conditions.begin(), guard.conditions.end());
    if (transition.kind == ActionKind::bad_index) choose_once(transition, protocol_.expressions);
    transition.text = guard.text + transition.text;
  }

  // A statement is one for all members of a family, `ring[i]?token`, not `ring[0]?token`, and for
  // all calls of a procedure, whatever is passed.
  std::string as_written(const argos::Statement& statement, const Transition& transition,
                         const Body& body) const {
    const auto exchange = [](const auto& action) { return Exchange{&action.channel, nullptr}; };
    const auto named = [](const auto& a) { return Exchange{&a.channel, &a.message.text}; };
    const Exchange at =
        std::visit(Overloaded{[&](const argos::Send& s) { return named(s); },
                              [&](const argos::Receive& r) { return named(r); },
                              [&](const argos::ReceiveDefault& r) { return exchange(r); },
                              [&](const argos::Timeout& t) { return exchange(t); },
                              [&](const argos::Flush& f) { return exchange(f); },
                              [](const auto&) { return Exchange{}; }},
                   statement.action);
    if (!at.channel || transition.channel == none) return transition.text;
    const auto is_passed = [&](const std::string& name, Binding::Kind kind) {
      return resolver_.is_passed(name, kind, body.scope);
    };
    if (is_passed(at.channel->name.text, Binding::Kind::channel) ||
        is_passed(at.channel->name.text, Binding::Kind::family) ||
        (at.message && is_passed(*at.message, Binding::Kind::message))) {
      return argos::unparse(statement).substr(labels_length(statement));
    }
    const std::string& name = protocol_.channels[transition.channel].name;
    // Without an index, or one that is chosen at run time.
    const std::size_t from =
        transition.kind == ActionKind::flush ? transition.text.find(' ') + 1 : 0;
    if (!at.channel->index || transition.text.compare(from, name.size(), name) != 0)
      return transition.text;
    return fmt::format("{}{}[{}]{}", transition.text.substr(0, from), at.channel->name.text,
                       argos::unparse(*at.channel->index),
                       transition.text.substr(from + name.size()));
  }

  // How much of a statement as it is written are its labels.
  static std::size_t labels_length(const argos::Statement& statement) {
    std::size_t length = 0;
    for (const argos::Name& label : statement.labels) length += label.text.size() + 2;
    return length;
  }

  // A `skip`, `break` or `goto`; with a guard it is a step.
  void jump(StateId from, StateId to, const std::vector<Assignment>& before,
            const argos::Statement& statement, const std::string& text, const Guard& guard,
            const Body& body) {
    const StatementId id = statement_id(statement.place, body.owner, guard.text + text);
    if (guard.conditions.empty()) return jump(from, to, before, id);
    Transition transition;
    transition.target = to;
    transition.statements = {id};
    transition.text = text;
    apply(guard, transition);
    add(from, compose_before(before, std::move(transition), protocol_), false);
  }

  void jump(StateId from, StateId to, std::vector<Assignment> assignments, StatementId statement) {
    Transition transition;
    transition.assignments = std::move(assignments);
    transition.target = to;
    transition.text = "skip";
    if (statement != none) {
      transition.statements = {statement};
      transition.text = protocol_.statements[statement].text;
    }
    add(from, std::move(transition), true);
  }

  // ---- procedures --------------------------------------------------------------------------

  struct Exchange {
    const argos::ChannelUse* channel = nullptr;
    const std::string* message = nullptr;
  };

  struct Inlined {
    const argos::ProcedureDeclaration* declaration = nullptr;
    std::vector<Assignment> set, reset;
  };

  // Binds the arguments of a call; constant ones of parameters that are never assigned to need no
  // variable.
  std::optional<Inlined> bind(const argos::Call& call, Place place, const Body& caller,
                              Bindings& parameters) {
    const auto found = declarations_.procedures.find(call.procedure.text);
    if (found == declarations_.procedures.end()) {
      std::vector<std::string> names = declarations_.macros;
      for (const auto& entry : declarations_.procedures) names.push_back(entry.first);
      const std::string instead = argos::hint(argos::Where::call, call.procedure.text);
      const std::string near = did_you_mean(call.procedure.text, names);
      diagnostics_.error(call.procedure.place,
                         fmt::format("no procedure is called `{}`", call.procedure.text),
                         near.empty() ? instead : near);
      return {};
    }
    declarations_.called_procedures.insert(call.procedure.text);
    Inlined inlined{found->second, {}, {}};
    if (std::find(active_.begin(), active_.end(), call.procedure.text) != active_.end()) {
      diagnostics_.error(place, fmt::format("procedure `{}` calls itself", call.procedure.text),
                         "recursion is not possible: procedures are inlined",
                         {{found->second->name.place, "declared here"}});
      return {};
    }
    if (active_.size() >= BuildLimits::call_depth) {
      diagnostics_.error(
          place, fmt::format("more than {} calls inside each other", BuildLimits::call_depth));
      return {};
    }
    const auto& names = inlined.declaration->parameters;
    if (names.size() != call.arguments.size()) {
      diagnostics_.error(
          place,
          fmt::format("`{}` takes {} {}, not {}", call.procedure.text, names.size(),
                      names.size() == 1 ? "argument" : "arguments", call.arguments.size()),
          {}, {{found->second->name.place, "declared here"}});
      return {};
    }
    bool complete = true;
    for (std::size_t i = 0; i < names.size(); ++i)
      complete &= bind_argument(names[i], *call.arguments[i], caller, inlined, parameters);
    if (!complete) return {};
    bind_locals(call.procedure.place, inlined, parameters);
    std::sort(inlined.set.begin(), inlined.set.end());
    std::sort(inlined.reset.begin(), inlined.reset.end());
    return inlined;
  }

  // False, with a complaint, where the argument is not what the parameter asks for.
  bool bind_argument(const argos::Parameter& parameter, const argos::Expression& argument,
                     const Body& caller, Inlined& inlined, Bindings& parameters) {
    if (parameter.kind == argos::ParameterKind::value) {
      if (is_message_argument(parameter, argument, caller, inlined)) return false;
      const auto value = resolver_.expression(argument, caller.scope);
      if (!value) return false;
      bind_parameter(parameter.name, *value, inlined, parameters);
      parameters[parameter.name.text].enumeration = resolver_.enumeration(argument, caller.scope);
      return true;
    }
    const auto* use = std::get_if<argos::NameUse>(&argument.node);
    const auto* member = std::get_if<argos::Element>(&argument.node);
    if (member && parameter.kind == argos::ParameterKind::channel)
      return bind_channel(
          parameter.name,
          {member->array.text, member->index.get(), member->array.place, argument.place}, caller,
          inlined, parameters);
    if (!use) return no_name(parameter, argument.place);
    if (parameter.kind == argos::ParameterKind::channel)
      return bind_channel(parameter.name, {use->text, nullptr, argument.place, argument.place},
                          caller, inlined, parameters);
    Binding& binding = parameters[parameter.name.text];
    if (parameter.kind == argos::ParameterKind::message) {
      binding.kind = Binding::Kind::message;
      binding.meant = resolver_.message(use->text, caller.scope);
      declarations_.messages.insert(binding.meant);
      return true;
    }
    const auto variable = resolver_.variable_argument(
        {{use->text, argument.place}, nullptr, argument.place}, caller.scope);
    if (variable) binding = *variable;
    return variable.has_value();
  }

  // `send(hello)`, and the procedure has `c!what`: a complaint that helps more than that there is
  // no variable.
  bool is_message_argument(const argos::Parameter& parameter, const argos::Expression& argument,
                           const Body& caller, const Inlined& inlined) {
    const auto* use = std::get_if<argos::NameUse>(&argument.node);
    if (!use || resolver_.value(use->text, caller.scope) ||
        !names_message(inlined.declaration->body, parameter.name.text))
      return false;
    diagnostics_.error(argument.place, fmt::format("no variable is called `{}` here", use->text),
                       fmt::format("for the name of a message, the parameter is declared so: "
                                   "`message {}`",
                                   parameter.name.text),
                       {{parameter.name.place, "declared here"}});
    return true;
  }

  bool no_name(const argos::Parameter& parameter, Place place) {
    const bool is_channel = parameter.kind == argos::ParameterKind::channel;
    const bool is_message = parameter.kind == argos::ParameterKind::message;
    diagnostics_.error(place,
                       fmt::format("expected the name of a {} for `{}`",
                                   is_channel   ? "channel"
                                   : is_message ? "message"
                                                : "variable",
                                   parameter.name.text),
                       {}, {{parameter.name.place, "declared here"}});
    return false;
  }

  // Which member of a family is meant is found out at the call, and kept in a variable.
  bool bind_channel(const argos::Name& name, const NamedChannel& argument, const Body& caller,
                    Inlined& inlined, Bindings& parameters) {
    auto binding = resolver_.channel_argument(argument, caller.scope);
    if (!binding) return false;
    if (argument.index && binding->channel.index != none) {
      Bindings index;
      bind_parameter(name, binding->channel.index, inlined, index);
      const VariableId variable = index.at(name.text).variable;
      declarations_.read_variables.insert(variable);
      binding->channel.index = protocol_.expressions.variable(variable);
    }
    parameters[name.text] = *binding;
    return true;
  }

  void bind_parameter(const argos::Name& name, ExpressionId value, Inlined& inlined,
                      Bindings& parameters) {
    Expressions& pool = protocol_.expressions;
    const ExpressionId wrapped = pool.wrap(value, short_integer.low, short_integer.high);
    if (pool.is_constant(wrapped) && !assigns(inlined.declaration->body, name.text)) {
      parameters[name.text] = {true, pool[wrapped].value, none};
      return;
    }
    const VariableId variable =
        own_variable(inlined.declaration->name.text + "." + name.text, name.place);
    parameters[name.text] = {false, 0, variable};
    inlined.set.push_back({variable, wrapped});
    inlined.reset.push_back({variable, pool.constant(0)});
  }

  // One of the process that no declaration has, 0 at first: the same for the same name.
  VariableId own_variable(const std::string& name, Place place) {
    const auto [found, fresh] =
        own_variables_.try_emplace(name, static_cast<VariableId>(protocol_.variables.size()));
    if (fresh) {
      protocol_.variables.push_back({name, place, input_.process, short_integer, 0, {}});
      protocol_.variables.back().is_of_procedure = true;
    }
    declarations_.written_variables.insert(found->second);
    return found->second;
  }

  // A variable of the procedure has its initial value outside of the call, and so when it begins.
  void bind_locals(Place place, Inlined& inlined, Bindings& parameters) {
    const auto& variables = inlined.declaration->variables;
    if (variables.empty()) return;
    if (input_.is_assertion) {
      diagnostics_.error(place, "an assertion has no variables", "it calls procedures without",
                         {{variables.front().name.place, "declared here"}});
      return;
    }
    const std::string& procedure = inlined.declaration->name.text;
    const auto [locals, fresh] = procedure_locals_.try_emplace(procedure);
    if (fresh) {
      const std::size_t first = protocol_.variables.size();
      locals->second = declare_locals(variables, input_.process, input_.scope, resolver_, protocol_,
                                      diagnostics_);
      for (std::size_t v = first; v < protocol_.variables.size(); ++v) {
        protocol_.variables[v].name = fmt::format("{}.{}", procedure, protocol_.variables[v].name);
        protocol_.variables[v].is_of_procedure = true;
      }
    }
    for (const auto& [name, binding] : locals->second) {
      parameters[name] = binding;
      const std::int64_t initial = protocol_.variables[binding.variable].initial;
      inlined.reset.push_back({binding.variable, protocol_.expressions.constant(initial)});
    }
  }

  // Whether a body has a message of that name.
  static bool names_message(const argos::Block& block, const std::string& name) {
    const auto in_options = [&](const auto& choice) {
      return std::any_of(
          choice.options.begin(), choice.options.end(),
          [&](const argos::Option& option) { return names_message(option.body, name); });
    };
    return std::any_of(block.begin(), block.end(), [&](const argos::Statement& statement) {
      return std::visit(
          Overloaded{[&](const argos::Send& s) { return s.message.text == name; },
                     [&](const argos::Receive& r) { return r.message.text == name; },
                     [&](const argos::If& choice) { return in_options(choice); },
                     [&](const argos::Do& loop) { return in_options(loop); },
                     [&](const argos::Atomic& atomic) { return names_message(atomic.body, name); },
                     [](const auto&) { return false; }},
          statement.action);
    });
  }

  // Whether a body assigns to the name, or passes it on to where that may be done.
  bool assigns(const argos::Block& block, const std::string& name) const {
    return std::any_of(block.begin(), block.end(), [&](const argos::Statement& statement) {
      return std::visit(
          Overloaded{[&](const argos::Assign& a) {
                       return std::any_of(a.parts.begin(), a.parts.end(), [&](const auto& part) {
                         return part.variable.name.text == name;
                       });
                     },
                     [&](const argos::Receive& r) {
                       return std::any_of(r.targets.begin(), r.targets.end(),
                                          [&](const auto& t) { return t.name.text == name; });
                     },
                     [&](const argos::Call& call) { return passes_on(call, name); },
                     [&](const argos::If& choice) { return assigns_any(choice.options, name); },
                     [&](const argos::Do& loop) { return assigns_any(loop.options, name); },
                     [&](const argos::Atomic& atomic) { return assigns(atomic.body, name); },
                     [](const auto&) { return false; }},
          statement.action);
    });
  }
  bool assigns_any(const std::vector<argos::Option>& options, const std::string& name) const {
    return std::any_of(options.begin(), options.end(),
                       [&](const argos::Option& option) { return assigns(option.body, name); });
  }
  bool passes_on(const argos::Call& call, const std::string& name) const {
    const auto called = declarations_.procedures.find(call.procedure.text);
    if (called == declarations_.procedures.end()) return false;
    const auto& parameters = called->second->parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), call.arguments.size()); ++i) {
      const auto* use = std::get_if<argos::NameUse>(&call.arguments[i]->node);
      if (use && use->text == name && parameters[i].kind == argos::ParameterKind::variable)
        return true;
    }
    return false;
  }

  // The inlined body: a scope of its own for labels and loops; it sees its parameters and the names
  // of the process, not the parameters of the procedure that calls it.
  Body open(const Inlined& inlined, const Bindings& parameters) {
    active_.push_back(inlined.declaration->name.text);
    Body body{inlined.declaration->name.text, input_.scope, {}, {}, {}, none};
    body.scope.push_back(&parameters);
    return body;
  }

  // The state a procedure returns to: a transit state that takes its parameters away again.
  StateId return_state(const Inlined& inlined, StateId next, StateId call_state) {
    if (inlined.reset.empty()) return next;
    const StateId back = new_state(inlined.declaration->end, call_state);
    result_.states[back].is_statement = false;
    result_.states[back].source_order = order_++;
    jump(back, next, inlined.reset, none);
    return back;
  }

  // What a call of an empty body does: its arguments must have values, be it that nobody asks.
  std::vector<Assignment> failures(const Inlined& inlined) {
    std::vector<Assignment> result = compose(inlined.set, inlined.reset, protocol_);
    std::erase_if(result,
                  [&](const Assignment& a) { return protocol_.expressions.is_constant(a.value); });
    return result;
  }

  // Of a call of an empty body, which counts as a `skip`.
  StatementId id_of(const argos::Call& call, const argos::Statement& statement,
                    const Body& caller) {
    return statement_id(statement.place, caller.owner, call.procedure.text + "()");
  }

  void fill_call(StateId state, const argos::Statement& statement, const argos::Call& call,
                 StateId next, Body& caller) {
    Bindings& parameters = keep_.emplace_back();
    const auto inlined = bind(call, statement.place, caller, parameters);
    if (!inlined) {
      jump(state, next, {}, none);
      return;
    }
    Body body = open(*inlined, parameters);
    const bool is_empty = inlined->declaration->body.empty();
    const StateId back = is_empty ? next : return_state(*inlined, next, state);
    const StateId entry = block(inlined->declaration->body, back, state, body);
    if (is_empty) {
      jump(state, entry, failures(*inlined), id_of(call, statement, caller));
    } else {
      jump(state, entry, inlined->set, none);
      entered_[state] = {entry, inlined->set};
    }
    close(body);
  }

  void lend_call(StateId outer, const argos::Statement& statement, const argos::Call& call,
                 StateId next, const std::vector<Assignment>& before, Body& caller) {
    Bindings& parameters = keep_.emplace_back();
    const auto inlined = bind(call, statement.place, caller, parameters);
    if (!inlined || inlined->declaration->body.empty()) {
      jump(outer, next, inlined ? compose(before, failures(*inlined), protocol_) : before,
           id_of(call, statement, caller));
      return;
    }
    Body body = open(*inlined, parameters);
    const StateId back = return_state(*inlined, next, outer);
    lend(outer, inlined->declaration->body, back, compose(before, inlined->set, protocol_), body);
    close(body);
  }

  void close(Body& body) {
    finish(body);
    active_.pop_back();
  }

  // ---- labels ------------------------------------------------------------------------------

  // All labels of the body are known now: gives its jumps their targets.
  void finish(Body& body) {
    for (const Body::PendingJump& pending : body.jumps) {
      const auto found = body.labels.find(pending.label.text);
      if (found == body.labels.end()) {
        std::vector<std::string> names;
        for (const auto& entry : body.labels) names.push_back(entry.first);
        diagnostics_.error(
            pending.label.place,
            fmt::format("no label is called `{}` in {}", pending.label.text, body.owner),
            did_you_mean(pending.label.text, names));
        continue;
      }
      const StateId target = found->second;
      result_.states[target].state.is_labelled = true;
      result_.states[pending.state].state.transitions[pending.transition].target = target;
      patch_lent(pending.state, pending.transition, target);
    }
  }

  // A goto that was lent on before its label was known.
  void patch_lent(StateId inner, std::size_t transition, StateId target) {
    const auto found = lent_.find(inner);
    if (found == lent_.end()) return;
    for (const Lent& lent : found->second) {
      const std::size_t copy = lent.first_transition + transition;
      result_.states[lent.outer].state.transitions[copy].target = target;
      patch_lent(lent.outer, copy, target);
    }
  }

  // ---- simple statements -------------------------------------------------------------------

  // The steps of a send, receive, timeout, assignment, test or check; targets are still open.
  std::vector<Transition> steps(const argos::Statement& statement, Body& body) {
    if (input_.is_assertion && !std::holds_alternative<argos::Send>(statement.action) &&
        !std::holds_alternative<argos::Receive>(statement.action)) {
      diagnostics_.error(statement.place, "an assertion speaks of sends and receives only",
                         std::string(condition_elsewhere));
      return {};
    }
    return std::visit(
        Overloaded{[&](const argos::Send& s) { return send(s, statement.place, body); },
                   [&](const argos::Receive& r) { return receive(r, statement.place, body); },
                   [&](const argos::ReceiveDefault& r) {
                     return on_channel(ActionKind::receive_default, r.channel, "default", body);
                   },
                   [&](const argos::Timeout& t) { return timeout(t, body); },
                   [&](const argos::Flush& f) { return flush(f, body); },
                   [&](const argos::Assign& a) { return assign(a, body); },
                   [&](const argos::Test& t) { return test(t, body); },
                   [&](const argos::Check& c) { return check(c, body); },
                   [](const argos::Else&) { return otherwise(); },
                   [](const auto&) { return std::vector<Transition>{}; }},
        statement.action);
  }

  // ---- lines -------------------------------------------------------------------------------

  // A line never moves by itself: what it can do to a message is an outcome of the send or of the
  // receive. Assertions speak of both as they are.
  std::vector<Transition> outcomes(std::vector<Transition> steps) {
    if (input_.is_assertion) return steps;
    std::vector<Transition> result;
    for (Transition& step : steps) {
      const bool takes =
          step.kind == ActionKind::receive || step.kind == ActionKind::receive_default;
      const Channel* line = step.channel == none ? nullptr : &protocol_.channels[step.channel];
      if (line && step.kind == ActionKind::send && line->is_lossy)
        add_both(std::move(step), " (lost)", result);
      else if (line && takes && (line->is_reordering || line->is_duplicating))
        add_deliveries(step, *line, result);
      else
        result.push_back(std::move(step));
    }
    return result;
  }

  static void add_both(Transition step, std::string_view mark, std::vector<Transition>& result) {
    result.push_back(std::move(step));
    Transition fault = result.back();
    fault.is_fault = true;
    fault.text += mark;
    result.push_back(std::move(fault));
  }

  // One for each place in the channel, and perhaps one more that leaves the message there.
  void add_deliveries(const Transition& step, const Channel& line,
                      std::vector<Transition>& result) {
    const std::uint32_t places = line.is_reordering ? line.capacity : 1;
    for (std::uint32_t place = 0; place < places; ++place) {
      Transition delivery = step;
      if (place > 0) move_to(place, delivery);
      if (line.is_duplicating)
        add_both(std::move(delivery), " (stays)", result);
      else
        result.push_back(std::move(delivery));
    }
  }

  // Takes the message `place` places behind the head, and the values of that one.
  void move_to(std::uint32_t place, Transition& step) {
    step.position = place;
    step.text += fmt::format(" (past {})", place);
    for (ExpressionId& condition : step.conditions) condition = at_place(place, condition, step);
    for (Assignment& a : step.assignments) {
      a.value = at_place(place, a.value, step);
      if (a.index != none) a.index = at_place(place, a.index, step);
    }
  }

  ExpressionId at_place(std::uint32_t place, ExpressionId id, const Transition& step) {
    Expressions& pool = protocol_.expressions;
    return pool.substitute(id, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
      if (node.op != Op::field || node.a != step.channel || node.value != 0) return {};
      const ExpressionId fallback = node.c == none ? none : at_place(place, node.c, step);
      return pool.field(node.a, node.b, fallback, place);
    });
  }

  std::vector<Transition> flush(const argos::Flush& f, Body& body) {
    const auto channel = usable(f.channel, true, body);
    if (!channel) return {};
    if (protocol_.channels[channel->first].is_rendezvous()) {
      diagnostics_.error(f.channel.place, "a rendezvous cannot be flushed",
                         "nothing is ever in it");
      return {};
    }
    Transition transition;
    transition.kind = ActionKind::flush;
    std::vector<Transition> result = for_each_member(transition, *channel, f.channel);
    for (Transition& each : result) each.text = "flush " + each.text;
    return result;
  }

  // One transition for each channel the use can mean, and one for an index out of range.
  std::vector<Transition> for_each_member(const Transition& prototype,
                                          const ResolvedChannel& channel,
                                          const argos::ChannelUse& use) {
    Expressions& pool = protocol_.expressions;
    if (channel.index == none) {
      Transition transition = prototype;
      transition.channel = channel.first;
      transition.text = protocol_.channels[channel.first].name + prototype.text;
      return {transition};
    }
    std::vector<Transition> result;
    const std::string index = use.index ? fmt::format("[{}]", argos::unparse(*use.index)) : "";
    const std::string written = use.name.text + index + prototype.text;
    for (std::int64_t member = channel.members.low; member <= channel.members.high; ++member) {
      Transition transition = prototype;
      transition.channel = static_cast<ChannelId>(channel.first + member - channel.members.low);
      transition.conditions.push_back(pool.binary(Op::equal, channel.index, pool.constant(member)));
      transition.choosing = 1;
      choose_once(transition, pool);
      transition.text = written;
      result.push_back(std::move(transition));
    }
    Transition bad;
    bad.kind = ActionKind::bad_index;
    bad.written_as = prototype.kind;
    bad.text = written;
    bad.conditions.push_back(pool.binary(
        Op::logical_or, pool.binary(Op::less, channel.index, pool.constant(channel.members.low)),
        pool.binary(Op::greater, channel.index, pool.constant(channel.members.high))));
    bad.choosing = 1;
    result.push_back(std::move(bad));
    return result;
  }

  std::optional<ResolvedChannel> usable(const argos::ChannelUse& use, bool is_receive,
                                        const Body& body) {
    const auto channel = resolver_.channel(use, body.scope);
    if (!channel) return {};
    if (input_.is_assertion && channel->index != none) {
      diagnostics_.error(use.place, "an assertion names one channel, not one chosen at run time");
      return {};
    }
    const Channel& declared = protocol_.channels[channel->first];
    if (is_receive && declared.is_sink) {
      diagnostics_.error(use.place,
                         fmt::format("nothing can be received from the sink `{}`", use.name.text),
                         "declare it as a channel", {{declared.place, "declared here"}});
      return {};
    }
    return channel;
  }

  std::vector<Transition> send(const argos::Send& s, Place place, Body& body) {
    const auto channel = usable(s.channel, false, body);
    const auto transition = sent(s, body);
    if (input_.is_assertion && !s.values.empty()) no_values(place);
    note_message({s.channel.name.text, s.message, true}, s.values.empty(), body);
    if (!channel || !transition) return {};
    std::vector<Transition> result = for_each_member(*transition, *channel, s.channel);
    for (const Transition& t : result)
      for (std::size_t i = 0; t.kind == ActionKind::send && i < s.values.size(); ++i)
        note_value(t, i).sent.insert(resolver_.enumeration(*s.values[i], body.scope));
    return result;
  }

  // What a send or a broadcast sends, with its text behind the channel.
  template <typename Action>
  std::optional<Transition> sent(const Action& action, const Body& body) {
    Transition transition;
    transition.kind = ActionKind::send;
    transition.message = resolver_.message(action.message.text, body.scope);
    transition.text = "!" + transition.message;
    for (const auto& value : action.values) {
      const auto id = resolver_.expression(*value, body.scope);
      if (!id) continue;
      if (protocol_.expressions.is_constant(*id))
        warn_of_wide_value(protocol_.expressions[*id].value, value->place, diagnostics_);
      transition.text += (transition.values.empty() ? "(" : ", ") + argos::unparse(*value);
      transition.values.push_back(
          protocol_.expressions.wrap(*id, short_integer.low, short_integer.high));
    }
    if (!action.values.empty()) transition.text += ")";
    if (transition.values.size() < action.values.size()) return {};
    return transition;
  }

  // ---- broadcast ---------------------------------------------------------------------------

  void lend_broadcast(StateId state, const argos::Statement& statement,
                      const argos::Broadcast& cast, StateId next,
                      const std::vector<Assignment>& before, const Guard& guard, Body& body) {
    std::vector<Transition> sends = broadcast(cast, body);
    const StatementId id = statement_id(statement.place, body.owner,
                                        argos::unparse(statement).substr(labels_length(statement)));
    protocol_.statements[id].is_broadcast = true;
    StateId from = state;
    for (std::size_t i = 0; i < sends.size() && !gave_up_; ++i) {
      const bool is_last = i + 1 == sends.size();
      if (!is_last) ++atomic_depth_;
      const StateId to = is_last ? next : state_between(from);
      sends[i].statements = {id};
      sends[i].target = to;
      note_exchange(sends[i], statement.place);
      if (i == 0) apply(guard, sends[i]);
      for (Transition& outcome : outcomes({sends[i]}))
        add(from, i > 0 ? std::move(outcome) : compose_before(before, outcome, protocol_), false);
      if (!is_last) --atomic_depth_;
      from = to;
    }
  }

  // What fails there is a fault of where the broadcast begins.
  StateId state_between(StateId before) {
    const StateId state = new_state(result_.states[before].state.place, before);
    result_.states[state].is_statement = false;
    result_.states[state].source_order = order_++;
    return state;
  }

  // A send to each member. Lossy lines and sinks keep nobody waiting.
  std::vector<Transition> broadcast(const argos::Broadcast& cast, Body& body) {
    const auto family = castable(cast, body);
    const auto prototype = sent(cast, body);
    note_message({cast.channel.name.text, cast.message, true}, cast.values.empty(), body);
    if (!family || !prototype) return {};
    std::vector<Transition> result;
    std::vector<ChannelId> room;
    for (std::int64_t member = family->members.low; member <= family->members.high; ++member) {
      Transition& send = result.emplace_back(*prototype);
      send.channel = static_cast<ChannelId>(family->first + member - family->members.low);
      send.text = protocol_.channels[send.channel].name + prototype->text;
      for (std::size_t i = 0; i < cast.values.size(); ++i)
        note_value(send, i).sent.insert(resolver_.enumeration(*cast.values[i], body.scope));
      const Channel& channel = protocol_.channels[send.channel];
      if (result.size() > 1 && !channel.is_sink && !channel.is_lossy) room.push_back(send.channel);
    }
    result.front().room = protocol_.room_in(room);
    keep_values(cast, result);
    return result;
  }

  std::optional<ResolvedChannel> castable(const argos::Broadcast& cast, Body& body) {
    const auto family = resolver_.family(cast, body.scope);
    if (!family) return {};
    const Channel& first = protocol_.channels[family->first];
    if (input_.is_assertion)
      diagnostics_.error(
          cast.channel.place, "an assertion names one channel, not all of a family",
          fmt::format("a broadcast is one send to each: `{}!{}`", first.name, cast.message.text));
    else if (first.is_rendezvous())
      diagnostics_.error(cast.channel.place,
                         fmt::format("a broadcast needs slots, and `{}` is a family of rendezvous",
                                     cast.channel.name.text),
                         "give it a capacity, or send to one after the other",
                         {{first.place, "declared here"}});
    else
      return family;
    return {};
  }

  // Values are computed once. One that asks how full a member is would be another one behind the
  // first send, so it is kept in a variable until the last.
  void keep_values(const argos::Broadcast& cast, std::vector<Transition>& sends) {
    if (sends.size() < 2) return;
    Expressions& pool = protocol_.expressions;
    const ChannelId first = sends.front().channel, last = sends.back().channel;
    for (std::size_t i = 0; i < cast.values.size(); ++i) {
      const ExpressionId value = sends.front().values[i];
      bool asks = false;
      pool.visit(value, [&](const ExpressionNode& node) {
        const bool is_question =
            node.op == Op::length || node.op == Op::full || node.op == Op::empty;
        asks = asks || (is_question && node.a >= first && node.a <= last);
      });
      if (!asks) continue;
      const VariableId kept =
          own_variable(fmt::format("{}.{}.{}", cast.channel.name.text, cast.message.text, i + 1),
                       cast.values[i]->place);
      declarations_.read_variables.insert(kept);
      for (Transition& send : sends) send.values[i] = pool.variable(kept);
      sends.front().values[i] = value;
      sends.front().assignments.push_back({kept, value});
      sends.back().assignments.push_back({kept, pool.constant(0)});
    }
    put_in_order(sends.front().assignments, pool);
    put_in_order(sends.back().assignments, pool);
  }

  std::vector<Transition> receive(const argos::Receive& r, Place place, Body& body) {
    const auto channel = usable(r.channel, true, body);
    if (input_.is_assertion && (!r.targets.empty() || r.when != nullptr)) no_values(place);
    std::vector<ResolvedTarget> targets;
    Transition prototype;
    prototype.kind = ActionKind::receive;
    prototype.message = resolver_.message(r.message.text, body.scope);
    for (std::size_t i = 0; i < r.targets.size(); ++i) {
      const bool ignored = r.targets[i].name.text == "_";
      const auto target = ignored ? std::optional(ResolvedTarget{})
                                  : resolver_.target(r.targets[i], body.scope, true);
      if (!target) return {};
      targets.push_back(*target);
    }
    prototype.text = written_receive(r, prototype.message);
    note_message({r.channel.name.text, r.message, false}, r.targets.empty(), body);
    if (!channel) return {};
    const auto conditions = conditions_on_values(r, targets, channel->first, body);
    if (!conditions) return {};
    std::vector<Transition> result = for_each_member(prototype, *channel, r.channel);
    for (Transition& transition : result) {
      if (transition.kind != ActionKind::receive) continue;
      store_values(targets, transition);
      for (const ExpressionId condition : *conditions)
        transition.conditions.push_back(on_channel(condition, channel->first, transition.channel));
    }
    return result;
  }

  // `c!x`, where `x` is a variable, too: perhaps its value is meant.
  void note_message(MessageUse use, bool is_alone, const Body& body) {
    if (resolver_.is_passed(use.message.text, Binding::Kind::message, body.scope)) return;
    const Binding* named = resolver_.value(use.message.text, body.scope);
    if (!is_alone || !named) {
      declarations_.messages.insert(use.message.text);
      return;
    }
    use.is_constant = named->is_constant;
    declarations_.doubtful_messages.push_back(std::move(use));
  }

  // What stands behind the channel.
  static std::string written_receive(const argos::Receive& r, const std::string& message) {
    std::string text = "?" + message;
    for (std::size_t i = 0; i < r.targets.size(); ++i) {
      const bool is_expected = i < r.expected.size() && r.expected[i] != nullptr;
      text += i == 0 ? "(" : ", ";
      text += is_expected ? "== " + argos::unparse(*r.expected[i]) : argos::unparse(r.targets[i]);
    }
    if (!r.targets.empty()) text += ")";
    if (r.when != nullptr) text += fmt::format(" when ({})", argos::unparse(*r.when));
    return text;
  }

  // What the message that is first in `channel` must be like: there, the names of the targets stand
  // for the values they get. A message without a value is none with an expected one.
  std::optional<std::vector<ExpressionId>> conditions_on_values(
      const argos::Receive& r, const std::vector<ResolvedTarget>& targets, ChannelId channel,
      Body& body) {
    Expressions& pool = protocol_.expressions;
    Bindings received;
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (targets[i].variable == none || targets[i].index != none) continue;
      Binding& binding = received[r.targets[i].name.text];
      const ExpressionId otherwise =
          binding.received == none ? pool.variable(targets[i].variable) : binding.received;
      binding.variable = targets[i].variable;
      binding.received = pool.field(channel, i, otherwise);
    }
    Scope scope = body.scope;
    scope.push_back(&received);
    std::vector<ExpressionId> result;
    for (std::uint32_t i = 0; i < r.expected.size(); ++i) {
      if (r.expected[i] == nullptr) continue;
      const auto expected = resolver_.expression(*r.expected[i], scope);
      if (!expected) return {};
      const ExpressionId other = pool.binary(Op::add, *expected, pool.constant(1));
      result.push_back(pool.binary(Op::equal, pool.field(channel, i, other), *expected));
    }
    if (r.when == nullptr) return result;
    const auto condition = resolver_.expression(*r.when, scope);
    if (!condition) return {};
    result.push_back(*condition);
    return result;
  }

  // The same of the message that is first in another member of the family.
  ExpressionId on_channel(ExpressionId condition, ChannelId from, ChannelId to) {
    if (from == to) return condition;
    Expressions& pool = protocol_.expressions;
    return pool.substitute(
        condition, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
          if (node.op != Op::field || node.a != from) return {};
          return pool.field(to, node.b, node.c == none ? none : on_channel(node.c, from, to));
        });
  }

  // What is to be noted of a value that is sent or received; of no use where nothing has names.
  ValueUses& note_value(const Transition& transition, std::size_t index) {
    if (protocol_.enumerations.empty()) return unused_;
    return declarations_.value_uses[{transition.channel, transition.message, index}];
  }

  // A value goes to its target where the message has it; where a target is named twice the last
  // value counts. Which element a target is, the state before the step tells.
  void store_values(const std::vector<ResolvedTarget>& targets, Transition& transition) {
    Expressions& pool = protocol_.expressions;
    std::map<VariableId, ExpressionId> values;
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (targets[i].variable == none) continue;
      const Variable& variable = protocol_.variables[targets[i].variable];
      note_value(transition, i).received.insert(variable.enumeration);
      const auto received = [&](ExpressionId fallback) {
        return fitted(pool.field(transition.channel, i, fallback), variable);
      };
      if (is_chosen(targets[i], targets)) {
        const auto& [array, index, length] = targets[i];
        transition.assignments.push_back(
            {array, received(pool.element(array, length, index)), index, length});
        continue;
      }
      const VariableId target = written_to(targets[i]);
      const auto earlier = values.find(target);
      values[target] = earlier == values.end()
                           ? received(pool.variable(target))
                           : pool.binary(Op::after, earlier->second, received(earlier->second));
    }
    for (const auto& [variable, value] : values)
      transition.assignments.push_back({variable, value});
    put_in_order(transition.assignments, protocol_.expressions);
  }

  // The value as the variable holds it, or none.
  ExpressionId fitted(ExpressionId value, const Variable& variable) {
    const auto [low, high] = variable.declared;
    return variable.wraps || declarations_.ranges == RangePolicy::wrap
               ? protocol_.expressions.wrap(value, low, high)
               : protocol_.expressions.bound(value, low, high);
  }

  void warn_of_misfit(ExpressionId value, const Variable& variable, const argos::Assignment& a) {
    const ExpressionNode& node = protocol_.expressions[value];
    if (node.op != Op::bound || !protocol_.expressions.is_constant(node.a)) return;
    const std::string& name = a.variable.name.text;
    const std::string declared =
        variable.elements > 0 ? fmt::format("{}[{}]", name, variable.elements) : name;
    diagnostics_.warning(
        a.value->place,
        fmt::format("{} does not fit into {}..{}, the range of `{}`",
                    protocol_.expressions[node.a].value, node.value, node.high, name),
        variable.enumeration == none
            ? fmt::format("`var {} : {}..{} wraps` takes it modulo the size of the range", declared,
                          node.value, node.high)
            : "");
  }

  // Whether the state decides what is written to: the element itself, or, by another target of the
  // same array, whether it is written to once more.
  bool is_chosen(const ResolvedTarget& target, const std::vector<ResolvedTarget>& all) const {
    return target.index != none &&
           std::any_of(all.begin(), all.end(), [&](const ResolvedTarget& other) {
             return other.variable == target.variable &&
                    !protocol_.expressions.is_constant(other.index);
           });
  }

  // Of a target that does not depend on the state.
  VariableId written_to(const ResolvedTarget& target) const {
    if (target.index == none) return target.variable;
    return target.variable + static_cast<VariableId>(protocol_.expressions[target.index].value);
  }

  void no_values(Place place) {
    diagnostics_.error(place, "an assertion cannot look at the values of a message",
                       "name the message alone");
  }

  std::vector<Transition> on_channel(ActionKind kind, const argos::ChannelUse& use,
                                     std::string_view word, Body& body) {
    const auto channel = usable(use, true, body);
    if (!channel) return {};
    Transition transition;
    transition.kind = kind;
    transition.text = fmt::format("?{}", word);
    return for_each_member(transition, *channel, use);
  }

  std::vector<Transition> timeout(const argos::Timeout& t, Body& body) {
    constexpr std::array words = {"timeout(empty)", "timeout(lock)", "timeout(quiet)"};
    constexpr std::array kinds = {TimeoutPolicy::empty, TimeoutPolicy::lock, TimeoutPolicy::quiet};
    if (!t.kind) return on_channel(ActionKind::timeout, t.channel, "timeout", body);
    const auto number = static_cast<std::size_t>(*t.kind);
    auto result = on_channel(ActionKind::timeout, t.channel, words[number], body);
    for (Transition& transition : result) transition.timeout = kinds[number];
    return result;
  }

  // Several assignments are simultaneous, as those of a transition are.
  std::vector<Transition> assign(const argos::Assign& a, Body& body) {
    Transition transition;
    bool complete = true;
    std::map<std::pair<VariableId, ExpressionId>, Place> assigned;
    for (const argos::Assignment& part : a.parts) {
      const auto made = assignment(part, body);
      complete = complete && made;
      if (!made) continue;
      const std::string name = argos::unparse(part.variable);
      const auto [earlier, fresh] =
          assigned.try_emplace({made->variable, made->index}, part.variable.place);
      if (!fresh)
        diagnostics_.error(
            part.variable.place, fmt::format("`{}` is assigned to twice in one step", name),
            "write `;` between the two for two steps", {{earlier->second, "first here"}});
      transition.assignments.push_back(*made);
      transition.text += fmt::format("{}{} = {}", transition.text.empty() ? "" : ", ", name,
                                     argos::unparse(*part.value));
    }
    if (!complete) return {};
    put_in_order(transition.assignments, protocol_.expressions);
    return {transition};
  }

  std::optional<Assignment> assignment(const argos::Assignment& a, Body& body) {
    const auto target = resolver_.target(a.variable, body.scope);
    const bool was_read = target && declarations_.read_variables.contains(target->variable);
    const auto value = resolver_.expression(*a.value, body.scope);
    if (!target || !value) return {};
    // Counting up is not reading.
    if (!was_read) declarations_.read_variables.erase(target->variable);
    const Variable& variable = protocol_.variables[target->variable];
    const ExpressionId kept = fitted(*value, variable);
    warn_of_misfit(kept, variable, a);
    if (!is_chosen(*target, {*target})) return Assignment{written_to(*target), kept};
    return Assignment{target->variable, kept, target->index, target->length};
  }

  std::vector<Transition> test(const argos::Test& t, Body& body) {
    const auto condition = resolver_.expression(*t.condition, body.scope);
    if (!condition) return {};
    Transition transition;
    transition.conditions = {*condition};
    transition.text = fmt::format("({})", argos::unparse(*t.condition));
    return {transition};
  }

  std::vector<Transition> check(const argos::Check& c, Body& body) {
    const auto condition = resolver_.expression(*c.condition, body.scope);
    if (!condition) return {};
    Transition transition;
    transition.kind = ActionKind::check;
    transition.check = *condition;
    transition.text = fmt::format("assert({})", argos::unparse(*c.condition));
    return {transition};
  }

  // Its conditions are those of the other transitions of its state, when all are known.
  static std::vector<Transition> otherwise() {
    Transition transition;
    transition.is_else = true;
    transition.text = "else";
    return {transition};
  }

  // Inlining can nest far deeper than the text does; the stack is finite.
  bool enter(Place place) {
    constexpr int deepest = 3000;
    if (++depth_ <= deepest) return true;
    if (!gave_up_) diagnostics_.error(place, "procedures call each other too deeply");
    gave_up_ = true;
    return false;
  }

  const TranslationInput& input_;
  Declarations& declarations_;
  Resolver& resolver_;
  Protocol& protocol_;
  Diagnostics& diagnostics_;

  struct Entered {
    StateId state;
    std::vector<Assignment> assignments;
  };
  RawAutomaton result_;
  std::map<StateId, Entered> entered_;  // states that only enter a nested structure
  struct Lent {
    StateId outer;
    std::size_t first_transition;  // where the copies begin
  };
  std::map<StateId, std::vector<Lent>> lent_;
  std::map<std::string, VariableId> own_variables_;
  std::map<std::string, Bindings> procedure_locals_;  // by procedure
  std::deque<Bindings> keep_;                         // parameter scopes of all inlined calls
  std::vector<std::string> active_;                   // procedures being inlined
  ValueUses unused_;
  std::uint32_t order_ = 0;
  int depth_ = 0;
  int atomic_depth_ = 0;  // how many `atomic`s are around
  bool gave_up_ = false;
};

}  // namespace

RawAutomaton translate(const TranslationInput& input, Declarations& declarations,
                       Resolver& resolver, Protocol& protocol, Diagnostics& diagnostics) {
  return Translator(input, declarations, resolver, protocol, diagnostics).run();
}

}  // namespace panoptes
