// SPDX-License-Identifier: Apache-2.0
// The relational operators over a cube. All nodes call each of them together, with their parts of
// the operands, and get their part of the result.
//
// Idea: single-scan operators look at the rows a node has. A multiscan operator balances its
// operands, replicates the smaller one as far as packets are worth filling, and sends it round the
// rings while every node compares what comes by with what it has. Source: Frieder and Herman,
// Protocol Verification Using Database Technology, section III B; union and difference, which the
// paper names and does not describe, are made of the same primitives.
//
// Cost: a multiscan operator moves the smaller operand through every node of a partition; removing
// duplicates moves all of what is left. How it can fail: as the cube does, and then the result does
// not count. Thread safety: that of the cube.
#pragma once

#include <functional>

#include "hypercube/redistribute.hpp"

namespace panoptes::on_cube {

// Local; no node asks another.
Tuples select(const Tuples& tuples, const std::function<bool(Tuple row)>& keep);
// Local: these columns, in this order. Equal rows stay.
Tuples arrange(const Tuples& tuples, const ColumnNumbers& columns);

// Of equal rows, wherever they are, one.
Tuples distinct(Cube& cube, Tuples tuples);
// These columns, in this order, and of equal rows one.
Tuples project(Cube& cube, const Tuples& tuples, const ColumnNumbers& columns);

struct JoinColumns {
  ColumnNumbers left, right;  // columns that must have equal values; none: every row with every row
  ColumnNumbers kept;         // columns of the right that the result has behind those of the left
};
// `keep`, if any, decides of the rows of the result.
Tuples join(Cube& cube, Tuples left, Tuples right, const JoinColumns& columns,
            const std::function<bool(Tuple row)>& keep = {});

// Sets: of equal rows one.
Tuples unite(Cube& cube, Tuples left, const Tuples& right);
Tuples minus(Cube& cube, Tuples left, Tuples right);

// All rows, at node 0.
Tuples collect(Cube& cube, const Tuples& tuples);

}  // namespace panoptes::on_cube
