// SPDX-License-Identifier: Apache-2.0
#include "backward/predecessors.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {
namespace {

// Which places of a claim a rule changes.
std::vector<std::size_t> changes_of(const ClaimSpace& space, const Rule& rule) {
  std::vector<std::size_t> places;
  for (const ProcessMove& move : rule.moves) places.push_back(space.control(move.process));
  for (const Assignment& a : rule.assignments)
    for (VariableId v = a.variable; v < a.variable + std::max(a.length, 1u); ++v)
      places.push_back(space.variable(v));
  for (const AssertionMove& move : rule.assertion_moves)
    places.push_back(space.subset(move.assertion));
  if (space.has_alone()) places.push_back(space.alone());
  if (rule.channel != none && space.capacity(rule.channel) > 0 &&
      (rule.kind == ActionKind::send || rule.kind == ActionKind::receive ||
       rule.kind == ActionKind::flush))
    places.push_back(space.numbers() + rule.channel);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

}  // namespace

Predecessors::Predecessors(const Program& program, const RuleConditions& conditions,
                           ClaimSpace& space, Solver& solver)
    : program_(program),
      conditions_(conditions),
      space_(space),
      solver_(solver),
      loners_(loners_of(program)) {
  for (const auto& states : program.control) leading_to_.emplace_back(states.size());
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const ProcessMove& owner = program.rules[id].owner();
    leading_to_[owner.process][owner.to].push_back(id);
    changes_.push_back(changes_of(space, program.rules[id]));
  }
}

// What the rule does, undone.
std::vector<Predecessors::Draft> Predecessors::effects_back(const Claim& claim, const Rule& rule) {
  Draft draft{claim, {}};
  if (!moves_back(claim, rule, draft) || !assertions_back(claim, rule, draft)) return {};
  std::vector<Draft> drafts;
  for (Draft& one : channel_back(claim, rule, draft)) {
    std::vector<std::pair<VariableId, ExpressionId>> assigned;
    assignments_back(claim, rule, 0, std::move(one), assigned, drafts);
  }
  return drafts;
}

std::vector<Claim> Predecessors::before(const Claim& claim, RuleId id) {
  const std::vector<Draft> drafts = effects_back(claim, program_.rules[id]);
  std::vector<Claim> found;
  for (const Draft& one : drafts)
    for (Claim& before : solved(one, id)) found.push_back(std::move(before));
  if (drafts.size() > 1) leave_out_inner(space_, found);
  return found;
}

// ---- who moves --------------------------------------------------------------------------------

bool Predecessors::moves_back(const Claim& claim, const Rule& rule, Draft& draft) {
  for (const ProcessMove& move : rule.moves) {
    if (!space_.number(claim, space_.control(move.process)).contains(move.to)) return false;
    space_.put(draft.claim, space_.control(move.process), ValueSet::only(move.from));
  }
  if (!space_.has_alone()) return true;
  if (!space_.number(claim, space_.alone()).contains(number_of_loner(alone_after(rule))))
    return false;
  ValueSet before = ValueSet::only(0);
  const auto id = static_cast<RuleId>(&rule - program_.rules.data());
  if (program_.class_of(id) == 0) before.add(number_of_loner(rule.owner().process));
  space_.put(draft.claim, space_.alone(), before);
  return true;
}

bool Predecessors::assertions_back(const Claim& claim, const Rule& rule, Draft& draft) {
  for (const AssertionMove& move : rule.assertion_moves) {
    const ValueSet& after = space_.number(claim, space_.subset(move.assertion));
    const auto& next = program_.protocol.assertions[move.assertion].next;
    ValueSet before;
    for (std::size_t subset = 0; subset < next.size(); ++subset)
      if (next[subset][move.symbol] != none && after.contains(next[subset][move.symbol]))
        before.add(static_cast<std::int64_t>(subset));
    if (before.is_empty()) return false;
    space_.put(draft.claim, space_.subset(move.assertion), before);
  }
  return true;
}

std::vector<Claim> Predecessors::before_waiting(const Claim& claim, ProcessId process) {
  if (!space_.number(claim, space_.alone()).contains(0)) return {};
  Claim waiting = claim;
  space_.put(waiting, space_.alone(), ValueSet::only(number_of_loner(process)));
  return where_idle({waiting}, process, [&](RuleId rule) { return program_.class_of(rule) == 0; });
}

