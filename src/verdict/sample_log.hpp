// SPDX-License-Identifier: Apache-2.0
// How far a search was as time went by: so few samples that they cost nothing, and enough for a
// plot.
//
// Idea: a sample is taken where some time has passed since the last one, a millisecond at first.
// Where there are too many, every second one goes, and twice as much time must pass from then on.
// So there are some of a search of ten milliseconds, no more of one of a day, and they are about
// equally far apart.
//
// Cost: whoever offers a sample has looked at the clock anyway; it is a comparison. Thread safety:
// one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace panoptes {

struct SearchSample {
  double seconds = 0.0;            // since the search began
  std::uint64_t states = 0;        // found by then; of several runs, in this one
  std::uint64_t frontier = 0;      // states waiting then; 0 in random walks
  std::uint64_t memory_bytes = 0;  // that states, ways back and the like took then
  std::uint64_t depth = 0;         // of the states that were expanded then
  friend bool operator==(const SearchSample&, const SearchSample&) = default;
};

// Leaves every second one.
inline void thin_out(std::vector<SearchSample>& samples) {
  for (std::size_t i = 0; 2 * i < samples.size(); ++i) samples[i] = samples[2 * i];
  samples.resize((samples.size() + 1) / 2);
}

class SampleLog {
 public:
  static constexpr std::size_t most = 256;

  // Takes a sample if it is time for one.
  void offer(const SearchSample& sample) {
    if (sample.seconds < next_) return;
    if (samples_.size() == most) {
      thin_out(samples_);
      interval_ *= 2.0;
    }
    samples_.push_back(sample);
    next_ = sample.seconds + interval_;
  }
  const std::vector<SearchSample>& samples() const { return samples_; }

 private:
  std::vector<SearchSample> samples_;
  double interval_ = 0.001, next_ = 0.0;  // seconds
};

}  // namespace panoptes
