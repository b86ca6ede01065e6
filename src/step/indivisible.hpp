// SPDX-License-Identifier: Apache-2.0
// Indivisible sequences as single steps: a stepper whose successors lie outside of them.
//
// Idea: a step that ends inside an indivisible sequence is followed, by rules of its process alone,
// until the sequence is left or its process waits; the states where that happens are the
// successors, with the rule of the first step. What lies between is nobody's state. All sequences
// that begin in a batch are followed together, a step at a time, so that machine code still gets
// batches. A sequence may branch: it is then searched breadth first, each state inside it once, and
// leads to each of its successors once. Where it can come back to a state inside, it need not end,
// which is an error (endless_atomic) of every rule that leads back: to a state from which the
// rule's own state can be reached, past none that is nearer to the beginning. Each round has one.
//
// How it may be wrong: there is room for `most_inside` states of a sequence. Where it has more and
// does not seem to come back to any, it throws std::bad_alloc, and a search ends as it does where
// memory is short.
//
// Cost: where a batch has no step into a sequence, a look at the rules.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "step/stepper.hpp"

namespace panoptes {

// The stepper itself, where its program has no indivisible sequences.
std::unique_ptr<Stepper> in_whole_sequences(std::unique_ptr<Stepper> stepper);

// The rules of a path of which the first of each sequence is known: it begins in `from`, follows
// `firsts` and ends in `to`. Nothing where that takes too long, or there is none.
std::optional<std::vector<RuleId>> with_insides(const Program& program,
                                                const std::vector<RuleId>& firsts, StateView from,
                                                StateView to, const Deadline& deadline);

class IndivisibleStepper final : public Stepper {
 public:
  // States inside that one step can lead to.
  static constexpr std::size_t most_inside = 100'000;

  explicit IndivisibleStepper(std::unique_ptr<Stepper> stepper);
  ~IndivisibleStepper() override;

  const Program& program() const override { return stepper_->program(); }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override;
  void expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                    std::vector<Finding>& findings) override {
    stepper_->expand_alone(process, batch, out, findings);
  }

  // The rules that led to successor `i` of the last expand(), in order. REQUIRES: that was of one
  // state.
  std::vector<RuleId> rules_to(std::size_t i) const;

 private:
  using Number = std::uint32_t;

  // A state inside. The first of a sequence has no parent.
  struct Node {
    Number sequence, parent;
    RuleId rule;  // that led to it
    ProcessId alone;
    Number depth;
  };
  // A way out: `rule` of a node leads there, or none where it waits.
  struct End {
    Number node;
    RuleId rule;
  };
  // A step to a state inside that was known.
  struct Meeting {
    Number from, to;
    RuleId rule;
  };
  struct Sequence {
    Number source;  // state of the batch
    Number step;    // its first one
    std::vector<Number> nodes;
    std::vector<Number> ends;  // of ends_
    std::vector<Meeting> meetings;
    bool is_given_up;
  };
  // States of sequences, by what they are; only of those that have many.
  using Index = std::unordered_multimap<std::uint64_t, Number>;

  void begin();
  void follow_chains();
  std::size_t follow_links(ProcessId process, std::span<Number> chains);
  void note_inside(RuleId rule);
  void follow_all(std::span<const Number> sequences);
  void follow_level();
  void follow_group(std::size_t first, std::size_t end);
  // The state is number `i` of `states`.
  void come_to(Number from, RuleId rule, const StateBatch& states, std::size_t i);
  void come_out(Number node, RuleId rule, const StateBatch& states, std::size_t i);
  void add_node(const Node& node, const StateBatch& states, std::size_t i);
  void fail(Number node, const Finding& failure, std::vector<RuleId> way);
  void find_endless(const Sequence& sequence);
  void give_up(Sequence& sequence);
  void hand_out(SuccessorBatch& out);
  std::vector<RuleId> way_to(Number node) const;
  using Steps = std::multimap<Number, std::pair<Number, RuleId>>;  // from a node to another
  Steps steps_inside(const Sequence& sequence) const;
  std::optional<std::vector<RuleId>> way_round(const Steps& steps, Number first, Number last) const;

  std::unique_ptr<Stepper> stepper_;
  std::vector<ProcessId> alone_after_;  // by rule
  // Of the batch that is expanded:
  const StateBatch* batch_ = nullptr;
  std::vector<Finding>* findings_ = nullptr;
  SuccessorBatch steps_;             // single ones
  std::vector<Sequence> sequences_;  // in the order of those; only the first `used_` count
  std::size_t used_ = 0, at_once_ = 16;
  std::vector<Number> chains_, branching_;  // sequences: those that may not branch, and the rest
  std::vector<Node> nodes_;
  StateBatch inside_;  // states of the nodes
  std::vector<End> ends_;
  StateBatch outside_;  // where the ends lead to
  Index known_nodes_, known_ends_;
  std::vector<Number> level_, next_level_;  // nodes to be followed
  std::vector<End> origins_;                // of the successors; no node where it is a single step
  std::uint64_t expansion_ = 0;
  std::vector<std::uint64_t> noted_;  // by rule: the last expansion that took it inside
  // Scratch:
  StateBatch group_, links_;
  SuccessorBatch moves_;
  std::vector<Finding> failures_;
};

}  // namespace panoptes