// ---- what it sends and receives ---------------------------------------------------------------

std::vector<Predecessors::Draft> Predecessors::channel_back(const Claim& claim, const Rule& rule,
                                                            const Draft& draft) {
  const bool has_slots = rule.channel != none && space_.capacity(rule.channel) > 0;
  std::vector<Draft> drafts;
  if (has_slots && rule.kind == ActionKind::send) {
    send_back(claim, rule, draft, drafts);
    return drafts;
  }
  drafts.push_back(draft);
  if (!has_slots) return drafts;
  if (rule.kind == ActionKind::receive && !receive_back(claim, rule, drafts.front())) return {};
  if (rule.kind == ActionKind::flush) {
    if (space_.channel(claim, rule.channel).shortest() > 0) return {};
    space_.forget(drafts.front().claim, space_.numbers() + rule.channel);
  }
  return drafts;
}

// What was sent is the last message: one of those of which nothing is known, or the last known one
// with nothing behind it.
void Predecessors::send_back(const Claim& claim, const Rule& rule, const Draft& draft,
                             std::vector<Draft>& drafts) {
  const ChannelClaim& after = space_.channel(claim, rule.channel);
  if (after.most > 0) {
    Draft behind = draft;
    ChannelClaim before = after;
    before.least = std::max(before.least, 1u) - 1;
    --before.most;
    space_.put(behind.claim, rule.channel, std::move(before));
    drafts.push_back(std::move(behind));
  }
  if (after.least > 0 || after.known.empty()) return;
  MessageClaim sent = after.known.back();
  if (!space_.narrow(sent, rule.channel, ValueSet::only(rule.tag))) return;
  Draft last = draft;
  ChannelClaim before = after;
  before.known.pop_back();
  before.most = 0;
  space_.put(last.claim, rule.channel, std::move(before));
  const MessageClaim any = space_.message(rule.channel, rule.tag);
  for (std::size_t v = 0; v < sent.values.size(); ++v)
    if (sent.values[v] != any.values[v])
      last.demands.push_back({rule.values[v], Demand::Kind::is_among, sent.values[v]});
  drafts.push_back(std::move(last));
}

// Another message was there, and those behind it were one place further back.
bool Predecessors::receive_back(const Claim& claim, const Rule& rule, Draft& draft) {
  ChannelClaim channel = space_.channel(claim, rule.channel);
  while (channel.known.size() < rule.position) {
    if (channel.most == 0) return false;
    channel.known.push_back(space_.any_message(rule.channel));
    channel.least = std::max(channel.least, 1u) - 1;
    --channel.most;
  }
  channel.known.insert(channel.known.begin() + rule.position,
                       space_.message(rule.channel, rule.tag));
  const std::uint32_t room = space_.capacity(rule.channel);
  if (channel.shortest() > room) return false;
  channel.most = std::min(channel.most, room - static_cast<std::uint32_t>(channel.known.size()));
  space_.put(draft.claim, rule.channel, std::move(channel));
  return true;
}

// ---- what it assigns --------------------------------------------------------------------------

// Assignments from `first` on; of those to an element, one draft for each that it may be. Of
// several to the same variable the last counts.
void Predecessors::assignments_back(const Claim& claim, const Rule& rule, std::size_t first,
                                    Draft draft,
                                    std::vector<std::pair<VariableId, ExpressionId>>& assigned,
                                    std::vector<Draft>& drafts) {
  if (first == rule.assignments.size()) {
    for (std::size_t i = 0; i < assigned.size(); ++i) {
      const auto& [variable, value] = assigned[i];
      const std::size_t place = space_.variable(variable);
      const bool is_last =
          std::none_of(assigned.begin() + static_cast<std::ptrdiff_t>(i) + 1, assigned.end(),
                       [&](const auto& other) { return other.first == assigned[i].first; });
      if (!is_last) continue;
      space_.forget(draft.claim, place);
      if (claim[place] != space_.everything()[place])

        draft.demands.push_back({value, Demand::Kind::is_among, space_.number(claim, place)});
    }
    drafts.push_back(std::move(draft));
    return;
  }
  const Assignment& a = rule.assignments[first];
  const Expressions& pool = program_.protocol.expressions;
  const bool is_fixed = a.index != none && pool.is_constant(a.index);
  for (std::uint32_t i = 0; i < a.length; ++i) {
    if (a.index == none && i > 0) break;
    if (is_fixed && pool[a.index].value != i) continue;
    solver_.spend();
    Draft one = draft;
    if (a.index != none)
      one.demands.push_back({a.index, Demand::Kind::is_among, ValueSet::only(i)});
    assigned.emplace_back(a.variable + i, a.value);
    assignments_back(claim, rule, first + 1, std::move(one), assigned, drafts);
    assigned.pop_back();
  }
}

