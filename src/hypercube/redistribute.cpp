// SPDX-License-Identifier: Apache-2.0
#include "hypercube/redistribute.hpp"

namespace panoptes {
namespace {

using Stream = Cube::Stream;

// One relation in one stage of balancing, in three parts, so that both relations go at once.
class Evening {
 public:
  Evening(Cube& cube, Tuples& tuples, unsigned bit, Stream stream)
      : cube_(cube), tuples_(tuples), other_(cube.neighbour(bit)), stream_(stream) {
    cube_.send_count(other_, stream_, tuples_.size());
  }
  // Whether anything moves.
  bool send() {
    const std::uint64_t mine = tuples_.size(), theirs = cube_.receive_count(other_, stream_);
    const std::uint64_t excess = (mine > theirs ? mine - theirs : theirs - mine) / 2;
    if (excess == 0 || cube_.failed()) return false;
    if (mine > theirs)
      cube_.send_all(other_, stream_, tuples_.split_off(excess));
    else
      is_waiting_ = true;
    return true;
  }
  void receive() {
    if (is_waiting_) tuples_.add(cube_.receive_all(other_, stream_, tuples_.width()));
  }

 private:
  Cube& cube_;
  Tuples& tuples_;
  unsigned other_;
  Stream stream_;
  bool is_waiting_ = false;
};

// Whether this node and its neighbour have less than a packet together.
bool pair_fits(Cube& cube, const Tuples& tuples, unsigned bit) {
  const unsigned other = cube.neighbour(bit);
  cube.send_count(other, Stream::first, tuples.size());
  const std::uint64_t together = tuples.size() + cube.receive_count(other, Stream::first);
  return together * tuples.row_bytes() < Cube::packet_bytes;
}

}  // namespace

void balance(Cube& cube, Tuples& first, Tuples& second, CubePartition partition) {
  const unsigned stages = cube.dimension() - partition.fixed_bits;
  for (unsigned round = 0; round < stages; ++round) {
    bool moved = false;
    for (unsigned stage = 0; partition.is_active && stage < stages; ++stage) {
      Evening one(cube, first, partition.fixed_bits + stage, Stream::first);
      Evening two(cube, second, partition.fixed_bits + (stage + 1) % stages, Stream::second);
      moved = one.send() || moved;
      moved = two.send() || moved;
      one.receive();
      two.receive();
    }
    if (!cube.line(moved)) return;
  }
}

unsigned replicate(Cube& cube, Tuples& tuples) {
  for (unsigned bit = 0; bit < cube.dimension(); ++bit) {
    if (cube.line(!pair_fits(cube, tuples, bit))) return bit;
    cube.send_all(cube.neighbour(bit), Stream::first, tuples);
    tuples.add(cube.receive_all(cube.neighbour(bit), Stream::first, tuples.width()));
  }
  return cube.dimension();
}

CubePartition compact(Cube& cube, Tuples& tuples, CubePartition partition) {
  while (partition.fixed_bits < cube.dimension()) {
    const unsigned bit = partition.fixed_bits, other = cube.neighbour(bit);
    const bool fits = !partition.is_active || pair_fits(cube, tuples, bit);
    if (cube.line(!fits)) return partition;
    if (partition.is_active && (cube.node() >> bit & 1u)) {
      cube.send_all(other, Stream::first, tuples);
      tuples.clear();
      partition.is_active = false;
    } else if (partition.is_active) {
      tuples.add(cube.receive_all(other, Stream::first, tuples.width()));
      remove_local_duplicates(tuples);
    }
    ++partition.fixed_bits;
  }
  return partition;
}

void remove_local_duplicates(Tuples& tuples) {
  const Tuples all = tuples;
  const TupleIndex index(all, all_columns(tuples.width()), true);
  tuples.keep_if([&](std::size_t row) { return index.has_row(row); });
}

// ---- the ring ------------------------------------------------------------------------------

unsigned gray_position(unsigned code) {
  for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

CubeRing ring_of(const Cube& cube, CubePartition partition) {
  const unsigned bits = partition.fixed_bits, low = cube.node() & ((1u << bits) - 1);
  CubeRing ring;
  ring.size = 1u << (cube.dimension() - bits);
  ring.position = gray_position(cube.node() >> bits);
  const auto node_at = [&](unsigned position) {
    return gray_code(position % ring.size) << bits | low;
  };
  ring.next = node_at(ring.position + 1);
  ring.previous = node_at(ring.position + ring.size - 1);
  return ring;
}

void cycle(Cube& cube, CubePartition partition, const Tuples& tuples,
           const std::function<void(unsigned position, const Tuples& rows)>& visit) {
  if (!partition.is_active) return;
  const CubeRing ring = ring_of(cube, partition);
  if (ring.size > 1) cube.send_all(ring.next, Stream::ring, tuples);
  visit(ring.position, tuples);
  for (unsigned distance = 1; distance < ring.size; ++distance) {
    const unsigned from = (ring.position + ring.size - distance) % ring.size;
    for (bool is_last = false; !is_last;) {
      const Cube::Packet packet = cube.receive(ring.previous, Stream::ring, tuples.width());
      if (distance + 1 < ring.size) cube.send(ring.next, Stream::ring, packet);
      visit(from, packet.rows);
      is_last = packet.is_last;
    }
  }
}

Tuples cycle_through(Cube& cube, const Tuples& tuples,
                     const std::function<bool(Tuple row)>& passes) {
  const CubeRing ring = ring_of(cube, {});
  Tuples result(tuples.width());
  const auto go_on = [&](const Cube::Packet& packet, unsigned distance) {
    Cube::Packet left{Tuples(tuples.width()), packet.is_last};
    for (std::size_t row = 0; row < packet.rows.size(); ++row)
      if (passes(packet.rows[row])) left.rows.add(packet.rows[row]);
    if (distance + 1 < ring.size)
      cube.send(ring.next, Stream::ring, left);
    else
      result.add(left.rows);
  };
  for_each_packet(tuples, [&](const Cube::Packet& packet) { go_on(packet, 0); });
  for (unsigned distance = 1; distance < ring.size; ++distance)
    for (bool is_last = false; !is_last;) {
      const Cube::Packet packet = cube.receive(ring.previous, Stream::ring, tuples.width());
      go_on(packet, distance);
      is_last = packet.is_last;
    }
  return result;
}

}  // namespace panoptes
