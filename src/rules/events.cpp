// SPDX-License-Identifier: Apache-2.0
#include "rules/events.hpp"

namespace panoptes {
namespace {

bool sends(const Rule& rule) {
  return rule.kind == ActionKind::send || rule.kind == ActionKind::lose;
}

bool receives(const Program& program, const Rule& rule) {
  if (rule.kind == ActionKind::receive || rule.kind == ActionKind::copy) return true;
  return rule.kind == ActionKind::send && program.protocol.channels[rule.channel].is_rendezvous();
}

}  // namespace

bool is_event_of(const Program& program, const Rule& rule, const TemporalAtom& atom) {
  const bool is_sent = atom.kind == TemporalAtom::Kind::sent;
  if (!is_sent && atom.kind != TemporalAtom::Kind::received) return false;
  if (rule.tag == 0 || rule.channel != atom.channel) return false;
  return (is_sent ? sends(rule) : receives(program, rule)) &&
         program.protocol.channels[rule.channel].sort[rule.tag - 1].name == atom.message;
}

}  // namespace panoptes
