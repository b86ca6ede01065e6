// SPDX-License-Identifier: Apache-2.0
// What rules need and make, as facts (possible_together.hpp).
#include <algorithm>

#include "backward/possible_together.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_combinations = 4096;  // of values that an expression is computed of

}  // namespace

// The states in which the rule has a successor, so that in each claim it is known which elements of
// arrays it assigns to and where in a channel a message goes.
std::vector<Claim> PossibleTogether::split(const Rule& rule, RuleId id) {
  Claim all = space_.everything();
  if (space_.has_alone()) {
    ValueSet alone = ValueSet::only(0);
    if (reversed_.program.class_of(id) == 0) alone.add(number_of_loner(rule.owner().process));
    space_.put(all, space_.alone(), alone);
  }
  Solver& solver = reversed_.solver;
  std::vector<Claim> claims = solver.where(all, reversed_.conditions.succeeds(id));
  for (const Assignment& a : rule.assignments) {
    if (a.index == none) continue;
    std::vector<Claim> parts;
    for (const Claim& claim : claims)
      for (std::uint32_t i = 0; i < a.length; ++i)
        for (Claim& one : solver.where(claim, a.index, ValueSet::only(i)))
          parts.push_back(std::move(one));
    claims = std::move(parts);
  }
  if (rule.kind != ActionKind::send || rule.channel == none || space_.capacity(rule.channel) == 0)
    return claims;
  std::vector<Claim> parts;
  for (const Claim& claim : claims) {
    const ChannelClaim& said = space_.channel(claim, rule.channel);
    const std::uint32_t last = std::min(said.longest(), space_.capacity(rule.channel) - 1);
    for (std::uint32_t length = said.shortest(); length <= last; ++length) {
      ChannelClaim exactly = said;
      exactly.least = exactly.most = length - static_cast<std::uint32_t>(said.known.size());
      parts.push_back(claim);
      space_.put(parts.back(), rule.channel, std::move(exactly));
    }
  }
  return parts;
}

