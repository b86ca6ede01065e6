// SPDX-License-Identifier: Apache-2.0
#include "base/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

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

std::string write_anew(const std::string& folder, const std::string& name, std::string_view text) {
  const std::string path = folder + "/" + name, unfinished = path + ".unfinished";
  const auto problem = [&] {
    return "cannot write " + path + ": " + std::generic_category().message(errno);
  };
  const int file =
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return problem();
  const bool is_written =
      write_at(file, 0, std::as_bytes(std::span(text.data(), text.size()))) && fsync(file) == 0;
  std::string result = is_written ? "" : problem();
  close(file);
  if (is_written && rename(unfinished.c_str(), path.c_str()) != 0) result = problem();
  if (const int itself = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); itself >= 0) {
    static_cast<void>(fsync(itself));
    close(itself);
  }
  return result;
}

}  // namespace panoptes
