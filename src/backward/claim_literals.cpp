// SPDX-License-Identifier: Apache-2.0
#include "backward/claim_literals.hpp"

#include <algorithm>

namespace panoptes {
namespace {

constexpr std::int64_t most_single_values = 64;   // values with a variable each, ...
constexpr std::int64_t most_single_states = 400;  // ... where it is a process that is there

}  // namespace

ClaimLiterals::ClaimLiterals(ClaimSpace& space, SatSolver& solver)
    : space_(space), solver_(solver), yes_(fresh()) {
  add({yes_});
  for (std::size_t place = 0; place < space.numbers(); ++place) {
    const ValueSet& all = space.number(space.everything(), place);
    const bool is_control = place < space.program().control.size();
    numbers_.push_back(
        field_of(all.low(), all.high(), is_control ? most_single_states : most_single_values));
  }
  const Layout& layout = space.program().layout;
  for (ChannelId c = 0; c < layout.channels.size(); ++c) {
    std::vector<Slot>& slots = channels_.emplace_back(space.capacity(c));
    const auto& tags = layout.channels[c].tags;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      slots[i].tag = field_of(0, static_cast<std::int64_t>(tags.size()), most_single_values);
      for (const std::vector<ValueField>& fields : tags) {
        std::vector<Field>& values = slots[i].values.emplace_back();
        for (const ValueField& field : fields)
          values.push_back(field_of(field.minimum, field.maximum, most_single_values));
      }
      const ValueSet none_there = ValueSet::only(0);
      if (i > 0) add({-in(slots[i - 1].tag, none_there), in(slots[i].tag, none_there)});
    }
  }
}

ClaimLiterals::Field ClaimLiterals::field_of(std::int64_t low, std::int64_t high,
                                             std::int64_t most_single) {
  Field field{.low = low, .high = high, .at_most = {}};
  if (high - low + 1 > most_single) return field;
  field.first = variables_ + 1;
  std::vector<Literal> all;
  for (std::int64_t value = low; value <= high; ++value) all.push_back(fresh());
  solver_.add(all);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) add({-all[i], -all[j]});
  return field;
}

// ---- sets of values ---------------------------------------------------------------------------

Literal ClaimLiterals::at_most(Field& field, std::int64_t value) {
  if (value >= field.high) return yes_;
  if (value < field.low) return -yes_;
  const auto [known, is_new] = field.at_most.try_emplace(value, 0);
  if (!is_new) return known->second;
  known->second = fresh();
  if (known != field.at_most.begin()) add({-std::prev(known)->second, known->second});
  if (std::next(known) != field.at_most.end()) add({-known->second, std::next(known)->second});
  return known->second;
}

Literal ClaimLiterals::in(Field& field, const ValueSet& set) {
  const ValueSet all(field.low, field.high);
  if (all.is_within(set)) return yes_;
  const ValueSet inside = set & all;
  if (inside.is_empty()) return -yes_;
  if (field.first != 0) {
    const auto literal = [&](std::int64_t value) {
      return field.first + static_cast<Literal>(value - field.low);
    };
    if (inside.is_one()) return literal(inside.low());
    const ValueSet outside = all - inside;
    if (outside.is_one()) return -literal(outside.low());
  } else if (inside.low() == field.low && inside.parts().size() == 1) {
    return at_most(field, inside.high());
  } else if (inside.high() == field.high && inside.parts().size() == 1) {
    return -at_most(field, inside.low() - 1);
  }
  std::vector<std::int64_t> bounds;
  for (const Interval& part : inside.parts()) {
    bounds.push_back(part.low);
    bounds.push_back(part.high);
  }
  const auto known = field.sets.find(bounds);
  if (known != field.sets.end()) return known->second;
  const Literal is_in = defined(field, inside);
  field.sets.emplace(std::move(bounds), is_in);
  return is_in;
}

