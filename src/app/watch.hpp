// SPDX-License-Identifier: Apache-2.0
// Doing something again whenever the files it read have changed.
//
// Idea: what counts is whether a file still is what it was just before it was read; inotify on the
// folders only says when to look. So a file that an editor replaces, one that is deleted and comes
// back, and one that changes while it is being checked are all seen. Where inotify is silent (a
// file system of another machine) or cannot be had, it looks once a second.
//
// How it can be wrong: a file that changes twice within the grain of its time stamp and keeps its
// size looks the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace panoptes {

// A file at some moment; one that is not there has no size.
struct FileStamp {
  std::string path;
  bool exists = false;
  std::uint64_t device = 0, inode = 0, bytes = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(const std::string& path);

// Runs `once`, which says which files it read and returns an exit code, again and again until the
// user interrupts; the exit code of the last run. One that read nothing is the last: it would not
// end differently, and there is nothing to wait for.
int watch(const std::function<int(std::vector<FileStamp>&)>& once);

}  // namespace panoptes
