// SPDX-License-Identifier: Apache-2.0
// The primitives that move tuples about a cube before an operator looks at them: balancing,
// compaction with and without replication, and the cycle.
//
// All nodes call each of them together. A partition is the nodes that agree in the lowest bits of
// their addresses: after k steps of replication every partition by k bits has the whole relation,
// after k steps of compaction only the partition of zeros has it. Source: Frieder and Herman,
// Protocol Verification Using Database Technology, section III B.
//
// How it can fail: as the cube does. Thread safety: that of the cube.
#pragma once

#include <functional>

#include "hypercube/cube.hpp"

namespace panoptes {

// Nodes that agree in their lowest `fixed_bits` bits, and whether this node's group takes part.
struct CubePartition {
  unsigned fixed_bits = 0;
  bool is_active = true;
};

// Tuple balancing: evens out how many tuples of each relation a node has. In stage j of n, nodes
// that differ in bit j compare their counts of the first relation and who has more sends half of
// the difference; those that differ in bit j + 1 mod n do so with the second. All stages are
// repeated n times, or until nothing moves. Afterwards neighbours differ by few tuples.
void balance(Cube& cube, Tuples& first, Tuples& second, CubePartition partition = {});

// Relation compaction and replication (RCR): nodes that differ in bit j both get what either has,
// for j = 0, 1, ... while every pair has less than a packet of it. How many steps it took.
unsigned replicate(Cube& cube, Tuples& tuples);

// Relation compaction (RC): the same, but only nodes whose bit is 0 get all; the others have none
// any more. Of equal rows one is kept. What is left of `partition`.
CubePartition compact(Cube& cube, Tuples& tuples, CubePartition partition = {});

// The rows of a node that are equal to none before them.
void remove_local_duplicates(Tuples& tuples);

// ---- the ring ------------------------------------------------------------------------------

// Reflected Gray code: neighbours in the ring are neighbours in the cube.
inline unsigned gray_code(unsigned position) { return position ^ (position >> 1); }
unsigned gray_position(unsigned code);

// A Hamiltonian ring through a partition, as one of its nodes sees it.
struct CubeRing {
  unsigned size = 1, position = 0, next = 0, previous = 0;  // next and previous are nodes
};
CubeRing ring_of(const Cube& cube, CubePartition partition);

// Cycle: every part of a relation visits every node of its ring. `visit` gets the position of the
// node a packet is from, and its rows; its own first. Packets are passed on before they are looked
// at. A partition that is not active has no ring.
void cycle(Cube& cube, CubePartition partition, const Tuples& tuples,
           const std::function<void(unsigned position, const Tuples& rows)>& visit);

// The same, but a node decides which rows of a packet go on; those that all let pass are the
// result, at the node before the one they are from.
Tuples cycle_through(Cube& cube, const Tuples& tuples,
                     const std::function<bool(Tuple row)>& passes);

}  // namespace panoptes
