// SPDX-License-Identifier: Apache-2.0
#include "protocol/quiet_moments.hpp"

#include <fmt/format.h>

namespace panoptes {
namespace {

// What is known of a formula, of words in which quiet moments come or go. Of none of these, it may
// also be that all that is known is that it `stays`: it is what it was at all other moments.
struct Known {
  bool stays = false;
  // At a quiet moment:
  bool as_before = false, as_after = false, is_no = false, is_yes = false;
};

Known no(const Known& a) { return {a.stays, a.as_before, a.as_after, a.is_yes, a.is_no}; }

Known both(const Known& a, const Known& b) {
  if (!a.stays || !b.stays) return {};
  return {true, a.as_before && b.as_before, a.as_after && b.as_after, a.is_no || b.is_no,
          a.is_yes && b.is_yes};
}

Known either(const Known& a, const Known& b) { return no(both(no(a), no(b))); }

// A quiet moment may lie between this one and that at which b holds, where a must hold; and b may
// hold at none that has not such a moment beside it.
Known until(const Known& a, const Known& b) {
  if (!a.stays || !b.stays) return {};
  const bool waits = b.is_no || b.as_after;
  Known result;
  result.as_before = a.as_before && b.as_before;
  result.as_after = (a.as_after && b.as_after) || (a.is_yes && waits);
  result.stays = result.as_before || result.as_after || (a.as_before && waits);
  return result;
}

Known of_constant(bool value) { return {true, true, true, !value, value}; }

Known of_node(const FormulaNode& node, const Known& a, const Known& b, Valuation events) {
  switch (node.op) {
    case FormulaOp::constant: return of_constant(node.a != 0);
    case FormulaOp::atom: {
      const bool is_event = (events >> node.a & 1) != 0;
      return {true, !is_event, false, is_event, false};
    }
    case FormulaOp::negation: return no(a);
    case FormulaOp::next: return {};
    case FormulaOp::eventually: return until(of_constant(true), a);
    case FormulaOp::always: return no(until(of_constant(true), no(a)));
    case FormulaOp::conjunction: return both(a, b);
    case FormulaOp::disjunction: return either(a, b);
    case FormulaOp::implication: return either(no(a), b);
    case FormulaOp::equivalence: return either(both(a, b), both(no(a), no(b)));
    case FormulaOp::until: return until(a, b);
    case FormulaOp::weak_until: return no(until(no(b), both(no(a), no(b))));
    case FormulaOp::release: return no(until(no(a), no(b)));
    case FormulaOp::strong_release: return until(b, both(a, b));
  }
  return {};
}

Valuation events_of(const TemporalProperty& property) {
  Valuation events = 0;
  for (std::size_t atom = 0; atom < property.atoms.size(); ++atom)
    if (property.atoms[atom].kind == TemporalAtom::Kind::sent ||
        property.atoms[atom].kind == TemporalAtom::Kind::received)
      events |= Valuation{1} << atom;
  return events;
}

}  // namespace

bool ignores_quiet_moments(const Formula& formula, Valuation events) {
  std::vector<Known> known;
  for (FormulaId id = 0; id <= formula.root; ++id) {
    const FormulaNode& node = formula[id];
    const Known a = is_leaf(node.op) ? Known{} : known[node.a];
    const Known b = is_binary(node.op) ? known[node.b] : Known{};
    known.push_back(of_node(node, a, b, events));
  }
  return known[formula.root].stays;
}

// A property of labels asks of a run whether it ends, and nothing of when it does: it is so of a
// run in another order as well.
std::string why_orders_matter(const Protocol& protocol) {
  if (protocol.fairness != FairnessDemands{})
    return "which runs are fair is told by the whole graph";
  for (const TemporalProperty& property : protocol.temporal) {
    if (!is_next_free(property.formula))
      return fmt::format("{} speaks of the next moment", property.name);
    if (!ignores_quiet_moments(property.formula, events_of(property)))
      return fmt::format("{} may see what comes right behind an event", property.name);
  }
  return {};
}

}  // namespace panoptes