void PossibleTogether::add_operators(RuleId id, const Deadline& deadline) {
  const Rule& rule = reversed_.program.rules[id];
  reversed_.solver.allow(
      100'000, [deadline]() -> const char* { return deadline.has_passed() ? "time" : nullptr; });
  try {
    for (const Claim& claim : split(rule, id)) add_operator(rule, claim);
  } catch (const TooMuchWork&) {
    // Wherever its processes are where they begin, it may do anything to what it changes.
    Claim claim = space_.everything();
    for (const ProcessMove& move : rule.moves)
      space_.put(claim, space_.control(move.process), ValueSet::only(move.from));
    Operator made{needs_of(claim), {}};
    for (std::uint32_t f = 0; f < fields_.size(); ++f) {
      const auto& changed = reversed_.predecessors.changes(id);
      if (!std::binary_search(changed.begin(), changed.end(), fields_[f].place)) continue;
      Effect any{f, none, facts_of(fields_[f])};
      for (const ProcessMove& move : rule.moves)
        if (space_.control(move.process) == fields_[f].place)
          any.values = {fact_of_value(fields_[f], move.to)};
      made.effects.push_back(std::move(any));
    }
    operators_.push_back(std::move(made));
  }
}

// The fields that an expression reads.
std::vector<std::uint32_t> PossibleTogether::fields_of(ExpressionId expression) const {
  const Expressions& pool = reversed_.program.protocol.expressions;
  std::vector<std::uint32_t> found;
  const auto slots = [&](ChannelId c, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < std::min(end, space_.capacity(c)); ++i)
      found.push_back(slot_field(c, i));
  };
  pool.visit(expression, [&](const ExpressionNode& node) {
    const auto position = static_cast<std::uint32_t>(node.value);
    switch (node.op) {
      case Op::variable: found.push_back(number_field(space_.variable(node.a))); break;
      case Op::control: found.push_back(number_field(space_.control(node.a))); break;
      case Op::subset: found.push_back(number_field(space_.subset(node.a))); break;
      case Op::element:
        for (VariableId v = node.b; v < node.b + node.value; ++v)
          found.push_back(number_field(space_.variable(v)));
        break;
      case Op::field:
      case Op::tag: slots(node.a, position, position + 1); break;
      case Op::length:
      case Op::full:
      case Op::empty: slots(node.a, 0, space_.capacity(node.a)); break;
      default: break;
    }
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// A state as far as the fields of an expression go.
struct PossibleTogether::Environment {
  const PossibleTogether& pairs;
  std::vector<std::uint32_t> chosen;  // by field: which of its facts

  std::int64_t number(std::size_t place) const {
    const std::uint32_t field = pairs.number_field(place);
    return pairs.fields_[field].low + chosen[field];
  }
  const Message& message(ChannelId c, std::uint32_t position) const {
    return pairs
        .messages_[c]
                  [position < pairs.space_.capacity(c) ? chosen[pairs.slot_field(c, position)] : 0];
  }
  std::int64_t variable(VariableId v) const { return number(pairs.space_.variable(v)); }
  std::int64_t part(Op op, std::uint32_t id) const {
    return number(op == Op::control ? pairs.space_.control(id) : pairs.space_.subset(id));
  }
  std::int64_t tag(ChannelId c, std::uint32_t position) const { return message(c, position).tag; }
  std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t position) const {
    const Message& found = message(c, position);
    return index < found.values.size() ? found.values[index] : 0;
  }
  std::int64_t length(ChannelId c) const {
    std::uint32_t length = 0;
    while (length < pairs.space_.capacity(c) && message(c, length).tag != 0) ++length;
    return length;
  }
  std::int64_t full(ChannelId c) const {
    return pairs.space_.capacity(c) > 0 && message(c, pairs.space_.capacity(c) - 1).tag != 0;
  }
  std::int64_t empty(ChannelId c) const { return message(c, 0).tag == 0; }
};

// What the field has where the values of expressions are computed, by what they are before; every
// fact of `otherwise` where that is too much to know.
PossibleTogether::Effect PossibleTogether::effect_of(std::uint32_t field,
                                                     const std::vector<ExpressionId>& list,
                                                     const Claim& claim, const FactOf& fact_of,
                                                     std::vector<std::uint32_t> otherwise) const {
  const Expressions& pool = reversed_.program.protocol.expressions;
  std::vector<std::uint32_t> read;
  for (const ExpressionId expression : list)
    for (const std::uint32_t f : fields_of(expression)) read.push_back(f);
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  std::size_t combinations = 1;
  bool is_known = true;
  std::vector<std::vector<std::uint32_t>> choices;
  for (const std::uint32_t f : read) {
    const Field& source = fields_[f];
    is_known = is_known && (source.is_message ? source.has_values : source.is_known);
    const Bits bits = facts_in(claim, source);
    std::vector<std::uint32_t>& values = choices.emplace_back();
    for (std::uint32_t i = 0; i < source.size; ++i)
      if (has(bits, source.first + i)) values.push_back(i);
    combinations *= values.size();
    is_known = is_known && combinations <= most_combinations;
  }
  if (!is_known) return {field, none, std::move(otherwise)};
  Effect effect{field, none, {}};
  if (read.size() == 1) {
    effect.source = read[0];
    effect.values.assign(fields_[read[0]].size, none);
  }
  Environment environment{*this, std::vector<std::uint32_t>(fields_.size())};
  std::vector<std::int64_t> values(list.size());
  for (std::size_t n = 0; n < combinations; ++n) {
    std::size_t rest = n;
    for (std::size_t i = 0; i < read.size(); ++i) {
      environment.chosen[read[i]] = choices[i][rest % choices[i].size()];
      rest /= choices[i].size();
    }
    bool has_values = true;
    for (std::size_t i = 0; i < list.size() && has_values; ++i) {
      const Evaluation found = evaluate(pool, list[i], environment);
      has_values = found.fault == Fault::absent;
      values[i] = found.value;
    }
    const std::uint32_t fact = has_values ? fact_of(values) : none;
    if (read.size() == 1)
      effect.values[environment.chosen[read[0]]] = fact;
    else if (fact != none &&
             std::find(effect.values.begin(), effect.values.end(), fact) == effect.values.end())
      effect.values.push_back(fact);
  }
  return effect;
}

std::vector<std::uint32_t> PossibleTogether::facts_of(const Field& field) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < field.size; ++i) all.push_back(field.first + i);
  return all;
}

