// SPDX-License-Identifier: Apache-2.0
#include "search/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/file_io.hpp"

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
  return write_at(file_, place, bytes);
}

bool SpillFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  return read_at(file_, place, bytes);
}

void SpillFile::clear() {
  if (ftruncate(file_, 0) != 0) return;  // it is written over instead
}

}  // namespace panoptes
