// SPDX-License-Identifier: Apache-2.0
#include "base/checkpoint_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/file_io.hpp"
#include "base/hash.hpp"
#include "base/record.hpp"

namespace panoptes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_words = "panoptes checkpoint ",
                           version_line = CheckpointFolder::first_line.substr(first_words.size());
constexpr std::string_view manifest_prefix = "manifest-", unfinished = "manifest.unfinished";
// With which `data` begins: who has another file of that name in his folder keeps it.
constexpr std::string_view data_head = "panoptes checkpoint data\n";
constexpr std::uint64_t most_piece_bytes = std::uint64_t{1} << 20;
constexpr mode_t for_owner = 0600;

std::string reason() { return std::generic_category().message(errno); }

// What stands before a piece.
struct PieceHead {
  std::uint32_t stream = 0, bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(PieceHead) == 16);

// Of the head, too, and of where it is: a piece in the place of another is not that one.
std::uint64_t checksum_of(const PieceHead& head, std::uint64_t place,
                          std::span<const std::byte> bytes) {
  const std::array<Word, 3> where{head.stream, head.bytes, place};
  return hash_bytes(bytes, hash_words(where));
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string manifest_name(std::uint64_t number) {
  return fmt::format("{}{}", manifest_prefix, number);
}

// The number in the name of a manifest; 0 where it is none.
std::uint64_t number_in(std::string_view name) {
  if (!name.starts_with(manifest_prefix)) return 0;
  name.remove_prefix(manifest_prefix.size());
  std::uint64_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc{} && read.ptr == name.data() + name.size() ? number : 0;
}

std::vector<std::uint64_t> manifests_in(const std::string& path) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    if (const std::uint64_t number = number_in(entry->path().filename().string()); number > 0)
      numbers.push_back(number);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

std::string manifest_text(const CheckpointManifest& manifest) {
  RecordWriter record;
  record.number(manifest.number);
  record.number(manifest.data_bytes);
  record.number(manifest.sections.size());
  for (const auto& [name, bytes] : manifest.sections) {
    record.text(name);
    record.text(bytes);
  }
  std::string text(first_words);
  text += version_line;
  text += record.bytes();
  const std::uint64_t checksum = hash_text(text);
  text.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return text;
}

Result<CheckpointManifest, std::string> read_manifest_text(std::string_view text) {
  if (!text.starts_with(first_words)) return std::string("that is no manifest of a checkpoint");
  const std::string_view whole = text;
  text.remove_prefix(first_words.size());
  if (!text.starts_with(version_line))
    return fmt::format("it is in another format than that of this program, which is {}",
                       version_line.substr(0, version_line.size() - 1));
  std::uint64_t checksum = 0;
  if (text.size() < version_line.size() + sizeof checksum) return std::string("it is cut off");
  std::memcpy(&checksum, text.data() + text.size() - sizeof checksum, sizeof checksum);
  if (checksum != hash_text(whole.substr(0, whole.size() - sizeof checksum)))
    return std::string("its bytes are not those that were written");
  text.remove_prefix(version_line.size());
  text.remove_suffix(sizeof checksum);
  RecordReader record(text);
  CheckpointManifest manifest;
  manifest.number = record.number();
  manifest.data_bytes = record.number();
  for (std::size_t left = record.length(); left > 0; --left) {
    const std::string_view name = record.text();
    manifest.sections.emplace_back(name, record.text());
  }
  if (!record.is_done()) return std::string("it does not end where it should");
  return manifest;
}

bool CheckpointFolder::has_checkpoint(const std::string& path) {
  return !manifests_in(path).empty();
}

// Opens what is there, so that nobody else does. Says what is wrong, or "".
std::string CheckpointFolder::take_possession(bool may_make) {
  is_made_ = may_make && mkdir(path_.c_str(), 0700) == 0;
  if (may_make && !is_made_ && errno != EEXIST)
    return fmt::format("cannot make the folder {}: {}", path_, reason());
  folder_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) return fmt::format("cannot open the folder {}: {}", path_, reason());
  const int flags = O_RDWR | O_CLOEXEC | (may_make ? O_CREAT : 0);
  data_ = ::open(file("data").c_str(), flags, for_owner);
  if (data_ < 0) return fmt::format("cannot open {}: {}", file("data"), reason());
  if (flock(data_, LOCK_EX | LOCK_NB) != 0)
    return fmt::format("another run is writing to {}", path_);
  data_bytes_ = data_head.size();
  std::string problem = read_head();
  is_ours_ = problem.empty();
  return problem;
}

