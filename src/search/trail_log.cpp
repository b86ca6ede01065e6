// SPDX-License-Identifier: Apache-2.0
#include "search/trail_log.hpp"

#include <algorithm>
#include <stdexcept>

namespace panoptes {

void TrailLog::add_word() {
  if (words_ == chunks_.size() * chunk_words)
    chunks_.push_back(std::make_unique<Word[]>(chunk_words));
  chunks_[words_ / chunk_words][words_ % chunk_words] = last_;
  ++words_;
}

void TrailLog::begin_block() { blocks_.push_back({bits(), next_fresh_}); }

void TrailLog::spill(SpillFile& file) {
  file_ = &file;
  for (; spilled_ < words_ / chunk_words; ++spilled_) {
    const std::span<const Word> chunk(chunks_[spilled_].get(), chunk_words);
    if (!file.write(spilled_ * chunk.size_bytes(), std::as_bytes(chunk))) return;
    chunks_[spilled_].reset();
  }
}

Word TrailLog::word(std::uint64_t index) const {
  if (index >= words_) return last_;
  const std::uint64_t chunk = index / chunk_words;
  if (chunk >= spilled_) return chunks_[chunk][index % chunk_words];
  if (!read_back_ || read_back_chunk_ != chunk) {
    if (!read_back_) read_back_ = std::make_unique<Word[]>(chunk_words);
    const std::span<Word> words(read_back_.get(), chunk_words);
    if (!file_->read(chunk * words.size_bytes(), std::as_writable_bytes(words)))
      throw std::runtime_error("cannot read back what was written to the folder of --spill");
    read_back_chunk_ = chunk;
  }
  return read_back_[index % chunk_words];
}

std::uint64_t TrailLog::read(std::uint64_t& position, unsigned bits) const {
  const unsigned offset = position % 64;
  std::uint64_t value = word(position / 64) >> offset;
  if (offset + bits > 64) value |= word(position / 64 + 1) << (64 - offset);
  position += bits;
  return value & ((std::uint64_t{1} << bits) - 1);
}

TrailLog::Origin TrailLog::origin(std::uint64_t number) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), number,
                       [](std::uint64_t n, const Block& block) { return n < block.first_fresh; });
  const auto block = static_cast<std::uint64_t>(after - blocks_.begin()) - 1;
  std::uint64_t position = blocks_[block].first_bit;
  std::uint64_t fresh = blocks_[block].first_fresh;
  for (std::uint64_t expansion = block * block_expansions;; ++expansion) {
    std::uint64_t successor = 0;
    for (; read(position, 1) != 0; ++successor) {
      successor += TrailCode::read_gap([&](unsigned bits) { return read(position, bits); });
      if (fresh++ == number) return {expansion, static_cast<std::uint32_t>(successor)};
    }
  }
}

void TrailLog::save(CheckpointFolder& folder, std::uint32_t stream, RecordWriter& record) const {
  for (std::uint64_t at = folder.bytes(stream) / sizeof(Word); at < words_;) {
    static_cast<void>(word(at));  // read back, where it is in a file
    const std::uint64_t chunk = at / chunk_words;
    const Word* const words = chunk < spilled_ ? read_back_.get() : chunks_[chunk].get();
    const std::uint64_t end = std::min(words_, (chunk + 1) * chunk_words);
    folder.append(stream, std::as_bytes(std::span(words + at % chunk_words, end - at)));
    at = end;
  }
  for (const std::uint64_t number : {last_, Word{last_bits_}, expansions_, next_fresh_})
    record.number(number);
}

std::uint64_t TrailLog::bytes() const {
  return (chunks_.size() - spilled_) * chunk_words * sizeof(Word) + blocks_.size() * sizeof(Block);
}

}  // namespace panoptes
