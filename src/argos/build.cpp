// SPDX-License-Identifier: Apache-2.0
// The passes from syntax tree to protocol, in order.
#include "argos/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "argos/names.hpp"
#include "argos/outside.hpp"
#include "argos/temporal.hpp"
#include "argos/translate.hpp"
#include "argos/unparse.hpp"
#include "protocol/fairness.hpp"
#include "protocol/finish.hpp"
#include "protocol/limits.hpp"
#include "protocol/sorts.hpp"
#include "protocol/transit.hpp"

namespace panoptes {

namespace {

class Builder {
 public:
  Builder(const argos::Model& model, const BuildOptions& options, const SourceSet& sources,
          Diagnostics& diagnostics)
      : model_(model),
        options_(options),
        sources_(sources),
        diagnostics_(diagnostics),
        declarations_(declare(model, options, protocol_, diagnostics)),
        resolver_(protocol_, declarations_, diagnostics) {}

  std::optional<Protocol> run() {
    if (model_.processes.empty() && !diagnostics_.has_errors())
      diagnostics_.error(sources_.file_count() > 0 ? Place{0, 0, 0, 0} : Place{},
                         "the model has no process", "a process is written `proc name { ... }`");
    translate_processes();
    translate_assertions();
    if (diagnostics_.has_errors()) return {};
    collect_sorts(protocol_);
    find_enumerations(declarations_, protocol_);
    find_readers(declarations_.reads, protocol_);
    check_for_one_reader(declarations_.reads, protocol_, diagnostics_);
    add_invariants(diagnostics_, true);
    add_temporal(diagnostics_, true);
    add_fairness_demands();
    if (diagnostics_.has_errors()) return {};
    warn();
    BuildOptions options = options_;
    for (const argos::InvariantDeclaration& declaration : model_.invariants)
      options.asked.names.merge(asked_names(*declaration.condition));
    for (const argos::TemporalDeclaration& declaration : model_.temporal)
      options.asked.names.merge(asked_names(*declaration.formula));
    if (!finish(protocol_, options, diagnostics_)) return {};
    Diagnostics said_before;
    add_invariants(said_before, false);
    add_temporal(said_before, false);
    return std::move(protocol_);
  }

 private:
  // The members of a family, or one unnamed member.
  std::vector<std::optional<std::int64_t>> members(
      const std::optional<argos::FamilyIndex>& family) {
    if (!family) return {std::nullopt};
    const auto range = resolver_.range(family->range, {&declarations_.shared});
    if (!range) return {};
    std::vector<std::optional<std::int64_t>> result;
    if (range->high - range->low + 1 > static_cast<std::int64_t>(BuildLimits::processes)) {
      diagnostics_.error(family->range.place,
                         fmt::format("a family has at most {} members", BuildLimits::processes));
      return {};
    }
    for (std::int64_t i = range->low; i <= range->high; ++i) result.emplace_back(i);
    return result;
  }

  static std::string member_name(const std::string& name, std::optional<std::int64_t> member) {
    return member ? fmt::format("{}[{}]", name, *member) : name;
  }

  void translate_processes() {
    std::map<std::string, Place> seen;
    for (const argos::ProcessDeclaration& declaration : model_.processes) {
      const auto [found, fresh] = seen.try_emplace(declaration.name.text, declaration.name.place);
      if (!fresh) {
        diagnostics_.error(declaration.name.place,
                           fmt::format("process `{}` is declared twice", declaration.name.text), {},
                           {{found->second, "first here"}});
        continue;
      }
      for (const auto member : members(declaration.family)) {
        if (diagnostics_.full()) return;
        translate_process(declaration, member);
      }
    }
  }

  void translate_process(const argos::ProcessDeclaration& declaration,
                         std::optional<std::int64_t> member) {
    if (protocol_.processes.size() >= BuildLimits::processes) {
      diagnostics_.error(declaration.name.place,
                         fmt::format("more than {} processes", BuildLimits::processes));
      return;
    }
    const auto id = static_cast<ProcessId>(protocol_.processes.size());
    Bindings index;
    if (member) index[declaration.family->name.text] = {true, *member, none};
    const Bindings locals =
        declare_locals(declaration.variables, id, {&declarations_.shared, &index}, resolver_,
                       protocol_, diagnostics_);
    TranslationInput input{&declaration.body,
                           declaration.end,
                           declaration.name.text,
                           id,
                           {&declarations_.shared, &index, &locals},
                           false};
    Process process{member_name(declaration.name.text, member),
                    declaration.name.text,
                    declaration.name.place,
                    {}};
    if (member) process.index = declaration.family->name.text;
    process.automaton = automaton(input);
    protocol_.processes.push_back(std::move(process));
  }

