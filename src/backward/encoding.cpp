// SPDX-License-Identifier: Apache-2.0
#include "backward/encoding.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

Encoding::Encoding(const Program& program, const RuleConditions& conditions, const BitState& state,
                   Circuit::Sink sink)
    : program_(program),
      conditions_(conditions),
      pool_(program.protocol.expressions),
      state_(state),
      loners_(loners_of(program)),
      circuit_(std::move(sink)),
      numbers_(circuit_),
      is_used_(state.size()) {
  for (std::uint32_t i = 0; i < state_.size(); ++i) bits_.push_back(circuit_.fresh());
}

void Encoding::fix(const StateField& field, std::int64_t value) {
  const auto offset = static_cast<std::uint64_t>(value - field.minimum);
  for (std::uint32_t i = 0; i < field.bits; ++i)
    bits_[field.first + i] =
        circuit_.constant(field.is_spread ? i == offset : (offset >> i & 1) != 0);
}

// ---- fields -----------------------------------------------------------------------------------

Encoding::Bits Encoding::part_of(const Bits& state, std::uint32_t first,
                                 std::uint32_t count) const {
  const auto begin = state.begin() + first;
  return {begin, begin + count};
}

BitNumber Encoding::number_in(const Bits& state, const StateField& field) {
  Bits bits = part_of(state, field.first, field.bits);
  if (field.is_spread) {
    const Bits spread = std::move(bits);
    bits.clear();
    for (std::size_t b = 0; (spread.size() - 1) >> b != 0; ++b) {
      Bits with;
      for (std::size_t value = 0; value < spread.size(); ++value)
        if ((value >> b & 1) != 0) with.push_back(spread[value]);
      bits.push_back(circuit_.any(with));
    }
  }
  return numbers_.field(std::move(bits), field.minimum, field.maximum);
}

Literal Encoding::is(const Bits& state, const StateField& field, std::int64_t value) {
  if (!field.is_spread) return numbers_.equal(number_in(state, field), numbers_.constant(value));
  if (value < field.minimum || value > field.maximum) return circuit_.no();
  return state[field.first + static_cast<std::uint32_t>(value - field.minimum)];
}

Literal Encoding::among(const Bits& state, const StateField& field, const ValueSet& set) {
  const ValueSet all(field.minimum, field.maximum);
  const ValueSet inside = set & all, outside = all - set;
  if (outside.is_empty()) return circuit_.yes();
  Bits ways;
  if (field.is_spread) {
    const bool is_larger = inside.size() > outside.size();
    (is_larger ? outside : inside).for_each([&](std::int64_t value) {
      ways.push_back(is(state, field, value));
    });
    return is_larger ? -circuit_.any(ways) : circuit_.any(ways);
  }
  const BitNumber number = number_in(state, field);
  for (const Interval& part : inside.parts())
    ways.push_back(part.low == part.high ? numbers_.equal(number, numbers_.constant(part.low))
                                         : numbers_.within(number, part.low, part.high));
  return circuit_.any(ways);
}

Literal Encoding::is_in(const Bits& state, const StateField& field, const ValueSet& set) {
  use(field);
  return among(state, field, set);
}

Literal Encoding::has_tag(const Bits& state, ChannelId channel, std::uint32_t slot,
                          const ValueSet& tags) {
  if (slot >= state_.slots(channel)) return circuit_.constant(tags.contains(0));
  use(channel);
  return among(state, state_.tag(channel, slot), tags);
}

Literal Encoding::has_value(const Bits& state, ChannelId channel, std::uint32_t slot,
                            std::uint32_t tag, std::size_t index, const ValueSet& set) {
  use(channel);
  const ValueField& value = program_.layout.channels[channel].tags[tag - 1][index];
  return among(state, state_.value(channel, slot, value), set);
}

Literal Encoding::has_message(const Bits& state, ChannelId channel, std::uint32_t slot) {
  if (slot >= state_.slots(channel)) return circuit_.no();
  use(channel);
  return -is(state, state_.tag(channel, slot), 0);
}

BitNumber Encoding::number_at(const StateField& field) {
  use(field);
  return number_in(bits_, field);
}

// 0 where there is no message.
BitNumber Encoding::tag_at(ChannelId channel, std::uint32_t slot) {
  if (slot >= state_.slots(channel)) return numbers_.constant(0);
  use(channel);
  return number_in(bits_, state_.tag(channel, slot));
}

