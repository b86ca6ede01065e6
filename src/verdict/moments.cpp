// SPDX-License-Identifier: Apache-2.0
#include "verdict/moments.hpp"

#include <algorithm>

namespace panoptes {
namespace {

constexpr Valuation bit(std::size_t atom) { return Valuation{1} << atom; }

// What is lost was sent even so, and a message of which a copy stays was received.
bool sends(const Rule& rule) {
  return rule.kind == ActionKind::send || rule.kind == ActionKind::lose;
}
bool receives(const Program& program, const Rule& rule) {
  if (rule.kind == ActionKind::receive || rule.kind == ActionKind::copy) return true;
  return rule.kind == ActionKind::send && program.protocol.channels[rule.channel].is_rendezvous();
}

bool is_event_of(const Program& program, const Rule& rule, const TemporalAtom& atom) {
  const bool is_sent = atom.kind == TemporalAtom::Kind::sent;
  if (!is_sent && atom.kind != TemporalAtom::Kind::received) return false;
  if (rule.tag == 0 || rule.channel != atom.channel) return false;
  return (is_sent ? sends(rule) : receives(program, rule)) &&
         program.protocol.channels[rule.channel].sort[rule.tag - 1].name == atom.message;
}

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
