// SPDX-License-Identifier: Apache-2.0
#include "app/watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "app/commands.hpp"
#include "app/system.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

constexpr int look_ms = 1000;     // at the latest, without having been told
constexpr int quiet_ms = 50;      // an editor that saves does several things at once
constexpr int longest_ms = 1000;  // to wait for it to be quiet

// Told by the system when something happens in a folder. Where that cannot be had, wait() just
// takes its time.
class FolderEvents {
 public:
  FolderEvents() : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}
  ~FolderEvents() {
    if (events_ >= 0) ::close(events_);
  }
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  // The folder of a file, and that of what it links to; one that is not there is waited for in the
  // nearest that is.
  void add(const std::string& path) {
    std::error_code error;
    add_folder(fs::absolute(path, error).parent_path());
    const fs::path target = fs::weakly_canonical(path, error);
    if (!error) add_folder(target.parent_path());
  }

  // True where something happened before the time was over, or an interrupt came.
  bool wait(int milliseconds) {
    pollfd waited{events_, POLLIN, 0};
    const int ready = ::poll(&waited, events_ >= 0 ? 1 : 0, milliseconds);
    char buffer[4096];
    while (events_ >= 0 && ::read(events_, buffer, sizeof buffer) > 0) {
    }
    return ready != 0;
  }

 private:
  void add_folder(fs::path folder) {
    std::error_code error;
    while (folder.has_relative_path() && !fs::is_directory(folder, error))
      folder = folder.parent_path();
    constexpr std::uint32_t any = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE |
                                  IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
    if (events_ >= 0) inotify_add_watch(events_, folder.c_str(), any);
  }

  int events_;
};

bool have_changed(const std::vector<FileStamp>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const FileStamp& file) { return stamp_of(file.path) != file; });
}

// False where the user interrupts instead, or nobody reads any more.
bool wait_for_change(const std::vector<FileStamp>& files) {
  FolderEvents events;
  while (!interrupted() && !has_lost_reader()) {
    // Each time, since folders come and go as well.
    for (const FileStamp& file : files) events.add(file.path);
    if (have_changed(files)) {
      for (int waited = 0; waited < longest_ms && events.wait(quiet_ms); waited += quiet_ms)
        if (interrupted()) return false;
      if (have_changed(files)) return true;
    }
    events.wait(look_ms);
  }
  return false;
}

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%H:%M:%S", &local)};
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
  FileStamp stamp;
  stamp.path = path;
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return stamp;
  stamp.exists = true;
  stamp.device = info.st_dev;
  stamp.inode = info.st_ino;
  stamp.bytes = static_cast<std::uint64_t>(info.st_size);
  stamp.changed_ns = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return stamp;
}

int watch(const std::function<int(std::vector<FileStamp>&)>& once) {
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  while (true) {
    if (is_terminal) print("\033[2J\033[3J\033[H");
    std::vector<FileStamp> files;
    const int exit_code = once(files);
    if (interrupted() || files.empty() || has_lost_reader()) return exit_code;
    if (!print(fmt::format("-- {}: waiting for changes; an interrupt (Ctrl-C) ends it\n\n",
                           time_of_day())))
      return ExitCode::internal_failure;
    if (!wait_for_change(files)) return exit_code;
    forget_peak_memory();
  }
}

}  // namespace panoptes
