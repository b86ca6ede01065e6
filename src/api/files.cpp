// SPDX-License-Identifier: Apache-2.0
#include "api/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace panoptes {

std::optional<std::string> read_file(const std::string& path, std::size_t limit) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= limit && file) {
    file.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return {};  // what was read is not all there is
  return text;
}

std::string cannot_read(const std::string& path) {
  struct stat info {};
  errno = 0;
  std::string reason;
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    reason = "it is a folder";
  } else {
    std::ifstream file(path, std::ios::binary);
    file.get();
    reason = errno == 0 ? "nobody says why" : std::generic_category().message(errno);
  }
  return fmt::format("cannot read file `{}`: {}", path, reason);
}

}  // namespace panoptes
