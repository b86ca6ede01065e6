// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "transport/thread_transport.hpp"

namespace panoptes {
namespace {

std::vector<std::byte> bytes_of(std::uint8_t value, std::size_t count) {
  return std::vector<std::byte>(count, std::byte{value});
}

// Runs `act` for each rank, each in a thread of its own; a rank that has acted is gone.
template <typename Act>
void on_ranks(unsigned ranks, Act act) {
  auto transports = thread_transports(ranks);
  std::vector<std::jthread> threads;
  for (auto& transport : transports)
    threads.emplace_back([&act, own = std::move(transport)] { act(*own); });
}

TEST(ThreadTransport, ThreadsGetWhatWasSentToThemInOrder) {
  on_ranks(4, [](Transport& transport) {
    constexpr std::uint8_t messages = 100;
    for (unsigned to = 0; to < 4; ++to)
      for (std::uint8_t i = 0; i < messages; ++i) transport.send(to, i, bytes_of(i, to + 1));
    std::array<unsigned, 4> next{};
    for (unsigned left = 4 * messages; left > 0;) {
      const auto message = transport.receive();
      if (!message) {
        transport.rest();
        continue;
      }
      --left;
      EXPECT_EQ(message->kind, next[message->from]++);
      EXPECT_EQ(message->bytes,
                bytes_of(static_cast<std::uint8_t>(message->kind), transport.rank() + 1));
    }
    // To itself it costs nothing.
    EXPECT_EQ(transport.sent_bytes(), messages * (10 - (transport.rank() + 1)));
    EXPECT_TRUE(transport.meet());
  });
}

TEST(ThreadTransport, ThreadsMeetAndAddUp) {
  on_ranks(3, [](Transport& transport) {
    for (std::uint64_t round = 0; round < 200; ++round) {
      std::array<std::uint64_t, 2> numbers{transport.rank(), round};
      ASSERT_TRUE(transport.all_sum(numbers));
      EXPECT_EQ(numbers[0], 3);
      EXPECT_EQ(numbers[1], 3 * round);
    }
    EXPECT_TRUE(transport.meet());
  });
}

TEST(ThreadTransport, ThreadsNoticeThatOneIsGone) {
  on_ranks(3, [](Transport& transport) {
    if (transport.rank() == 1) return;
    EXPECT_FALSE(transport.meet());
    EXPECT_TRUE(transport.failure());
  });
}

}  // namespace
}  // namespace panoptes
