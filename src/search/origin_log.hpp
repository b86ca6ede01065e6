// SPDX-License-Identifier: Apache-2.0
// Where the states of one owner come from: the way back, kept by whoever keeps the state.
//
// Idea: a state has a name, by who owns it and by its number among the states of that owner. Its
// origin is the name of the state it was found from and its place among the successors of that one.
// Both are plain numbers: a state that is sent to its owner, in another thread, process or device,
// takes its origin along, and who wants the way back asks one owner after the other.
// What an owner finds itself goes into a log of expansions (see trail_log.hpp), with an entry for
// each run of states that were expanded one after the other; so does what others have found for it,
// where states that led to nothing of this owner are empty expansions, or begin a new run.
// Cost: six bits a state, one and a half an empty expansion, and 16 bytes a run.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "search/trail_log.hpp"

namespace panoptes {

// The initial state is number 0 of owner 0.
struct StateName {
  std::uint32_t owner = 0;   // below 2^16
  std::uint64_t number = 0;  // below 2^48

  friend bool operator==(const StateName&, const StateName&) = default;
};

// As one number; those of states with consecutive numbers are consecutive, too.
std::uint64_t packed(StateName state);
StateName unpacked(std::uint64_t state);

struct StateOrigin {
  static constexpr std::uint32_t unknown = UINT32_MAX;  // no choice: nobody knows such a state

  StateName parent;
  std::uint32_t choice = 0;  // which of its successors
};

class OriginLog {
 public:
  // States are numbered from `first_number` on.
  explicit OriginLog(std::uint64_t first_number) : log_(first_number) {}

  // The next expansions are those of this state and of the ones after it.
  void begin_run(StateName first) {
    runs_.push_back({log_.expansions(), packed(first)});
    is_run_over_ = false;
  }
  // What comes is of another level, and no run has states of two.
  void end_run() { is_run_over_ = true; }
  // One of them: `fresh` says which of its successors were new, and this owner's. Calls use(i) for
  // each of those, in the order of their numbers.
  template <typename Use>
  void append(std::span<const std::uint8_t> fresh, Use use) {
    log_.append(fresh, use);
  }
  // The same, with the places of those successors, in order.
  template <typename Use>
  void append_chosen(std::span<const std::uint32_t> successors, Use use) {
    log_.append_chosen(successors, use);
  }
  // The same where `fresh` is of some of the successors: place(i) is which one, ascending.
  template <typename Place, typename Use>
  void append(std::span<const std::uint8_t> fresh, Place place, Use use) {
    log_.append(fresh, place, use);
  }
  // New states that somebody has found from this one: which of its successors they are, ascending.
  // Calls use(i) for each. Goes on with the run where that takes less than a new one.
  template <typename Use>
  void append_found(StateName parent, std::span<const std::uint32_t> choices, Use use) {
    constexpr std::uint64_t most_empty = 64;
    const std::uint64_t next =
        runs_.empty() ? 0 : runs_.back().first + (log_.expansions() - runs_.back().expansion);
    const std::uint64_t wanted = packed(parent);
    if (runs_.empty() || is_run_over_ || wanted < next || wanted - next > most_empty)
      begin_run(parent);
    else
      for (std::uint64_t i = next; i < wanted; ++i) log_.append({});
    log_.append_chosen(choices, use);
  }

  // The number of the next new state.
  std::uint64_t next_number() const { return log_.fresh(); }

  // REQUIRES: `number` is that of a logged state.
  StateOrigin origin(std::uint64_t number) const;

  std::uint64_t bytes() const { return log_.bytes() + runs_.size() * sizeof(Run); }
  void spill(SpillFile& file) { log_.spill(file); }

  // From this expansion on, the states from this one on were expanded.
  struct Run {
    std::uint64_t expansion;
    std::uint64_t first;  // packed
  };
  // The streams of a checkpoint that have the log of an owner.
  struct Streams {
    std::uint32_t trail, runs;
  };
  static Streams streams_of(std::size_t owner) {
    const auto first = static_cast<std::uint32_t>(owner * 2);
    return {first, first + 1};
  }
  // Appends to them what they do not have yet, and to the record the rest; an OriginReader
  // (trail_reader.hpp) reads it.
  void save(CheckpointFolder& folder, Streams streams, RecordWriter& record) const;

 private:
  TrailLog log_;
  std::deque<Run> runs_;
  bool is_run_over_ = false;
};

// The choices that lead from the initial state to this one; `origin_of` asks its owner. Nothing
// where that takes too long, or an owner does not know a state.
std::optional<std::vector<std::uint32_t>> choices_to(
    StateName state, const std::function<StateOrigin(StateName)>& origin_of,
    const Deadline& deadline);

}  // namespace panoptes