void PossibleTogether::add_channel_effects(const Rule& rule, const Claim& claim, Operator& made) {
  if (rule.channel == none) return;
  const std::uint32_t room = space_.capacity(rule.channel);
  if (rule.kind == ActionKind::send && room > 0) {
    const std::uint32_t f =
        slot_field(rule.channel, space_.channel(claim, rule.channel).shortest());
    const Field& field = fields_[f];
    std::vector<std::uint32_t> any;
    for (std::uint32_t m = 1; m < field.size; ++m)
      if (messages_[rule.channel][m].tag == rule.tag) any.push_back(field.first + m);
    if (!field.has_values)
      made.effects.push_back({f, none, std::move(any)});
    else
      made.effects.push_back(effect_of(
          f, rule.values, claim,
          [&](const std::vector<std::int64_t>& values) {
            return fact_of_message(rule.channel, field, rule.tag, values);
          },
          std::move(any)));
  }
  for (std::uint32_t i = rule.position; i < room; ++i) {
    const std::uint32_t f = slot_field(rule.channel, i);
    if (rule.kind == ActionKind::flush || (rule.kind == ActionKind::receive && i + 1 == room))
      made.effects.push_back({f, none, {fields_[f].first}});
    else if (rule.kind == ActionKind::receive)
      made.effects.push_back({f, f + 1, facts_of(fields_[f])});
  }
}

// REQUIRES: `claim` is one of split().
void PossibleTogether::add_operator(const Rule& rule, const Claim& claim) {
  const Program& program = reversed_.program;
  Operator made{needs_of(claim), {}};
  const auto set = [&](Effect&& effect) {
    std::erase_if(made.effects, [&](const Effect& e) { return e.field == effect.field; });
    made.effects.push_back(std::move(effect));
  };
  const auto set_number = [&](std::size_t place, std::int64_t value) {
    const std::uint32_t field = number_field(place);
    set({field, none, {fact_of_value(fields_[field], value)}});
  };
  for (const ProcessMove& move : rule.moves) set_number(space_.control(move.process), move.to);
  if (space_.has_alone()) set_number(space_.alone(), number_of_loner(alone_after(rule)));
  for (const AssertionMove& move : rule.assertion_moves) {
    const std::uint32_t f = number_field(space_.subset(move.assertion));
    Effect moved{f, f, {}};
    for (const auto& next : program.protocol.assertions[move.assertion].next)
      moved.values.push_back(
          next[move.symbol] == none ? none : fact_of_value(fields_[f], next[move.symbol]));
    if (!fields_[f].is_known) moved = {f, none, {fields_[f].first}};
    set(std::move(moved));
  }
  add_channel_effects(rule, claim, made);
  const auto assign = [&](VariableId variable, ExpressionId value) {
    const std::uint32_t f = number_field(space_.variable(variable));
    const Field& field = fields_[f];
    set(effect_of(
        f, {value}, claim,
        [&](const std::vector<std::int64_t>& values) { return fact_of_value(field, values[0]); },
        facts_of(field)));
  };
  for (const Assignment& a : rule.assignments) {
    if (a.index == none) {
      assign(a.variable, a.value);
      continue;
    }
    // Which element it is, is the same in the whole claim.
    for (std::uint32_t i = 0; i < a.length; ++i)
      if (!reversed_.solver.where(claim, a.index, ValueSet::only(i)).empty())
        assign(a.variable + i, a.value);
  }
  operators_.push_back(std::move(made));
}

}  // namespace panoptes
