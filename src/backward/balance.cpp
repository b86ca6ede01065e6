// SPDX-License-Identifier: Apache-2.0
#include "backward/balance.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace panoptes {
namespace {

__extension__ using WideSum = __int128;

WideSum common_divisor(WideSum one, WideSum other) {
  while (other != 0) one = std::exchange(other, one % other);
  return one < 0 ? -one : one;
}

WideSum rest_of(WideSum number, WideSum modulus) {
  const WideSum rest = number % modulus;
  return rest < 0 ? rest + modulus : rest;
}

// Whether every send that has a successor adds its message.
bool finds_room(const Program& program, RuleId rule) {
  if (program.overflow == OverflowPolicy::wait) return true;
  const auto checks = program.errors.checks_of(rule);
  return std::any_of(checks.begin(), checks.end(),
                     [](const StepCheck& check) { return check.kind == ErrorKind::overflow; });
}

}  // namespace

MessageBalance::MessageBalance(ClaimSpace& space)
    : space_(space),
      program_(space.program()),
      variables_(changes_of_variables(program_)),
      first_(space.everything().size(), none) {
  number_quantities();
  const std::vector<SparseRow> changes = changes_of_rules();
  for (const SparseRow& weights :
       integer_kernel(changes, static_cast<std::uint32_t>(place_of_.size())))
    if (auto sum = sum_of(weights, changes)) sums_.push_back(std::move(*sum));
  std::stable_sort(sums_.begin(), sums_.end(), [](const Sum& one, const Sum& other) {
    return one.terms.size() < other.terms.size();
  });
}

// ---- quantities -------------------------------------------------------------------------------

// Of a process, the control state in which it begins is none of them: that it is somewhere is a
// sum that says nothing.
void MessageBalance::number_quantities() {
  const auto add = [&](std::size_t place, std::size_t count) {
    first_[place] = static_cast<std::uint32_t>(place_of_.size());
    place_of_.insert(place_of_.end(), count, place);
  };
  for (ProcessId p = 0; p < program_.control.size(); ++p)
    add(space_.control(p), program_.control[p].size() - 1);
  for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
    if (is_counted(c)) add(space_.numbers() + c, program_.layout.channels[c].tags.size());
  for (VariableId v = 0; v < program_.layout.variables.size(); ++v) {
    const Slot& slot = program_.layout.variables[v];
    if (variables_[v].modulus != 1 && slot.minimum < slot.maximum) add(space_.variable(v), 1);
  }
}

bool MessageBalance::is_counted(ChannelId channel) const {
  if (space_.capacity(channel) == 0) return false;
  for (RuleId id = 0; id < program_.rules.size(); ++id) {
    const Rule& rule = program_.rules[id];
    if (rule.channel != channel) continue;
    if (rule.kind == ActionKind::flush) return false;
    if (rule.kind == ActionKind::send && !finds_room(program_, id)) return false;
  }
  return true;
}

std::uint32_t MessageBalance::quantity_of(ProcessId process, StateId state) const {
  const StateId initial = initial_state(process);
  if (state == initial) return none;
  return first_[space_.control(process)] + state - (state > initial ? 1 : 0);
}

StateId MessageBalance::initial_state(ProcessId process) const {
  return static_cast<StateId>(read(program_.layout.control[process], program_.initial));
}

