// SPDX-License-Identifier: Apache-2.0
// Breadth-first order: level by level, shortest trails, any number of workers.
//
// Idea: a level is a list of chunks for each worker. A worker takes one chunk after the other of
// its own list, then of the others' until none is left, keeps the fresh successors in new chunks,
// and meets the others; those chunks are its list of the next level. What a level contains does not
// depend on who found it, so counts and lengths of trails are the same for any number of workers.
// The way back: every worker owns the states it found and logs their origins (see origin_log.hpp);
// a chunk is a run of consecutive numbers of one worker.
// Where there is a folder to spill into, and waiting states and logs take more than their part of
// the memory, both go there.
// Where memory runs short all the same, the log ends and no more states are kept waiting: every
// worker goes on depth first below the states it takes, in a part of the memory that was left for
// that, and what has no room even there is dropped, and counted. Trails are not the shortest then,
// and the search cannot be written down any more.
// Written down it is the log, and nothing else: with it, every state is found again by expanding
// what was expanded, once, and without asking any store (breadth_resume.cpp).
// Where states are divided among several ranks (neighbours.hpp), workers hand over what others own
// and take in what others have found, and no level is over before it is over for all ranks; those
// that have nothing left of one expand states that others lend them, under the names they have.
// Below a state there may be states of anybody, so nobody goes on depth first there: states are
// dropped.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "base/budget.hpp"
#include "search/by_level.hpp"
#include "search/frontier.hpp"
#include "search/graph_sink.hpp"
#include "search/meeting.hpp"
#include "search/neighbours.hpp"
#include "search/origin_log.hpp"
#include "search/resumable.hpp"
#include "step/stepper.hpp"

namespace panoptes {

// breadth_lane.hpp has them.
struct BreadthChunk;
struct BreadthLane;

class BreadthFrontier final : public Frontier, public Resumable {
 public:
  // `stepper` and the `selector` of the search, if any, re-make paths; they and `sink`, which may
  // be null, outlive the frontier. `spill_folder`: "" for none. `neighbours`: null where one rank
  // has all states. REQUIRES: no neighbours where there is a sink, and
  // one that several workers may tell at once if there are some.
  BreadthFrontier(Stepper& stepper, unsigned workers, GraphSink* sink,
                  const Selector* selector = nullptr, const MemoryBudget* budget = nullptr,
                  const std::string& spill_folder = {}, Neighbours* neighbours = nullptr);
  ~BreadthFrontier() override;

  // As with a budget of so much memory, batches are small enough; but nothing is left out where it
  // is spent. REQUIRES: there is no budget, and nothing was started.
  void fit_batches(std::uint64_t memory_bytes);

  // Part of the selector: to be told of levels.
  void tell_levels(SelectByLevel* selector) { by_level_ = selector; }

  void start(StateView initial, StateStore& store, GoOn go_on) override;
  bool next(unsigned worker, StateBatch& batch, StateStore& store) override;
  void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
             StateStore& store, bool deepest) override;
  void leave(unsigned worker) override;
  std::uint64_t depth(unsigned worker) const override;
  std::uint64_t mark(unsigned worker, std::size_t i) override;
  std::uint64_t mark_bytes(unsigned worker, std::size_t i) const override;
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline& deadline) override;
  bool is_shortest() const override { return !is_deep_; }
  std::uint64_t bytes() const override;
  std::uint64_t trail_bytes() const override {
    return trail_bytes_.load(std::memory_order_relaxed);
  }
  std::uint64_t size() const override {
    return waiting_.load(std::memory_order_relaxed) + below_.load(std::memory_order_relaxed);
  }
  FrontierTotals totals() const override;

  Resumable* resumable() override { return sink_ ? nullptr : this; }
  void at_pause(std::function<void()> meanwhile) override { meanwhile_ = std::move(meanwhile); }
  void pause() override { is_pausing_.store(true, std::memory_order_relaxed); }
  // What was dropped is in no log.
  bool can_save() const override { return !is_deep_ && dropped_ == 0; }
  Rest come_to_rest(Rest own, StateStore& store) override;
  void save(CheckpointFolder& folder, RecordWriter& record) const override;
  bool resume(const CheckpointFolder& folder, RecordReader& record,
              const ResumeTools& tools) override;

 private:
  using Chunk = BreadthChunk;
  using Lane = BreadthLane;
  using Taken = std::pair<Chunk*, Lane*>;
  class Resumption;

  void add_lanes(std::size_t wanted);
  void open_chunk(Lane& lane, StateName first, const StateBatch& states);
  void keep(Lane& lane, unsigned worker, const SuccessorBatch& found);
  void log_own(unsigned worker, const SuccessorBatch& successors, bool are_all);
  void note_logged(Lane& lane, std::uint64_t numbers_before);
  void adopt(unsigned worker, StateStore& store);
  bool wait(unsigned worker, StateBatch& batch, StateStore& store);
  void lend(unsigned worker);
  StateOrigin own_origin(StateName state) const;
  std::uint32_t first_owner() const { return neighbours_ ? neighbours_->first_owner() : 0; }
  void drop_if_spent(SuccessorBatch& successors);
  bool is_time_to_go_deep(const SuccessorBatch& successors) const;
  void go_deep(Lane& lane, const SuccessorBatch& successors, bool deepest);
  void note_below(Lane& lane);
  void spill(Lane& lane);
  bool read_chunk(const Chunk& chunk, const Lane& from, StateBatch& batch) const;
  bool read_back(const Chunk& chunk, const Lane& from, StateBatch& batch);
  void meet() noexcept;
  void meet_neighbours() noexcept;
  void begin_level(const SelectByLevel::Steps& steps) noexcept;
  void next_level() noexcept;
  Taken take_chunk(unsigned worker);
  bool take_states(Lane& own, const Taken& taken, StateBatch& batch);
  double growth(const StateStore& store) const;

  Stepper& stepper_;
  const Selector* selector_;
  GraphSink* sink_;
  std::size_t width_;
  std::size_t most_chunk_states_;
  std::size_t chunk_states_;        // of the level that is being found
  std::size_t level_chunk_states_;  // of the one that is being expanded
  const MemoryBudget* budget_;
  std::string spill_folder_;
  Neighbours* neighbours_;
  GoOn go_on_;
  std::function<void()> meanwhile_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::atomic<std::uint64_t> depth_{0};
  std::atomic<std::uint64_t> state_bytes_;  // of a state that waits, with its notes
  std::atomic<bool> is_over_{false};
  std::atomic<bool> is_pausing_{false};
  // Of a search with neighbours, for the first worker: its store must grow in the next level, as
  // far as it can tell; some rank's must, so this one does where it would have to soon.
  bool must_grow_ = false, grows_ = false;
  // Written by all workers, so each has a cache line to itself.
  alignas(64) std::atomic<std::uint64_t> waiting_{0};
  alignas(64) std::atomic<std::uint64_t> spilled_{0};  // of those, in files
  alignas(64) std::atomic<std::uint64_t> chunks_{0};   // of this level and of the next
  alignas(64) std::atomic<std::uint64_t> trail_bytes_{0};
  alignas(64) std::atomic<std::uint64_t> dropped_{0};
  // Of a search that goes on depth first: successors that wait, and what they take.
  std::atomic<bool> is_deep_{false};
  std::atomic<std::uint64_t> below_{0}, below_bytes_{0};
  SelectByLevel* by_level_ = nullptr;
  struct Meet {
    BreadthFrontier* frontier;
    void operator()() noexcept { frontier->meet(); }
  };
  Meeting<Meet> meeting_;
};

}  // namespace panoptes