// ---- what it asks of the state ----------------------------------------------------------------

std::vector<Claim> Predecessors::solved(const Draft& draft, RuleId id) {
  std::vector<Claim> claims = solver_.where(draft.claim, conditions_.succeeds(id));
  for (const Demand& demand : draft.demands) {
    std::vector<Claim> met;
    for (const Claim& claim : claims)
      for (Claim& one : solver_.where(claim, demand.expression, demand.wanted))
        met.push_back(std::move(one));
    claims = std::move(met);
  }
  if (program_.class_of(id) > 0)
    claims = where_all_idle(std::move(claims),
                            [&](RuleId other) { return waits_for(program_, id, other); });
  return claims;
}

std::vector<Predecessors::Draft> Predecessors::drafts_before(const Claim& claim, RuleId id) {
  std::vector<Draft> drafts = effects_back(claim, program_.rules[id]);
  for (Draft& draft : drafts) {
    solver_.add_demands(conditions_.succeeds(id), true, draft.demands);
    for (ProcessId p = 0; p < program_.control.size() && program_.class_of(id) > 0; ++p)
      demand_idle(draft, p, [&](RuleId other) { return waits_for(program_, id, other); });
  }
  return narrowed(std::move(drafts));
}

std::vector<Predecessors::Draft> Predecessors::drafts_before_waiting(const Claim& claim,
                                                                     ProcessId process) {
  if (!space_.number(claim, space_.alone()).contains(0)) return {};
  Draft waiting{claim, {}};
  space_.put(waiting.claim, space_.alone(), ValueSet::only(number_of_loner(process)));
  demand_idle(waiting, process, [&](RuleId rule) { return program_.class_of(rule) == 0; });
  return narrowed({std::move(waiting)});
}

std::vector<Predecessors::Draft> Predecessors::narrowed(std::vector<Draft> drafts) {
  std::erase_if(drafts, [&](Draft& draft) { return !narrow(draft); });
  return drafts;
}

bool Predecessors::narrow(Draft& draft) {
  const auto is_disjunction = [&](const Demand& demand) {
    const Op op = program_.protocol.expressions[demand.expression].op;
    return demand.kind == Demand::Kind::does_not_hold ? op == Op::logical_and
                                                      : op == Op::logical_or;
  };
  for (Claim before; before != draft.claim;) {
    before = draft.claim;
    bool is_possible = true;
    std::erase_if(draft.demands, [&](const Demand& demand) {
      if (!is_possible || is_disjunction(demand)) return false;
      const Solver::Narrowing& found = solver_.narrowing(draft.claim, demand);
      if (found.kind == Solver::Narrowing::Kind::several) return false;
      is_possible = found.kind == Solver::Narrowing::Kind::one;
      for (const auto& [place, said] : found.said) draft.claim[place] = said;
      return true;
    });
    if (!is_possible) return false;
  }
  return true;
}

std::vector<std::size_t> Predecessors::touches(RuleId id) const {
  const Footprint touched = footprint(program_, program_.rules[id]);
  std::vector<std::size_t> places = changes_[id];
  for (const VariableId v : touched.reads) places.push_back(space_.variable(v));
  for (const ProcessId p : touched.asks_where) places.push_back(space_.control(p));
  for (const ChannelId c : touched.asks) places.push_back(space_.numbers() + c);
  return places;
}

bool Predecessors::may_lead_into(const Claim& claim, RuleId id) const {
  const ProcessMoves& moves = program_.rules[id].moves;
  return std::all_of(moves.begin(), moves.end(), [&](const ProcessMove& move) {
    return space_.number(claim, space_.control(move.process)).contains(move.to);
  });
}

bool Predecessors::is_beside(const Claim& claim, RuleId id) const {
  const Claim& all = space_.everything();
  return std::all_of(changes_[id].begin(), changes_[id].end(),
                     [&](std::size_t place) { return claim[place] == all[place]; });
}

}  // namespace panoptes