Literal ClaimLiterals::defined(Field& field, const ValueSet& set) {
  const Literal is_in = fresh();
  if (field.first != 0) {
    for (std::int64_t value = field.low; value <= field.high; ++value) {
      const Literal is = field.first + static_cast<Literal>(value - field.low);
      add({-is, set.contains(value) ? is_in : -is_in});
    }
    return is_in;
  }
  std::vector<Literal> either{-is_in};
  for (const Interval& part : set.parts()) {
    const Literal below = at_most(field, part.low - 1), up_to = at_most(field, part.high);
    Literal in_part = is_in;
    if (set.parts().size() > 1) either.push_back(in_part = fresh());
    add({-in_part, -below});
    add({-in_part, up_to});
    add({in_part, below, -up_to});
    if (in_part != is_in) add({-in_part, is_in});
  }
  if (either.size() > 1) solver_.add(either);
  return is_in;
}

// ---- claims -----------------------------------------------------------------------------------

const std::vector<Literal>& ClaimLiterals::parts_of(const Claim& claim) {
  parts_.clear();
  const auto say = [&](Literal literal) {
    if (literal != yes_) parts_.push_back(literal);
  };
  const Claim& all = space_.everything();
  for (std::size_t place = 0; place < numbers_.size(); ++place)
    if (claim[place] != all[place]) say(in(numbers_[place], space_.number(claim, place)));
  for (ChannelId c = 0; c < channels_.size(); ++c) {
    const std::size_t place = space_.numbers() + c;
    if (claim[place] == all[place]) continue;
    std::vector<Slot>& slots = channels_[c];
    const ChannelClaim& said = space_.channel(claim, c);
    const ValueSet vacant = ValueSet::only(0);
    for (std::uint32_t i = 0; i < said.known.size(); ++i) {
      const MessageClaim& message = said.known[i];
      say(in(slots[i].tag, message.tags));
      if (!message.tags.is_one()) continue;
      std::vector<Field>& fields =
          slots[i].values[static_cast<std::size_t>(message.tags.low()) - 1];
      for (std::uint32_t v = 0; v < message.values.size(); ++v)
        say(in(fields[v], message.values[v]));
    }
    if (said.least > 0) say(-in(slots[said.shortest() - 1].tag, vacant));
    if (said.longest() < slots.size()) say(in(slots[said.longest()].tag, vacant));
  }
  return parts_;
}

void ClaimLiterals::assume(const Claim& claim) {
  for (const Literal literal : parts_of(claim)) solver_.assume(literal);
}

void ClaimLiterals::exclude(const Claim& claim, Literal unless) {
  std::vector<Literal> clause;
  if (unless != 0) clause.push_back(unless);
  for (const Literal literal : parts_of(claim)) clause.push_back(-literal);
  solver_.add(clause);
}

std::int64_t ClaimLiterals::value_of_model(const Field& field) const {
  if (field.first != 0) {
    for (std::int64_t value = field.low; value < field.high; ++value)
      if (solver_.is_true(field.first + static_cast<Literal>(value - field.low))) return value;
    return field.high;
  }
  std::int64_t low = field.low;
  for (const auto& [value, literal] : field.at_most) {
    if (solver_.is_true(literal)) break;
    low = value + 1;
  }
  return low;
}

Claim ClaimLiterals::point_of_model() {
  Claim point = space_.everything();
  for (std::size_t place = 0; place < numbers_.size(); ++place)
    space_.put(point, place, ValueSet::only(value_of_model(numbers_[place])));
  for (ChannelId c = 0; c < channels_.size(); ++c) {
    ChannelClaim said;
    for (const Slot& slot : channels_[c]) {
      const std::int64_t tag = value_of_model(slot.tag);
      if (tag == 0) break;
      MessageClaim message{ValueSet::only(tag)};
      for (const Field& field : slot.values[static_cast<std::size_t>(tag) - 1])
        message.values.push_back(ValueSet::only(value_of_model(field)));
      said.known.push_back(std::move(message));
    }
    space_.put(point, c, std::move(said));
  }
  return point;
}

}  // namespace panoptes
