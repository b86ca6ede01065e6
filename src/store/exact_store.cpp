// SPDX-License-Identifier: Apache-2.0
#include "store/exact_store.hpp"

#include <algorithm>

namespace panoptes {

// The numbers of all nodes of one state, level by level: those of its words first, then those of
// the pairs, until two are left. An odd one at the end of a level is passed on as it is.
class ExactStore::Tree {
 public:
  explicit Tree(std::size_t width) {
    for (std::size_t nodes = width; nodes > 2; nodes = (nodes + 1) / 2)
      level_sizes_.push_back(nodes);
    level_sizes_.push_back(2);
    std::size_t total = 0;
    for (const std::size_t size : level_sizes_) total += size;
    numbers_.resize(total);
    words_.resize(width);
  }

  // Most nodes a state can add.
  std::size_t most_nodes() const { return numbers_.size(); }

  // Looks up every node of `state`, which becomes the base of the states to come.
  Word set(StateView state, NodeTable& nodes) {
    std::copy(state.begin(), state.end(), words_.begin());
    changed_.clear();
    for (std::size_t i = 0; i < state.size(); ++i) {
      numbers_[i] = nodes.number(state[i]);
      changed_.push_back(i);
    }
    climb(nodes);
    undo_.clear();
    return root();
  }

  // The root of a state that is much like the base, which it leaves as it was.
  Word root_of(StateView state, NodeTable& nodes) {
    changed_.clear();
    undo_.clear();
    for (std::size_t i = 0; i < state.size(); ++i)
      if (state[i] != words_[i]) {
        change(i, nodes.number(state[i]));
        changed_.push_back(i);
      }
    climb(nodes);
    const Word result = root();
    for (auto back = undo_.rbegin(); back != undo_.rend(); ++back)
      numbers_[back->index] = back->number;
    return result;
  }

 private:
  void change(std::size_t index, std::uint32_t number) {
    undo_.push_back({index, numbers_[index]});
    numbers_[index] = number;
  }

  // Renews the nodes above those in changed_, which are of the lowest level and in order.
  void climb(NodeTable& nodes) {
    std::size_t level_begin = 0;
    for (std::size_t level = 0; level + 1 < level_sizes_.size(); ++level) {
      const std::size_t size = level_sizes_[level], above = level_begin + size;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < changed_.size(); ++i) {
        const std::size_t pair = changed_[i] / 2;
        if (kept > 0 && changed_[kept - 1] == pair) continue;
        const std::size_t left = level_begin + pair * 2;
        const bool is_odd = pair * 2 + 1 == size;
        change(above + pair, is_odd
                                 ? numbers_[left]
                                 : nodes.number((Word{numbers_[left]} << 32) | numbers_[left + 1]));
        changed_[kept++] = pair;
      }
      changed_.resize(kept);
      level_begin = above;
    }
  }

  Word root() const {
    const std::size_t last = numbers_.size() - 2;
    return (Word{numbers_[last]} << 32) | numbers_[last + 1];
  }

  struct Undo {
    std::size_t index;
    std::uint32_t number;
  };
  std::vector<std::size_t> level_sizes_;
  std::vector<std::uint32_t> numbers_;
  StateWords words_;  // of the base
  std::vector<std::size_t> changed_;
  std::vector<Undo> undo_;
};

ExactStore::ExactStore(std::size_t width, unsigned threads)
    : width_(width), threads_(threads), roots_(threads) {}

void ExactStore::insert(SuccessorBatch& batch, const StateBatch& sources) {
  batch.fresh.resize(batch.size());
  if (width_ == 1) {
    roots_.insert(batch.states.words, batch.fresh);
    return;
  }
  Buffer<Word> roots;
  Tree tree(width_);
  find_roots(batch, sources, tree, roots);
  roots_.insert(roots, batch.fresh);
}

void ExactStore::find_roots(const SuccessorBatch& batch, const StateBatch& sources, Tree& tree,
                            Buffer<Word>& roots) {
  roots.resize(batch.size());
  std::shared_lock looking_up(growing_);
  const auto make_room = [&](std::uint64_t states) {
    const std::uint64_t nodes = states * tree.most_nodes() * threads_;
    while (!nodes_.has_room(nodes)) {
      looking_up.unlock();
      {
        const std::unique_lock alone(growing_);
        nodes_.reserve(nodes);
      }
      looking_up.lock();
    }
  };
  if (sources.empty()) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      make_room(1);
      roots[i] = tree.set(batch.states[i], nodes_);
    }
    return;
  }
  for (std::size_t source = 0; source + 1 < batch.first.size(); ++source) {
    const std::size_t begin = batch.first[source], end = batch.first[source + 1];
    make_room(1 + end - begin);
    if (begin == end) continue;
    tree.set(sources[source], nodes_);
    for (std::size_t i = begin; i < end; ++i) roots[i] = tree.root_of(batch.states[i], nodes_);
  }
}

StoreStats ExactStore::stats() const {
  const std::shared_lock looking_up(growing_);
  const std::uint64_t node_bytes = width_ == 1 ? 0 : nodes_.bytes();
  return {roots_.size(), roots_.bytes() + node_bytes,
          std::max(roots_.growth_bytes(), node_bytes * 2)};
}

}  // namespace panoptes
