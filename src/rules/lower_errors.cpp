// SPDX-License-Identifier: Apache-2.0
#include "rules/lower_errors.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// It holds only where a process waits at certain control states, and a channel has a message.
bool is_of_waiting(const StateError& row) {
  return row.idle == Idle::process && row.channel != none && row.predicate == none;
}

bool can_be_lowered(const Expressions& pool, ExpressionId id) {
  bool can = true;
  pool.visit(id, [&](const ExpressionNode& node) {
    // Which bits a field has depends on the message.
    can = can && node.op != Op::member && node.op != Op::holds && node.op != Op::field;
  });
  return can;
}

}  // namespace

WaitingHeads::WaitingHeads(const Program& program) : layout_(program.layout) {
  for (const StateError& row : program.errors.states) {
    if (!row.counts_under(ReceptionPolicy::blocked) || !is_of_waiting(row)) continue;
    for (const auto& [state, predicate] : row.at) {
      auto& channels = channels_[{row.process, state}];
      if (std::find(channels.begin(), channels.end(), row.channel) == channels.end())
        channels.push_back(row.channel);
    }
  }
}

void WaitingHeads::add(ProcessId process, StateId at, LoweredControl& state, Lowered& out) const {
  const auto found = channels_.find({process, at});
  if (found == channels_.end()) return;
  state.first_head = static_cast<std::uint32_t>(out.tags.size());
  for (const ChannelId c : found->second) out.tags.push_back(tag_field(layout_.channels[c], 0));
  state.end_head = static_cast<std::uint32_t>(out.tags.size());
}

void add_alarms(const Program& program, ExpressionLowering& expressions, Lowered& out) {
  for (const StateError& row : program.errors.states) {
    if (!row.counts_under(ReceptionPolicy::blocked) || row.idle == Idle::everybody ||
        is_of_waiting(row) || (row.at.empty() && row.predicate == none))
      continue;
    if (row.at.empty() && can_be_lowered(program.protocol.expressions, row.predicate))
      out.alarms.push_back(expressions.node(row.predicate, {}));
    else
      out.is_alarmed = true;
  }
}

}  // namespace panoptes
