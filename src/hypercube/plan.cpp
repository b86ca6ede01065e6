// SPDX-License-Identifier: Apache-2.0
#include "hypercube/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace panoptes {

PlannedRun plan_search(const PlannedSearch& search, const PlannedNode& node, unsigned nodes) {
  const double count = nodes;
  PlannedRun run;
  run.nodes = nodes;
  run.node_bytes = search.states * search.bytes_per_state / count;
  run.fits = run.node_bytes <= node.memory_bytes;
  const double cores = 1 + (node.cores - 1) * node.further_core;
  const double sent = search.states * search.transitions_per_state * (1 - 1 / count) / count;
  const double computing =
      (search.states / (search.states_per_second * count) + sent * node.exchange_seconds) / cores;
  const double bytes = sent * search.message_bytes;
  const double sending = bytes / node.link_bytes_per_second;
  // A message to every other node at every level, or as many as it takes.
  const double messages =
      nodes == 1 ? 0 : std::max(bytes / node.batch_bytes, search.levels * (count - 1));
  const double agreeing = search.levels * 2 * std::log2(count) * node.latency_seconds;
  const double waiting = 2 * messages * node.message_seconds + agreeing;
  run.seconds = std::max(computing, sending) + waiting;
  run.bound = waiting > std::max(computing, sending) ? PlannedRun::Bound::messages
              : sending > computing                  ? PlannedRun::Bound::link
                                                     : PlannedRun::Bound::processors;
  return run;
}

double plan_join(const PlannedNode& node, double rules, double transitions, double tuple_bytes,
                 unsigned nodes) {
  CubeMachine machine;
  machine.seconds_per_comparison = node.seconds_per_comparison;
  machine.link_bytes_per_second = node.link_bytes_per_second;
  machine.packet_seconds = node.latency_seconds;
  machine.packet_bytes = node.batch_bytes;
  machine.tuple_bytes = tuple_bytes;
  machine.replication = CubeMachine::Replication::while_pair_fits;
  const CubeJoin join{std::min(rules, transitions), std::max(rules, transitions), false, 1};
  return join_times(machine, join, static_cast<unsigned>(std::countr_zero(nodes))).total();
}

}  // namespace panoptes