// 0 where there is no such value.
BitNumber Encoding::value_at(ChannelId channel, std::uint32_t slot, std::uint32_t index) {
  BitNumber found = numbers_.constant(0);
  if (slot >= state_.slots(channel)) return found;
  use(channel);
  const ChannelLayout& layout = program_.layout.channels[channel];
  for (std::size_t t = 0; t < layout.tags.size(); ++t) {
    if (index >= layout.tags[t].size()) continue;
    const BitNumber value = number_in(bits_, state_.value(channel, slot, layout.tags[t][index]));
    const Literal is_of_it = is(bits_, state_.tag(channel, slot), static_cast<std::int64_t>(t) + 1);
    found = numbers_.choose(is_of_it, value, found);
  }
  return found;
}

// ---- which states there are -------------------------------------------------------------------

void Encoding::use(const StateField& field) {
  if (field.bits == 0 || is_used_[field.first]) return;
  is_used_[field.first] = true;
  add_range(field);
}

void Encoding::use(ChannelId channel) {
  if (state_.slots(channel) == 0 || is_used_[state_.first_of(channel)]) return;
  is_used_[state_.first_of(channel)] = true;
  add_channel_states(channel);
}

void Encoding::add_range(const StateField& field) {
  Bits bits = part_of(bits_, field.first, field.bits);
  if (field.is_spread) {
    circuit_.require(bits);
    circuit_.require_one_at_most(bits);
    return;
  }
  bits.push_back(circuit_.no());
  const BitNumber number{bits, 0, (std::int64_t{1} << field.bits) - 1};
  circuit_.require({numbers_.less_equal(number, numbers_.constant(field.maximum - field.minimum))});
}

// A slot is vacant and all zero, or has a tag with values in their ranges and nothing else; none is
// vacant before one that is not.
void Encoding::add_channel_states(ChannelId channel) {
  const ChannelLayout& layout = program_.layout.channels[channel];
  for (std::uint32_t slot = 0; slot < state_.slots(channel); ++slot) {
    const std::uint32_t first = state_.values(channel, slot);
    const StateField tag = state_.tag(channel, slot);
    add_range(tag);
    if (slot > 0)
      circuit_.require({is(bits_, tag, 0), -is(bits_, state_.tag(channel, slot - 1), 0)});
    for (std::size_t t = 0; t <= layout.tags.size(); ++t) {
      const Literal is_of_it = is(bits_, tag, static_cast<std::int64_t>(t));
      std::vector<bool> is_taken(state_.value_bits(channel));
      for (std::size_t v = 0; t > 0 && v < layout.tags[t - 1].size(); ++v) {
        const StateField field = state_.value(channel, slot, layout.tags[t - 1][v]);
        for (std::uint32_t b = 0; b < field.bits; ++b) is_taken[field.first - first + b] = true;
        Bits bits = part_of(bits_, field.first, field.bits);
        bits.push_back(circuit_.no());
        const BitNumber number{bits, 0, (std::int64_t{1} << field.bits) - 1};
        const BitNumber most = numbers_.constant(field.maximum - field.minimum);
        circuit_.require({-is_of_it, numbers_.less_equal(number, most)});
      }
      for (std::uint32_t b = 0; b < is_taken.size(); ++b)
        if (!is_taken[b]) circuit_.require({-is_of_it, -bits_[first + b]});
    }
  }
}

// ---- expressions ------------------------------------------------------------------------------

Literal Encoding::holds(ExpressionId expression) {
  const Value& found = value(expression);
  return circuit_.both(found.exists, numbers_.is_not_zero(found.number));
}

const Encoding::Value& Encoding::value(ExpressionId expression) {
  const auto known = values_.find(expression);
  if (known != values_.end()) return known->second;
  return values_.emplace(expression, computed(pool_[expression])).first->second;
}

Encoding::Value Encoding::computed_leaf(const ExpressionNode& node) {
  const auto slot = static_cast<std::uint32_t>(node.value);
  const Literal yes = circuit_.yes();
  switch (node.op) {
    case Op::constant: return {numbers_.constant(node.value), yes};
    case Op::variable: return {number_at(state_.variable(node.a)), yes};
    case Op::control: return {number_at(state_.control(node.a)), yes};
    case Op::subset: return {number_at(state_.subset(node.a)), yes};
    case Op::tag: return {tag_at(node.a, slot), yes};
    case Op::field: return {value_at(node.a, slot, node.b), yes};
    case Op::empty: return {numbers_.truth(-has_message(bits_, node.a, 0)), yes};
    case Op::full:
      return {numbers_.truth(state_.slots(node.a) == 0
                                 ? circuit_.no()
                                 : has_message(bits_, node.a, state_.slots(node.a) - 1)),
              yes};
    default: {  // length
      BitNumber length = numbers_.constant(0);
      for (std::uint32_t i = 0; i < state_.slots(node.a); ++i)
        length = numbers_.choose(has_message(bits_, node.a, i), numbers_.constant(i + 1), length);
      return {length, yes};
    }
  }
}

