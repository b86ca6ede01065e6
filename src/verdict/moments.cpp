// SPDX-License-Identifier: Apache-2.0
#include "verdict/moments.hpp"

#include "rules/events.hpp"

namespace panoptes {
namespace {

constexpr Valuation bit(std::size_t atom) { return Valuation{1} << atom; }

}  // namespace

Moments::Moments(const Program& program, const TemporalProperty& property)
    : interpreter_(program), property_(property), events_(program.rules.size()) {
  for (std::size_t atom = 0; atom < property.atoms.size(); ++atom) {
    if (property.atoms[atom].kind == TemporalAtom::Kind::ended) ended_ |= bit(atom);
    for (RuleId id = 0; id < program.rules.size(); ++id)
      if (is_event_of(program, program.rules[id], property.atoms[atom])) events_[id] |= bit(atom);
  }
}

Valuation Moments::of_state(StateView state) const {
  Valuation result = 0;
  for (std::size_t atom = 0; atom < property_.atoms.size(); ++atom) {
    if (property_.atoms[atom].kind != TemporalAtom::Kind::state) continue;
    const Evaluation value = interpreter_.value(property_.atoms[atom].holds, state);
    if (value.fault == Fault::absent && value.value != 0) result |= bit(atom);
  }
  return result;
}

std::vector<Valuation> Moments::of_trail(const Trail& trail) const {
  std::vector<Valuation> result;
  Valuation events = 0;
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    events |= of_rule(trail.steps[i].rule);
    if (i + 1 < trail.steps.size() && trail.steps[i + 1].begins_inside) continue;
    result.push_back(of_state(trail.after(i)) | events);
    events = 0;
  }
  return result;
}

}  // namespace panoptes
