// SPDX-License-Identifier: Apache-2.0
#include "hypercube/cube.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace panoptes {

Cube::Cube(Transport& transport)
    : transport_(transport),
      dimension_(static_cast<unsigned>(std::countr_zero(transport.ranks()))) {}

// On the wire: whether it is the last, then the rows.
void Cube::send(unsigned to, Stream stream, const Packet& packet) {
  if (failed()) return;
  const std::vector<std::int64_t>& values = packet.rows.values();
  const std::int64_t head = packet.is_last ? 1 : 0;
  std::vector<std::byte> bytes(sizeof head + values.size() * sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!values.empty())
    std::memcpy(bytes.data() + sizeof head, values.data(), values.size() * sizeof head);
  transport_.send(to, static_cast<std::uint16_t>(stream), std::move(bytes));
}

Cube::Packet Cube::receive(unsigned from, Stream stream, std::size_t width) {
  Packet packet{Tuples(width), true};
  const std::vector<std::byte> bytes = next_message(from, stream);
  std::int64_t head = 1;
  if (bytes.size() < sizeof head) return packet;
  std::memcpy(&head, bytes.data(), sizeof head);
  packet.is_last = head != 0;
  std::vector<std::int64_t> values(bytes.size() / sizeof head - 1);
  if (!values.empty())
    std::memcpy(values.data(), bytes.data() + sizeof head, values.size() * sizeof head);
  packet.rows.add(Tuple(values));
  return packet;
}

void Cube::send_all(unsigned to, Stream stream, const Tuples& rows) {
  for_each_packet(rows, [&](const Packet& packet) { send(to, stream, packet); });
}

Tuples Cube::receive_all(unsigned from, Stream stream, std::size_t width) {
  Tuples rows(width);
  while (true) {
    const Packet packet = receive(from, stream, width);
    rows.add(packet.rows);
    if (packet.is_last) return rows;
  }
}

void Cube::send_count(unsigned to, Stream stream, std::uint64_t count) {
  Packet packet{Tuples(1), true};
  packet.rows.add(std::array{static_cast<std::int64_t>(count)});
  send(to, stream, packet);
}

std::uint64_t Cube::receive_count(unsigned from, Stream stream) {
  const Packet packet = receive(from, stream, 1);
  return packet.rows.empty() ? 0 : static_cast<std::uint64_t>(packet.rows[0][0]);
}

std::uint64_t Cube::total(std::uint64_t number) {
  std::array<std::uint64_t, 1> sum = {number};
  if (!failed() && !transport_.all_sum(sum))
    failure_ = transport_.failure().value_or("a rank is gone");
  return failed() ? number : sum[0];
}

// The oldest message of a node that was not taken yet; empty where there will be none any more.
std::vector<std::byte> Cube::next_message(unsigned from, Stream stream) {
  std::deque<std::vector<std::byte>>& waiting =
      arrived_[{from, static_cast<std::uint16_t>(stream)}];
  while (waiting.empty() && !failed()) {
    if (auto message = transport_.receive())
      arrived_[{message->from, message->kind}].push_back(std::move(message->bytes));
    else if (auto failure = transport_.failure())
      failure_ = std::move(failure);
    else
      transport_.rest();
  }
  if (waiting.empty()) return {};
  std::vector<std::byte> bytes = std::move(waiting.front());
  waiting.pop_front();
  return bytes;
}

}  // namespace panoptes
