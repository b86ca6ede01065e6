// SPDX-License-Identifier: Apache-2.0
// Which states several runs of the same search came to: of a sample of them, for every run.
//
// Idea: a hash of its own, which has nothing to do with those of the stores, says whether a state
// is in the sample, so that every run samples the same states. Of each, two bits for every run: was
// it known there, as a successor of something, and was it expanded? A run that takes a state for
// another still knows it, so what stores have missed is seen here as far as any run came to it.
// Random walks, which no store holds up, may come to states that no run knows; they have a bit,
// too. Where the sample grows too large, the states in the upper half of its hashes leave it. Cost:
// a hash for every successor, and 24 bytes of a table for each sampled state, at most half full.
// How it can be wrong: two states with one hash of 64 bits are one.
//
// Thread safety: add() may be called concurrently; everything else may not.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/batch.hpp"

namespace panoptes {

// What the runs know of the sample, one of them left out or none.
struct Incidence {
  std::uint64_t known = 0;                         // states that some run came to ...
  std::uint64_t known_once = 0, known_twice = 0;   // ... and those that one or two runs did
  std::uint64_t seen = 0, seen_once = 0;           // the same for those that were expanded
  std::uint64_t walked = 0, walked_and_known = 0;  // states that walks came to, and runs as well
};

class StateSample {
 public:
  static constexpr unsigned most_runs = 63;  // later ones are not looked at

  // The table takes no more than `bytes`, but for a few of the smallest.
  explicit StateSample(std::uint64_t bytes);

  void begin_run() {
    if (begun_ <= most_runs) ++begun_;
  }
  unsigned runs() const { return std::min(begun_, most_runs); }
  // From here on it is walks, and no run. REQUIRES: a run has begun.
  void begin_walks() { are_walks_ = true; }

  // States of the current run that were expanded, and the successors its store was asked about.
  void add(const StateBatch& expanded, const StateBatch& successors);

  // Of all states, which part was looked at: 1 while the sample is everything.
  double share() const;
  std::uint64_t states() const { return size_; }
  // The states of the sample that this run expanded.
  std::uint64_t seen_by(unsigned run) const;
  static constexpr unsigned nobody = most_runs;
  Incidence incidence(unsigned left_out = nobody) const;

 private:
  static constexpr std::uint64_t walks = std::uint64_t{1} << most_runs;
  struct Entry {
    std::uint64_t hash = 0;             // 0: no entry
    std::uint64_t known = 0, seen = 0;  // a bit for each run, and one for walks
  };

  void add(const StateBatch& states, std::uint64_t known, std::uint64_t seen);
  Entry& find(std::uint64_t hash);
  void note(std::uint64_t hash, std::uint64_t known, std::uint64_t seen);
  void halve();

  unsigned begun_ = 0;  // not counted beyond most_runs + 1
  bool are_walks_ = false;
  std::mutex guard_;
  std::vector<Entry> table_;  // a power of two, by the lower bits of the hashes
  std::uint64_t size_ = 0;
  std::atomic<unsigned> halved_{0};  // hashes have so many zeros before the rest
};

}  // namespace panoptes
