// SPDX-License-Identifier: Apache-2.0
// A folder in which a run writes down how far it has come, so that another one can go on.
//
// Idea: what only ever grows (logs) is streams, numbered by whoever writes them, and all of them go
// into one file, `data`, piece by piece, each with its stream, its length and a checksum. What
// changes (counters) is sections with names, all written anew into a manifest, which also says how
// much of `data` belongs to it. A checkpoint is: pieces behind those that are there, fsync, a
// manifest under another name, fsync, and then its name, `manifest-NUMBER`. So whenever the run is
// killed, the last manifest and what it speaks of are whole. The manifest before it stays, too.
// Cost: on disk, the data once, 16 bytes for each piece of up to a megabyte, and two manifests.
// How it can be wrong: bytes that are not those that were written are noticed when it is opened,
// but for one chance in 2^64. What the disk says it has written it must have written.
// How it can fail: where there is no room, the last checkpoint stays as it was and problem() says
// why; the next one may succeed.
//
// The same machine is assumed as to the order of bytes.
//
// Thread safety: read() and bytes() may be called concurrently, everything else by one thread at a
// time. No two processes have the same folder open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace panoptes {

class CheckpointFolder {
 public:
  using Sections = std::vector<std::pair<std::string, std::string>>;  // name and bytes
  using Opened = Result<std::unique_ptr<CheckpointFolder>, std::string>;

  // Of a manifest: what it is, and in which version of this format.
  static constexpr std::string_view first_line = "panoptes checkpoint 4\n";

  // For a run that begins; the folder is made where it is not there. What is wrong is said: nothing
  // can be written there, or there is a checkpoint already.
  static Opened begin(const std::string& path);
  // The last checkpoint of a folder, or the one of that number where that is given, read and
  // checked to the last byte. What is wrong is said, with the file and the place in it.
  static Opened open(const std::string& path, std::optional<std::uint64_t> number = {});
  // Whether there is one.
  static bool has_checkpoint(const std::string& path);

  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t number() const { return number_; }  // of the last checkpoint; 0: there is none
  std::uint64_t disk_bytes() const { return data_bytes_ + manifest_bytes_; }

  // ---- of the last checkpoint ----
  // The bytes of a section; none where there is no such section, or since another was written.
  std::string_view section(std::string_view name) const;
  std::uint64_t bytes(std::uint32_t stream) const;  // how long it is
  // False where it is not so long, or the disk fails.
  bool read(std::uint32_t stream, std::uint64_t from, std::span<std::byte> bytes) const;

  // ---- of the next one ----
  // Behind what the stream has, and what was appended since. Does nothing after a failure.
  void append(std::uint32_t stream, std::span<const std::byte> bytes);
  // It is written, and the last one from now on; or all is as it was before the first append().
  bool commit(Sections sections) { return commit(std::move(sections), number_ + 1, number_); }
  // The same with this number, where several folders have each a part of it. `kept` is the last one
  // of which all have theirs: it stays beside this one, and no other does.
  bool commit(Sections sections, std::uint64_t number, std::uint64_t kept);
  // All is as it was before the first append().
  void take_back();
  const std::string& problem() const { return problem_; }  // why the last commit() failed

 private:
  struct Piece {
    std::uint64_t from;   // in its stream
    std::uint64_t place;  // of its bytes, in the file
    std::uint64_t bytes;
  };
  struct Stream {
    std::vector<Piece> pieces;
    std::uint64_t bytes = 0;
  };
  using Streams = std::map<std::uint32_t, Stream>;

  explicit CheckpointFolder(std::string path) : path_(std::move(path)) {}
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string take_possession(bool may_make);
  std::string read_head() const;
  std::string read_manifest(std::uint64_t number);
  std::string read_pieces();
  void fail(std::string_view what);
  bool write_manifest(std::string_view text);

  std::string path_;
  int data_ = -1, folder_ = -1;             // files
  bool is_made_ = false, is_ours_ = false;  // the folder, the data: by us
  std::uint64_t number_ = 0;
  std::uint64_t data_bytes_ = 0, manifest_bytes_ = 0;
  Sections sections_;
  Streams streams_;
  // Of what was appended since:
  std::vector<std::pair<std::uint32_t, Piece>> pending_;
  std::uint64_t end_ = 0;  // of the file
  bool has_failed_ = false;
  std::string problem_;
};

// What a checkpoint says in its manifest, and the other way round, for who wants no folder. What is
// wrong with the bytes is said.
struct CheckpointManifest {
  std::uint64_t number = 0, data_bytes = 0;
  CheckpointFolder::Sections sections;
};
std::string manifest_text(const CheckpointManifest& manifest);
Result<CheckpointManifest, std::string> read_manifest_text(std::string_view text);

}  // namespace panoptes
