// SPDX-License-Identifier: Apache-2.0
// Claims: a set of states, said number by number and channel by channel.
//
// A claim says of every number of the state vector (where each process is, what each variable and
// assertion has) in which set it lies, and of every channel how it begins and how many messages of
// which nothing is known lie behind that. It is the set of all states of which all of this is true.
//
// Idea: sets and channels are kept once, and a claim is their numbers. Most of two claims beside
// each other is the same, and comparing it is comparing numbers.
//
// Who moves alone (step/turn.hpp) is one more number of a claim: 0 where anybody may move, else
// that of the process plus one. It is there only in programs with indivisible sequences.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "backward/value_set.hpp"
#include "rules/program.hpp"

namespace panoptes {

struct MessageClaim {
  ValueSet tags;                      // it has one of these
  std::vector<ValueSet> values = {};  // where that can only be one
  friend bool operator==(const MessageClaim&, const MessageClaim&) = default;
};

struct ChannelClaim {
  std::vector<MessageClaim> known = {};  // from the head on
  std::uint32_t least = 0, most = 0;     // how many others are behind them
  friend bool operator==(const ChannelClaim&, const ChannelClaim&) = default;

  // How many messages are in it.
  std::uint32_t shortest() const { return static_cast<std::uint32_t>(known.size()) + least; }
  std::uint32_t longest() const { return static_cast<std::uint32_t>(known.size()) + most; }
};

using Claim = std::vector<std::uint32_t>;

class ClaimSpace {
 public:
  // `program` outlives it.
  explicit ClaimSpace(const Program& program);
  ClaimSpace(const ClaimSpace&) = delete;
  ClaimSpace& operator=(const ClaimSpace&) = delete;

  const Program& program() const { return program_; }

  // ---- places of a claim: numbers, and behind them the channels --------------------------------
  std::size_t control(ProcessId process) const { return process; }
  std::size_t variable(VariableId variable) const { return first_variable_ + variable; }
  std::size_t subset(std::uint32_t assertion) const { return first_subset_ + assertion; }
  std::size_t alone() const { return alone_; }
  bool has_alone() const { return alone_ + 1 == first_channel_; }
  std::size_t numbers() const { return first_channel_; }
  // How many messages there is room for.
  std::uint32_t capacity(ChannelId channel) const {
    return program_.layout.channels[channel].slots();
  }

  // ---- claims ---------------------------------------------------------------------------------
  const Claim& everything() const { return everything_; }
  const ValueSet& number(const Claim& claim, std::size_t place) const {
    return sets_[claim[place]];
  }
  const ChannelClaim& channel(const Claim& claim, ChannelId channel) const {
    return channels_[claim[first_channel_ + channel]];
  }
  void put(Claim& claim, std::size_t place, const ValueSet& set) { claim[place] = kept(set); }
  void put(Claim& claim, ChannelId channel, ChannelClaim&& said) {
    claim[first_channel_ + channel] = kept(channel, std::move(said));
  }
  // Nothing is said of it.
  void forget(Claim& claim, std::size_t place) const { claim[place] = everything_[place]; }

  // A message with this tag, of which nothing else is known.
  MessageClaim message(ChannelId channel, std::uint32_t tag) const;
  // One of which nothing is known at all.
  MessageClaim any_message(ChannelId channel) const;
  // What is claimed of the message at a place where there is one.
  MessageClaim message_at(const Claim& claim, ChannelId channel, std::uint32_t place) const;
  // Leaves only these tags; false where there are none.
  bool narrow(MessageClaim& message, ChannelId channel, const ValueSet& tags) const;

  // That state, in which nobody moves alone.
  Claim point_of(StateView state);
  // Every state of the first is one of the second; and the same of what they say of one place.
  bool is_within(const Claim& inner, const Claim& outer) const;
  bool is_within(std::size_t place, std::uint32_t inner, std::uint32_t outer) const;
  // Some state is in both.
  bool meet(const Claim& left, const Claim& right) const;
  bool contains(const Claim& claim, StateView state);

  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint32_t kept(const ValueSet& set);
  std::uint32_t kept(ChannelId channel, ChannelClaim&& said);
  bool is_within(const ChannelClaim& inner, const ChannelClaim& outer, ChannelId channel) const;
  bool meet(const ChannelClaim& left, const ChannelClaim& right) const;
  bool is_any(const MessageClaim& message, ChannelId channel) const;

  const Program& program_;
  std::size_t first_variable_, first_subset_, alone_, first_channel_;
  Claim everything_;
  std::deque<ValueSet> sets_;  // they stay where they are
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_sets_;
  std::deque<ChannelClaim> channels_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_channels_;
  std::uint64_t bytes_ = 0;
};

}  // namespace panoptes
