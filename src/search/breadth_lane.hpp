// SPDX-License-Identifier: Apache-2.0
// What a worker of a breadth-first search has to itself. For BreadthFrontier alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>

#include "search/depth.hpp"
#include "search/neighbours.hpp"
#include "search/origin_log.hpp"
#include "search/spill_file.hpp"

namespace panoptes {

// States that wait, with consecutive numbers of one owner.
struct BreadthChunk {
  StateBatch states;  // empty where it is in a file
  StateName first;
  Buffer<std::uint64_t> numbers = {};  // of a numbering store, where there is a sink
  std::uint64_t place = 0;             // in the file
  std::size_t words = 0, notes = 0;    // of it, there
  bool is_spilled() const { return words > 0; }
};

// All of it but `level`, from which others take chunks. A lane without a worker is one of an
// earlier run, from which this one goes on.
struct alignas(64) BreadthLane {
  explicit BreadthLane(std::uint64_t first_number) : log(first_number) {}

  // What this worker found on the level before: who takes the last number has the chunk.
  struct alignas(64) Level {
    std::deque<BreadthChunk> chunks;
    std::atomic<std::size_t> taken{0};

    BreadthChunk* take() {
      if (taken.load(std::memory_order_relaxed) >= chunks.size()) return nullptr;
      const std::size_t number = taken.fetch_add(1, std::memory_order_relaxed);
      return number < chunks.size() ? &chunks[number] : nullptr;
    }
    std::size_t left() const {
      return chunks.size() - std::min(chunks.size(), taken.load(std::memory_order_relaxed));
    }
    bool is_taken() const { return left() == 0; }
  };
  Level level;
  // Of a search that spills: chunks of this level and of the next, and the log.
  std::unique_ptr<SpillFile> level_file, next_file, log_file;
  std::uint64_t next_place = 0;    // in next_file
  std::size_t spilled_chunks = 0;  // of `chunks`
  // Of the next level. Where states have very many successors a chunk is a single one of them, so
  // there may be millions: they stay where they are, for a copy of all of them has no room.
  alignas(64) std::deque<BreadthChunk> chunks;
  OriginLog log;  // of the states it finds
  Sequences sequences;
  std::vector<StateBatch> spare;  // chunks done with: what one thread allocates and another frees
                                  // makes them wait for each other
  StateName batch{0, 0};          // first state of the batch being expanded
  Buffer<std::uint64_t> numbers;  // of that batch, as in its chunk
  std::uint64_t log_bytes = 0;    // as counted in trail_bytes_
  std::uint64_t depth = 0;        // of the batch
  FoundStates found;              // by neighbours
  LentStates lent;                // by neighbours
  Buffer<std::uint32_t> choices, places;  // scratch of those
  // Of a batch of which others were handed over: where the rest was, and as `first` was.
  Buffer<std::uint32_t> kept_places, first_before;
  Buffer<std::uint32_t> kept;            // of a batch, the states that were new, in order
  std::unique_ptr<DepthFrontier> below;  // what is left to be followed depth first, if anything
  bool is_below = false;                 // the batch is from there
  std::uint64_t below_states = 0, below_bytes = 0;  // as counted in below_ and below_bytes_

  StateBatch take_spare(std::size_t width) {
    if (spare.empty()) return {width, {}};
    StateBatch chunk = std::move(spare.back());
    spare.pop_back();
    chunk.clear();
    return chunk;
  }
  void keep_spare(StateBatch&& chunk) {
    constexpr std::size_t most = 4;
    if (spare.size() < most && !chunk.words.empty()) spare.push_back(std::move(chunk));
  }
};

}  // namespace panoptes
