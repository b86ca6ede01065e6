// SPDX-License-Identifier: Apache-2.0
#include "protocol/label_properties.hpp"

#include <algorithm>

namespace panoptes {
namespace {

bool has_label(const ControlState& state, const std::string& prefix) {
  return std::ranges::any_of(state.labels,
                             [&](const std::string& label) { return label.starts_with(prefix); });
}

// Whether some process is at such a label; none where there is no such label.
ExpressionId somebody_at(Protocol& protocol, const std::string& prefix) {
  Expressions& pool = protocol.expressions;
  std::vector<ExpressionId> places;
  for (ProcessId p = 0; p < protocol.processes.size(); ++p) {
    std::vector<bool> states;
    for (const ControlState& state : protocol.processes[p].automaton.states)
      states.push_back(has_label(state, prefix));
    if (std::ranges::find(states, true) != states.end())
      places.push_back(pool.member(pool.ask(Op::control, p), states));
  }
  return places.empty() ? none : pool.joined(Op::logical_or, places);
}

}  // namespace

std::optional<TemporalProperty> label_property(Protocol& protocol, PropertyOrigin origin) {
  const bool is_progress = origin == PropertyOrigin::progress;
  const std::string prefix = is_progress ? "progress" : "accept";
  const ExpressionId there = somebody_at(protocol, prefix);
  if (there == none) return {};
  TemporalProperty property{prefix, {}, {}, {}};
  property.origin = origin;
  property.atoms = {{TemporalAtom::Kind::state, prefix, there}};
  Formula& f = property.formula;
  const FormulaId label = f.atom(0);
  if (is_progress) {
    property.text = "[] <> (progress || ended)";
    property.atoms.push_back({TemporalAtom::Kind::ended, "ended"});
    const FormulaId so = f.binary(FormulaOp::disjunction, label, f.atom(1));
    f.unary(FormulaOp::always, f.unary(FormulaOp::eventually, so));
  } else {
    property.text = "<> [] !accept";
    f.unary(FormulaOp::eventually, f.unary(FormulaOp::always, f.unary(FormulaOp::negation, label)));
  }
  return property;
}

}  // namespace panoptes