// That a control state, subset or tag is one of these.
Literal Encoding::is_among(const ExpressionNode& leaf, const ValueSet& values) {
  if (leaf.op == Op::control) return is_in(bits_, state_.control(leaf.a), values);
  if (leaf.op == Op::subset) return is_in(bits_, state_.subset(leaf.a), values);
  return has_tag(bits_, leaf.a, static_cast<std::uint32_t>(leaf.value), values);
}

// Operations that do not need all of their operands; where the left one is known to be enough, the
// other has no gates.
Encoding::Value Encoding::computed_logic(const ExpressionNode& node) {
  const Value left = value(node.a);
  const Literal is_left = numbers_.is_not_zero(left.number);
  const bool is_false = node.op == Op::logical_and && is_left == circuit_.no();
  const bool is_true = node.op == Op::logical_or && is_left == circuit_.yes();
  if (is_false || is_true) return {numbers_.constant(is_true ? 1 : 0), left.exists};
  if (node.op == Op::holds)
    return {numbers_.truth(circuit_.both(left.exists, is_left)), circuit_.yes()};
  const Value right = value(node.b);
  const Literal is_right = numbers_.is_not_zero(right.number);
  if (node.op == Op::require)
    return {left.number, circuit_.both(circuit_.both(right.exists, is_right), left.exists)};
  if (node.op == Op::after) return {right.number, circuit_.both(left.exists, right.exists)};
  const bool is_and = node.op == Op::logical_and;
  const Literal is_decided = is_and ? -is_left : is_left;
  const Literal holds =
      is_and ? circuit_.both(is_left, is_right) : circuit_.either(is_left, is_right);
  return {numbers_.truth(holds),
          circuit_.both(left.exists, circuit_.either(is_decided, right.exists))};
}

Encoding::Value Encoding::computed_element(const ExpressionNode& node) {
  const Value index = value(node.a);
  BitNumber found = number_at(state_.variable(node.b));
  for (VariableId i = 1; i < node.value; ++i)
    found = numbers_.choose(numbers_.equal(index.number, numbers_.constant(i)),
                            number_at(state_.variable(node.b + i)), found);
  return {found, circuit_.both(index.exists, numbers_.within(index.number, 0, node.value - 1))};
}

Encoding::Value Encoding::computed(const ExpressionNode& node) {
  if (is_leaf(node.op)) return computed_leaf(node);
  switch (node.op) {
    case Op::holds:
    case Op::require:
    case Op::after:
    case Op::logical_and:
    case Op::logical_or: return computed_logic(node);
    case Op::element: return computed_element(node);
    default: break;
  }
  if ((node.op == Op::equal || node.op == Op::not_equal) && pool_.is_constant(node.b) &&
      is_part(pool_[node.a].op)) {
    const Literal same = is_among(pool_[node.a], ValueSet::only(pool_[node.b].value));
    return {numbers_.truth(node.op == Op::equal ? same : -same), circuit_.yes()};
  }
  if (node.op == Op::member && is_part(pool_[node.a].op)) {
    ValueSet values;
    for (const std::size_t number : pool_.set_of(node))
      values.add(static_cast<std::int64_t>(number));
    return {numbers_.truth(is_among(pool_[node.a], values)), circuit_.yes()};
  }
  const Value left = value(node.a);
  switch (node.op) {
    case Op::negate: return {numbers_.negate(left.number), left.exists};
    case Op::logical_not: return {numbers_.truth(-numbers_.is_not_zero(left.number)), left.exists};
    case Op::wrap: return {numbers_.wrap(left.number, node.value, node.high), left.exists};
    case Op::bound: {
      const Literal fits = numbers_.within(left.number, node.value, node.high);
      return {left.number, circuit_.both(left.exists, fits)};
    }
    case Op::member: {
      Bits ways;
      for (const std::size_t number : pool_.set_of(node))
        ways.push_back(
            numbers_.equal(left.number, numbers_.constant(static_cast<std::int64_t>(number))));
      return {numbers_.truth(circuit_.any(ways)), left.exists};
    }
    default: return computed_binary(node);
  }
}

