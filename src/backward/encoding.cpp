// SPDX-License-Identifier: Apache-2.0
#include "backward/encoding.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

Encoding::Encoding(const Program& program, const RuleConditions& conditions, Circuit::Sink sink)
    : program_(program),
      conditions_(conditions),
      pool_(program.protocol.expressions),
      state_(program),
      circuit_(std::move(sink)),
      numbers_(circuit_),
      changed_by_(state_.size()) {
  first_bit_ = circuit_.variables() + 1;
  for (std::uint32_t i = 0; i < state_.size(); ++i) circuit_.fresh();
  first_next_ = circuit_.variables() + 1;
  for (std::uint32_t i = 0; i < state_.size(); ++i) circuit_.fresh();
  stepping_ = circuit_.fresh();
  add_states();
  add_steps();
  add_frame();
}

// ---- the state --------------------------------------------------------------------------------

std::vector<Literal> Encoding::bits_at(std::uint32_t first, std::uint32_t count) const {
  std::vector<Literal> bits;
  for (std::uint32_t i = 0; i < count; ++i) bits.push_back(bit(first + i));
  return bits;
}

BitNumber Encoding::number_at(const StateField& field) {
  std::vector<Literal> bits = bits_at(field.first, field.bits);
  if (field.is_spread) {
    const std::vector<Literal> spread = std::move(bits);
    bits.clear();
    for (std::size_t b = 0; (spread.size() - 1) >> b != 0; ++b) {
      std::vector<Literal> with;
      for (std::size_t value = 0; value < spread.size(); ++value)
        if ((value >> b & 1) != 0) with.push_back(spread[value]);
      bits.push_back(circuit_.any(with));
    }
  }
  return numbers_.field(std::move(bits), field.minimum, field.maximum);
}

Literal Encoding::is(const StateField& field, std::int64_t value) {
  if (!field.is_spread) return numbers_.equal(number_at(field), numbers_.constant(value));
  if (value < field.minimum || value > field.maximum) return circuit_.no();
  return bit(field.first + static_cast<std::uint32_t>(value - field.minimum));
}

std::optional<StateField> Encoding::spread_field(const ExpressionNode& leaf) const {
  const auto slot = static_cast<std::uint32_t>(leaf.value);
  std::optional<StateField> field;
  if (leaf.op == Op::control) field = state_.control(leaf.a);
  if (leaf.op == Op::subset) field = state_.subset(leaf.a);
  if (leaf.op == Op::tag && slot < state_.slots(leaf.a)) field = state_.tag(leaf.a, slot);
  if (field && !field->is_spread) field.reset();
  return field;
}

std::optional<Literal> Encoding::is_among(const ExpressionNode& leaf,
                                          const std::vector<std::size_t>& values) {
  const std::optional<StateField> field = spread_field(leaf);
  if (!field) return {};
  std::vector<Literal> ways;
  for (const std::size_t value : values)
    ways.push_back(is(*field, static_cast<std::int64_t>(value)));
  return circuit_.any(ways);
}

// The bits of the state behind a step in which the field is this number.
std::vector<Literal> Encoding::bits_for(const StateField& field, const BitNumber& number) {
  if (!field.is_spread) return numbers_.to_field(number, field.minimum, field.bits);
  std::vector<Literal> bits;
  for (std::int64_t value = field.minimum; value <= field.maximum; ++value)
    bits.push_back(numbers_.equal(number, numbers_.constant(value)));
  return bits;
}

std::vector<Literal> Encoding::message_bits(ChannelId channel, std::uint32_t slot) const {
  const StateField tag = state_.tag(channel, slot);
  return bits_at(tag.first, tag.bits + state_.value_bits(channel));
}

std::vector<Literal> Encoding::vacant_bits(ChannelId channel) const {
  const StateField tag = state_.tag(channel, 0);
  std::vector<Literal> bits(tag.bits + state_.value_bits(channel), circuit_.no());
  if (tag.is_spread) bits[0] = circuit_.yes();
  return bits;
}

Literal Encoding::has_message(ChannelId channel, std::uint32_t slot) {
  return slot < state_.slots(channel) ? -is(state_.tag(channel, slot), 0) : circuit_.no();
}