// A run may have been killed when it had written a part of it.
std::string CheckpointFolder::read_head() const {
  struct stat info {};
  if (fstat(data_, &info) != 0) return fmt::format("cannot read {}: {}", file("data"), reason());
  const auto size = static_cast<std::uint64_t>(info.st_size);
  std::string head(std::min<std::uint64_t>(size, data_head.size()), ' ');
  if (!read_at(data_, 0, std::as_writable_bytes(std::span(head.data(), head.size()))))
    return fmt::format("cannot read {}: {}", file("data"), reason());
  if (!data_head.starts_with(head))
    return fmt::format("{}: that is no data of a checkpoint", file("data"));
  if (head.size() < data_head.size() && !write_at(data_, 0, bytes_of(data_head)))
    return fmt::format("cannot write {}: {}", file("data"), reason());
  return {};
}

CheckpointFolder::Opened CheckpointFolder::begin(const std::string& path) {
  auto folder = std::unique_ptr<CheckpointFolder>(new CheckpointFolder(path));
  if (has_checkpoint(path)) return fmt::format("{} has a checkpoint already", path);
  if (std::string problem = folder->take_possession(true); !problem.empty()) return problem;
  if (has_checkpoint(path)) return fmt::format("{} has a checkpoint already", path);
  folder->take_back();
  return folder;
}

CheckpointFolder::Opened CheckpointFolder::open(const std::string& path,
                                                std::optional<std::uint64_t> number) {
  auto folder = std::unique_ptr<CheckpointFolder>(new CheckpointFolder(path));
  const std::vector<std::uint64_t> there = manifests_in(path);
  if (there.empty()) return fmt::format("there is no checkpoint in {}", path);
  if (std::string problem = folder->take_possession(false); !problem.empty()) return problem;
  const std::uint64_t wanted = number.value_or(there.back());
  if (std::string problem = folder->read_manifest(wanted); !problem.empty())
    return fmt::format("{}: {}", folder->file(manifest_name(wanted)), problem);
  if (std::string problem = folder->read_pieces(); !problem.empty())
    return fmt::format("{}: {}", folder->file("data"), problem);
  // What was begun after it was written is nothing.
  for (const std::uint64_t later : there)
    if (later > wanted) unlink(folder->file(manifest_name(later)).c_str());
  folder->take_back();
  return folder;
}

// Where nothing was written, nothing is left.
CheckpointFolder::~CheckpointFolder() {
  if (is_ours_ && !has_checkpoint(path_)) unlink(file("data").c_str());
  if (is_made_) rmdir(path_.c_str());  // if it is empty
  if (data_ >= 0) close(data_);
  if (folder_ >= 0) close(folder_);
}

std::string CheckpointFolder::read_manifest(std::uint64_t number) {
  std::ifstream stream(file(manifest_name(number)), std::ios::binary);
  if (!stream) return "cannot read it: " + reason();
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  auto manifest = read_manifest_text(text);
  if (!manifest) return manifest.failure();
  if (manifest->number != number) return "it is the manifest of another checkpoint";
  number_ = number;
  data_bytes_ = manifest->data_bytes;
  manifest_bytes_ = text.size();
  sections_ = std::move(manifest->sections);
  return {};
}

std::string CheckpointFolder::read_pieces() {
  struct stat info {};
  if (fstat(data_, &info) != 0) return "cannot read it: " + reason();
  if (static_cast<std::uint64_t>(info.st_size) < data_bytes_)
    return fmt::format("it is cut off: {} bytes of {}", info.st_size, data_bytes_);
  std::vector<std::byte> bytes;
  for (std::uint64_t place = data_head.size(); place < data_bytes_;) {
    PieceHead head;
    const auto damaged = [place] {
      return fmt::format("the bytes from {} on are not those that were written", place);
    };
    if (data_bytes_ - place < sizeof head) return damaged();
    if (!read_at(data_, place, std::as_writable_bytes(std::span(&head, 1))))
      return fmt::format("cannot read it: {}", reason());
    if (head.bytes > most_piece_bytes || data_bytes_ - place - sizeof head < head.bytes)
      return damaged();
    bytes.resize(head.bytes);
    if (!read_at(data_, place + sizeof head, bytes))
      return fmt::format("cannot read it: {}", reason());
    if (head.checksum != checksum_of(head, place, bytes)) return damaged();
    Stream& stream = streams_[head.stream];
    stream.pieces.push_back({stream.bytes, place + sizeof head, head.bytes});
    stream.bytes += head.bytes;
    place += sizeof head + head.bytes;
  }
  return {};
}