Encoding::Value Encoding::computed_binary(const ExpressionNode& node) {
  const Value left = value(node.a), right = value(node.b);
  const Literal exists = circuit_.both(left.exists, right.exists);
  const auto truth = [&](Literal literal) { return Value{numbers_.truth(literal), exists}; };
  switch (node.op) {
    case Op::equal: return truth(numbers_.equal(left.number, right.number));
    case Op::not_equal: return truth(-numbers_.equal(left.number, right.number));
    case Op::less: return truth(numbers_.less(left.number, right.number));
    case Op::less_equal: return truth(numbers_.less_equal(left.number, right.number));
    case Op::greater: return truth(numbers_.less(right.number, left.number));
    case Op::greater_equal: return truth(numbers_.less_equal(right.number, left.number));
    case Op::add: return {numbers_.add(left.number, right.number), exists};
    case Op::subtract: return {numbers_.subtract(left.number, right.number), exists};
    case Op::multiply: return {numbers_.multiply(left.number, right.number), exists};
    default: break;
  }
  const Literal divides = circuit_.both(exists, numbers_.is_not_zero(right.number));
  return {node.op == Op::divide ? numbers_.divide(left.number, right.number)
                                : numbers_.remainder(left.number, right.number),
          divides};
}

// ---- who may move -----------------------------------------------------------------------------

// Some rule is enabled that the rule waits for. It is the same for all of a round.
Literal Encoding::is_held_up(RuleId id) {
  const RuleRound& round = program_.round_of(id);
  if (round.rule_class == 0) return circuit_.no();
  const auto known = held_up_.find(round.first);
  if (known != held_up_.end()) return known->second;
  Literal any = circuit_.no();
  for (RuleId other = 0; other < program_.rules.size(); ++other)
    if (waits_for(program_, id, other))
      any = circuit_.either(any, holds(conditions_.enabled(other)));
  held_up_.emplace(round.first, any);
  return any;
}

Literal Encoding::is_outside() { return is_in(bits_, state_.alone(), ValueSet::only(0)); }

Literal Encoding::has_turn(RuleId id) {
  Literal turn = is_outside();
  if (state_.alone().bits > 0 && program_.class_of(id) == 0)
    turn = circuit_.either(
        turn, is_in(bits_, state_.alone(),
                    ValueSet::only(number_of_loner(program_.rules[id].owner().process))));
  return circuit_.both(turn, -is_held_up(id));
}

Literal Encoding::nobody_moves() {
  Literal any = circuit_.no();
  for (RuleId rule = 0; rule < program_.rules.size(); ++rule)
    any = circuit_.either(any, holds(conditions_.enabled(rule)));
  return -any;
}

Literal Encoding::does_not_move(ProcessId process) {
  Literal moves = circuit_.no();
  for (RuleId rule = 0; rule < program_.rules.size(); ++rule)
    if (program_.rules[rule].moves_process(process))
      moves = circuit_.either(moves,
                              circuit_.both(holds(conditions_.enabled(rule)), -is_held_up(rule)));
  return -moves;
}

// ---- steps ------------------------------------------------------------------------------------

Encoding::Step Encoding::step(std::size_t step) {
  Changes changes{bits_, circuit_.yes()};
  if (step >= program_.rules.size()) {
    const ProcessId process = loners_[step - program_.rules.size()];
    Literal waits = is_in(bits_, state_.alone(), ValueSet::only(number_of_loner(process)));
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      if (program_.rules[id].owner().process == process && program_.class_of(id) == 0)
        waits = circuit_.both(waits, -holds(conditions_.enabled(id)));
    put(changes, state_.alone(), numbers_.constant(0));
    return {waits, std::move(changes.next)};
  }
  const auto id = static_cast<RuleId>(step);
  const Rule& rule = program_.rules[id];
  const Literal condition = circuit_.both(holds(conditions_.succeeds(id)), has_turn(id));
  for (const ProcessMove& move : rule.moves)
    put(changes, state_.control(move.process), numbers_.constant(move.to));
  if (state_.alone().bits > 0)
    put(changes, state_.alone(), numbers_.constant(number_of_loner(alone_after(rule))));
  for (const AssertionMove& move : rule.assertion_moves) {
    const StateField& field = state_.subset(move.assertion);
    const auto& next = program_.protocol.assertions[move.assertion].next;
    const BitNumber before = number_at(field);
    BitNumber after = before;
    for (std::size_t subset = 0; subset < next.size(); ++subset)
      if (next[subset][move.symbol] != none)
        after =
            numbers_.choose(is_in(bits_, field, ValueSet::only(static_cast<std::int64_t>(subset))),
                            numbers_.constant(next[subset][move.symbol]), after);
    put(changes, field, after);
  }
  add_channel_change(rule, changes);
  add_assignments(rule, changes);
  return {circuit_.both(condition, changes.fits), std::move(changes.next)};
}

