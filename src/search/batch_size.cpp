// SPDX-License-Identifier: Apache-2.0
#include "search/batch_size.hpp"

#include <algorithm>

namespace panoptes {
namespace {

constexpr std::uint64_t part_of_memory = 16;

}  // namespace

std::uint64_t expansion_bytes(const Program& program) {
  constexpr std::uint64_t bytes_per_successor = 48, bytes_per_word = 32;
  const std::uint64_t successors = std::max<std::uint64_t>(1, most_successors(program));
  return successors * (bytes_per_successor + program.layout.words * bytes_per_word);
}

std::size_t batch_states(const Program& program, unsigned workers, std::uint64_t memory_bytes,
                         std::size_t most) {
  return std::clamp<std::uint64_t>(
      memory_bytes / part_of_memory / workers / expansion_bytes(program), 1, most);
}

// A worker has a stack, a heap and chunks of its own, too.
unsigned workers_with_room(const Program& program, unsigned workers, std::uint64_t memory_bytes) {
  constexpr std::uint64_t own_bytes = 512 << 10, batches = 4;
  const std::uint64_t each = own_bytes + batches * expansion_bytes(program);
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(memory_bytes / part_of_memory / each, 1, workers));
}

}  // namespace panoptes