// 0 where there is no such value.
BitNumber Encoding::value_at(ChannelId channel, std::uint32_t slot, std::uint32_t index) {
  BitNumber found = numbers_.constant(0);
  if (slot >= state_.slots(channel)) return found;
  const ChannelLayout& layout = program_.layout.channels[channel];
  for (std::size_t t = 0; t < layout.tags.size(); ++t) {
    if (index >= layout.tags[t].size()) continue;
    const ValueField& field = layout.tags[t][index];
    const std::uint32_t first = state_.values(channel, slot) + field.shift - layout.tag_bits;
    const BitNumber value =
        numbers_.field(bits_at(first, field.bits), field.minimum, field.maximum);
    const Literal has_tag = is(state_.tag(channel, slot), static_cast<std::int64_t>(t) + 1);
    found = numbers_.choose(has_tag, value, found);
  }
  return found;
}

Literal Encoding::is_at(ProcessId process, StateId state) {
  return is(state_.control(process), state);
}

Literal Encoding::is_outside() { return -numbers_.is_not_zero(number_at(state_.alone())); }

// ---- which states there are -------------------------------------------------------------------

void Encoding::add_range(const StateField& field) {
  std::vector<Literal> bits = bits_at(field.first, field.bits);
  if (field.is_spread) {
    circuit_.require(bits);
    for (std::size_t i = 0; i < bits.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) circuit_.require({-bits[i], -bits[j]});
    return;
  }
  bits.push_back(circuit_.no());
  const BitNumber number{bits, 0, (std::int64_t{1} << field.bits) - 1};
  circuit_.require({numbers_.less_equal(number, numbers_.constant(field.maximum - field.minimum))});
}

void Encoding::add_states() {
  for (ProcessId p = 0; p < program_.control.size(); ++p) add_range(state_.control(p));
  for (VariableId v = 0; v < program_.layout.variables.size(); ++v) add_range(state_.variable(v));
  for (std::uint32_t a = 0; a < program_.layout.assertions.size(); ++a) add_range(state_.subset(a));
  add_range(state_.alone());
  for (ChannelId c = 0; c < program_.layout.channels.size(); ++c) add_channel_states(c);
}

// A slot is vacant and all zero, or has a tag with values in their ranges and nothing else; none is
// vacant before one that is not.
void Encoding::add_channel_states(ChannelId channel) {
  const ChannelLayout& layout = program_.layout.channels[channel];
  for (std::uint32_t slot = 0; slot < state_.slots(channel); ++slot) {
    const std::uint32_t first = state_.values(channel, slot);
    add_range(state_.tag(channel, slot));
    if (slot > 0) circuit_.require({-has_message(channel, slot), has_message(channel, slot - 1)});
    for (std::size_t t = 0; t <= layout.tags.size(); ++t) {
      const Literal has_tag = is(state_.tag(channel, slot), static_cast<std::int64_t>(t));
      std::vector<bool> is_used(state_.value_bits(channel));
      for (std::size_t v = 0; t > 0 && v < layout.tags[t - 1].size(); ++v) {
        const ValueField& field = layout.tags[t - 1][v];
        const std::uint32_t shift = field.shift - layout.tag_bits;
        for (std::uint32_t b = 0; b < field.bits; ++b) is_used[shift + b] = true;
        std::vector<Literal> bits = bits_at(first + shift, field.bits);
        bits.push_back(circuit_.no());
        const BitNumber number{bits, 0, (std::int64_t{1} << field.bits) - 1};
        const BitNumber most = numbers_.constant(field.maximum - field.minimum);
        circuit_.require({-has_tag, numbers_.less_equal(number, most)});
      }
      for (std::uint32_t b = 0; b < is_used.size(); ++b)
        if (!is_used[b]) circuit_.require({-has_tag, -bit(first + b)});
    }
  }
}

// ---- expressions ------------------------------------------------------------------------------

Literal Encoding::holds(ExpressionId expression) {
  const Value& found = value(expression);
  return circuit_.both(found.exists, numbers_.is_not_zero(found.number));
}

const Encoding::Value& Encoding::value(ExpressionId expression) {
  if (values_.size() < pool_.size()) values_.resize(pool_.size());
  if (!values_[expression]) {
    Value found = computed(pool_[expression]);
    values_[expression] = std::move(found);
  }
  return *values_[expression];
}

