// SPDX-License-Identifier: Apache-2.0
#include "search/trail_reader.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

[[noreturn]] void makes_no_sense() {
  throw InternalFault("a checkpoint is what was written, and makes no sense");
}

}  // namespace

void WordStream::fill() {
  constexpr std::uint64_t words_at_once = 8192;
  if (left_ == 0) makes_no_sense();
  buffer_.resize(std::min(left_, words_at_once));
  if (!folder_->read(stream_, from_ * sizeof(Word), std::as_writable_bytes(std::span(buffer_))))
    throw InternalFault("cannot read " + folder_->path() + " any more");
  from_ += buffer_.size();
  left_ -= buffer_.size();
  at_ = 0;
}

OriginReader::OriginReader(const CheckpointFolder& folder, OriginLog::Streams streams,
                           RecordReader& record)
    : trail_(folder, streams.trail), runs_(folder, streams.runs), last_(record.number()) {
  record.number();  // how many bits of the last word there are
  expansions_ = record.number();
  record.number();  // how many states there are
  next_run();       // to have the first one ahead
  if (ahead_) next_run();
}

void OriginReader::next_run() {
  const std::optional<OriginLog::Run> begun = ahead_;
  ahead_.reset();
  if (!runs_.is_over()) {
    const std::uint64_t expansion = runs_.next();
    ahead_ = OriginLog::Run{expansion, runs_.next()};
  }
  run_.reset();
  if (!begun) return;
  const std::uint64_t end = ahead_ ? ahead_->expansion : expansions_;
  if (end < begun->expansion) makes_no_sense();
  run_ = Run{unpacked(begun->first), end - begun->expansion};
}

// A word at a time: what is left of one, then the beginning of the next.
std::uint64_t OriginReader::read(unsigned bits) {
  const unsigned here = std::min(bits, bits_);
  std::uint64_t value = word_ & low_mask(here);
  word_ = here == 64 ? 0 : word_ >> here;
  bits_ -= here;
  if (here == bits) return value;
  if (is_last_) makes_no_sense();
  is_last_ = trail_.is_over();
  word_ = is_last_ ? last_ : trail_.next();
  bits_ = 64;
  const unsigned rest = bits - here;
  value |= (word_ & low_mask(rest)) << here;
  word_ >>= rest;
  bits_ -= rest;
  return value;
}

void OriginReader::read_expansion(std::vector<std::uint32_t>& successors) {
  for (std::uint64_t place = 0; read(1) != 0; ++place) {
    place += TrailCode::read_gap([this](unsigned bits) { return read(bits); });
    successors.push_back(static_cast<std::uint32_t>(place));
  }
}

}  // namespace panoptes