std::string_view CheckpointFolder::section(std::string_view name) const {
  for (const auto& [its_name, bytes] : sections_)
    if (its_name == name) return bytes;
  return {};
}

std::uint64_t CheckpointFolder::bytes(std::uint32_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.bytes;
}

bool CheckpointFolder::read(std::uint32_t stream, std::uint64_t from,
                            std::span<std::byte> bytes) const {
  const auto found = streams_.find(stream);
  if (bytes.empty()) return true;
  if (found == streams_.end() || found->second.bytes < from + bytes.size()) return false;
  const std::vector<Piece>& pieces = found->second.pieces;
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), from,
                                [](std::uint64_t at, const Piece& p) { return at < p.from; });
  for (--piece; !bytes.empty(); ++piece) {
    const std::uint64_t skipped = from - piece->from;
    const std::size_t size = std::min<std::uint64_t>(bytes.size(), piece->bytes - skipped);
    if (!read_at(data_, piece->place + skipped, bytes.first(size))) return false;
    bytes = bytes.subspan(size);
    from += size;
  }
  return true;
}

void CheckpointFolder::append(std::uint32_t stream, std::span<const std::byte> bytes) {
  while (!bytes.empty() && !has_failed_) {
    const auto part = bytes.first(std::min<std::size_t>(bytes.size(), most_piece_bytes));
    PieceHead head{stream, static_cast<std::uint32_t>(part.size()), 0};
    head.checksum = checksum_of(head, end_, part);
    if (!write_at(data_, end_, std::as_bytes(std::span(&head, 1))) ||
        !write_at(data_, end_ + sizeof head, part))
      return fail("data");
    pending_.push_back({stream, {0, end_ + sizeof head, part.size()}});
    end_ += sizeof head + part.size();
    bytes = bytes.subspan(part.size());
  }
}

void CheckpointFolder::fail(std::string_view what) {
  if (!has_failed_) problem_ = fmt::format("cannot write {}: {}", file(what), reason());
  has_failed_ = true;
}

// As it was at the last checkpoint.
void CheckpointFolder::take_back() {
  unlink(file(unfinished).c_str());
  if (ftruncate(data_, static_cast<off_t>(data_bytes_)) != 0) problem_ = reason();
  end_ = data_bytes_;
  pending_.clear();
  has_failed_ = false;
}

bool CheckpointFolder::write_manifest(std::string_view text) {
  const int manifest =
      ::open(file(unfinished).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, for_owner);
  bool is_written = manifest >= 0 && write_at(manifest, 0, bytes_of(text)) && fsync(manifest) == 0;
  if (!is_written) fail(unfinished);
  if (manifest >= 0) close(manifest);
  return is_written;
}

bool CheckpointFolder::commit(Sections sections, std::uint64_t number, std::uint64_t kept) {
  if (!has_failed_ && fdatasync(data_) != 0) fail("data");
  CheckpointManifest manifest{number, end_, std::move(sections)};
  const std::string text = manifest_text(manifest);
  if (has_failed_ || !write_manifest(text)) {
    take_back();
    return false;
  }
  const std::string name = file(manifest_name(manifest.number));
  if (rename(file(unfinished).c_str(), name.c_str()) != 0) {
    fail(manifest_name(manifest.number));
    take_back();
    return false;
  }
  // Where the name is lost with the machine, the one before is still there.
  static_cast<void>(fsync(folder_));
  for (const std::uint64_t other : manifests_in(path_))
    if (other != number && other != kept) unlink(file(manifest_name(other)).c_str());
  number_ = manifest.number;
  data_bytes_ = end_;
  manifest_bytes_ = text.size();
  sections_.clear();  // nobody asks for them again
  for (auto& [stream, piece] : pending_) {
    Stream& its = streams_[stream];
    piece.from = its.bytes;
    its.bytes += piece.bytes;
    its.pieces.push_back(piece);
  }
  pending_.clear();
  problem_.clear();
  return true;
}

}  // namespace panoptes
