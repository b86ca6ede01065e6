// SPDX-License-Identifier: Apache-2.0
#include "backward/possible_together.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace panoptes {
namespace {

constexpr std::size_t most_facts_in_pairs = 4'000;
constexpr std::size_t most_facts = 1'000;        // for triples of them
constexpr std::size_t most_values = 64;          // of a number; of one with more nothing is known
constexpr std::size_t most_messages = 256;       // of a place; else only their tags are looked at
constexpr std::size_t most_combinations = 4096;  // of values that an expression is computed of

void put(std::vector<std::uint64_t>& bits, std::uint32_t index) {
  bits[index / 64] |= std::uint64_t{1} << index % 64;
}

bool has(const std::vector<std::uint64_t>& bits, std::uint32_t index) {
  return (bits[index / 64] >> index % 64 & 1) != 0;
}

// Every message that a place can hold, none first; or only one for each tag.
std::vector<Message> messages_of(const ChannelLayout& channel, bool& has_values) {
  std::vector<Message> all{{0, {}}};
  has_values = true;
  for (std::uint32_t tag = 1; tag <= channel.tags.size() && has_values; ++tag) {
    std::vector<Message> with_tag{{tag, {}}};
    for (const ValueField& field : channel.tags[tag - 1]) {
      std::vector<Message> longer;
      const auto range = static_cast<std::uint64_t>(field.maximum - field.minimum) + 1;
      has_values = has_values && range <= most_messages && range * with_tag.size() <= most_messages;
      if (!has_values) break;
      for (const Message& message : with_tag)
        for (std::int64_t value = field.minimum; value <= field.maximum; ++value) {
          longer.push_back(message);
          longer.back().values.push_back(value);
        }
      with_tag = std::move(longer);
    }
    all.insert(all.end(), with_tag.begin(), with_tag.end());
    has_values = has_values && all.size() <= most_messages;
  }
  if (has_values) return all;
  all.clear();
  for (std::uint32_t tag = 0; tag <= channel.tags.size(); ++tag) all.push_back({tag, {}});
  return all;
}

}  // namespace

// ---- facts ------------------------------------------------------------------------------------

void PossibleTogether::add_field(Field field, std::size_t size) {
  field.first = facts_;
  field.size = static_cast<std::uint32_t>(size);
  facts_ += field.size;
  field_of_.resize(facts_, static_cast<std::uint32_t>(fields_.size()));
  fields_.push_back(field);
}

PossibleTogether::PossibleTogether(ReversedProgram& reversed, const BackwardLimits& limits)
    : reversed_(reversed), space_(reversed.space) {
  add_fields();
  const std::uint64_t row_bytes = (facts_ + 63) / 64 * sizeof(std::uint64_t) + sizeof(Bits);
  if (facts_ > most_facts_in_pairs || 2 * facts_ * row_bytes > limits.bytes / 4) return;
  const Bits nothing((facts_ + 63) / 64);
  rows_.assign(facts_, nothing);
  if (facts_ <= most_facts && facts_ * facts_ * row_bytes <= limits.bytes / 4)
    triples_.assign(std::size_t{facts_} * facts_, nothing);
  for (RuleId rule = 0; rule < reversed.program.rules.size(); ++rule)
    add_operators(rule, limits.deadline);
  add_waiting();
  if (find_all(limits.deadline)) return;
  for (auto* const bits : {&rows_, &triples_})
    for (Bits& row : *bits) std::fill(row.begin(), row.end(), ~std::uint64_t{0});
}

void PossibleTogether::add_fields() {
  for (std::size_t place = 0; place < space_.numbers(); ++place) {
    const ValueSet& all = space_.number(space_.everything(), place);
    const std::uint64_t size = all.size();
    const bool is_known = size <= most_values;
    add_field({.place = place, .is_known = is_known, .low = all.low()}, is_known ? size : 1);
  }
  const std::vector<ChannelLayout>& channels = reversed_.program.layout.channels;
  for (ChannelId c = 0; c < channels.size(); ++c) {
    bool has_values = false;
    messages_.push_back(messages_of(channels[c], has_values));
    first_slot_.push_back(static_cast<std::uint32_t>(fields_.size()));
    for (std::uint32_t i = 0; i < space_.capacity(c); ++i)
      add_field({.place = space_.numbers() + c,
                 .position = i,
                 .is_message = true,
                 .has_values = has_values},
                messages_.back().size());
  }
}

