// SPDX-License-Identifier: Apache-2.0
// Wide states as trees of shared nodes: one word stands for a whole state.
//
// Idea: each word of a state has a number, each pair of neighbouring numbers is again a word with a
// number, and so on up to the root, whose two numbers are the word that stands for the state.
// States share their inner nodes, of which there are few. A successor differs from the state it
// comes from in a word or two, so only the nodes above those are looked up; the numbers of all the
// others are those of its source, which travel with it as notes. The nodes of a whole batch are
// looked up level by level, so that they come from memory together.
// Cost: 17.1 to 25.6 bytes for each distinct inner node, which is little where words
// repeat and doubles the whole where they hardly do; 4 bytes for each node of a state that waits.
// How it can be wrong: not at all, until the budget has no room for more nodes. From then on, a
// state with a node that has no number is its hash instead: always the same, but perhaps that of
// another.
//
// Thread safety: roots() may be called concurrently; bytes() is then momentary.
#pragma once

#include <vector>

#include "store/node_table.hpp"

namespace panoptes {

class Tree {
 public:
  // REQUIRES: width > 1.
  Tree(std::size_t width, unsigned threads, MemoryBudget* budget = nullptr,
       Growth growth = Growth::fast);

  // The word that stands for each state of `batch`. Sets the notes of the batch's states, and uses
  // those of `sources`, the states they are successors of, where there are any.
  void roots(SuccessorBatch& batch, const StateBatch& sources, Buffer<Word>& roots);

  bool is_closed() const { return nodes_.is_closed(); }

  bool must_grow_for(double growth) const { return nodes_.must_grow_for(growth); }
  void grow_for(double growth) { nodes_.grow_for(growth); }

  std::uint64_t bytes() const { return nodes_.bytes(); }
  std::uint64_t growth_bytes() const { return nodes_.growth_bytes(); }

 private:
  // The nodes of a state are numbered as in a heap: the children of node i are 2 i and 2 i + 1, and
  // the root is 1. Words are leaves on the deepest level or on the one above, from left to right,
  // and the deep ones are spread evenly, so that both halves of any node have about as many words:
  // what two halves have in common with others multiplies. The notes of a state are the numbers of
  // its nodes, except for the root.
  struct Changes;
  class Memo;
  struct Scratch;

  void find_changes(SuccessorBatch& batch, const StateBatch& sources, Scratch& scratch) const;
  void number(const Changes& changes, SuccessorBatch& batch, Scratch& scratch);
  void climb(Changes& changes, const SuccessorBatch& batch) const;

  std::size_t width_;
  std::size_t first_deep_;                 // the least node of the deepest level
  std::size_t notes_;                      // per state
  std::vector<std::uint32_t> word_nodes_;  // by word
  std::vector<std::uint32_t> note_of_;     // by node: where its number is among the notes
  std::vector<bool> is_word_;              // by node
  std::uint64_t id_;                       // no other tree has the same
  NodeTable nodes_;
};

}  // namespace panoptes
