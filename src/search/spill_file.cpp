// SPDX-License-Identifier: Apache-2.0
#include "search/spill_file.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace panoptes {

std::unique_ptr<SpillFile> SpillFile::make(const std::string& folder, std::string& problem) {
  int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {  // not every file system has those
    std::string name = folder + "/panoptes-XXXXXX";
    file = mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) unlink(name.c_str());
  }
  if (file < 0) {
    problem = std::generic_category().message(errno);
    return nullptr;
  }
  return std::unique_ptr<SpillFile>(new SpillFile(file));
}

SpillFile::~SpillFile() { close(file_); }

bool SpillFile::write(std::uint64_t place, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
  return true;
}

bool SpillFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    place += static_cast<std::uint64_t>(got);
  }
  return true;
}

void SpillFile::clear() {
  if (ftruncate(file_, 0) != 0) return;  // it is written over instead
}

}  // namespace panoptes