  void translate_assertions() {
    std::map<std::string, Place> seen;
    std::size_t number = 0;
    for (const argos::AssertionDeclaration& declaration : model_.assertions) {
      ++number;
      const std::string name =
          declaration.name ? declaration.name->text : fmt::format("assertion {}", number);
      const auto [found, fresh] = seen.try_emplace(name, declaration.place);
      if (!fresh)
        diagnostics_.error(declaration.place, fmt::format("assertion `{}` is declared twice", name),
                           {}, {{found->second, "first here"}});
      for (const auto member : members(declaration.family)) {
        if (diagnostics_.full()) return;
        Bindings index;
        if (member) index[declaration.family->name.text] = {true, *member, none};
        TranslationInput input{
            &declaration.body, declaration.end, name, none, {&declarations_.shared, &index}, true};
        Assertion assertion;
        assertion.name = member_name(name, member);
        assertion.place = declaration.place;
        if (member) assertion.index = declaration.family->name.text;
        std::set<ExternalAction> scope;
        assertion.automaton = automaton(input, &scope);
        assertion.scope.assign(scope.begin(), scope.end());
        protocol_.assertions.push_back(std::move(assertion));
      }
    }
  }

  // Tried before states are merged, for what is to be said of them; and made when all numbers are
  // those that stay.
  void add_invariants(Diagnostics& diagnostics, bool is_trial) {
    std::map<std::string, Place> seen;
    for (const argos::InvariantDeclaration& declaration : model_.invariants) {
      const std::string text = fmt::format("{} ({})", declaration.is_never ? "never" : "always",
                                           argos::unparse(*declaration.condition));
      const std::string name = declaration.name ? declaration.name->text : text;
      if (declaration.name) {
        const auto [found, fresh] = seen.try_emplace(name, declaration.name->place);
        if (!fresh)
          diagnostics.error(declaration.name->place,
                            fmt::format("invariant `{}` is declared twice", name), {},
                            {{found->second, "first here"}});
      }
      for (const auto member : members(declaration.family)) {
        if (diagnostics.full()) return;
        Bindings index;
        if (member) index[declaration.family->name.text] = {true, *member, none};
        const auto condition = resolve_outside(*declaration.condition, index, protocol_,
                                               declarations_, diagnostics, is_trial);
        if (!condition || is_trial) continue;
        Invariant invariant{member_name(name, member), text, declaration.place};
        if (member) invariant.index = declaration.family->name.text;
        invariant.broken = protocol_.broken(*condition, declaration.is_never);
        protocol_.invariants.push_back(std::move(invariant));
      }
    }
  }

  // Likewise.
  void add_temporal(Diagnostics& diagnostics, bool is_trial) {
    std::map<std::string, Place> seen;
    for (const argos::TemporalDeclaration& declaration : model_.temporal) {
      if (declaration.name) {
        const auto [found, fresh] =
            seen.try_emplace(declaration.name->text, declaration.name->place);
        if (!fresh)
          diagnostics.error(declaration.name->place,
                            fmt::format("property `{}` is declared twice", found->first), {},
                            {{found->second, "first here"}});
      }
      for (const auto member : members(declaration.family)) {
        if (diagnostics.full()) return;
        Bindings index;
        if (member) index[declaration.family->name.text] = {true, *member, none};
        auto property = resolve_formula(*declaration.formula, index, protocol_, declarations_,
                                        diagnostics, is_trial);
        if (!property || is_trial) continue;
        property->place = declaration.place;
        if (declaration.name) property->name = member_name(declaration.name->text, member);
        if (member) property->index = declaration.family->name.text;
        protocol_.temporal.push_back(std::move(*property));
      }
    }
  }

  void add_fairness_demands() {
    for (const argos::FairnessDeclaration& declaration : model_.fairness)
      if (!add_fairness(declaration.word.text, protocol_.fairness))
        diagnostics_.error(declaration.word.place,
                           fmt::format("there is no fairness called `{}`", declaration.word.text),
                           "runs are `fair weak;`, `fair strong;` or `fair lines;`");
  }

  Automaton automaton(const TranslationInput& input, std::set<ExternalAction>* scope = nullptr) {
    RawAutomaton raw = translate(input, declarations_, resolver_, protocol_, diagnostics_);
    if (diagnostics_.has_errors()) return {};
    collect_reachability(raw, reachability_);
    if (scope) *scope = raw.external;
    Automaton result = remove_transit_states(std::move(raw), protocol_, sources_);
    check_sizes(result);
    return result;
  }

