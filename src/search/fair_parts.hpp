// SPDX-License-Identifier: Apache-2.0
// Of a component of a product, the parts in which a fair run can stay for ever, and a short cycle
// in such a part.
//
// Idea: a run that stays in a component, and takes all of its edges again and again, has all marks
// that they have. It is weakly fair to a process if one of the edges moves it, or if it cannot move
// in one of the states; where neither is so, no run in there is, nor is one in a part of it. It is
// strongly fair if one of the edges moves the process, or if it can move in none of the states;
// where neither is so, a fair run keeps out of the states in which the process can move. Without
// those what is left falls apart, and each part is looked at again. Likewise with a line that loses
// where it has room, and never carries: a fair run takes no edge on which it does. (Emerson, Lei,
// Modalities for model checking: branching time strikes back, 1985.)
//
// Cost: linear for each time it falls apart, which may be once for each process and line.
// How it can be wrong: not at all.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "search/product.hpp"

namespace panoptes {

// A component, its nodes and edges by numbers of their own.
struct Component {
  struct Edge {
    std::uint32_t source, target, marks;
    RunGraph::EffectId effect;
    std::uint64_t step;  // of the source's state
  };
  std::vector<Product::Node> nodes;  // sorted
  std::vector<std::uint32_t> first;  // by node, and one more
  std::vector<Edge> edges;

  Component(const Product& product, std::vector<Product::Node> members);
};

// Some nodes of it, in which a fair run can stay for ever.
struct FairPart {
  std::vector<std::uint32_t> nodes;  // sorted
  // No edge on which one of these loses, though it has room, is part of it.
  std::set<ChannelId> without_loss;
};

class FairParts {
 public:
  FairParts(const Program& program, const Product& product, const Component& component);

  // Nothing where it takes too long.
  std::optional<std::vector<FairPart>> find(const Deadline& deadline) const;

  // A cycle through `start`, by edges of the component, that has all marks and is fair: breadth
  // first from each thing that it needs to the nearest other one. REQUIRES: `start` is in `part`.
  std::vector<std::uint32_t> cycle(const FairPart& part, std::uint32_t start) const;

 private:
  // What there is in a part, or on a cycle.
  struct Seen {
    std::uint32_t marks = 0;
    std::set<ProcessId> moved, always, sometimes;  // the last two: who can move
    std::set<ChannelId> lost, carried;             // the former where there was room
  };
  // What a cycle must have.
  struct Need {
    enum class Kind : std::uint8_t { mark, weak, moved, carried };
    Kind kind;
    std::uint32_t number;
  };

  bool is_in(const FairPart& part, const Component::Edge& edge,
             const std::vector<bool>& is_inside) const;
  bool has_room(const Component::Edge& edge, ChannelId line) const;
  Seen look_at(const FairPart& part, const std::vector<bool>& is_inside) const;
  void add_node(std::uint32_t node, bool is_first, Seen& seen) const;
  void add_edge(const Component::Edge& edge, Seen& seen) const;
  // False where a part is given up; leaves out of it what no fair run takes otherwise.
  bool cut(const Seen& seen, FairPart& part, bool& is_smaller) const;
  bool is_fair(const Seen& seen) const;
  std::vector<Need> needs(const Seen& seen, bool all) const;
  bool satisfies(std::uint32_t source, const Component::Edge& edge, const Need& need) const;
  std::vector<std::uint32_t> cycle_with(const FairPart& part, std::uint32_t start,
                                        std::vector<Need> open) const;

  const Product& product_;
  const Component& component_;
  const FairnessDemands demands_;
  std::vector<std::vector<ProcessId>> enabled_;  // by node; empty where nobody asks
};

}  // namespace panoptes
