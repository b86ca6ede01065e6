// SPDX-License-Identifier: Apache-2.0
// Memory on a disk: what a search will need again, but not soon.
//
// Idea: a file without a name, which is gone when the program ends, however it ends. It is written
// and read at given places by plain writes and reads, so it takes no memory of the process.
// How it can fail: a write says so where there is no room; then nothing of it counts as written.
//
// Thread safety: read() may be called concurrently, and with write() at other places.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/batch.hpp"

namespace panoptes {

class SpillFile {
 public:
  // A new one in this folder; nothing where that cannot be, with the reason in `problem`.
  static std::unique_ptr<SpillFile> make(const std::string& folder, std::string& problem);

  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  bool write(std::uint64_t place, std::span<const std::byte> bytes);
  bool read(std::uint64_t place, std::span<std::byte> bytes) const;
  // Gives the room on the disk back.
  void clear();

 private:
  explicit SpillFile(int file) : file_(file) {}

  int file_;
};

}  // namespace panoptes