  // Arguments of nested calls are substituted into each other, which can double them at each level.
  void check_sizes(const Automaton& automaton) {
    const auto check = [&](ExpressionId id, Place place) {
      if (protocol_.expressions.tree_size(id) > BuildLimits::expression_size)
        diagnostics_.error(place, "the arguments of the calls here are too large together",
                           "assign parts of them to variables first");
    };
    for (const ControlState& state : automaton.states)
      for (const Transition& t : state.transitions) {
        for (const ExpressionId id : t.conditions) check(id, state.place);
        for (const ExpressionId id : t.values) check(id, state.place);
        for (const Assignment& a : t.assignments) {
          check(a.value, state.place);
          if (a.index != none) check(a.index, state.place);
        }
        if (t.check != none) check(t.check, state.place);
      }
    for (const Assignment& a : automaton.initial_assignments)
      check(a.value, automaton.states[automaton.initial].place);
  }

  void warn() {
    check_completeness(protocol_, declarations_.macros, diagnostics_);
    const std::set<Place> reached(reachability_.reached.begin(), reachability_.reached.end());
    for (const Place place : reachability_.unreached)
      if (!reached.contains(place))
        diagnostics_.warning(place, "this statement can never be reached");
    for (const auto& procedure : model_.procedures)
      if (!declarations_.called_procedures.contains(procedure.name.text))
        diagnostics_.warning(procedure.name.place,
                             fmt::format("procedure `{}` is never called", procedure.name.text));
    for (const auto& [name, entry] : declarations_.channels)
      if (!declarations_.used_channels.contains(name))
        diagnostics_.warning(entry.place, fmt::format("channel `{}` is never used", name));
    warn_of_variables();
    warn_of_messages();
    warn_of_else();
  }

  // `c!x` sends no value. Who has a message of that name where no variable is, means the message.
  void warn_of_messages() {
    for (const auto& [channel, message, is_sent, is_constant] : declarations_.doubtful_messages)
      if (!declarations_.messages.contains(message.text))
        diagnostics_.warning(
            message.place,
            fmt::format("`{}` is the name of a message here, not the {} of that name", message.text,
                        is_constant ? "constant" : "variable"),
            fmt::format("a value stands in parentheses: `{}{}m({}{})`", channel,
                        is_sent ? "!" : "?", !is_sent && is_constant ? "== " : "", message.text));
  }

  // A message that a line loses, or a sink takes, needs no room.
  bool can_always_be_taken(const Transition& t) const {
    if (!t.conditions.empty() || t.room != none) return false;
    if (t.kind == ActionKind::send) return t.is_fault || protocol_.channels[t.channel].is_sink;
    return t.kind == ActionKind::internal || t.kind == ActionKind::check ||
           t.kind == ActionKind::flush;
  }

  void warn_of_else() {
    std::set<Place> warned;
    for (const Process& process : protocol_.processes)
      for (const ControlState& state : process.automaton.states) {
        const auto always =
            std::find_if(state.transitions.begin(), state.transitions.end(),
                         [&](const Transition& t) { return !t.is_else && can_always_be_taken(t); });
        if (always == state.transitions.end()) continue;
        for (const Transition& t : state.transitions) {
          if (!t.is_else) continue;  // only what does nothing for ever has no statement
          const Place place = protocol_.statements[t.statements.front()].place;
          if (warned.insert(place).second)
            diagnostics_.warning(
                place, fmt::format("this `else` is never taken: `{}` always can be", always->text));
        }
      }
  }

  // A variable of a family's body is used if any member uses it, hence by place.
  void warn_of_variables() {
    std::set<Place> read, written;
    for (const VariableId v : declarations_.read_variables)
      read.insert(protocol_.variables[v].place);
    for (const VariableId v : declarations_.written_variables)
      written.insert(protocol_.variables[v].place);
    for (const Variable& variable : protocol_.variables) {
      if (read.contains(variable.place) || variable.element > 0) continue;
      const std::string name = variable.elements > 0 ? array_name(variable.name) : variable.name;
      if (written.contains(variable.place))
        diagnostics_.warning(variable.place,
                             fmt::format("`{}` is assigned to but never read", name));
      else
        diagnostics_.warning(variable.place, fmt::format("`{}` is never used", name));
    }
  }

  const argos::Model& model_;
  const BuildOptions& options_;
  const SourceSet& sources_;
  Diagnostics& diagnostics_;
  Protocol protocol_;
  Declarations declarations_;
  Resolver resolver_;
  Reachability reachability_;
};

}  // namespace

std::optional<Protocol> build_protocol(const argos::Model& model, const BuildOptions& options,
                                       const SourceSet& sources, Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return {};
  return Builder(model, options, sources, diagnostics).run();
}

}  // namespace panoptes
