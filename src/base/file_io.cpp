// SPDX-License-Identifier: Apache-2.0
#include "base/file_io.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

namespace panoptes {
namespace {

// Until all is done: `transfer` does a part of it, and gives how much.
template <typename Bytes, typename Transfer>
bool transfer_all(std::uint64_t place, Bytes bytes, Transfer transfer) {
  while (!bytes.empty()) {
    const ssize_t done = transfer(bytes, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    place += static_cast<std::uint64_t>(done);
  }
  return true;
}

}  // namespace

bool write_at(int file, std::uint64_t place, std::span<const std::byte> bytes) {
  return transfer_all(place, bytes, [file](auto part, off_t at) {
    return pwrite(file, part.data(), part.size(), at);
  });
}

bool read_at(int file, std::uint64_t place, std::span<std::byte> bytes) {
  return transfer_all(place, bytes, [file](auto part, off_t at) {
    return pread(file, part.data(), part.size(), at);
  });
}

}  // namespace panoptes
