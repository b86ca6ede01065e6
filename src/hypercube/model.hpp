// SPDX-License-Identifier: Apache-2.0
// What a join costs on a hypercube, by Frieder and Herman's model: computed, not measured.
//
// Answers: how long do balancing, replication and cycle of a join take on 2^n nodes, and how many
// nodes are best for it?
//
// Idea: tuples are counted, not moved. Every node has two counts, one for each relation; a stage of
// a primitive changes the counts as the operators of this folder would, and takes as long as its
// slowest pair of nodes. A packet costs its processing and its bytes on the link. Nodes compute
// while their communication processors send.
//
// How it reads the paper, where that is silent or does not fit its own figures:
//   - A comparison is paid once for each tuple of the larger relation, not once for each pair: only
//     so a join of 2046 by 2046 tuples can take 34 ms. A packet with a part of the smaller relation
//     costs that part of it.
//   - Counts go by "the fast packet transfer primitive": one packet's processing for a whole
//     primitive. Counts that cost one at each stage make 128 nodes take 128 ms, not 70.
//   - Where the bits of both relations are the same one (two nodes), both use one link in turn.
//   - Replication goes on while a node has less than a packet of the smaller relation, which is the
//     aim the paper states; by the rule it states, that a pair has less than one together, it would
//     not start at two nodes. `replication` chooses.
//
// How it can be wrong: it is a model. It knows no memory limit, no routing through other nodes and
// no other traffic. Source: Frieder and Herman, Protocol Verification Using Database Technology,
// sections III and IV. Thread safety: plain functions on plain data.
#pragma once

#include <cstdint>
#include <vector>

namespace panoptes {

// The paper's node and link, if nobody says otherwise.
struct CubeMachine {
  enum class Replication : std::uint8_t { while_below_packet, while_pair_fits };

  double seconds_per_comparison = 10 / 2e6;  // 10 instructions at 2 MIPS
  double link_bytes_per_second = 64e6 / 8;
  double packet_seconds = 3e-3;  // to form one and to take it apart
  double packet_bytes = 64 * 1024;
  double tuple_bytes = 40;
  Replication replication = Replication::while_below_packet;
};

// A join of two relations, and where their tuples are at first.
struct CubeJoin {
  double smaller = 0, larger = 0;  // tuples
  bool is_at_one_node = false;     // both; else the smaller relation is spread evenly, and
  double skew = 1;                 // of the larger one, nodes with an even address have that many
                                   // times the tuples of their neighbours
};

struct CubeTimes {
  double balancing = 0, replication = 0, cycle = 0;  // seconds
  unsigned replications = 0;                         // steps; 2^that many copies
  double total() const { return balancing + replication + cycle; }
};

// On 2^dimension nodes.
CubeTimes join_times(const CubeMachine& machine, const CubeJoin& join, unsigned dimension);

// The dimension up to `most` for which that is least.
unsigned best_dimension(const CubeMachine& machine, const CubeJoin& join, unsigned most);

// The binary tree protocol of the paper, depth d: the largest joins of its steps.
double tree_rules(unsigned depth);        // of both processes that send, or receive: 2 (2^d - 1)
double tree_transitions(unsigned depth);  // |G|
CubeJoin tree_join_z(unsigned depth);     // transmissions with receptions, all at one node
CubeJoin tree_join_j(unsigned depth);     // Z with P, at its largest
CubeJoin tree_join_g(unsigned depth);     // G with H and R

}  // namespace panoptes