// Who moves alone ceases to where he waits.
void PossibleTogether::add_waiting() {
  for (const ProcessId process : reversed_.predecessors.loners()) {
    Claim waiting = space_.everything();
    space_.put(waiting, space_.alone(), ValueSet::only(number_of_loner(process)));
    Operator made{needs_of(waiting), {}};
    const std::uint32_t field = number_field(space_.alone());
    made.effects.push_back({field, none, {fact_of_value(fields_[field], 0)}});
    operators_.push_back(std::move(made));
  }
}

// Everything that the initial state and the rules bring together. False where time ends before.
bool PossibleTogether::find_all(const Deadline& deadline) {
  const std::vector<std::uint32_t> facts = facts_of(space_.point_of(reversed_.program.initial));
  for (const std::uint32_t one : facts)
    for (const std::uint32_t two : facts) {
      add_pair(one, two);
      for (const std::uint32_t three : facts) add_triple(one, two, three);
    }
  do {
    is_new_ = false;
    for (const Operator& op : operators_) {
      if (deadline.has_passed()) return false;
      fire(op);
    }
  } while (is_new_);
  return true;
}

// REQUIRES: the claim is one state.
std::vector<std::uint32_t> PossibleTogether::facts_of(const Claim& point) const {
  std::vector<std::uint32_t> facts;
  for (const Field& field : fields_) {
    const Bits bits = facts_in(point, field);
    for (const std::uint32_t fact : facts_of(field))
      if (has(bits, fact)) facts.push_back(fact);
  }
  return facts;
}

std::uint32_t PossibleTogether::fact_of_value(const Field& field, std::int64_t value) const {
  if (!field.is_known) return field.first;
  if (value < field.low || value >= field.low + field.size) return none;
  return field.first + static_cast<std::uint32_t>(value - field.low);
}

std::uint32_t PossibleTogether::fact_of_message(ChannelId channel, const Field& field,
                                                std::uint32_t tag,
                                                const std::vector<std::int64_t>& values) const {
  const std::vector<Message>& all = messages_[channel];
  if (!field.has_values) return field.first + tag;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].tag == tag && all[i].values == values) return field.first + i;
  return none;
}

PossibleTogether::Bits PossibleTogether::facts_in(const Claim& claim, const Field& field) const {
  Bits bits((facts_ + 63) / 64);
  if (!field.is_message) {
    const ValueSet& set = space_.number(claim, field.place);
    for (std::uint32_t i = 0; i < field.size; ++i)
      if (!field.is_known || set.contains(field.low + i)) put(bits, field.first + i);
    return bits;
  }
  const auto channel = static_cast<ChannelId>(field.place - space_.numbers());
  const ChannelClaim& said = space_.channel(claim, channel);
  const std::uint32_t i = field.position;
  if (i >= said.shortest()) put(bits, field.first);  // it may be vacant
  if (i >= said.longest()) return bits;
  const MessageClaim message = space_.message_at(claim, channel, i);
  for (std::uint32_t m = 1; m < field.size; ++m) {
    const Message& one = messages_[channel][m];
    bool is_in = message.tags.contains(one.tag);
    for (std::size_t v = 0; is_in && v < std::min(message.values.size(), one.values.size()); ++v)
      is_in = message.values[v].contains(one.values[v]);
    if (is_in) put(bits, field.first + m);
  }
  return bits;
}

PossibleTogether::Needs PossibleTogether::needs_of(const Claim& claim) const {
  Needs needs;
  for (std::uint32_t f = 0; f < fields_.size(); ++f)
    if (claim[fields_[f].place] != space_.everything()[fields_[f].place])
      needs.emplace_back(f, facts_in(claim, fields_[f]));
  return needs;
}

