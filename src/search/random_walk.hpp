// SPDX-License-Identifier: Apache-2.0
// Random walks: from the initial state, one successor after the other by chance, until nothing can
// move or the depth bound is reached; then from the initial state again.
//
// Idea: a search without memory, for what no memory can hold. A walk is known by its number: its
// choices come from the seed and that number alone, so a run can be repeated, and a later one with
// more walks makes the same ones first. A group of walks goes in step, so that the stepper gets
// them as one batch. All successors are equally likely, unless there is a bias. One worker.
// Cost: 4 bytes for every step of the walks of one group. How it can be wrong: what walks have seen
// says nothing about the rest. The search is a partial one however long it takes.
// Source: Holzmann's types of search (type 4).
#pragma once

#include "search/batch_size.hpp"
#include "search/bias.hpp"
#include "search/frontier.hpp"

namespace panoptes {

class RandomWalkFrontier final : public Frontier {
 public:
  // `walks`: how many to make. `bias` may be null and outlives the frontier.
  RandomWalkFrontier(const Program& program, std::uint64_t walks, std::uint64_t seed,
                     Bias* bias = nullptr, std::uint64_t memory_bytes = UINT64_MAX)
      : width_(program.layout.words),
        group_size_(batch_states(program, 1, memory_bytes, most_group_size)),
        walks_(walks),
        seed_(seed),
        bias_(bias) {}

  void start(StateView initial, StateStore& store, GoOn go_on) override;
  bool next(unsigned worker, StateBatch& batch, StateStore& store) override;
  void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
             StateStore& store, bool deepest) override;
  void leave(unsigned) override {}
  std::uint64_t depth(unsigned) const override { return depth_; }
  std::uint64_t mark(unsigned worker, std::size_t i) override;
  std::uint64_t mark_bytes(unsigned, std::size_t i) const override {
    return group_[i].rules.size() * sizeof(RuleId);
  }
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline&) override {
    return marked_[marked];
  }
  bool is_shortest() const override { return false; }
  std::uint64_t bytes() const override;
  std::uint64_t trail_bytes() const override { return 0; }
  std::uint64_t size() const override { return group_.size() + (walks_ - begun_); }
  std::uint64_t waiting() const override { return 0; }
  // Walks do not wait for anything they know.
  FrontierTotals totals() const override { return {{}, 0, sequences_}; }

 private:
  static constexpr std::uint64_t most_group_size = 64;

  struct RandomWalk {
    std::uint64_t random = 0;  // state of its generator
    std::vector<RuleId> rules;
  };
  void begin_group(StateStore& store);
  std::size_t choose(RandomWalk& walk, StateView state, const SuccessorBatch& successors,
                     std::uint32_t begin, std::uint32_t end);

  std::size_t width_;
  std::uint64_t group_size_;
  std::uint64_t walks_, seed_;
  Bias* bias_;
  GoOn go_on_;
  StateWords initial_;
  std::uint64_t begun_ = 0;
  std::uint64_t depth_ = 0;        // of the group
  std::vector<RandomWalk> group_;  // those that have not ended
  StateBatch no_sources_;
  SuccessorBatch states_;  // of the group, as the store wants them
  Sequences sequences_;
  std::vector<std::vector<RuleId>> marked_;
};

}  // namespace panoptes
