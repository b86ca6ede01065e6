// SPDX-License-Identifier: Apache-2.0
// What an OriginLog has put into a checkpoint, read from its beginning to its end.
//
// How it can be wrong: not, if the checkpoint is what was written. One that is whole and yet makes
// no sense is a fault, and thrown.
//
// Thread safety: one thread at a time; several readers may read one folder.
#pragma once

#include <optional>
#include <vector>

#include "search/origin_log.hpp"

namespace panoptes {

// The words of a stream one after the other.
class WordStream {
 public:
  // `folder` outlives it.
  WordStream(const CheckpointFolder& folder, std::uint32_t stream)
      : folder_(&folder), stream_(stream), left_(folder.bytes(stream) / sizeof(Word)) {}

  bool is_over() const { return at_ == buffer_.size() && left_ == 0; }
  // REQUIRES: not over.
  Word next() {
    if (at_ == buffer_.size()) fill();
    return buffer_[at_++];
  }

 private:
  void fill();

  const CheckpointFolder* folder_;
  std::uint32_t stream_;
  std::uint64_t left_;  // words that are not in the buffer yet
  std::uint64_t from_ = 0;
  std::vector<Word> buffer_;
  std::size_t at_ = 0;
};

class OriginReader {
 public:
  // `record` is where the log has put the rest.
  OriginReader(const CheckpointFolder& folder, OriginLog::Streams streams, RecordReader& record);

  // Which states were expanded next, one behind the other; none at the end.
  struct Run {
    StateName first;
    std::uint64_t length = 0;
  };
  const std::optional<Run>& run() const { return run_; }
  void next_run();

  // Of the next expansion of the run, which successors were new: their places are added. REQUIRES:
  // there are no more calls than the run is long.
  void read_expansion(std::vector<std::uint32_t>& successors);

 private:
  std::uint64_t read(unsigned bits);

  WordStream trail_, runs_;
  Word last_;  // behind those of the stream
  std::uint64_t expansions_;
  Word word_ = 0;      // the bits that come next ...
  unsigned bits_ = 0;  // ... so many of them
  bool is_last_ = false;
  std::optional<OriginLog::Run> ahead_;  // the run behind run_
  std::optional<Run> run_;
};

}  // namespace panoptes