void PossibleTogether::say(Claim& claim, std::uint32_t fact) const {
  const Field& field = fields_[field_of_[fact]];
  if (!field.is_known) return;
  if (!field.is_message) {
    space_.put(claim, field.place, ValueSet::only(field.low + (fact - field.first)));
    return;
  }
  const auto channel = static_cast<ChannelId>(field.place - space_.numbers());
  const Message& message = messages_[channel][fact - field.first];
  ChannelClaim said = space_.channel(claim, channel);
  if (message.tag == 0) {
    said.most = std::min(said.most, field.position - static_cast<std::uint32_t>(said.known.size()));
  } else {
    while (said.known.size() <= field.position) {
      said.known.push_back(space_.any_message(channel));
      said.least = std::max(said.least, 1u) - 1;
      --said.most;
    }
    MessageClaim one = space_.message(channel, message.tag);
    for (std::size_t v = 0; v < message.values.size(); ++v)
      one.values[v] = ValueSet::only(message.values[v]);
    said.known[field.position] = std::move(one);
  }
  space_.put(claim, channel, std::move(said));
}

// That all are true. REQUIRES: of one channel, what is said to be vacant lies behind the messages.
Claim PossibleTogether::claim_of(std::vector<std::uint32_t> facts) const {
  Claim claim = space_.everything();
  std::stable_partition(facts.begin(), facts.end(), [&](std::uint32_t fact) {
    const Field& field = fields_[field_of_[fact]];
    return !field.is_message || fact != field.first;
  });
  for (const std::uint32_t fact : facts) say(claim, fact);
  return claim;
}

// ---- rules ------------------------------------------------------------------------------------

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
      100'000, [&deadline]() -> const char* { return deadline.has_passed() ? "time" : nullptr; });
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

// ---- what goes together -----------------------------------------------------------------------

void PossibleTogether::add_pair(std::uint32_t one, std::uint32_t other) {
  if (is_possible(one, other)) return;
  put(rows_[one], other);
  put(rows_[other], one);
  is_new_ = true;
}

void PossibleTogether::add_triple(std::uint32_t one, std::uint32_t two, std::uint32_t three) {
  if (triples_.empty() || has(triples(one, two), three)) return;
  for (const auto& [a, b, c] :
       {std::array{one, two, three}, std::array{one, three, two}, std::array{two, three, one}}) {
    put(triples(a, b), c);
    put(triples(b, a), c);
  }
  is_new_ = true;
}

// Whether a fact goes with one of a set, by a row of those that go with it.
bool PossibleTogether::meets(const Bits& row, const Need& need) const {
  const Field& field = fields_[need.first];
  const std::size_t last = (field.first + field.size - 1) / 64;
  for (std::size_t w = field.first / 64; w <= last; ++w)
    if ((row[w] & need.second[w]) != 0) return true;
  return false;
}

// Leaves of what is needed only what goes together pair by pair; false where nothing is left.
bool PossibleTogether::consistent(Needs& needs) const {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto& [f, bits] : needs) {
      bool has_some = false;
      for (const std::uint32_t fact : facts_of(fields_[f])) {
        if (!has(bits, fact)) continue;
        const bool is_left = is_possible(fact, fact) &&
                             std::all_of(needs.begin(), needs.end(), [&](const Need& need) {
                               return meets(rows_[fact], need);
                             });
        has_some = has_some || is_left;
        if (is_left) continue;
        bits[fact / 64] &= ~(std::uint64_t{1} << fact % 64);
        has_changed = true;
      }
      if (!has_some) return false;
    }
  }
  return true;
}