Encoding::Value Encoding::computed_leaf(const ExpressionNode& node) {
  const auto slot = static_cast<std::uint32_t>(node.value);
  const Literal yes = circuit_.yes();
  switch (node.op) {
    case Op::constant: return {numbers_.constant(node.value), yes};
    case Op::variable: return {number_at(state_.variable(node.a)), yes};
    case Op::control: return {number_at(state_.control(node.a)), yes};
    case Op::subset: return {number_at(state_.subset(node.a)), yes};
    case Op::tag:
      return {
          slot < state_.slots(node.a) ? number_at(state_.tag(node.a, slot)) : numbers_.constant(0),
          yes};
    case Op::field: return {value_at(node.a, slot, node.b), yes};
    case Op::empty: return {numbers_.truth(-has_message(node.a, 0)), yes};
    case Op::full:
      return {
          numbers_.truth(state_.slots(node.a) == 0 ? circuit_.no()
                                                   : has_message(node.a, state_.slots(node.a) - 1)),
          yes};
    default: {  // length
      BitNumber length = numbers_.constant(0);
      for (std::uint32_t i = 0; i < state_.slots(node.a); ++i)
        length = numbers_.choose(has_message(node.a, i), numbers_.constant(i + 1), length);
      return {length, yes};
    }
  }
}

// Operations that do not need all of their operands.
Encoding::Value Encoding::computed_logic(const ExpressionNode& node) {
  const Value left = value(node.a);
  const Literal is_left = numbers_.is_not_zero(left.number);
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
  if ((node.op == Op::equal || node.op == Op::not_equal) && pool_.is_constant(node.b))
    if (const auto field = spread_field(pool_[node.a])) {
      const Literal same = is(*field, pool_[node.b].value);
      return {numbers_.truth(node.op == Op::equal ? same : -same), circuit_.yes()};
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
      if (const auto among = is_among(pool_[node.a], pool_.set_of(node)))
        return {numbers_.truth(*among), circuit_.yes()};
      std::vector<Literal> ways;
      for (const std::size_t number : pool_.set_of(node))
        ways.push_back(
            numbers_.equal(left.number, numbers_.constant(static_cast<std::int64_t>(number))));
      return {numbers_.truth(circuit_.any(ways)), left.exists};
    }
    default: break;
  }
  const Value right = value(node.b);
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

Literal Encoding::has_turn(RuleId id) {
  Literal turn = is_outside();
  if (state_.alone().bits > 0 && program_.class_of(id) == 0)
    turn = circuit_.either(turn,
                           is(state_.alone(), number_of_loner(program_.rules[id].owner().process)));
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

void Encoding::add_steps() {
  for (RuleId id = 0; id < program_.rules.size(); ++id) {
    const Rule& rule = program_.rules[id];
    steps_.push_back(circuit_.fresh());
    add_step(steps_.back(), circuit_.both(holds(conditions_.succeeds(id)), has_turn(id)),
             changes_of(rule));
  }
  for (const ProcessId process : loners_of(program_)) {
    Literal waits = is(state_.alone(), number_of_loner(process));
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      if (program_.rules[id].owner().process == process && program_.class_of(id) == 0)
        waits = circuit_.both(waits, -holds(conditions_.enabled(id)));
    steps_.push_back(circuit_.fresh());
    const std::vector<Literal> nobody(state_.alone().bits, circuit_.no());
    add_step(steps_.back(), waits, {{state_.alone().first, nobody}});
  }
  // `taken` says whether one of those up to here is.
  Literal taken = circuit_.no();
  for (const Literal step : steps_) {
    circuit_.require({-step, -taken});
    taken = circuit_.either(taken, step);
  }
  circuit_.require({-stepping_, taken});
}

std::vector<Encoding::Change> Encoding::changes_of(const Rule& rule) {
  std::vector<Change> changes;
  const auto put = [&](const StateField& field, const BitNumber& number) {
    changes.push_back({field.first, bits_for(field, number)});
  };
  for (const ProcessMove& move : rule.moves)
    put(state_.control(move.process), numbers_.constant(move.to));
  if (state_.alone().bits > 0) {
    const ProcessId alone = alone_after(rule);
    put(state_.alone(), numbers_.constant(number_of_loner(alone)));
  }
  for (const AssertionMove& move : rule.assertion_moves) {
    const StateField& field = state_.subset(move.assertion);
    const BitNumber before = number_at(field);
    const auto& next = program_.protocol.assertions[move.assertion].next;
    BitNumber after = before;
    for (std::size_t subset = 0; subset < next.size(); ++subset)
      if (next[subset][move.symbol] != none)
        after = numbers_.choose(
            numbers_.equal(before, numbers_.constant(static_cast<std::int64_t>(subset))),
            numbers_.constant(next[subset][move.symbol]), after);
    put(field, after);
  }
  add_channel_change(rule, changes);
  add_assignments(rule, changes);
  return changes;
}

void Encoding::add_channel_change(const Rule& rule, std::vector<Change>& changes) {
  if (rule.channel == none || state_.slots(rule.channel) == 0) return;
  const ChannelLayout& layout = program_.layout.channels[rule.channel];
  const std::uint32_t slots = state_.slots(rule.channel);
  const std::vector<Literal> vacant = vacant_bits(rule.channel);
  std::vector<Literal> sent = vacant;
  if (rule.kind == ActionKind::send) {
    const StateField tag = state_.tag(rule.channel, 0);
    const std::vector<Literal> tag_bits = bits_for(tag, numbers_.constant(rule.tag));
    std::copy(tag_bits.begin(), tag_bits.end(), sent.begin());
    for (std::size_t v = 0; v < rule.values.size(); ++v) {
      const ValueField& field = layout.tags[rule.tag - 1][v];
      const std::vector<Literal> bits =
          numbers_.to_field(value(rule.values[v]).number, field.minimum, field.bits);
      std::copy(bits.begin(), bits.end(), sent.begin() + tag.bits + field.shift - layout.tag_bits);
    }
  }
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    std::vector<Literal> next = message_bits(rule.channel, slot);
    if (rule.kind == ActionKind::receive) {
      if (slot < rule.position) continue;
      next = slot + 1 < slots ? message_bits(rule.channel, slot + 1) : vacant;
    } else if (rule.kind == ActionKind::flush) {
      next = vacant;
    } else if (rule.kind == ActionKind::send) {
      const Literal is_before = slot == 0 ? circuit_.yes() : has_message(rule.channel, slot - 1);
      const Literal is_first = circuit_.both(is_before, -has_message(rule.channel, slot));
      for (std::size_t b = 0; b < next.size(); ++b)
        next[b] = circuit_.choose(is_first, sent[b], next[b]);
    } else {
      return;
    }
    changes.push_back({state_.tag(rule.channel, slot).first, next});
  }
}

