// SPDX-License-Identifier: Apache-2.0
// The graph of a search, kept: every transition by the numbers of its states.
//
// Idea: a link is one word, target and rule together, in the order the search tells them. Where the
// source changes a run begins; finish() turns the runs into the place of the first link of every
// state. A breadth-first search tells all links of a state at once and the states in order, so that
// the links can stay where they are; after other orders they are sorted by source once.
// Cost: 8 bytes a link (Holzmann's B), 16 a run; then 8 a state instead of the runs.
// How it can be wrong: not at all, but it has no steps that fail.
//
// Thread safety: none; one worker.
#pragma once

#include <deque>

#include "search/graph_sink.hpp"

namespace panoptes {

class StateGraph final : public GraphSink {
 public:
  struct Link {
    std::uint64_t target;
    RuleId rule;
  };

  void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) override;
  std::uint64_t bytes() const override;
  // What finish() and a look for cycles will take.
  std::uint64_t growth_bytes() const override;

  // All transitions were told; there are this many states. What follows REQUIRES it.
  void finish(std::uint64_t states);

  std::uint64_t states() const { return first_.size() - 1; }
  std::uint64_t links() const { return links_.size(); }
  // The links of a state: link(first(state)) to link(first(state + 1) - 1), in rule order.
  std::uint64_t first(std::uint64_t state) const { return first_[state]; }
  Link link(std::uint64_t at) const {
    return {links_[at] >> rule_bits, static_cast<RuleId>(links_[at] & (max_rules - 1))};
  }
  bool has_links(std::uint64_t state) const { return first_[state] < first_[state + 1]; }

 private:
  static constexpr unsigned rule_bits = 24;
  static constexpr std::uint64_t max_rules = std::uint64_t{1} << rule_bits;

  struct Run {
    std::uint64_t source, first_link;
  };
  void count_links(std::uint64_t states);
  void sort_links();

  std::deque<std::uint64_t> links_;  // target above rule
  std::deque<Run> runs_;
  bool is_in_order_ = true;
  std::uint64_t last_state_ = 0;      // the highest number seen
  std::vector<std::uint64_t> first_;  // by state, and one more
};

}  // namespace panoptes