void Encoding::put(Changes& changes, std::uint32_t first, const Bits& bits) const {
  std::copy(bits.begin(), bits.end(), changes.next.begin() + first);
}

void Encoding::put(Changes& changes, const StateField& field, const BitNumber& number) {
  put(changes, field.first, bits_for(field, number));
}

// REQUIRES: it fits.
Encoding::Bits Encoding::bits_for(const StateField& field, const BitNumber& number) {
  if (!field.is_spread) return numbers_.to_field(number, field.minimum, field.bits);
  Bits bits;
  for (std::int64_t value = field.minimum; value <= field.maximum; ++value)
    bits.push_back(numbers_.equal(number, numbers_.constant(value)));
  return bits;
}

Encoding::Bits Encoding::message_bits(ChannelId channel, std::uint32_t slot) const {
  const StateField tag = state_.tag(channel, slot);
  return part_of(bits_, tag.first, tag.bits + state_.value_bits(channel));
}

Encoding::Bits Encoding::vacant_bits(ChannelId channel) const {
  const StateField tag = state_.tag(channel, 0);
  Bits bits(tag.bits + state_.value_bits(channel), circuit_.no());
  if (tag.is_spread) bits[0] = circuit_.yes();
  return bits;
}

Encoding::Bits Encoding::message_sent(const Rule& rule, Changes& changes) {
  Bits sent = vacant_bits(rule.channel);
  const StateField tag = state_.tag(rule.channel, 0);
  const Bits tag_bits = bits_for(tag, numbers_.constant(rule.tag));
  std::copy(tag_bits.begin(), tag_bits.end(), sent.begin());
  for (std::size_t v = 0; v < rule.values.size(); ++v) {
    const StateField field =
        state_.value(rule.channel, 0, program_.layout.channels[rule.channel].tags[rule.tag - 1][v]);
    const BitNumber number = value(rule.values[v]).number;
    changes.fits =
        circuit_.both(changes.fits, numbers_.within(number, field.minimum, field.maximum));
    const Bits bits = bits_for(field, number);
    std::copy(bits.begin(), bits.end(), sent.begin() + field.first - tag.first);
  }
  return sent;
}

void Encoding::add_channel_change(const Rule& rule, Changes& changes) {
  if (rule.channel == none || state_.slots(rule.channel) == 0) return;
  const std::uint32_t slots = state_.slots(rule.channel);
  const Bits vacant = vacant_bits(rule.channel);
  const auto put_message = [&](std::uint32_t slot, const Bits& message) {
    put(changes, state_.tag(rule.channel, slot).first, message);
  };
  if (rule.kind == ActionKind::receive || rule.kind == ActionKind::flush) {
    use(rule.channel);
    const bool is_flush = rule.kind == ActionKind::flush;
    for (std::uint32_t slot = is_flush ? 0 : rule.position; slot < slots; ++slot)
      put_message(slot,
                  is_flush || slot + 1 == slots ? vacant : message_bits(rule.channel, slot + 1));
  }
  if (rule.kind != ActionKind::send) return;
  const Bits sent = message_sent(rule, changes);
  Literal is_before = circuit_.yes();
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    const Literal is_there = has_message(bits_, rule.channel, slot);
    const Literal is_last = circuit_.both(is_before, -is_there);
    Bits message = message_bits(rule.channel, slot);
    for (std::size_t b = 0; b < message.size(); ++b)
      message[b] = circuit_.choose(is_last, sent[b], message[b]);
    put_message(slot, message);
    is_before = is_there;
  }
}

// Of several to one variable the last counts; but each must fit.
void Encoding::add_assignments(const Rule& rule, Changes& changes) {
  std::unordered_map<VariableId, BitNumber> after;
  for (const Assignment& a : rule.assignments) {
    const BitNumber assigned = value(a.value).number;
    for (VariableId i = 0; i < (a.index == none ? 1 : a.length); ++i) {
      const VariableId variable = a.variable + i;
      const StateField& field = state_.variable(variable);
      const Literal is_it = a.index == none
                                ? circuit_.yes()
                                : numbers_.equal(value(a.index).number, numbers_.constant(i));
      const Literal does_fit = numbers_.within(assigned, field.minimum, field.maximum);
      changes.fits = circuit_.both(changes.fits, circuit_.either(-is_it, does_fit));
      const auto known = after.find(variable);
      const BitNumber before = known != after.end() ? known->second : number_at(field);
      after.insert_or_assign(variable, numbers_.choose(is_it, assigned, before));
    }
  }
  for (const auto& [variable, number] : after) put(changes, state_.variable(variable), number);
}

}  // namespace panoptes