// The facts that may be true beside what is needed; nothing where some field has none.
PossibleTogether::Bits PossibleTogether::allowed_by(const Needs& needs) const {
  Bits allowed((facts_ + 63) / 64);
  for (const Field& field : fields_) {
    bool has_some = false;
    for (std::uint32_t fact = field.first; fact < field.first + field.size; ++fact) {
      const bool is_left = is_possible(fact, fact) &&
                           std::all_of(needs.begin(), needs.end(),
                                       [&](const Need& need) { return meets(rows_[fact], need); });
      if (!is_left) continue;
      put(allowed, fact);
      has_some = true;
    }
    if (!has_some) return {};
  }
  for (const auto& [f, bits] : needs)
    for (const std::uint32_t fact : facts_of(fields_[f]))
      if (!has(bits, fact)) allowed[fact / 64] &= ~(std::uint64_t{1} << fact % 64);
  return allowed;
}

// By fact, those that may be true beside it and what is needed.
std::vector<PossibleTogether::Bits> PossibleTogether::allowed_pairs(const Needs& needs,
                                                                    const Bits& allowed) const {
  std::vector<Bits> pairs(facts_, Bits(allowed.size()));
  Bits either(allowed.size());
  for (std::uint32_t fact = 0; fact < facts_; ++fact) {
    if (!has(allowed, fact)) continue;
    Bits& row = pairs[fact];
    for (std::size_t w = 0; w < row.size(); ++w) row[w] = rows_[fact][w] & allowed[w];
    if (triples_.empty()) continue;
    for (const auto& [f, bits] : needs) {
      std::fill(either.begin(), either.end(), 0);
      for (std::uint32_t i = 0; i < fields_[f].size; ++i) {
        const std::uint32_t needed = fields_[f].first + i;
        if (!has(bits, needed)) continue;
        const Bits& beside = triples(fact, needed);
        for (std::size_t w = 0; w < row.size(); ++w) either[w] |= beside[w];
      }
      for (std::size_t w = 0; w < row.size(); ++w) row[w] &= either[w];
    }
  }
  return pairs;
}

std::vector<std::vector<PossibleTogether::Made>> PossibleTogether::made_by(
    const Operator& op, const Bits& allowed) const {
  std::vector<std::vector<Made>> made;
  for (const Effect& effect : op.effects) {
    std::vector<Made>& facts = made.emplace_back();
    for (std::size_t i = 0; i < effect.values.size(); ++i) {
      if (effect.values[i] == none) continue;
      if (effect.source == none) {
        facts.push_back({effect.values[i], none});
        continue;
      }
      const std::uint32_t before = fields_[effect.source].first + static_cast<std::uint32_t>(i);
      if (has(allowed, before)) facts.push_back({effect.values[i], before});
    }
  }
  return made;
}

void PossibleTogether::fire(const Operator& op) {
  Needs needs = op.needs;
  if (!consistent(needs)) return;
  const Bits allowed = allowed_by(needs);
  if (allowed.empty()) return;
  const std::vector<Bits> pairs = allowed_pairs(needs, allowed);
  const std::vector<std::vector<Made>> made = made_by(op, allowed);
  // Where an effect has no value there is no successor.
  if (std::any_of(made.begin(), made.end(), [](const auto& facts) { return facts.empty(); }))
    return;
  Bits unchanged = allowed;
  for (const Effect& effect : op.effects)
    for (const std::uint32_t fact : facts_of(fields_[effect.field]))
      unchanged[fact / 64] &= ~(std::uint64_t{1} << fact % 64);
  add_made(made, unchanged, pairs);
}

