// SPDX-License-Identifier: Apache-2.0
#include "api/memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace panoptes {
namespace {

// The bytes of a machine, from the line "MemTotal: number kB".
std::uint64_t machine_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (file >> word)
    if (word == "MemTotal:" && file >> kilobytes) return kilobytes * 1024;
  return 0;
}

}  // namespace

std::uint64_t available_memory_bytes() {
  std::uint64_t bytes = machine_bytes();
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  std::uint64_t group = 0;
  if (limit >> group) bytes = std::min(bytes, group);
  return bytes == 0 ? UINT64_MAX : bytes;
}

std::uint64_t memory_of(const OptionValues& values) {
  return values.get(option::memory).value_or(available_memory_bytes() / 4 * 3);
}

}  // namespace panoptes
