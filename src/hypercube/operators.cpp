// SPDX-License-Identifier: Apache-2.0
#include "hypercube/operators.hpp"

namespace panoptes::on_cube {
namespace {

// A node has more than twice its share.
bool is_skewed(Cube& cube, const Tuples& tuples) {
  const std::uint64_t all = cube.total(tuples.size());
  return cube.line(tuples.size() * cube.nodes() > 2 * all + cube.nodes());
}

// Equal rows of several nodes stay at the one that comes first in the ring.
void remove_duplicates_in_ring(Cube& cube, CubePartition partition, Tuples& tuples) {
  const ColumnNumbers columns = all_columns(tuples.width());
  const TupleIndex index(tuples, columns);
  const unsigned mine = ring_of(cube, partition).position;
  std::vector<bool> is_elsewhere(tuples.size());
  cycle(cube, partition, tuples, [&](unsigned position, const Tuples& rows) {
    if (position >= mine) return;
    for (std::size_t row = 0; row < rows.size(); ++row)
      index.for_each(rows[row], columns, [&](std::uint32_t equal) { is_elsewhere[equal] = true; });
  });
  tuples.keep_if([&](std::size_t row) { return !is_elsewhere[row]; });
}

}  // namespace

Tuples select(const Tuples& tuples, const std::function<bool(Tuple row)>& keep) {
  Tuples result(tuples.width());
  for (std::size_t row = 0; row < tuples.size(); ++row)
    if (keep(tuples[row])) result.add(tuples[row]);
  return result;
}

Tuples arrange(const Tuples& tuples, const ColumnNumbers& columns) {
  Tuples result(columns.size());
  std::vector<std::int64_t> values(columns.size());
  for (std::size_t row = 0; row < tuples.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) values[i] = tuples[row][columns[i]];
    result.add(Tuple(values));
  }
  return result;
}

// Compaction and balancing by turns, while there is something to compact.
Tuples distinct(Cube& cube, Tuples tuples) {
  Tuples none(1);
  remove_local_duplicates(tuples);
  if (is_skewed(cube, tuples)) balance(cube, tuples, none);
  CubePartition partition;
  while (true) {
    const unsigned before = partition.fixed_bits;
    partition = compact(cube, tuples, partition);
    if (partition.fixed_bits == before || partition.fixed_bits == cube.dimension()) break;
    balance(cube, tuples, none, partition);
    // What was balanced met rows that may be equal.
    remove_local_duplicates(tuples);
  }
  remove_duplicates_in_ring(cube, partition, tuples);
  return tuples;
}

Tuples project(Cube& cube, const Tuples& tuples, const ColumnNumbers& columns) {
  return distinct(cube, arrange(tuples, columns));
}

Tuples join(Cube& cube, Tuples left, Tuples right, const JoinColumns& columns,
            const std::function<bool(Tuple row)>& keep) {
  balance(cube, left, right);
  const bool left_is_smaller = cube.total(left.size()) < cube.total(right.size());
  Tuples& smaller = left_is_smaller ? left : right;
  const Tuples& larger = left_is_smaller ? right : left;
  const CubePartition partition{replicate(cube, smaller), true};
  const TupleIndex index(larger, left_is_smaller ? columns.right : columns.left);
  const ColumnNumbers& asked = left_is_smaller ? columns.left : columns.right;
  Tuples result(left.width() + columns.kept.size());
  std::vector<std::int64_t> values(result.width());
  const auto add = [&](Tuple of_left, Tuple of_right) {
    std::copy(of_left.begin(), of_left.end(), values.begin());
    for (std::size_t i = 0; i < columns.kept.size(); ++i)
      values[of_left.size() + i] = of_right[columns.kept[i]];
    if (!keep || keep(values)) result.add(Tuple(values));
  };
  cycle(cube, partition, smaller, [&](unsigned, const Tuples& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      index.for_each(rows[row], asked, [&](std::uint32_t other) {
        if (left_is_smaller)
          add(rows[row], larger[other]);
        else
          add(larger[other], rows[row]);
      });
  });
  return result;
}

Tuples unite(Cube& cube, Tuples left, const Tuples& right) {
  left.add(right);
  return distinct(cube, std::move(left));
}

// The smaller one travels: the right to strike out rows of the left, or the left to be struck out.
Tuples minus(Cube& cube, Tuples left, Tuples right) {
  left = distinct(cube, std::move(left));
  balance(cube, left, right);
  const ColumnNumbers columns = all_columns(left.width());
  if (cube.total(left.size()) <= cube.total(right.size())) {
    const TupleIndex index(right, columns);
    return cycle_through(cube, left, [&](Tuple row) { return !index.has(row, columns); });
  }
  const CubePartition partition{replicate(cube, right), true};
  const TupleIndex index(left, columns);
  std::vector<bool> is_struck_out(left.size());
  cycle(cube, partition, right, [&](unsigned, const Tuples& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      index.for_each(rows[row], columns, [&](std::uint32_t equal) { is_struck_out[equal] = true; });
  });
  left.keep_if([&](std::size_t row) { return !is_struck_out[row]; });
  return left;
}

// By halves: nodes whose bit is 1 hand all they have to their neighbours.
Tuples collect(Cube& cube, const Tuples& tuples) {
  Tuples all = tuples;
  for (unsigned bit = 0; bit < cube.dimension(); ++bit) {
    if (cube.node() & ((1u << bit) - 1)) continue;  // has handed it over
    if (cube.node() >> bit & 1u) {
      cube.send_all(cube.neighbour(bit), Cube::Stream::first, all);
      all.clear();
    } else {
      all.add(cube.receive_all(cube.neighbour(bit), Cube::Stream::first, tuples.width()));
    }
  }
  return all;
}

}  // namespace panoptes::on_cube
