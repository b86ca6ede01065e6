// SPDX-License-Identifier: Apache-2.0
// Channel sorts and readers, and the completeness checks that need no search.
#pragma once

#include <map>
#include <set>

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// Fills in the sort of every channel: the messages it starts with, then those sent to it, in the
// order of the text. Needed before ranges are inferred.
void collect_sorts(Protocol& protocol);

// A receive or timeout as written, whether or not control can get there.
struct ChannelRead {
  ChannelId channel;
  ProcessId process;
  Place place;
};

// Fills in the readers of every channel.
void find_readers(const std::vector<ChannelRead>& reads, Protocol& protocol);

// For languages in which a channel with two readers is an error.
void check_for_one_reader(const std::vector<ChannelRead>& reads, const Protocol& protocol,
                          Diagnostics& diagnostics);

// Who sends and receives what on one channel, by message name, with the place of the first.
struct Traffic {
  // What one process can send.
  struct Sender {
    ProcessId process;
    std::set<std::uint32_t> messages;  // indices into the sort
  };

  std::map<std::string, Place> sent, received;  // what is in it at the start counts as sent
  std::map<std::string, std::set<std::size_t>> sent_arities;
  std::vector<Sender> senders;  // in declared order
  bool takes_default = false;
  bool has_timeout = false;
  bool is_read = false;

  // Sent, but received by no statement of a process that reads the channel.
  std::vector<std::string> never_received() const;
  // Received, but never sent.
  std::vector<std::string> never_sent() const;
};
// By channel. REQUIRES: the sorts are there.
std::vector<Traffic> collect_traffic(const Protocol& protocol);

// Warns of messages sent but received nowhere, received but sent nowhere, and the like.
void check_completeness(const Protocol& protocol, const std::vector<std::string>& macros,
                        Diagnostics& diagnostics);

// What can happen at a control state that receives: for each channel it reads there, the messages
// of its sort that it does not accept, or only under a condition. Empty everywhere means that no
// search can find an unspecified reception in that state.
struct OpenReception {
  ChannelId channel;
  std::vector<std::uint32_t> not_accepted;  // indices into the sort
};
std::vector<OpenReception> open_receptions(const Protocol& protocol, const ControlState& state);

// log10 of the number of states the protocol could have in the worst case: the product of control
// states, ranges of variables and contents of channels.
double worst_case_log10(const Protocol& protocol);

// log10 of the number of contents of a channel with `capacity` slots and log10 |S| = `sort_log10`.
double channel_contents_log10(double sort_log10, std::uint32_t capacity);

}  // namespace panoptes
