// SPDX-License-Identifier: Apache-2.0
// Best-first order: the state that costs least comes next.
//
// Idea: a queue with a bucket for each cost. The last states put into the cheapest bucket are taken
// first, so that among equals the search goes on where it is rather than starting over. A batch has
// states of one cost and one depth, and few of them, since what they lead to may be cheaper still.
// Every state is expanded once: where nothing is dropped the search is as exhaustive as any other,
// in an order of its own, and its trails are not the shortest. One worker.
// Cost: twelve bytes a state for the way back (the parent's number and the rule), and the states
// that wait, mostly far more than two levels of a breadth-first search.
#pragma once

#include <deque>
#include <forward_list>
#include <map>

#include "search/batch_size.hpp"
#include "search/frontier.hpp"
#include "search/graph_sink.hpp"
#include "search/state_cost.hpp"

namespace panoptes {

class BestFirstFrontier final : public Frontier {
 public:
  // `program`, `cost` and `sink`, which may be null, outlive the frontier.
  BestFirstFrontier(const Program& program, const StateCost& cost, GraphSink* sink,
                    std::uint64_t memory_bytes = UINT64_MAX)
      : cost_(cost),
        sink_(sink),
        width_(program.layout.words),
        chunk_states_(batch_states(program, 1, memory_bytes, most_chunk_states)) {
    fresh_.width = width_;
  }

  void start(StateView initial, StateStore& store, GoOn go_on) override;
  bool next(unsigned worker, StateBatch& batch, StateStore& store) override;
  void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
             StateStore& store, bool deepest) override;
  void leave(unsigned) override {}
  std::uint64_t depth(unsigned) const override { return current_.depth; }
  std::uint64_t mark(unsigned, std::size_t i) override { return current_.numbers[i]; }
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline&) override;
  bool is_shortest() const override { return false; }
  std::uint64_t bytes() const override { return bytes_ + buckets_.size() * bucket_bytes; }
  std::uint64_t trail_bytes() const override {
    return parents_.size() * (sizeof(std::uint64_t) + sizeof(RuleId));
  }
  std::uint64_t size() const override { return waiting_; }
  FrontierTotals totals() const override { return {{waiting_, 0}, 0, sequences_}; }

 private:
  // States of one depth, with their numbers in the order they became known.
  struct Chunk {
    std::uint64_t depth = 0;
    Buffer<Word> words;
    Buffer<std::uint64_t> numbers;

    // With what the list and the allocator keep beside it.
    std::uint64_t bytes() const {
      return sizeof(Chunk) + 64 + words.capacity() * sizeof(Word) +
             numbers.capacity() * sizeof(std::uint64_t);
    }
  };
  // The last one first. A list, since chunks are many: a vector that grows has all of them twice.
  using Bucket = std::forward_list<Chunk>;
  static constexpr std::uint64_t bucket_bytes = 80;  // of one without chunks, in the map
  static constexpr std::size_t most_chunk_states = 32;

  void push(std::int64_t cost, std::uint64_t depth, StateView state, std::uint64_t number);
  void tell_sink(const SuccessorBatch& successors);

  const StateCost& cost_;
  GraphSink* sink_;
  std::size_t width_;
  std::size_t chunk_states_;
  GoOn go_on_;
  std::map<std::int64_t, Bucket> buckets_;  // by cost; none is empty
  Chunk current_;                           // what next() gave last
  std::uint64_t waiting_ = 0;
  std::uint64_t bytes_ = 0;  // of all chunks
  Sequences sequences_;
  // By state: from which one, and by which rule, it was reached.
  std::deque<std::uint64_t> parents_;
  std::deque<RuleId> rules_;
  StateBatch fresh_;
  Buffer<std::int64_t> costs_;
};

}  // namespace panoptes