// Of several to one variable the last counts.
void Encoding::add_assignments(const Rule& rule, std::vector<Change>& changes) {
  std::unordered_map<VariableId, BitNumber> after;
  std::vector<VariableId> order;
  const auto now = [&](VariableId v) {
    const auto found = after.find(v);
    return found != after.end() ? found->second : number_at(state_.variable(v));
  };
  const auto set = [&](VariableId v, BitNumber number) {
    if (!after.contains(v)) order.push_back(v);
    after.insert_or_assign(v, std::move(number));
  };
  for (const Assignment& a : rule.assignments) {
    const BitNumber assigned = value(a.value).number;
    if (a.index == none) {
      set(a.variable, assigned);
      continue;
    }
    const BitNumber index = value(a.index).number;
    for (VariableId i = 0; i < a.length; ++i)
      set(a.variable + i, numbers_.choose(numbers_.equal(index, numbers_.constant(i)), assigned,
                                          now(a.variable + i)));
  }
  for (const VariableId v : order) {
    const StateField& field = state_.variable(v);
    changes.push_back({field.first, numbers_.to_field(after.at(v), field.minimum, field.bits)});
  }
}

void Encoding::add_step(Literal step, Literal condition, const std::vector<Change>& changes) {
  step_conditions_.push_back(condition);
  circuit_.require({-stepping_, -step, condition});
  std::unordered_map<std::uint32_t, Literal> next;  // the last change of a bit counts
  for (const Change& change : changes)
    for (std::size_t i = 0; i < change.bits.size(); ++i)
      next[change.first + static_cast<std::uint32_t>(i)] = change.bits[i];
  for (const auto& [index, after] : next) {
    if (after == bit(index)) continue;
    changed_by_[index].push_back(step);
    circuit_.require({-step, -next_bit(index), after});
    circuit_.require({-step, next_bit(index), -after});
  }
}

void Encoding::add_frame() {
  for (std::uint32_t i = 0; i < state_.size(); ++i) {
    for (const bool value : {false, true}) {
      std::vector<Literal> clause = changed_by_[i];
      clause.push_back(value ? bit(i) : -bit(i));
      clause.push_back(value ? -next_bit(i) : next_bit(i));
      circuit_.require(clause);
    }
  }
}

}  // namespace panoptes
