// SPDX-License-Identifier: Apache-2.0
// The graph of a search, kept: every transition by the numbers of its states.
//
// Idea: a link is one word, target and rule together, in the order the search tells them, each
// worker of which has a list of its own. Where the source changes a run begins; finish() turns the
// runs into the place and number of the links of every state. Who tells all links of a state at
// once has one run for it, and they stay where they are; after a depth-first search, in which a
// state has several runs, they are sorted by source once.
// Cost: 8 bytes a link (Holzmann's B), 16 a run; then 8 a state instead of the runs.
// How it can be wrong: not at all, but it has no steps that fail. 2^24 links of a state, or 2^40
// in all, which take 8 terabytes, are a fault.
//
// Thread safety: transitions(), bytes() and growth_bytes() may be called concurrently, by workers
// there were said to be.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <memory>
#include <vector>

#include "search/graph_sink.hpp"
#include "store/pages.hpp"

namespace panoptes {

// Words that stay where they are while more are added.
class WordList {
 public:
  std::uint64_t size() const { return size_; }
  std::uint64_t room() const { return chunks_.size() * chunk; }
  std::uint64_t operator[](std::uint64_t i) const { return chunks_[i / chunk][i % chunk]; }
  std::uint64_t& operator[](std::uint64_t i) { return chunks_[i / chunk][i % chunk]; }
  void push_back(std::uint64_t word) {
    if (size_ == chunks_.size() * chunk) resize_chunks(chunks_.size() + 1);
    chunks_.back()[size_++ % chunk] = word;
  }
  // New ones are left as they are.
  void resize(std::uint64_t words) {
    resize_chunks((words + chunk - 1) / chunk);
    size_ = words;
  }
  // Takes all words of another list. They stand behind what there was room for.
  void take(WordList&& other) {
    const std::uint64_t before = room();
    std::ranges::move(other.chunks_, std::back_inserter(chunks_));
    size_ = before + other.size_;
  }

 private:
  static constexpr std::uint64_t chunk = 1 << 13;

  void resize_chunks(std::size_t count) {
    while (chunks_.size() < count)
      chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(chunk));
  }

  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::uint64_t size_ = 0;
};

class StateGraph final : public GraphSink {
 public:
  struct Link {
    std::uint64_t target;
    RuleId rule;
  };

  explicit StateGraph(unsigned workers = 1);

  void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) override;
  void transitions(unsigned worker, std::uint64_t source, const SuccessorBatch& successors,
                   std::size_t begin, std::size_t end) override;
  std::uint64_t bytes() const override;
  // What finish() and a look for cycles will take.
  std::uint64_t growth_bytes() const override;

  std::uint64_t links() const;  // that were told so far

  // All transitions were told; there are this many states. What follows REQUIRES it.
  void finish(std::uint64_t states);

  std::uint64_t states() const { return places_.bytes() / sizeof(std::uint64_t); }
  // The links of a state: link(first(state)) to link(end(state) - 1), in rule order.
  std::uint64_t first(std::uint64_t state) const { return places_.words()[state] >> count_bits; }
  std::uint64_t end(std::uint64_t state) const { return first(state) + count(state); }
  Link link(std::uint64_t at) const {
    const std::uint64_t word = links_[at];
    return {word >> rule_bits, static_cast<RuleId>(word & (max_rules - 1))};
  }
  // Somebody will soon ask for the links of a state.
  void expect(std::uint64_t state) const { __builtin_prefetch(&places_.words()[state]); }
  bool has_links(std::uint64_t state) const { return count(state) > 0; }

 private:
  static constexpr unsigned rule_bits = 24;
  static constexpr std::uint64_t max_rules = std::uint64_t{1} << rule_bits;
  static constexpr unsigned count_bits = 24;
  static constexpr std::uint64_t max_links = std::uint64_t{1} << count_bits;

  struct Run {
    std::uint64_t source, first_link;
  };
  // Of a state's links: where the first is, above how many there are.
  static std::uint64_t place_of(std::uint64_t first, std::uint64_t count);
  std::uint64_t count(std::uint64_t state) const {
    return places_.words()[state] & (max_links - 1);
  }
  struct alignas(64) Lane {
    WordList links;  // target above rule
    std::deque<Run> runs;
    std::uint64_t last_state = 0;  // the highest number seen
    // The same for who counts meanwhile:
    std::atomic<std::uint64_t> told_links{0}, told_runs{0}, told_last{0};

    void begin_run(std::uint64_t source);
    void add(RuleId rule, std::uint64_t target);
    void tell();
    std::uint64_t end_of(std::size_t run) const {
      return run + 1 < runs.size() ? runs[run + 1].first_link : links.size();
    }
  };
  bool keep_links();
  void sort_links();

  std::vector<std::unique_ptr<Lane>> lanes_;  // by worker
  bool is_told_singly_ = false;               // link by link
  WordList links_;                            // when it is finished, as the rest
  std::uint64_t link_count_ = 0;
  Pages places_;  // a word for each state
};

}  // namespace panoptes
