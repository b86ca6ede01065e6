// SPDX-License-Identifier: Apache-2.0
// Depth-first order: the recursive algorithm with its stack laid open.
//
// Idea: the path from the initial state to the current one is the stack, so every trail is at hand,
// and none is known to be the shortest. The successors that have not come up yet lie side by side
// on one stack for all states of the path, and each state of the path has only their number:
// pushing and popping hardly ever allocate. A store is told when a state leaves the path, so one
// that keeps the path alone, or protects it, needs no frontier of its own. One worker. Cost: the
// words of every waiting successor and 4 bytes for its rule; 8 bytes for every state of the path.
// Paths may also begin at states that somebody else has expanded, who knows how those were reached.
// Where there is a limit to what it takes, successors that have no room are dropped, and counted.
#pragma once

#include "search/frontier.hpp"
#include "search/graph_sink.hpp"
#include "search/waiting_stack.hpp"

namespace panoptes {

class DepthFrontier final : public Frontier {
 public:
  // `sink` may be null and outlives the frontier.
  DepthFrontier(const Program& program, GraphSink* sink, std::uint64_t most_bytes = UINT64_MAX)
      : sink_(sink),
        width_(program.layout.words),
        waiting_(program.layout.words),
        most_bytes_(most_bytes) {}

  void start(StateView initial, StateStore& store, GoOn go_on) override;
  // Begins with nothing: the roots of its paths come by branch(). The store does not hear of what
  // leaves the path, whose beginning it does not know. `is_alone`: nobody else uses the store.
  void start_below(bool is_alone, GoOn go_on);
  // States with consecutive marks, the first of them this one, were expanded by somebody else.
  void branch(const SuccessorBatch& successors, std::uint64_t first_mark, std::uint64_t depth);
  bool next(unsigned worker, StateBatch& batch, StateStore& store) override;
  void admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
             StateStore& store, bool deepest) override;
  void leave(unsigned) override {}
  std::uint64_t depth(unsigned) const override { return root_depth_ + path_.size(); }
  std::uint64_t mark(unsigned worker, std::size_t i) override;
  std::uint64_t mark_bytes(unsigned, std::size_t) const override {
    return path_.size() * sizeof(RuleId);
  }
  // From the root on, that is.
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline&) override {
    return marked_[marked].path;
  }
  std::uint64_t root(std::uint64_t marked) const { return marked_[marked].root; }
  bool is_shortest() const override { return false; }
  std::uint64_t bytes() const override;
  std::uint64_t trail_bytes() const override { return 0; }
  std::uint64_t size() const override { return waiting_.size() + (is_initial_ ? 1 : 0); }
  FrontierTotals totals() const override {
    return {{is_initial_ ? 1u : 0u, waiting_.size()}, dropped_, sequences_};
  }

 private:
  struct Root {
    std::uint64_t mark, depth;
    std::uint32_t successors;
  };
  struct Mark {
    std::uint64_t root;
    std::vector<RuleId> path;
  };
  void prepare(GoOn go_on);
  bool take_root();
  bool has_room(std::size_t successors) const;
  void enter(StateView state, StateBatch& batch);

  GraphSink* sink_;
  std::size_t width_;
  GoOn go_on_;
  std::vector<RuleId> path_;
  // Successors of the states on the path that have not come up yet. Those of the current state are
  // at the end, the next one last.
  WaitingStack waiting_;
  std::vector<std::uint32_t> left_;     // for each state of the path: how many of them are its own
  std::vector<std::uint64_t> numbers_;  // of the states of the path, where there is a sink
  std::uint64_t number_ = 0;            // of the current state
  SuccessorBatch candidate_;            // the state that comes up, as the store wants it
  StateBatch no_sources_;
  bool is_initial_ = false;
  bool is_below_ = false, is_alone_ = true;  // see start_below()
  bool is_end_ = false;  // nothing new was reached from the current state so far
  Sequences sequences_;
  std::vector<Mark> marked_;
  std::vector<Root> roots_;  // that are still to come, the next one last
  std::uint64_t root_ = 0, root_depth_ = 0;
  std::uint64_t most_bytes_;
  std::uint64_t dropped_ = 0;
};

}  // namespace panoptes
