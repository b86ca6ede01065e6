// SPDX-License-Identifier: Apache-2.0
// Any bytes may be in the folder of a checkpoint: they are read, or refused with the file and what
// is wrong with it. What is read of a manifest must come back the same when it is written and read
// again.
//
// A checksum would keep everything out, so the bytes are given as they are, with a checksum behind
// them as a manifest, and as pieces of data whose heads have theirs.
//
// Run it from the repository root, with a folder for what it finds worth keeping:
//   checkpoint_fuzzer FOUND tests/fuzz/checkpoint_corpus
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "base/checkpoint_folder.hpp"
#include "base/hash.hpp"

namespace {

using namespace panoptes;

std::string with_checksum(std::string text) {
  const std::uint64_t checksum = hash_text(text);
  text.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return text;
}

void check_manifest(const std::string& text) {
  const auto manifest = read_manifest_text(text);
  if (!manifest) {
    if (manifest.failure().empty()) std::abort();
    return;
  }
  if (manifest_text(*manifest) != text) std::abort();
}

// The bytes as pieces: of each, two numbers as they come and then what belongs to it, with the
// checksum it should have where the first byte of it is even.
std::string as_pieces(std::string_view bytes) {
  std::string data = "panoptes checkpoint data\n";
  while (bytes.size() >= 2) {
    const auto stream = static_cast<std::uint32_t>(bytes[0] & 3);
    const std::size_t size =
        std::min<std::size_t>(static_cast<std::uint8_t>(bytes[1]), bytes.size() - 2);
    const std::string_view part = bytes.substr(2, size);
    bytes.remove_prefix(2 + size);
    const std::array<std::uint32_t, 2> head{stream, static_cast<std::uint32_t>(part.size())};
    const std::array<Word, 3> where{head[0], head[1], data.size()};
    std::uint64_t checksum =
        hash_bytes(std::as_bytes(std::span(part.data(), part.size())), hash_words(where));
    if (!part.empty() && (part[0] & 1) != 0) checksum ^= static_cast<std::uint8_t>(part[0]);
    data.append(reinterpret_cast<const char*>(head.data()), sizeof head);
    data.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    data += part;
  }
  return data + std::string(bytes);
}

const std::string& folder_path() {
  static const std::string made = [] {
    std::string path = (std::filesystem::temp_directory_path() / "checkpoint-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) std::abort();
    return path;
  }();
  return made;
}

void check_data(const std::string& data, std::uint64_t data_bytes) {
  const std::string& path = folder_path();
  std::ofstream(path + "/data", std::ios::binary) << data;
  std::ofstream(path + "/manifest-1", std::ios::binary) << manifest_text({1, data_bytes, {}});
  const auto folder = CheckpointFolder::open(path);
  if (!folder) {
    if (folder.failure().find(path) == std::string::npos) std::abort();
    return;
  }
  std::uint64_t all = 0;
  for (std::uint32_t stream = 0; stream < 4; ++stream) {
    std::string text((*folder)->bytes(stream), ' ');
    if (!(*folder)->read(stream, 0, std::as_writable_bytes(std::span(text.data(), text.size()))))
      std::abort();
    all += text.size();
  }
  if (all > data_bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_manifest(bytes);
  check_manifest(with_checksum(bytes));
  check_manifest(with_checksum(std::string(CheckpointFolder::first_line) + bytes));
  const std::string pieces = as_pieces(bytes);
  check_data(pieces, pieces.size());
  check_data(bytes, size / 2);
  return 0;
}
