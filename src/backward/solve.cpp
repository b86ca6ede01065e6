// SPDX-License-Identifier: Apache-2.0
#include "backward/solve.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace panoptes {
namespace {

constexpr std::int64_t far = std::int64_t{1} << 62;
constexpr std::int64_t near = std::int64_t{1}
                              << 40;             // what is computed of numbers of a state is less
constexpr std::uint64_t work_to_narrow = 500;    // for each demand
constexpr std::size_t most_narrowings = 20'000;  // that are kept

ValueSet all_values() { return {-far, far}; }

// What compares as `op` says with `constant` on its right.
ValueSet compared_with(Op op, std::int64_t constant) {
  constant = std::clamp(constant, -far, far);  // no number of a state is as large
  switch (op) {
    case Op::equal: return ValueSet::only(constant);
    case Op::not_equal: return all_values() - ValueSet::only(constant);
    case Op::less: return {-far, constant - 1};
    case Op::less_equal: return {-far, constant};
    case Op::greater: return {constant + 1, far};
    default: return {constant, far};
  }
}

bool is_comparison(Op op) { return op >= Op::equal && op <= Op::greater_equal; }

bool is_number(Op op) { return op == Op::variable || op == Op::control || op == Op::subset; }

// What among() knows how to narrow.
bool is_narrowed(Op op) { return is_number(op) || op == Op::tag || op == Op::field; }

void append(std::vector<Claim>& to, std::vector<Claim>&& more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

void leave_out_inner(const ClaimSpace& space, std::vector<Claim>& claims) {
  constexpr std::size_t many = 200;  // it is the square of that
  std::sort(claims.begin(), claims.end());
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
  if (claims.size() > many) return;
  for (std::size_t i = 0; i < claims.size();) {
    const bool is_inner = std::any_of(claims.begin(), claims.end(), [&](const Claim& other) {
      return &other != &claims[i] && space.is_within(claims[i], other);
    });
    if (is_inner)
      claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
}

void Solver::spend() {
  if (work_left_ == 0) throw TooMuchWork("work");
  if (--work_left_ % 256 != 0 || !shortage_) return;
  if (const char* const what = shortage_()) throw TooMuchWork(what);
}

// A state as far as a claim knows it. The first question that it cannot answer is kept, and what
// comes behind it means nothing.
struct Solver::PartialState {
  using Kind = Question::Kind;
  const ClaimSpace& space;
  const Claim& claim;
  mutable std::optional<Question> unknown = {};

  std::int64_t ask(const Question& question) const {
    if (!unknown) unknown = question;
    return 0;
  }
  std::int64_t number(std::size_t place) const {
    const ValueSet& set = space.number(claim, place);
    return set.is_one() ? set.low() : ask({Kind::number, place});
  }
  // Whether there is such a message; asks where that is not known.
  bool has(ChannelId c, std::uint32_t place) const {
    const ChannelClaim& said = space.channel(claim, c);
    if (place < said.shortest()) return true;
    if (place < said.longest()) ask({Kind::presence, c, place});
    return false;
  }
  std::int64_t variable(VariableId v) const { return number(space.variable(v)); }
  std::int64_t part(Op op, std::uint32_t id) const {
    return number(op == Op::control ? space.control(id) : space.subset(id));
  }
  std::int64_t length(ChannelId c) const {
    const ChannelClaim& said = space.channel(claim, c);
    if (said.least != said.most) return ask({Kind::presence, c, said.shortest()});
    return said.shortest();
  }
  std::int64_t full(ChannelId c) const {
    return space.capacity(c) > 0 && has(c, space.capacity(c) - 1);
  }
  std::int64_t empty(ChannelId c) const { return !has(c, 0); }
  std::int64_t tag(ChannelId c, std::uint32_t place) const {
    if (!has(c, place)) return 0;
    const MessageClaim message = space.message_at(claim, c, place);
    return message.tags.is_one() ? message.tags.low() : ask({Kind::tag, c, place});
  }
  std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t place) const {
    if (!has(c, place)) return 0;
    const MessageClaim message = space.message_at(claim, c, place);
    if (!message.tags.is_one()) return ask({Kind::tag, c, place});
    if (index >= message.values.size()) return 0;
    const ValueSet& set = message.values[index];
    return set.is_one() ? set.low() : ask({Kind::value, c, place, index});
  }
};

// ---- by the form of the expression ------------------------------------------------------------

std::vector<Claim> Solver::where(const std::vector<Claim>& claims, ExpressionId expression,
                                 bool holds) {
  std::vector<Claim> found;
  for (const Claim& claim : claims) append(found, where(claim, expression, holds));
  if (claims.size() > 1) leave_out_inner(space_, found);
  return found;
}

std::vector<Claim> Solver::where(const Claim& claim, ExpressionId expression, bool holds) {
  const ExpressionNode& node = pool_[expression];
  spend();
  switch (node.op) {
    case Op::constant:
      return (node.value != 0) == holds ? std::vector<Claim>{claim} : std::vector<Claim>{};
    case Op::holds: return where(claim, node.a, holds);
    case Op::logical_not:
      if (pool_.can_fail(node.a)) break;
      return where(claim, node.a, !holds);
    case Op::logical_or:
      if (pool_.can_fail(node.a)) break;
      [[fallthrough]];
    case Op::logical_and: {
      const bool one_after_the_other = (node.op == Op::logical_and) == holds;
      if (one_after_the_other) return where(where(claim, node.a, holds), node.b, holds);
      std::vector<Claim> either = where(claim, node.a, holds);
      append(either, where(claim, node.b, holds));
      leave_out_inner(space_, either);
      return either;
    }
    case Op::empty: return by_presence(claim, node.a, 0, !holds);
    case Op::full:
      if (space_.capacity(node.a) == 0)
        return holds ? std::vector<Claim>{} : std::vector<Claim>{claim};
      return by_presence(claim, node.a, space_.capacity(node.a) - 1, holds);
    default: break;
  }
  if (is_comparison(node.op) && !pool_.can_fail(expression)) {
    if (const auto right = known(claim, node.b); right && is_sum(node.a)) {
      const ValueSet allowed = compared_with(node.op, *right);
      return where(claim, node.a, holds ? allowed : all_values() - allowed);
    }
    if (const auto left = known(claim, node.a); left && is_sum(node.b)) {
      const ValueSet allowed = compared_with(mirrored(node.op), *left);
      return where(claim, node.b, holds ? allowed : all_values() - allowed);
    }
  }
  if (node.op == Op::member && is_narrowed(pool_[node.a].op)) {
    ValueSet allowed;
    for (const std::size_t value : pool_.set_of(node))
      allowed.add(static_cast<std::int64_t>(value));
    return among(claim, pool_[node.a], holds ? allowed : all_values() - allowed);
  }
  if (is_narrowed(node.op)) {
    const ValueSet zero = ValueSet::only(0);
    return among(claim, node, holds ? all_values() - zero : zero);
  }
  return tried(
      claim, expression,
      [holds](const Evaluation& found) {
        return (found.fault == Fault::absent && found.value != 0) == holds;
      },
      [&, holds](const Claim& one) { return where(one, expression, holds); });
}

std::vector<Claim> Solver::where(const Claim& claim, ExpressionId expression,
                                 const ValueSet& wanted) {
  const ExpressionNode& node = pool_[expression];
  spend();
  if (wanted.is_empty()) return {};
  if (is_narrowed(node.op)) return among(claim, node, wanted);
  if (is_sum(expression))
    if (const auto found = undone(claim, node, wanted))
      return where(claim, found->first, found->second);
  return tried(
      claim, expression,
      [&wanted](const Evaluation& found) {
        return found.fault == Fault::absent && wanted.contains(found.value);
      },
      [&](const Claim& one) { return where(one, expression, wanted); });
}

// ---- demands ----------------------------------------------------------------------------------

std::vector<Claim> Solver::where(const Claim& claim, const Demand& demand, bool is_met) {
  const ExpressionId expression = demand.expression;
  if (demand.kind != Demand::Kind::is_among)
    return where(claim, expression, (demand.kind == Demand::Kind::holds) == is_met);
  if (is_met) return where(claim, expression, demand.wanted);
  if (!pool_.can_fail(expression)) return where(claim, expression, all_values() - demand.wanted);
  return tried(
      claim, expression,
      [&demand](const Evaluation& found) {
        return found.fault != Fault::absent || !demand.wanted.contains(found.value);
      },
      [&](const Claim& one) { return where(one, demand, false); });
}

std::optional<std::vector<Claim>> Solver::where_within(std::uint64_t work, const Claim& claim,
                                                       const Demand& demand, bool is_met) {
  return within(work, [&] { return where(claim, demand, is_met); });
}

const Solver::Narrowing& Solver::narrowing(const Claim& claim, const Demand& demand) {
  const auto [places, is_first] = places_.try_emplace(demand.expression);
  if (is_first) places->second = places_of(demand.expression);
  std::vector<std::int64_t> key{demand.expression, static_cast<std::int64_t>(demand.kind)};
  for (const std::size_t place : places->second) key.push_back(claim[place]);
  for (const Interval& part : demand.wanted.parts()) {
    key.push_back(part.low);
    key.push_back(part.high);
  }
  if (narrowings_.size() > most_narrowings) {
    narrowings_.clear();
    narrowing_bytes_ = 0;
  }
  const auto [known, is_new] = narrowings_.try_emplace(std::move(key));
  Narrowing& result = known->second;
  if (!is_new) return result;
  narrowing_bytes_ += 128 + known->first.size() * sizeof(std::int64_t) +
                      places->second.size() * sizeof(Narrowing{}.said[0]);
  const auto found = where_within(work_to_narrow, claim, demand);
  if (!found || found->size() > 1) return result;
  result.kind = found->empty() ? Narrowing::Kind::nothing : Narrowing::Kind::one;
  for (std::size_t i = 0; i < places->second.size() && !found->empty(); ++i)
    result.said.emplace_back(places->second[i], found->front()[places->second[i]]);
  return result;
}

std::vector<std::size_t> Solver::places_of(ExpressionId expression) const {
  std::vector<std::size_t> places;
  pool_.visit(expression, [&](const ExpressionNode& node) {
    switch (node.op) {
      case Op::variable: places.push_back(space_.variable(node.a)); break;
      case Op::control: places.push_back(space_.control(node.a)); break;
      case Op::subset: places.push_back(space_.subset(node.a)); break;
      case Op::element:
        for (VariableId v = node.b; v < node.b + node.value; ++v)
          places.push_back(space_.variable(v));
        break;
      case Op::field:
      case Op::tag:
      case Op::length:
      case Op::full:
      case Op::empty: places.push_back(space_.numbers() + node.a); break;
      default: break;
    }
  });
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

bool Solver::is_met(const Claim& point, const Demand& demand) {
  return !where(point, demand, true).empty();
}

void Solver::add_demands(ExpressionId expression, bool holds, std::vector<Demand>& demands) {
  const ExpressionNode& node = pool_[expression];
  if (node.op == Op::holds) return add_demands(node.a, holds, demands);
  if (node.op == Op::logical_not && !pool_.can_fail(node.a))
    return add_demands(node.a, !holds, demands);
  const bool is_conjunction =
      holds ? node.op == Op::logical_and : node.op == Op::logical_or && !pool_.can_fail(node.a);
  if (is_conjunction) {
    add_demands(node.a, holds, demands);
    add_demands(node.b, holds, demands);
  } else if (node.op != Op::constant || (node.value != 0) != holds) {
    demands.push_back({expression, holds ? Demand::Kind::holds : Demand::Kind::does_not_hold});
  }
}

// Whether it is numbers of a state and small constants, added and subtracted: then all of it is
// far from where values go round.
bool Solver::is_sum(ExpressionId expression) const {
  const ExpressionNode& node = pool_[expression];
  if (is_narrowed(node.op)) return true;
  if (node.op == Op::constant) return node.value < near && node.value > -near;
  if ((node.op != Op::add && node.op != Op::subtract) || pool_.tree_size(expression) > 64)
    return false;
  return is_sum(node.a) && is_sum(node.b);
}

// The value of an expression, where the claim leaves only one.
std::optional<std::int64_t> Solver::known(const Claim& claim, ExpressionId expression) {
  const PartialState state{space_, claim};
  const Evaluation found = evaluate(pool_, expression, state);
  if (state.unknown || found.fault != Fault::absent) return {};
  return found.value;
}

// Arithmetic that can be undone: an operand, and what it must be for the whole to be wanted.
// Nothing where it cannot, or values are so large that they may go round.
std::optional<std::pair<ExpressionId, ValueSet>> Solver::undone(const Claim& claim,
                                                                const ExpressionNode& node,
                                                                const ValueSet& wanted) {
  if (node.op != Op::add && node.op != Op::subtract) return {};
  const auto left = known(claim, node.a), right = known(claim, node.b);
  if (!left && !right) return {};
  const std::int64_t number = left ? *left : *right;
  // No sum is beyond 64 times `near`, so what is wanted beyond twice that does not matter.
  const ValueSet inside = wanted & ValueSet(-128 * near, 128 * near);
  ValueSet operand;
  for (const Interval& part : inside.parts()) {
    const bool is_turned = node.op == Op::subtract && left;  // left - operand
    const std::int64_t by = node.op == Op::add ? -number : number;
    operand = operand | (is_turned ? ValueSet(number - part.high, number - part.low)
                                   : ValueSet(part.low + by, part.high + by));
  }
  return std::pair{left ? node.b : node.a, operand};
}

// ---- leaves -----------------------------------------------------------------------------------

std::vector<Claim> Solver::among(const Claim& claim, const ExpressionNode& leaf,
                                 const ValueSet& allowed) {
  if (leaf.op == Op::tag) return among_tags(claim, leaf, allowed);
  if (leaf.op == Op::field) return among_values(claim, leaf, allowed);
  const std::size_t place = leaf.op == Op::control    ? space_.control(leaf.a)
                            : leaf.op == Op::variable ? space_.variable(leaf.a)
                                                      : space_.subset(leaf.a);
  const ValueSet& before = space_.number(claim, place);
  if (before.is_within(allowed)) return {claim};
  const ValueSet after = before & allowed;
  if (after.is_empty()) return {};
  Claim narrowed = claim;
  space_.put(narrowed, place, after);
  return {narrowed};
}

// Whether there is a message at a place, or none.
std::vector<Claim> Solver::by_presence(const Claim& claim, ChannelId channel, std::uint32_t place,
                                       bool is_there) {
  const ChannelClaim& said = space_.channel(claim, channel);
  if (place < said.shortest() || place >= said.longest()) {
    const bool is_known_to_be = place < said.shortest();
    return is_known_to_be == is_there ? std::vector<Claim>{claim} : std::vector<Claim>{};
  }
  ChannelClaim narrowed = said;
  const auto known = static_cast<std::uint32_t>(said.known.size());
  if (is_there)
    narrowed.least = place - known + 1;
  else
    narrowed.most = place - known;
  Claim result = claim;
  space_.put(result, channel, std::move(narrowed));
  return {result};
}

// REQUIRES: there is a message.
void Solver::set_message(Claim& claim, ChannelId channel, std::uint32_t place,
                         MessageClaim message) {
  ChannelClaim said = space_.channel(claim, channel);
  while (said.known.size() <= place) {
    said.known.push_back(space_.any_message(channel));
    --said.least;
    --said.most;
  }
  said.known[place] = std::move(message);
  space_.put(claim, channel, std::move(said));
}

std::vector<Claim> Solver::among_tags(const Claim& claim, const ExpressionNode& leaf,
                                      const ValueSet& allowed) {
  const auto place = static_cast<std::uint32_t>(leaf.value);
  std::vector<Claim> found;
  if (allowed.contains(0)) found = by_presence(claim, leaf.a, place, false);
  for (Claim& there : by_presence(claim, leaf.a, place, true)) {
    MessageClaim message = space_.message_at(there, leaf.a, place);
    if (message.tags.is_within(allowed)) {
      if (!found.empty()) return {claim};  // whether it is there or not
    } else {
      if (!space_.narrow(message, leaf.a, allowed)) continue;
      set_message(there, leaf.a, place, std::move(message));
    }
    found.push_back(std::move(there));
  }
  return found;
}

// A value that is not there is 0.
std::vector<Claim> Solver::among_values(const Claim& claim, const ExpressionNode& leaf,
                                        const ValueSet& allowed) {
  const auto place = static_cast<std::uint32_t>(leaf.value);
  std::vector<Claim> found;
  if (allowed.contains(0)) found = by_presence(claim, leaf.a, place, false);
  for (const Claim& there : by_presence(claim, leaf.a, place, true)) {
    const MessageClaim any = space_.message_at(there, leaf.a, place);
    any.tags.for_each([&](std::int64_t tag) {
      MessageClaim message = any;
      space_.narrow(message, leaf.a, ValueSet::only(tag));
      if (leaf.b >= message.values.size()) {
        if (!allowed.contains(0)) return;
      } else {
        message.values[leaf.b] = message.values[leaf.b] & allowed;
        if (message.values[leaf.b].is_empty()) return;
      }
      Claim narrowed = there;
      set_message(narrowed, leaf.a, place, std::move(message));
      found.push_back(std::move(narrowed));
    });
  }
  return found;
}

// ---- by trying values -------------------------------------------------------------------------

// `again` asks the same of a claim that says more.
std::vector<Claim> Solver::tried(const Claim& claim, ExpressionId expression,
                                 const Judgement& is_wanted, const Attempt& again) {
  spend();
  const PartialState state{space_, claim};
  const Evaluation found = evaluate(pool_, expression, state);
  if (!state.unknown) return is_wanted(found) ? std::vector<Claim>{claim} : std::vector<Claim>{};
  const Question& question = *state.unknown;
  const auto channel = static_cast<ChannelId>(question.place);
  std::vector<Claim> results;
  switch (question.kind) {
    case Question::Kind::number: return by_number(claim, question.place, again);
    case Question::Kind::value: return by_value(claim, question, again);
    case Question::Kind::presence:
      for (const bool is_there : {false, true})
        for (const Claim& one : by_presence(claim, channel, question.position, is_there))
          append(results, again(one));
      return results;
    default:
      space_.message_at(claim, channel, question.position).tags.for_each([&](std::int64_t tag) {
        Claim one = claim;
        set_message(one, channel, question.position,
                    space_.message(channel, static_cast<std::uint32_t>(tag)));
        append(results, again(one));
      });
      return results;
  }
}

// Every value of a number is tried; those with the same answer stay together. An answer is what is
// found with the value, but for the value itself.
std::vector<Claim> Solver::by_number(const Claim& claim, std::size_t place,
                                     const Attempt& attempt) {
  std::map<Claim, ValueSet> answers;
  space_.number(claim, place).for_each([&](std::int64_t value) {
    Claim one = claim;
    space_.put(one, place, ValueSet::only(value));
    for (Claim& answer : attempt(one)) {
      answer[place] = claim[place];
      answers[std::move(answer)].add(value);
    }
  });
  std::vector<Claim> results;
  for (const auto& [answer, values] : answers) {
    results.push_back(answer);
    space_.put(results.back(), place, values);
  }
  return results;
}

// The same for a value of a message.
std::vector<Claim> Solver::by_value(const Claim& claim, const Question& question,
                                    const Attempt& attempt) {
  const auto channel = static_cast<ChannelId>(question.place);
  const auto with = [&](const Claim& given, const ValueSet& values) {
    MessageClaim message = space_.message_at(given, channel, question.position);
    message.values[question.index] = values;
    Claim result = given;
    set_message(result, channel, question.position, std::move(message));
    return result;
  };
  const ValueSet all = space_.message_at(claim, channel, question.position).values[question.index];
  std::map<Claim, ValueSet> answers;
  all.for_each([&](std::int64_t value) {
    for (const Claim& answer : attempt(with(claim, ValueSet::only(value))))
      answers[with(answer, all)].add(value);
  });
  std::vector<Claim> results;
  for (const auto& [answer, values] : answers) results.push_back(with(answer, values));
  return results;
}

}  // namespace panoptes
