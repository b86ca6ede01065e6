// SPDX-License-Identifier: Apache-2.0
#include "backward/claims.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace panoptes {
namespace {

std::uint64_t hash_of(const ValueSet& set, std::uint64_t seed) {
  for (const Interval& part : set.parts())
    seed = hash_word(static_cast<std::uint64_t>(part.high),
                     hash_word(static_cast<std::uint64_t>(part.low), seed));
  return hash_word(set.parts().size(), seed);
}

std::uint64_t hash_of(const ChannelClaim& channel) {
  std::uint64_t hash = hash_word(std::uint64_t{channel.least} << 32 | channel.most);
  for (const MessageClaim& message : channel.known) {
    hash = hash_of(message.tags, hash);
    for (const ValueSet& set : message.values) hash = hash_of(set, hash);
  }
  return hash;
}

constexpr std::uint64_t bytes_of_an_entry = 64;  // of an index, about

}  // namespace

ClaimSpace::ClaimSpace(const Program& program)
    : program_(program),
      first_variable_(program.control.size()),
      first_subset_(first_variable_ + program.layout.variables.size()),
      alone_(first_subset_ + program.protocol.assertions.size()),
      first_channel_(alone_ + (has_indivisible(program) ? 1 : 0)) {
  const auto last = [](std::size_t size) { return static_cast<std::int64_t>(size) - 1; };
  for (const auto& states : program.control)
    everything_.push_back(kept(ValueSet(0, last(states.size()))));
  for (const Slot& slot : program.layout.variables)
    everything_.push_back(kept(ValueSet(slot.minimum, slot.maximum)));
  for (const Assertion& assertion : program.protocol.assertions)
    everything_.push_back(kept(ValueSet(0, last(assertion.next.size()))));
  if (has_alone())
    everything_.push_back(kept(ValueSet(0, static_cast<std::int64_t>(program.control.size()))));
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    everything_.push_back(kept(c, {.most = capacity(c)}));
  }
}

MessageClaim ClaimSpace::message(ChannelId channel, std::uint32_t tag) const {
  MessageClaim message{ValueSet::only(tag)};
  for (const ValueField& field : program_.layout.channels[channel].tags[tag - 1])
    message.values.emplace_back(field.minimum, field.maximum);
  return message;
}

MessageClaim ClaimSpace::any_message(ChannelId channel) const {
  const std::size_t tags = program_.layout.channels[channel].tags.size();
  if (tags == 1) return message(channel, 1);
  return {ValueSet(1, static_cast<std::int64_t>(tags))};
}

MessageClaim ClaimSpace::message_at(const Claim& claim, ChannelId channel,
                                    std::uint32_t place) const {
  const ChannelClaim& said = this->channel(claim, channel);
  return place < said.known.size() ? said.known[place] : any_message(channel);
}

bool ClaimSpace::narrow(MessageClaim& message, ChannelId channel, const ValueSet& tags) const {
  if (message.tags.is_within(tags)) return true;
  message.tags = message.tags & tags;
  if (message.tags.is_one())
    message = this->message(channel, static_cast<std::uint32_t>(message.tags.low()));
  return !message.tags.is_empty();
}

bool ClaimSpace::is_any(const MessageClaim& message, ChannelId channel) const {
  return message == any_message(channel);
}

// ---- what is kept -----------------------------------------------------------------------------

std::uint32_t ClaimSpace::kept(const ValueSet& set) {
  const std::uint64_t hash = hash_of(set, 0);
  const auto [first, last] = known_sets_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry)
    if (sets_[entry->second] == set) return entry->second;
  const auto id = static_cast<std::uint32_t>(sets_.size());
  sets_.push_back(set);
  known_sets_.emplace(hash, id);
  bytes_ += sizeof(ValueSet) + set.parts().size() * sizeof(Interval) + bytes_of_an_entry;
  return id;
}

