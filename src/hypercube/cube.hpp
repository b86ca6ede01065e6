// SPDX-License-Identifier: Apache-2.0
// A hypercube of 2^n nodes: packets of tuples between neighbours, and a line that all can see.
//
// Idea: a node is a rank of a Transport, and its neighbours are those whose number differs in one
// bit. Tuples travel in packets of up to 64 Kbyte. The global line of the paper is a sum over all
// ranks: whoever raises it is seen by all, and it keeps them together. Source: Frieder and Herman,
// Protocol Verification Using Database Technology, section III A.
//
// How it can fail: as the transport does. After that, failed() is true, nothing is sent, and what
// is received is empty, so that every algorithm comes to its end; results do not count.
//
// Thread safety: one thread of each rank, as the transport.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "hypercube/tuples.hpp"
#include "transport/transport.hpp"

namespace panoptes {

class Cube {
 public:
  static constexpr std::size_t packet_bytes = 64 * 1024;

  // 2^n of them.
  static bool is_cube(unsigned ranks) { return ranks > 0 && (ranks & (ranks - 1)) == 0; }

  // REQUIRES: is_cube() of its ranks. The transport outlives it, and carries nothing else.
  explicit Cube(Transport& transport);

  unsigned dimension() const { return dimension_; }
  unsigned nodes() const { return transport_.ranks(); }
  unsigned node() const { return transport_.rank(); }
  unsigned neighbour(unsigned bit) const { return node() ^ (1u << bit); }

  // What travels beside each other between the same nodes.
  enum class Stream : std::uint16_t { first = 1, second, ring };

  struct Packet {
    Tuples rows;
    bool is_last = true;  // of what was sent together
  };
  void send(unsigned to, Stream stream, const Packet& packet);
  Packet receive(unsigned from, Stream stream, std::size_t width);

  // Any number of rows, as packets that are as full as possible; at least one.
  void send_all(unsigned to, Stream stream, const Tuples& rows);
  Tuples receive_all(unsigned from, Stream stream, std::size_t width);

  void send_count(unsigned to, Stream stream, std::uint64_t count);
  std::uint64_t receive_count(unsigned from, Stream stream);

  // The global line: whether any node raises it. All nodes call it.
  bool line(bool is_raised) { return total(is_raised ? 1 : 0) > 0; }
  // The sum over all nodes. All nodes call it.
  std::uint64_t total(std::uint64_t number);

  bool failed() const { return failure_.has_value(); }
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::vector<std::byte> next_message(unsigned from, Stream stream);

  Transport& transport_;
  unsigned dimension_ = 0;
  std::map<std::pair<unsigned, std::uint16_t>, std::deque<std::vector<std::byte>>> arrived_;
  std::optional<std::string> failure_;
};

// Calls `each` with the rows of `rows` in packets that are as full as possible; at least one.
template <typename Each>
void for_each_packet(const Tuples& rows, Each each) {
  const std::size_t most =
      std::max<std::size_t>(1, (Cube::packet_bytes - sizeof(std::int64_t)) / rows.row_bytes());
  std::size_t row = 0;
  do {
    const std::size_t count = std::min(most, rows.size() - row);
    Tuples part(rows.width());
    part.add(Tuple(rows.values()).subspan(row * rows.width(), count * rows.width()));
    row += count;
    each(Cube::Packet{std::move(part), row == rows.size()});
  } while (row < rows.size());
}

}  // namespace panoptes
