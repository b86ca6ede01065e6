// SPDX-License-Identifier: Apache-2.0
#include "hypercube/model.hpp"

#include <algorithm>
#include <cmath>

namespace panoptes {
namespace {

double sending(const CubeMachine& machine, double tuples) {
  return tuples * machine.tuple_bytes / machine.link_bytes_per_second;
}

double packets(const CubeMachine& machine, double tuples) {
  return std::max(1.0, std::ceil(tuples * machine.tuple_bytes / machine.packet_bytes));
}

// From one node to its neighbour: the next packet is formed while one is on the link.
double transfer(const CubeMachine& machine, double tuples) {
  if (tuples == 0) return 0;
  const double forming = machine.packet_seconds * (packets(machine, tuples) - 1);
  return machine.packet_seconds + std::max(sending(machine, tuples), forming);
}

// Nodes whose addresses differ in this bit have equally many tuples afterwards, but for one. The
// most that one had to send.
double even_out(std::vector<double>& tuples, unsigned bit) {
  const std::size_t mask = std::size_t{1} << bit;
  double most = 0;
  for (std::size_t node = 0; node < tuples.size(); ++node) {
    if (node & mask) continue;
    double& here = tuples[node];
    double& there = tuples[node | mask];
    const double excess = std::floor(std::abs(here - there) / 2);
    most = std::max(most, excess);
    const double sent = here > there ? excess : -excess;
    here -= sent;
    there += sent;
  }
  return most;
}

// One stage: each relation over its own link, or one after the other over the same.
double stage_seconds(const CubeMachine& machine, double first, double second, bool is_one_link) {
  if (!is_one_link) return std::max(transfer(machine, first), transfer(machine, second));
  return transfer(machine, std::max(first, second)) + sending(machine, std::min(first, second));
}

double balancing_seconds(const CubeMachine& machine, const CubeJoin& join, unsigned dimension) {
  if (dimension == 0) return 0;
  const std::size_t nodes = std::size_t{1} << dimension;
  const auto count = static_cast<double>(nodes);
  std::vector<double> smaller(nodes, join.is_at_one_node ? 0 : std::floor(join.smaller / count));
  std::vector<double> larger(nodes);
  if (join.is_at_one_node) smaller[0] = join.smaller, larger[0] = join.larger;
  for (std::size_t node = 0; !join.is_at_one_node && node < nodes; ++node)
    larger[node] =
        std::floor(join.larger / count * 2 / (1 + join.skew) * (node % 2 == 0 ? join.skew : 1.0));
  double seconds = machine.packet_seconds;  // counts
  for (unsigned round = 0; round < dimension; ++round) {
    double moved = 0;
    for (unsigned bit = 0; bit < dimension; ++bit) {
      const double first = even_out(smaller, bit);
      const double second = even_out(larger, (bit + 1) % dimension);
      seconds += stage_seconds(machine, first, second, dimension == 1);
      moved += first + second;
    }
    if (moved == 0) break;  // the others find nothing either
  }
  return seconds;
}

bool can_replicate(const CubeMachine& machine, double tuples) {
  const double held = tuples * machine.tuple_bytes;
  return machine.replication == CubeMachine::Replication::while_pair_fits
             ? 2 * held < machine.packet_bytes
             : held < machine.packet_bytes;
}

}  // namespace

CubeTimes join_times(const CubeMachine& machine, const CubeJoin& join, unsigned dimension) {
  CubeTimes times;
  times.balancing = balancing_seconds(machine, join, dimension);
  const double nodes = std::exp2(dimension);
  double tuples = join.smaller / nodes;
  if (dimension > 0) times.replication = machine.packet_seconds;  // counts
  while (times.replications < dimension && can_replicate(machine, tuples)) {
    times.replication += transfer(machine, tuples);
    tuples *= 2;
    ++times.replications;
  }
  // Every part of the smaller relation visits every node of its ring once.
  const double ring = std::exp2(dimension - times.replications);
  const double computing = machine.seconds_per_comparison * join.larger / nodes / ring;
  times.cycle = computing + (ring - 1) * std::max(computing, transfer(machine, tuples));
  if (dimension > 0) times.cycle += machine.packet_seconds;  // the first packet, and the end
  return times;
}

unsigned best_dimension(const CubeMachine& machine, const CubeJoin& join, unsigned most) {
  unsigned best = 0;
  double least = join_times(machine, join, 0).total();
  for (unsigned dimension = 1; dimension <= most; ++dimension) {
    const double seconds = join_times(machine, join, dimension).total();
    if (seconds < least) least = seconds, best = dimension;
  }
  return best;
}

double tree_rules(unsigned depth) { return 2 * (std::exp2(depth) - 1); }

double tree_transitions(unsigned depth) {
  double transitions = 8, more = 8;
  for (unsigned d = 2; d <= depth; ++d) {
    transitions = 3 * transitions + more;
    more -= std::exp2(d);
  }
  return transitions;
}

CubeJoin tree_join_z(unsigned depth) { return {tree_rules(depth), tree_rules(depth), true, 1}; }

CubeJoin tree_join_j(unsigned depth) {
  const double rules = tree_rules(depth);
  return {rules, rules * rules / 2, false, 4};
}

CubeJoin tree_join_g(unsigned depth) {
  const double rules = tree_rules(depth), transitions = tree_transitions(depth);
  return {std::min(rules, transitions), std::max(rules, transitions), false, 1};
}

}  // namespace panoptes
