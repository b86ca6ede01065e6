// SPDX-License-Identifier: Apache-2.0
#include "argos/temporal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "argos/outside.hpp"
#include "argos/unparse.hpp"

namespace panoptes {
namespace {

using argos::TemporalOperator;

FormulaOp to_op(TemporalOperator operation) {
  switch (operation) {
    case TemporalOperator::negation: return FormulaOp::negation;
    case TemporalOperator::next: return FormulaOp::next;
    case TemporalOperator::eventually: return FormulaOp::eventually;
    case TemporalOperator::always: return FormulaOp::always;
    case TemporalOperator::conjunction: return FormulaOp::conjunction;
    case TemporalOperator::disjunction: return FormulaOp::disjunction;
    case TemporalOperator::implication: return FormulaOp::implication;
    case TemporalOperator::equivalence: return FormulaOp::equivalence;
    case TemporalOperator::until: return FormulaOp::until;
    case TemporalOperator::weak_until: return FormulaOp::weak_until;
    case TemporalOperator::release: return FormulaOp::release;
    default: return FormulaOp::constant;
  }
}

class FormulaResolver {
 public:
  FormulaResolver(const Bindings& index, Protocol& protocol, Declarations& declarations,
                  Diagnostics& diagnostics, bool is_trial)
      : index_(index),
        protocol_(protocol),
        declarations_(declarations),
        diagnostics_(diagnostics),
        is_trial_(is_trial) {}

  std::optional<TemporalProperty> resolve(const argos::TemporalFormula& formula) {
    property_.name = property_.text = argos::unparse(formula);
    const auto root = add(formula);
    if (!root) return {};
    property_.formula.root = *root;
    return std::move(property_);
  }

 private:
  using Id = std::optional<FormulaId>;

  Id add(const argos::TemporalFormula& f) {
    if (f.operation == TemporalOperator::predicate) return predicate(f);
    if (f.operation == TemporalOperator::sent || f.operation == TemporalOperator::received)
      return event(f);
    const Id left = add(*f.left);
    if (!f.right) {
      if (!left) return {};
      return property_.formula.unary(to_op(f.operation), *left);
    }
    const Id right = add(*f.right);
    if (!left || !right) return {};
    if (f.operation != TemporalOperator::leads_to)
      return property_.formula.binary(to_op(f.operation), *left, *right);
    const FormulaId answered = property_.formula.unary(FormulaOp::eventually, *right);
    return property_.formula.unary(
        FormulaOp::always, property_.formula.binary(FormulaOp::implication, *left, answered));
  }

  Id predicate(const argos::TemporalFormula& f) {
    const auto condition =
        resolve_outside(*f.predicate, index_, protocol_, declarations_, diagnostics_, is_trial_);
    if (!condition) return {};
    TemporalAtom atom{TemporalAtom::Kind::state, argos::unparse(*f.predicate)};
    if (!is_trial_) atom.holds = protocol_.expressions.holds(*condition);
    return number_of(std::move(atom), f.place);
  }

  Id event(const argos::TemporalFormula& f) {
    const bool is_sent = f.operation == TemporalOperator::sent;
    const auto channel = resolve_channel(f.channel, index_, protocol_, declarations_, diagnostics_);
    if (!channel) return {};
    const auto& sort = protocol_.channels[*channel].sort;
    if (std::ranges::find(sort, f.message.text, &MessageType::name) == sort.end())
      diagnostics_.warning(f.message.place,
                           fmt::format("no message `{}` is ever in channel `{}`", f.message.text,
                                       protocol_.channels[*channel].name));
    TemporalAtom atom{is_sent ? TemporalAtom::Kind::sent : TemporalAtom::Kind::received,
                      argos::unparse(f), none, *channel, f.message.text};
    return number_of(std::move(atom), f.place);
  }

  Id number_of(TemporalAtom atom, Place place) {
    const auto is_it = [&](const TemporalAtom& other) {
      return other.kind == atom.kind && other.holds == atom.holds &&
             other.channel == atom.channel && other.message == atom.message &&
             other.text == atom.text;
    };
    const auto found = std::ranges::find_if(property_.atoms, is_it);
    const auto number = static_cast<std::uint32_t>(found - property_.atoms.begin());
    if (number == Formula::max_atoms) {
      diagnostics_.error(place, fmt::format("a formula has at most {} atoms", Formula::max_atoms));
      return {};
    }
    if (found == property_.atoms.end()) property_.atoms.push_back(std::move(atom));
    return property_.formula.atom(number);
  }

  const Bindings& index_;
  Protocol& protocol_;
  Declarations& declarations_;
  Diagnostics& diagnostics_;
  const bool is_trial_;
  TemporalProperty property_;
};

}  // namespace

std::set<std::string> asked_names(const argos::TemporalFormula& formula) {
  std::set<std::string> names;
  if (formula.predicate) names = asked_names(*formula.predicate);
  if (formula.left) names.merge(asked_names(*formula.left));
  if (formula.right) names.merge(asked_names(*formula.right));
  return names;
}

std::optional<TemporalProperty> resolve_formula(const argos::TemporalFormula& formula,
                                                Protocol& protocol, Diagnostics& diagnostics) {
  Declarations declarations = declarations_of(protocol);
  return resolve_formula(formula, {}, protocol, declarations, diagnostics, false);
}

std::optional<TemporalProperty> resolve_formula(const argos::TemporalFormula& formula,
                                                const Bindings& index, Protocol& protocol,
                                                Declarations& declarations,
                                                Diagnostics& diagnostics, bool is_trial) {
  return FormulaResolver(index, protocol, declarations, diagnostics, is_trial).resolve(formula);
}

}  // namespace panoptes
