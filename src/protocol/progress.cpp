// SPDX-License-Identifier: Apache-2.0
#include "protocol/progress.hpp"

#include <algorithm>

namespace panoptes {
namespace {

bool is_progress(const ControlState& state) {
  return std::ranges::any_of(
      state.labels, [](const std::string& label) { return label.starts_with("progress"); });
}

}  // namespace

std::optional<TemporalProperty> progress_property(Protocol& protocol) {
  Expressions& pool = protocol.expressions;
  std::vector<ExpressionId> places;
  for (ProcessId p = 0; p < protocol.processes.size(); ++p) {
    std::vector<bool> states;
    for (const ControlState& state : protocol.processes[p].automaton.states)
      states.push_back(is_progress(state));
    if (std::ranges::find(states, true) != states.end())
      places.push_back(pool.member(pool.ask(Op::control, p), states));
  }
  if (places.empty()) return {};
  TemporalProperty property{"progress", "[] <> (progress || ended)", {}, {}};
  property.is_progress = true;
  property.atoms = {{TemporalAtom::Kind::state, "progress", pool.joined(Op::logical_or, places)},
                    {TemporalAtom::Kind::ended, "ended"}};
  Formula& f = property.formula;
  const FormulaId there = f.atom(0), ended = f.atom(1);
  f.unary(FormulaOp::always,
          f.unary(FormulaOp::eventually, f.binary(FormulaOp::disjunction, there, ended)));
  return property;
}

}  // namespace panoptes
