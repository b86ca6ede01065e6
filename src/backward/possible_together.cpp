// SPDX-License-Identifier: Apache-2.0
#include "backward/possible_together.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace panoptes {
namespace {

constexpr std::size_t most_facts_in_pairs = 4'000;
constexpr std::size_t most_facts = 1'000;   // for triples of them
constexpr std::size_t most_values = 64;     // of a number; of one with more nothing is known, ...
constexpr std::size_t most_states = 1'000;  // ... unless it is where a process is
constexpr std::size_t most_messages = 256;  // of a place; else only their tags are looked at

template <typename Use>
void for_each_bit(const std::vector<std::uint64_t>& bits, Use use) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      use(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
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
  for (RuleId rule = 0; rule < reversed.program.rules.size(); ++rule)
    add_operators(rule, limits.deadline);
  add_waiting();
  const Bits nothing((facts_ + 63) / 64), everything(nothing.size(), ~std::uint64_t{0});
  rows_.assign(facts_, nothing);
  if (!find_all(limits.deadline)) {
    rows_.assign(facts_, everything);
    return;
  }
  if (facts_ > most_facts || facts_ * facts_ * row_bytes > limits.bytes / 4) return;
  // Where time ends before the triples are known there are the pairs.
  std::vector<Bits> pairs(facts_, nothing);
  pairs.swap(rows_);
  triples_.assign(std::size_t{facts_} * facts_, nothing);
  if (find_all(limits.deadline)) return;
  triples_ = {};
  pairs.swap(rows_);
}

void PossibleTogether::add_fields() {
  for (std::size_t place = 0; place < space_.numbers(); ++place) {
    const ValueSet& all = space_.number(space_.everything(), place);
    const std::uint64_t size = all.size();
    const bool is_control = place < reversed_.program.control.size();
    const bool is_known = size <= (is_control ? most_states : most_values);
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
  for (const std::uint32_t one : facts) {
    if (deadline.has_passed()) return false;
    for (const std::uint32_t two : facts) {
      add_pair(one, two);
      if (triples_.empty()) continue;
      for (const std::uint32_t three : facts) add_triple(one, two, three);
    }
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

// ---- what goes together -----------------------------------------------------------------------

void PossibleTogether::add_pair(std::uint32_t one, std::uint32_t other) {
  if (is_possible(one, other)) return;
  put(rows_[one], other);
  put(rows_[other], one);
  is_new_ = true;
}

void PossibleTogether::add_pairs(std::uint32_t one, const Bits& others) {
  for (std::size_t w = 0; w < others.size(); ++w)
    for (std::uint64_t left = others[w] & ~rows_[one][w]; left != 0; left &= left - 1)
      add_pair(one, static_cast<std::uint32_t>(w * 64) +
                        static_cast<std::uint32_t>(std::countr_zero(left)));
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

template <typename Use>
void PossibleTogether::for_each_needed(const Need& need, Use use) const {
  const Field& field = fields_[need.first];
  for (std::uint32_t fact = field.first; fact < field.first + field.size; ++fact)
    if (has(need.second, fact)) use(fact);
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
      const std::uint32_t end = fields_[f].first + fields_[f].size;
      for (std::uint32_t fact = fields_[f].first; fact < end; ++fact) {
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
  for (std::uint32_t fact = 0; fact < facts_; ++fact)
    if (is_possible(fact, fact)) put(allowed, fact);
  for (const Need& need : needs) {
    Bits beside(allowed.size());
    for_each_needed(need, [&](std::uint32_t needed) {
      for (std::size_t w = 0; w < beside.size(); ++w) beside[w] |= rows_[needed][w];
    });
    for (std::size_t w = 0; w < allowed.size(); ++w) allowed[w] &= beside[w];
  }
  for (const auto& [f, bits] : needs)
    for (std::uint32_t fact = fields_[f].first; fact < fields_[f].first + fields_[f].size; ++fact)
      if (!has(bits, fact)) allowed[fact / 64] &= ~(std::uint64_t{1} << fact % 64);
  for (const Field& field : fields_) {
    std::uint32_t fact = field.first;
    while (fact < field.first + field.size && !has(allowed, fact)) ++fact;
    if (fact == field.first + field.size) return {};
  }
  return allowed;
}

// By fact, those that may be true beside it and what is needed. Where there are no triples, only of
// facts of which something is made.
std::vector<PossibleTogether::Bits> PossibleTogether::allowed_pairs(
    const Needs& needs, const Bits& allowed, const std::vector<std::vector<Made>>& made) const {
  std::vector<Bits> pairs(facts_);
  const auto put_pairs = [&](std::uint32_t fact) {
    Bits& row = pairs[fact];
    row = allowed;
    for (std::size_t w = 0; w < row.size(); ++w) row[w] &= rows_[fact][w];
  };
  if (triples_.empty()) {
    for (const std::vector<Made>& facts : made)
      for (const Made& one : facts)
        if (one.before != none && pairs[one.before].empty()) put_pairs(one.before);
    return pairs;
  }
  Bits either(allowed.size());
  for_each_bit(allowed, [&](std::uint32_t fact) {
    put_pairs(fact);
    for (const Need& need : needs) {
      std::fill(either.begin(), either.end(), 0);
      for_each_needed(need, [&](std::uint32_t needed) {
        const Bits& beside = triples(fact, needed);
        for (std::size_t w = 0; w < either.size(); ++w) either[w] |= beside[w];
      });
      for (std::size_t w = 0; w < either.size(); ++w) pairs[fact][w] &= either[w];
    }
  });
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
  const std::vector<std::vector<Made>> made = made_by(op, allowed);
  // Where an effect has no value there is no successor.
  if (std::any_of(made.begin(), made.end(), [](const auto& facts) { return facts.empty(); }))
    return;
  const std::vector<Bits> pairs = allowed_pairs(needs, allowed, made);
  Bits single = allowed;
  if (!triples_.empty())
    for_each_bit(allowed, [&](std::uint32_t fact) {
      if (!has(pairs[fact], fact)) single[fact / 64] &= ~(std::uint64_t{1} << fact % 64);
    });
  Bits changed(allowed.size());
  for (const Effect& effect : op.effects)
    for (std::uint32_t i = 0; i < fields_[effect.field].size; ++i)
      put(changed, fields_[effect.field].first + i);
  Bits unchanged = allowed;
  for (std::size_t w = 0; w < unchanged.size(); ++w) unchanged[w] &= ~changed[w];
  add_made(made, unchanged, single, pairs);
}

// Every fact that is made, with what it is made beside: two of what stays as it is, one of that and
// one that another effect makes, or two of those.
void PossibleTogether::add_made(const std::vector<std::vector<Made>>& made, const Bits& unchanged,
                                const Bits& single, const std::vector<Bits>& pairs) {
  const auto go_together = [&](const Made& one, const Made& other) {
    if (one.before == none || other.before == none) return true;
    return has(pairs[one.before], other.before);
  };
  const auto beside = [&](const Made& one, std::uint32_t fact) {
    return has(one.before == none ? single : pairs[one.before], fact);
  };
  Bits near, more;
  for (std::size_t e = 0; e < made.size(); ++e)
    for (const Made& one : made[e]) {
      if (one.before != none && !has(pairs[one.before], one.before)) continue;
      add_pair(one.fact, one.fact);
      add_triple(one.fact, one.fact, one.fact);
      near = one.before == none ? single : pairs[one.before];
      for (std::size_t w = 0; w < near.size(); ++w) near[w] &= unchanged[w];
      add_pairs(one.fact, near);
      if (!triples_.empty())
        for_each_bit(near, [&](std::uint32_t fact) {
          more = pairs[fact];
          const Bits* const with = one.before == none ? nullptr : &triples(one.before, fact);
          const Bits& known = triples(one.fact, fact);
          for (std::size_t w = 0; w < more.size(); ++w)
            more[w] &= near[w] & ~known[w] & (with == nullptr ? ~std::uint64_t{0} : (*with)[w]);
          for_each_bit(more, [&](std::uint32_t third) { add_triple(one.fact, fact, third); });
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

// Of a number, the values that go with none of the facts; else only this one.
std::vector<std::uint32_t> PossibleTogether::apart_from(const std::vector<std::uint32_t>& facts,
                                                        std::uint32_t fact) const {
  const Field& field = fields_[field_of_[fact]];
  if (field.is_message || !field.is_known) return {fact};
  std::vector<std::uint32_t> apart;
  for (const std::uint32_t other : facts_of(field))
    if (std::none_of(facts.begin(), facts.end(),
                     [&](std::uint32_t one) { return is_possible(one, other); }))
      apart.push_back(other);
  return apart;
}

// That both are true, or others of their fields of which the same is known.
// REQUIRES: they are not possible together.
Claim PossibleTogether::conflict_around(std::uint32_t one, std::uint32_t two) const {
  Claim claim = claim_of({one, two});
  if (one == two) return claim;
  const std::vector<std::uint32_t> twos = apart_from({one}, two), ones = apart_from(twos, one);
  for (const std::vector<std::uint32_t>& facts : {ones, twos}) {
    const Field& field = fields_[field_of_[facts.front()]];
    if (field.is_message || !field.is_known) continue;
    ValueSet values;
    for (const std::uint32_t fact : facts) values.add(field.low + (fact - field.first));
    space_.put(claim, field.place, values);
  }
  return claim;
}

std::optional<Claim> PossibleTogether::conflict_in(const Claim& point) const {
  if (rows_.empty()) return {};
  const std::vector<std::uint32_t> facts = facts_of(point);
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!is_possible(facts[i], facts[j])) return conflict_around(facts[i], facts[j]);
  if (triples_.empty()) return {};
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (!has(triples(facts[i], facts[j]), facts[k]))
          return claim_of({facts[i], facts[j], facts[k]});
  return {};
}

}  // namespace panoptes
