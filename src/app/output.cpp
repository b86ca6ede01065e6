// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/system.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t full_bytes = 64 << 10;
constexpr int most_links = 40;  // as the system has it

std::string follow_links(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  // Names such as /dev/stdout lead to what has no name of its own.
  if (fs::exists(at, error) && !fs::is_regular_file(at, error)) return path;
  for (int i = 0; i < most_links && fs::is_symlink(at, error); ++i) {
    const fs::path next = fs::read_symlink(at, error);
    if (error) break;
    at = at.parent_path() / next;
  }
  return at.string();
}

// Those of the file that is replaced, or of a new one.
mode_t permissions_of(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) return info.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Output::Output(const std::string& path) : path_(follow_links(path)), part_(path_) {
  if (path_.empty()) return;
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  const bool is_plain = !fs::exists(status) || fs::is_regular_file(status);
  errno = 0;
  if (!is_plain || make_part()) file_.open(part_, std::ios::binary | std::ios::trunc);
  if (!file_.is_open())
    problem_ = fmt::format("{}: cannot write there: {}", path, std::strerror(errno));
}

Output::~Output() {
  if (!is_replaced_ || is_kept_) return;
  std::error_code error;
  fs::remove(part_, error);
  leave_at_the_end(part_);
}

// An empty file that was not there before.
bool Output::make_part() {
  part_ = path_ + ".XXXXXX";
  const int file = mkostemp(part_.data(), O_CLOEXEC);
  if (file < 0) return false;
  is_replaced_ = true;
  remove_at_the_end(part_);
  const bool is_ours = fchmod(file, permissions_of(path_)) == 0;
  return close(file) == 0 && is_ours;
}

bool Output::write(std::string_view text) {
  collected_ += text;
  return collected_.size() < full_bytes || flush();
}

bool Output::flush() {
  const std::string text = std::move(collected_);
  collected_.clear();
  if (!is_wanted_) return true;
  if (path_.empty()) {
    const bool is_printed = print(text);
    is_wanted_ = !has_lost_reader();
    return is_printed;
  }
  errno = 0;
  file_.write(text.data(), static_cast<std::streamsize>(text.size()));
  return is_written();
}

// After something was done to the file.
bool Output::is_written() {
  if (file_) return true;
  if (errno == EPIPE) is_wanted_ = false;
  return !is_wanted_;
}

bool Output::keep() {
  if (!flush()) return false;
  if (path_.empty() || !is_wanted_) return true;
  errno = 0;
  file_.close();
  if (!file_ || !is_replaced_) return is_written();
  std::error_code error;
  fs::rename(part_, path_, error);
  is_kept_ = !error;
  if (is_kept_) leave_at_the_end(part_);
  return is_kept_;
}

bool is_replaced(const fs::path& file, const fs::path& path) {
  std::error_code error;
  if (fs::exists(file, error) && fs::exists(path, error))
    return fs::is_regular_file(file, error) && fs::equivalent(file, path, error);
  return fs::weakly_canonical(fs::absolute(file, error), error) ==
         fs::weakly_canonical(fs::absolute(path, error), error);
}

}  // namespace panoptes