namespace {

template <typename Use>
void for_each_bit(const std::vector<std::uint64_t>& bits, Use use) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      use(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace

// Every fact that is made, with what it is made beside: two of what stays as it is, one of that and
// one that another effect makes, or two of those.
void PossibleTogether::add_made(const std::vector<std::vector<Made>>& made, const Bits& unchanged,
                                const std::vector<Bits>& pairs) {
  const auto go_together = [&](const Made& one, const Made& other) {
    if (one.before == none || other.before == none) return true;
    return has(pairs[one.before], other.before);
  };
  const auto beside = [&](const Made& one, std::uint32_t fact) {
    return one.before == none ? has(pairs[fact], fact) : has(pairs[one.before], fact);
  };
  Bits more;
  for (std::size_t e = 0; e < made.size(); ++e)
    for (const Made& one : made[e]) {
      if (one.before != none && !has(pairs[one.before], one.before)) continue;
      add_pair(one.fact, one.fact);
      add_triple(one.fact, one.fact, one.fact);
      for_each_bit(unchanged, [&](std::uint32_t fact) {
        if (!beside(one, fact)) return;
        add_pair(one.fact, fact);
        if (triples_.empty()) return;
        more = pairs[fact];
        const Bits* const with = one.before == none ? nullptr : &triples(one.before, fact);
        const Bits& known = triples(one.fact, fact);
        for (std::size_t w = 0; w < more.size(); ++w)
          more[w] &= unchanged[w] & ~known[w] & (with == nullptr ? ~std::uint64_t{0} : (*with)[w]);
        for_each_bit(more, [&](std::uint32_t third) {
          if (beside(one, third)) add_triple(one.fact, fact, third);
        });
        add_triple(one.fact, one.fact, fact);
      });
      for (std::size_t o = 0; o < e; ++o)
        for (const Made& other : made[o]) {
          if (!go_together(one, other)) continue;
          add_pair(one.fact, other.fact);
          if (triples_.empty()) continue;
          add_triple(one.fact, other.fact, other.fact);
          add_triple(one.fact, one.fact, other.fact);
          for_each_bit(unchanged, [&](std::uint32_t fact) {
            if (!beside(one, fact) || !beside(other, fact)) return;
            if (one.before != none && other.before != none &&
                !has(triples(one.before, other.before), fact))
              return;
            add_triple(one.fact, other.fact, fact);
          });
          for (std::size_t t = 0; t < o; ++t)
            for (const Made& third : made[t]) {
              if (!go_together(one, third) || !go_together(other, third)) continue;
              if (one.before != none && other.before != none && third.before != none &&
                  !has(triples(one.before, other.before), third.before))
                continue;
              add_triple(one.fact, other.fact, third.fact);
            }
        }
    }
}

// ---- answers ----------------------------------------------------------------------------------

bool PossibleTogether::allows(const Claim& claim) const {
  if (rows_.empty()) return true;
  Needs needs = needs_of(claim);
  if (!consistent(needs)) return false;
  if (triples_.empty()) return true;
  // Every two of what is needed, with one of everything else that is.
  for (std::size_t i = 0; i < needs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      bool has_some = false;
      for (const std::uint32_t one : facts_of(fields_[needs[i].first])) {
        if (has_some || !has(needs[i].second, one)) continue;
        for (const std::uint32_t two : facts_of(fields_[needs[j].first])) {
          if (has_some || !has(needs[j].second, two) || !is_possible(one, two)) continue;
          has_some = std::all_of(needs.begin(), needs.end(),
                                 [&](const Need& need) { return meets(triples(one, two), need); });
        }
      }
      if (!has_some) return false;
    }
  return true;
}

bool PossibleTogether::allows_one_by_one(const Claim& claim) const {
  if (rows_.empty()) return true;
  const Needs needs = needs_of(claim);
  return std::all_of(needs.begin(), needs.end(), [&](const Need& need) {
    const std::vector<std::uint32_t> facts = facts_of(fields_[need.first]);
    return std::any_of(facts.begin(), facts.end(), [&](std::uint32_t fact) {
      return has(need.second, fact) && is_possible(fact, fact);
    });
  });
}

std::optional<Claim> PossibleTogether::conflict_in(const Claim& point) const {
  if (rows_.empty()) return {};
  const std::vector<std::uint32_t> facts = facts_of(point);
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!is_possible(facts[i], facts[j])) return claim_of({facts[i], facts[j]});
  if (triples_.empty()) return {};
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (!has(triples(facts[i], facts[j]), facts[k]))
          return claim_of({facts[i], facts[j], facts[k]});
  return {};
}

}  // namespace panoptes