// What each rule adds to which, those that do the same once. Whatever else rules do to channels
// leaves them as they are: a timeout asks, a message is lost before it is there, and copies are
// made of messages that stay.
std::vector<SparseRow> MessageBalance::changes_of_rules() const {
  std::vector<std::map<std::uint32_t, std::int64_t>> changes(program_.rules.size());
  for (RuleId id = 0; id < program_.rules.size(); ++id) {
    const Rule& rule = program_.rules[id];
    for (const ProcessMove& move : rule.moves) {
      --changes[id][quantity_of(move.process, move.from)];
      ++changes[id][quantity_of(move.process, move.to)];
    }
    if (rule.kind != ActionKind::send && rule.kind != ActionKind::receive) continue;
    const std::uint32_t first = first_[space_.numbers() + rule.channel];
    if (first != none) changes[id][first + rule.tag - 1] += rule.kind == ActionKind::send ? 1 : -1;
  }
  for (VariableId v = 0; v < variables_.size(); ++v)
    if (const std::uint32_t quantity = first_[space_.variable(v)]; quantity != none)
      for (const VariableChanges::Change& change : variables_[v].changes)
        changes[change.rule][quantity] += change.added;
  std::vector<SparseRow> rows;
  for (const auto& change : changes) {
    SparseRow& row = rows.emplace_back();
    for (const auto& [quantity, added] : change)
      if (quantity != none && added != 0) row.emplace_back(quantity, added);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// ---- sums -------------------------------------------------------------------------------------

// Nothing where some rule changes it after all, or where it says nothing.
std::optional<MessageBalance::Sum> MessageBalance::sum_of(
    const SparseRow& weights, const std::vector<SparseRow>& changes) const {
  std::vector<std::int64_t> weight_of(place_of_.size());
  for (const auto& [quantity, weight] : weights) weight_of[quantity] = weight;
  for (const SparseRow& row : changes) {
    Wide change = 0;
    for (const auto& [quantity, added] : row) change += Wide{weight_of[quantity]} * added;
    if (change != 0) return {};
  }
  std::map<std::size_t, Term> terms;
  for (const auto& [quantity, weight] : weights)
    terms.try_emplace(place_of_[quantity], Term{place_of_[quantity], {}});
  Sum sum;
  for (auto& [place, term] : terms) {
    const std::uint32_t first = first_[place];
    if (place < program_.control.size()) {
      const auto process = static_cast<ProcessId>(place);
      for (StateId s = 0; s < program_.control[process].size(); ++s)
        term.weights.push_back(s == initial_state(process) ? 0
                                                           : weight_of[quantity_of(process, s)]);
    } else if (place >= space_.numbers()) {
      const std::size_t tags = program_.layout.channels[place - space_.numbers()].tags.size();
      term.weights.assign(weight_of.data() + first, weight_of.data() + first + tags);
    } else {
      term.weights = {weight_of[first]};
      const std::uint64_t modulus = variables_[place - space_.variable(0)].modulus;
      sum.modulus = common_divisor(sum.modulus, Wide{weight_of[first]} * modulus);
    }
    term.whole = bounds_of(term, space_.everything());
    sum.terms.push_back(std::move(term));
  }
  const Claim initial = space_.point_of(program_.initial);
  for (const Term& term : sum.terms) sum.total += bounds_of(term, initial).low;
  if (sum.modulus == 1) return {};
  return sum;
}

// ---- what a claim has of them -----------------------------------------------------------------

MessageBalance::Bounds& MessageBalance::Bounds::operator+=(const Bounds& other) {
  low += other.low;
  high += other.high;
  step = common_divisor(step, other.step);
  return *this;
}

// Some number more that it may be.
void MessageBalance::Bounds::add(Wide value) {
  step = common_divisor(step, value - low);
  low = std::min(low, value);
  high = std::max(high, value);
}

MessageBalance::Bounds MessageBalance::bounds_of(const Term& term, const Claim& claim) const {
  if (term.place >= space_.numbers())
    return bounds_of_channel(
        term, space_.channel(claim, static_cast<ChannelId>(term.place - space_.numbers())));
  const ValueSet& set = space_.number(claim, term.place);
  if (term.place < program_.control.size()) return bounds_among(term, set, 0);
  const Wide weight = term.weights[0];
  Bounds bounds{weight * set.low(), weight * set.low()};
  for (const Interval& part : set.parts()) {
    bounds.add(weight * part.low);
    if (part.low < part.high) bounds.add(weight * (Wide{part.low} + 1));
    bounds.add(weight * part.high);
  }
  return bounds;
}

// The weight of one of these, the first of all having number `first`.
MessageBalance::Bounds MessageBalance::bounds_among(const Term& term, const ValueSet& set,
                                                    std::int64_t first) const {
  const auto weight_of = [&](std::int64_t number) {
    return term.weights[static_cast<std::size_t>(number - first)];
  };
  Bounds bounds{weight_of(set.low()), weight_of(set.low())};
  if (!set.is_one()) set.for_each([&](std::int64_t number) { bounds.add(weight_of(number)); });
  return bounds;
}

MessageBalance::Bounds MessageBalance::bounds_of_channel(const Term& term,
                                                         const ChannelClaim& said) const {
  Bounds bounds;
  for (const MessageClaim& message : said.known) bounds += bounds_among(term, message.tags, 1);
  if (said.most == 0) return bounds;
  Bounds any = bounds_among(term, ValueSet(1, static_cast<std::int64_t>(term.weights.size())), 1);
  const auto add_times = [&](Wide times) {
    if (times > 0) bounds += {times * any.low, times * any.high, any.step};
  };
  add_times(said.least);
  any.add(0);  // or there is none
  add_times(Wide{said.most} - said.least);
  return bounds;
}

bool MessageBalance::is_right(const Sum& sum, const Claim& claim) const {
  Bounds bounds;
  for (const Term& term : sum.terms)
    bounds +=
        claim[term.place] == space_.everything()[term.place] ? term.whole : bounds_of(term, claim);
  const Wide rest = sum.total - bounds.low;
  const Wide step = common_divisor(bounds.step, sum.modulus);
  if (step == 0) return rest == 0;
  if (rest % step != 0) return false;
  if (sum.modulus != 0) return bounds.low + rest_of(rest, sum.modulus) <= bounds.high;
  return rest >= 0 && sum.total <= bounds.high;
}

bool MessageBalance::allows(const Claim& claim) const {
  return std::all_of(sums_.begin(), sums_.end(),
                     [&](const Sum& sum) { return is_right(sum, claim); });
}

std::optional<Claim> MessageBalance::conflict_in(const Claim& point) const {
  const auto wrong = std::find_if(sums_.begin(), sums_.end(),
                                  [&](const Sum& sum) { return !is_right(sum, point); });
  if (wrong == sums_.end()) return {};
  Claim conflict = space_.everything();
  for (const Term& term : wrong->terms) {
    if (term.place >= space_.numbers()) {
      const auto channel = static_cast<ChannelId>(term.place - space_.numbers());
      ChannelClaim said;
      for (const MessageClaim& message : space_.channel(point, channel).known) {
        MessageClaim alike = space_.any_message(channel);
        space_.narrow(alike, channel, alike_in(term, message.tags.low(), 1));
        said.known.push_back(std::move(alike));
      }
      // What a point does not know is that it is the only message that can be.
      said.least = said.most = space_.channel(point, channel).least;
      space_.put(conflict, channel, std::move(said));
    } else if (term.place < program_.control.size()) {
      space_.put(conflict, term.place, alike_in(term, space_.number(point, term.place).low(), 0));
    } else {
      conflict[term.place] = point[term.place];
    }
  }
  return conflict;
}

// All with the same weight.
ValueSet MessageBalance::alike_in(const Term& term, std::int64_t number, std::int64_t first) const {
  const std::int64_t weight = term.weights[static_cast<std::size_t>(number - first)];
  ValueSet alike;
  for (std::size_t i = 0; i < term.weights.size(); ++i)
    if (term.weights[i] == weight) alike.add(first + static_cast<std::int64_t>(i));
  return alike;
}

}  // namespace panoptes