// What is known of nothing at the end of the known part belongs behind it.
std::uint32_t ClaimSpace::kept(ChannelId channel, ChannelClaim&& said) {
  while (!said.known.empty() && is_any(said.known.back(), channel)) {
    said.known.pop_back();
    ++said.least;
    ++said.most;
  }
  const std::uint64_t hash = hash_of(said);
  const auto [first, last] = known_channels_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry)
    if (channels_[entry->second] == said) return entry->second;
  const auto id = static_cast<std::uint32_t>(channels_.size());
  bytes_ += sizeof(ChannelClaim) + bytes_of_an_entry;
  for (const MessageClaim& message : said.known)
    bytes_ += sizeof(message) + (message.values.size() + 1) * 2 * sizeof(ValueSet);
  channels_.push_back(std::move(said));
  known_channels_.emplace(hash, id);
  return id;
}

// ---- sets of states ---------------------------------------------------------------------------

bool ClaimSpace::is_within(const ChannelClaim& inner, const ChannelClaim& outer,
                           ChannelId channel) const {
  if (inner.shortest() < outer.shortest() || inner.longest() > outer.longest()) return false;
  for (std::size_t i = 0; i < outer.known.size(); ++i) {
    const MessageClaim& around = outer.known[i];
    const MessageClaim message = i < inner.known.size() ? inner.known[i] : any_message(channel);
    if (!message.tags.is_within(around.tags)) return false;
    for (std::size_t v = 0; v < around.values.size(); ++v)
      if (!message.values[v].is_within(around.values[v])) return false;
  }
  return true;
}

bool ClaimSpace::is_within(std::size_t place, std::uint32_t inner, std::uint32_t outer) const {
  if (inner == outer) return true;
  if (place < first_channel_) return sets_[inner].is_within(sets_[outer]);
  return is_within(channels_[inner], channels_[outer],
                   static_cast<ChannelId>(place - first_channel_));
}

bool ClaimSpace::is_within(const Claim& inner, const Claim& outer) const {
  for (std::size_t place = 0; place < inner.size(); ++place)
    if (!is_within(place, inner[place], outer[place])) return false;
  return true;
}

bool ClaimSpace::meet(const ChannelClaim& left, const ChannelClaim& right) const {
  if (left.shortest() > right.longest() || right.shortest() > left.longest()) return false;
  for (std::size_t i = 0; i < std::min(left.known.size(), right.known.size()); ++i) {
    const MessageClaim &one = left.known[i], &other = right.known[i];
    if ((one.tags & other.tags).is_empty()) return false;
    if (!one.tags.is_one() || !other.tags.is_one()) continue;
    for (std::size_t v = 0; v < one.values.size(); ++v)
      if ((one.values[v] & other.values[v]).is_empty()) return false;
  }
  return true;
}

bool ClaimSpace::meet(const Claim& left, const Claim& right) const {
  for (std::size_t place = 0; place < left.size(); ++place) {
    if (left[place] == right[place] || left[place] == everything_[place] ||
        right[place] == everything_[place])
      continue;
    const bool do_meet = place < first_channel_
                             ? !(sets_[left[place]] & sets_[right[place]]).is_empty()
                             : meet(channels_[left[place]], channels_[right[place]]);
    if (!do_meet) return false;
  }
  return true;
}

Claim ClaimSpace::point_of(StateView state) {
  const Layout& layout = program_.layout;
  Claim point = everything_;
  const auto set = [&](std::size_t place, std::int64_t value) {
    put(point, place, ValueSet::only(value));
  };
  for (ProcessId p = 0; p < layout.control.size(); ++p)
    set(control(p), read(layout.control[p], state));
  for (VariableId v = 0; v < layout.variables.size(); ++v)
    set(variable(v), read(layout.variables[v], state));
  for (std::uint32_t a = 0; a < layout.assertions.size(); ++a)
    set(subset(a), read(layout.assertions[a], state));
  if (has_alone()) set(alone(), 0);
  for (ChannelId c = 0; c < layout.channels.size(); ++c) {
    ChannelClaim said;
    for (const Message& message : contents(layout.channels[c], state)) {
      said.known.push_back({ValueSet::only(message.tag)});
      for (const std::int64_t value : message.values)
        said.known.back().values.push_back(ValueSet::only(value));
    }
    put(point, c, std::move(said));
  }
  return point;
}

bool ClaimSpace::contains(const Claim& claim, StateView state) {
  return is_within(point_of(state), claim);
}

}  // namespace panoptes
