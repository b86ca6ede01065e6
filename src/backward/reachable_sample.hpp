// SPDX-License-Identifier: Apache-2.0
// Some states that can be reached, found forwards: what contains one of them is never excluded.
//
// Idea: whoever looks for what holds in every state makes guesses, and most wrong ones are wrong in
// some of the first few thousand states. Where there are not many all are in it; else half of it is
// what breadth first comes to, the rest is met on random walks from there, so that it has states
// far away, too; and it grows by those that show a guess to be wrong. Of every part of a claim it
// is kept in which states of the sample it is true, a bit each; a question is their conjunction.
//
// Steps are those of single rules: a state inside of an indivisible sequence is one, too, together
// with who moves alone (step/turn.hpp).
//
// How it can be wrong: not in what it has. What it does not have may be reachable or not.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "backward/reversed_program.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

class ReachableSample {
 public:
  using Bits = std::vector<std::uint64_t>;

  // All states where there are no more than `most`, else a fifth as many; where time ends before
  // all were looked at, fewer, of which there may be one. `answer_bytes`: for what is kept of them.
  // `reversed` outlives it.
  ReachableSample(ReversedProgram& reversed, std::size_t most, const Deadline& deadline,
                  std::uint64_t answer_bytes = 32 << 20);

  std::size_t size() const { return points_.size(); }
  // All states that can be reached are in it.
  bool is_complete() const { return is_complete_; }
  const Claim& operator[](std::size_t i) const { return points_[i]; }
  // One that is in the claim, the nearest to the initial state as far as is known.
  std::optional<std::size_t> first_in(const Claim& claim);
  // The same, of those that are in none of the others and of which `is_meant` is true.
  std::optional<std::size_t> first_in(const Claim& claim, const std::vector<Claim>& unless,
                                      const std::function<bool(const Claim&)>& is_meant);
  // Of which states it is true what is said of the place, a bit each. It is there until the next
  // question about another.
  const Bits& true_in(std::size_t place, std::uint32_t said);
  // Those that are in the claim.
  Bits all_in(const Claim& claim);

  // Where the rule leads to from state `i`; none where its process waits there.
  // REQUIRES: it does.
  std::size_t step(std::size_t i, RuleId rule);
  // Adds half as many from elsewhere.
  void grow(const Deadline& deadline);
  // The rules that lead there from the initial state.
  std::vector<RuleId> way_to(std::size_t i) const;

  std::uint64_t bytes() const;

 private:
  using State = std::pair<StateWords, ProcessId>;  // and who moves alone
  struct Origin {
    std::size_t parent;
    std::vector<RuleId> rules;  // from there; none where nobody moved
  };
  struct Answer {
    Bits bits;
    std::size_t covered = 0;  // of the states
  };
  // What the points say of one place, with small numbers.
  struct Column {
    std::vector<std::uint32_t> all = {};        // that is said
    std::vector<std::uint32_t> of_points = {};  // which of it, by point
    std::unordered_map<std::uint32_t, std::uint32_t> numbers = {};
    void add(std::uint32_t said);
  };
  struct Next {
    State state;
    std::vector<RuleId> rules;
  };
  std::vector<Next> successors(const State& state);
  std::size_t add(Next&& next, std::size_t parent);
  void add_points(const Deadline& deadline);
  void keep(std::size_t count);
  void sample_some(std::size_t most, const Deadline& deadline);
  void walk(std::size_t until, const Deadline& deadline);
  void walk_from(std::size_t at, std::size_t length);
  void make_room();
  const Bits& answer_of(std::size_t place, std::uint32_t said);

  const Program& program_;
  ClaimSpace& space_;
  Interpreter interpreter_;
  std::uint64_t most_answer_bytes_;
  std::vector<Claim> points_;
  std::vector<Column> columns_;  // by place
  std::vector<State> states_;
  std::vector<Origin> origins_;
  std::map<State, std::size_t> numbers_;
  bool is_complete_ = false;
  std::vector<std::unordered_map<std::uint32_t, Answer>> known_;  // by place and what is said of it
  std::size_t answers_ = 0;                                       // there
  std::mt19937_64 random_{1};
};

}  // namespace panoptes
