// SPDX-License-Identifier: Apache-2.0
// Runs of a product that are accepted and fair, and one of them.
//
// Idea: a run goes on for ever in one strong component. It is accepted if it has all marks again
// and again, which some run in the component is if they are on its edges; whether one of those is
// fair, fair_parts.hpp tells, but for weak fairness, which a component has as a whole or not at
// all. All components are looked at, so that the nearest of them is known.
// Components are looked for among relevant nodes only (product.hpp); of others it is enough that
// they are reached. Where the automaton can wait at its first state for whatever comes, that is
// each state of the graph, in the order of their numbers.
// Several threads look for components, each leaving out what another has completed, and through a
// large one together (common_component.hpp).
// Cost: linear in the nodes that can be reached, some of which several threads visit; a byte for
// each node of the product, 4 and the stacks for each thread, one more where there are several, and
// 8 where there is a run to be told.
// How it can be wrong: not at all, on a graph that is complete. What it says depends on the links
// of states and their order, and not on the numbers of the states.
#pragma once

#include "search/common_component.hpp"
#include "search/fair_parts.hpp"

namespace panoptes {

class AcceptingRuns {
 public:
  // Both outlive it. REQUIRES: the product has less than 2^32 - 2 nodes.
  AcceptingRuns(const Program& program, const Product& product)
      : program_(program), product_(product) {}

  // False where it takes too long. Several threads look through a component together that has so
  // many nodes that some of them has come upon.
  bool look(unsigned threads, const Deadline& deadline,
            std::size_t large = CommonComponent::usually_large);

  // Components that several threads have looked through together.
  std::uint64_t looked_through_together() const { return looked_through_together_; }
  bool are_there() const { return !accepted_.empty(); }
  std::uint64_t visited() const { return visited_; }  // nodes that can be reached
  // How many states of the graph accepted runs can stay in.
  std::uint64_t states() const;

  // The shortest way to where such a run can stay, and a short cycle there. Nothing where it takes
  // too long. REQUIRES: there are some.
  std::optional<Lasso> run(const Deadline& deadline) const;

 private:
  using Node = Product::Node;
  class Search;
  // A component in which a run is accepted and fair, and the nodes that it can stay in, in any
  // order; where those are all of it, the component is not kept beside them.
  struct Accepted {
    std::vector<Node> component, nodes;
  };
  bool add(std::span<const Node> members, const Deadline& deadline);
  // Whether a fair run can stay in all of a component in which it can stay in a part.
  bool takes_whole() const;
  std::optional<Node> nearest(const Deadline& deadline, std::vector<Node>& parents) const;
  std::vector<RuleId> way_to(Node node, const std::vector<Node>& parents) const;
  std::vector<RuleId> cycle_from(Node node, const Deadline& deadline) const;
  std::vector<RuleId> cycle_in_part(Node start, const Accepted& accepted,
                                    const Deadline& deadline) const;

  const Program& program_;
  const Product& product_;
  std::uint64_t visited_ = 0, looked_through_together_ = 0;
  std::vector<Accepted> accepted_;
};

}  // namespace panoptes
