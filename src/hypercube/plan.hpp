// SPDX-License-Identifier: Apache-2.0
// How many nodes would a model want? What a search over nodes, and the largest join of the five
// steps, would take on so many of them.
//
// Idea: of the search, arithmetic. Every state belongs to one node by its hash, so that of N nodes
// each keeps, expands and receives a share of 1/N, and all but 1/N of the successors travel. A
// level ends when all have agreed that it has. The slowest of processors and link is what a level
// takes; messages that are not full, and the agreement, come on top. Of the join, the simulator of
// model.hpp with the same link.
//
// How it can be wrong: it is an estimate from a sample and assumed figures, and says which. It
// knows no cache, no contention in a switch and no uneven hashing, and a model may change its
// character behind the sample. Thread safety: plain functions on plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hypercube/model.hpp"

namespace panoptes {

// What a model is, as far as a sample says.
struct PlannedSearch {
  double states = 0, transitions_per_state = 0, levels = 0;
  double bytes_per_state = 0;    // stored, waiting and on the way back
  double message_bytes = 0;      // of a state on its way
  double states_per_second = 0;  // of one core
};

// What a node is; all of it may be set.
struct PlannedNode {
  double cores = 1;
  double further_core = 0.8;  // what each core beside the first adds
  double memory_bytes = 0;
  double link_bytes_per_second = 1.25e9;  // 10 Gbit/s
  double latency_seconds = 20e-6;         // until a message has arrived, whatever is in it
  double message_seconds = 2e-6;          // of a processor, to send or receive one
  double batch_bytes = 32 * 1024;         // of a message that is full
  // Of a core, to find the owner of a state, to send it and to take it in: 40 to 140 ns, as
  // computed from the speeds that bench/cluster prints.
  double exchange_seconds = 60e-9;
  double seconds_per_comparison = 350e-9;  // of a tuple, in a join (bench/hypercube-model)
};

struct PlannedRun {
  unsigned nodes = 1;
  double node_bytes = 0;  // of states, at each node
  bool fits = true;
  double seconds = 0;
  enum class Bound : std::uint8_t { processors, link, messages } bound = Bound::processors;
  double join_seconds = 0;  // where there is a join
};

PlannedRun plan_search(const PlannedSearch& search, const PlannedNode& node, unsigned nodes);

// The same with the largest join of the five steps: so many rules, so many transitions, tuples so
// wide. REQUIRES: a power of two of nodes.
double plan_join(const PlannedNode& node, double rules, double transitions, double tuple_bytes,
                 unsigned nodes);

}  // namespace panoptes
