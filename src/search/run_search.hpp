// SPDX-License-Identifier: Apache-2.0
// A run that violates a property, looked for on the fly: states and the automaton go together, one
// step after the other, and no graph is kept.
//
// Idea: depth first through the product of the protocol and the automaton (product.hpp has the same
// of a kept graph). Nodes from which the path cannot be got back to are done with; the others are
// in components, one behind the other on the path, of each of which is known what its edges have:
// marks of the automaton, who moves, and who can always move. An edge back to the path makes one of
// all components it goes round. As soon as one has all marks, and everybody moves in it who always
// can, a run can stay there that is accepted and weakly fair, and the search is over. (Couvreur,
// On-the-fly verification of linear temporal logic, 1999.)
// Cost: the states of the product, each with a word more, and the path; every state is expanded
// once for each state of the automaton it is met in. One core.
// How it can be wrong: not at all, where all of it was seen: strong fairness, and that of lines, it
// does not know. The way to the cycle is as long as the path, which is not the shortest.
#pragma once

#include <map>
#include <optional>

#include "search/step_ways.hpp"
#include "step/stepper.hpp"
#include "store/numbered_store.hpp"
#include "temporal/buchi.hpp"

namespace panoptes {

class RunSearch {
 public:
  struct Limits {
    std::uint64_t bytes = UINT64_MAX;
    std::uint64_t depth = 0;  // of the path; 0: any
  };
  enum class End { all_seen, found, time, memory, depth, endless_sequence };

  // Why it cannot look for runs of this program; "" where it can.
  static std::string refusal(const Program& program);

  // All of them outlive it. REQUIRES: there is no refusal; `stepper` takes sequences as one step.
  RunSearch(const Program& program, const TemporalProperty& property,
            const BuchiAutomaton& automaton, Stepper& stepper);

  End look(const Limits& limits, const Deadline& deadline);
  std::uint64_t visited() const { return visited_; }  // nodes of the product
  // REQUIRES: one was found.
  Lasso run();

 private:
  using Node = std::uint64_t;
  using EffectId = std::uint32_t;
  struct Edge {
    Node target;
    std::uint32_t marks;
    EffectId effect;
    RuleId rule;  // the first; none where the run has ended
  };
  // What there is in a component, or on an edge.
  struct Seen {
    std::uint32_t marks = 0;
    std::uint64_t moved = 0, always = UINT64_MAX;
  };
  struct Root {
    std::uint64_t live;  // of the component's first node, in live_
    Seen inside;
    Edge entry;  // by which it was entered
  };
  struct Visit {
    Node node;
    std::uint64_t first_waiting;
    Edge entry;
  };
  // The edges of a node, and who can move there.
  struct Expansion {
    std::vector<Edge> edges;
    std::uint64_t enabled = 0;
    bool is_endless = false;
  };

  StateView state_of(Node node) const { return store_.state(node).first(width_); }
  EffectId number_of(const StepEffect& effect);
  Expansion expand(Node node);
  bool has_ended(StateView state);
  void add_edges(Node node, StateView target, EffectId effect, RuleId rule,
                 std::vector<Edge>& edges);
  void insert_targets(std::vector<Edge>& edges);
  bool enter(const Edge& entry);
  void close(const Edge& edge);
  void leave();
  bool is_accepted(const Seen& seen) const;
  End keep_looking(const Limits& limits, const Deadline& deadline);
  std::uint64_t bytes() const;
  std::vector<RuleId> rules_of(Node source, const Edge& edge) const;

  // In the component that was found:
  class FoundPart;

  const Program& program_;
  const BuchiAutomaton& automaton_;
  Stepper& stepper_;
  const Moments moments_;
  const StepWays ways_;
  const std::size_t width_;
  const bool follows_sequences_, is_fair_;
  NumberedStore store_;  // a state and, in one word more, a state of the automaton
  std::vector<StepEffect> effects_;
  std::vector<std::uint64_t> moved_bits_;  // by effect
  std::map<StepEffect, EffectId> known_effects_;
  std::vector<std::uint32_t> places_;  // by node: 0 not visited; done; or 1 + its place in live_
  std::vector<Node> live_;             // visited and not done with, in that order
  std::vector<Root> roots_;
  std::vector<Visit> path_;
  std::vector<Edge> waiting_;  // of the nodes of the path, those of the innermost last
  std::uint64_t visited_ = 0;
  bool is_found_ = false, is_cut_off_ = false;
  SuccessorBatch targets_, successors_, behind_;
  StateBatch batch_, target_;
  std::vector<Finding> findings_;
};

}  // namespace panoptes
