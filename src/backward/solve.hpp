// SPDX-License-Identifier: Apache-2.0
// In which states of a claim is an expression true? The answer is claims again: all of those
// states, and no others.
//
// Idea: what compares one number, or asks one channel, narrows the claim. Of && and || the parts
// are asked one by one; sums with one number that is known are undone. Anything else is evaluated;
// where it needs a number that is not known, every value is tried for it, the question asked again,
// and values with the same answer stay together. So no operation is
// too strange, and what is claimed is never more and never less than what is true.
//
// Claims of an answer may overlap: x or y is {x} and {y}, and each says as little as it can.
//
// Cost: of an expression of several unknown numbers, the product of their ranges in the worst case.
// There is a limit of work; beyond it TooMuchWork is thrown, which leaves no function of the
// searches.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backward/claims.hpp"

namespace panoptes {

struct TooMuchWork : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What an expression must be in a state.
struct Demand {
  // It has a value that is not 0; has none, or that is 0; has one of those that are wanted.
  enum class Kind : std::uint8_t { holds, does_not_hold, is_among };
  ExpressionId expression = none;
  Kind kind = Kind::holds;
  ValueSet wanted = {};
};

class Solver {
 public:
  // Both outlive it. The pool may grow, which is why it is not that of the space's program.
  Solver(ClaimSpace& space, const Expressions& pool) : space_(space), pool_(pool) {}

  // Where the expression has a value that is not 0; or where it has none, or that is 0.
  std::vector<Claim> where(const Claim& claim, ExpressionId expression, bool holds = true);
  // Where it has a value, and that is one of `wanted`.
  std::vector<Claim> where(const Claim& claim, ExpressionId expression, const ValueSet& wanted);
  // The same for all states of several claims.
  std::vector<Claim> where(const std::vector<Claim>& claims, ExpressionId expression,
                           bool holds = true);

  // Where the demand is met, or where it is not; nothing where that takes more than `work`, which
  // is no part of what may be asked.
  std::optional<std::vector<Claim>> where_within(std::uint64_t work, const Claim& claim,
                                                 const Demand& demand, bool is_met = true);
  // What is left of a claim where a demand must be met, if one claim says it.
  struct Narrowing {
    enum class Kind : std::uint8_t { several, one, nothing };  // several: or it takes too much
    Kind kind = Kind::several;
    std::vector<std::pair<std::size_t, std::uint32_t>> said = {};  // one: by place of the demand
  };
  // The same demand on the same places is looked at once.
  const Narrowing& narrowing(const Claim& claim, const Demand& demand);
  // The places of a claim that an expression looks at, in order.
  std::vector<std::size_t> places_of(ExpressionId expression) const;
  // What `ask` finds; nothing where that takes more than `work`.
  template <typename Ask>
  std::optional<std::vector<Claim>> within(std::uint64_t work, Ask ask);
  // Whether it is met there. REQUIRES: the claim is one state.
  bool is_met(const Claim& point, const Demand& demand);
  // What must all be met so that the expression holds, or does not.
  void add_demands(ExpressionId expression, bool holds, std::vector<Demand>& demands);

  // How much may be asked from now on; and who is asked now and then whether something else has
  // come to an end, and what.
  using Shortage = std::function<const char*()>;
  void allow(std::uint64_t work, Shortage shortage) {
    work_left_ = work;
    shortage_ = std::move(shortage);
  }
  // Throws where nothing is left.
  void spend();

  // What it keeps, about.
  std::uint64_t bytes() const { return narrowing_bytes_; }

 private:
  // What an expression needs to know.
  struct Question {
    enum class Kind : std::uint8_t { number, presence, tag, value } kind;
    std::size_t place = 0;                  // number; else channel ...
    std::uint32_t position = 0, index = 0;  // ... and message, and value of it
  };
  struct PartialState;
  using Judgement = std::function<bool(const Evaluation&)>;
  using Attempt = std::function<std::vector<Claim>(const Claim&)>;

  std::vector<Claim> where(const Claim& claim, const Demand& demand, bool is_met);
  std::vector<Claim> among(const Claim& claim, const ExpressionNode& leaf, const ValueSet& allowed);
  std::vector<Claim> among_tags(const Claim& claim, const ExpressionNode& leaf,
                                const ValueSet& allowed);
  std::vector<Claim> among_values(const Claim& claim, const ExpressionNode& leaf,
                                  const ValueSet& allowed);
  std::vector<Claim> by_presence(const Claim& claim, ChannelId channel, std::uint32_t place,
                                 bool is_there);
  bool is_sum(ExpressionId expression) const;
  std::optional<std::int64_t> known(const Claim& claim, ExpressionId expression);
  std::optional<std::pair<ExpressionId, ValueSet>> undone(const Claim& claim,
                                                          const ExpressionNode& node,
                                                          const ValueSet& wanted);
  std::vector<Claim> tried(const Claim& claim, ExpressionId expression, const Judgement& is_wanted,
                           const Attempt& again);
  std::vector<Claim> by_number(const Claim& claim, std::size_t place, const Attempt& attempt);
  std::vector<Claim> by_value(const Claim& claim, const Question& question, const Attempt& attempt);
  void set_message(Claim& claim, ChannelId channel, std::uint32_t place, MessageClaim message);

  ClaimSpace& space_;
  const Expressions& pool_;
  std::uint64_t work_left_ = 1'000'000;
  Shortage shortage_;
  std::unordered_map<ExpressionId, std::vector<std::size_t>> places_;
  // By expression, kind, what is wanted, and what is said of its places.
  std::map<std::vector<std::int64_t>, Narrowing> narrowings_;
  std::uint64_t narrowing_bytes_ = 0;  // of all of them
};

template <typename Ask>
std::optional<std::vector<Claim>> Solver::within(std::uint64_t work, Ask ask) {
  const std::uint64_t left = std::exchange(work_left_, work);
  std::optional<std::vector<Claim>> found;
  try {
    found = ask();
  } catch (const TooMuchWork&) {
    // Whoever has no time left is told so by whatever comes next.
  }
  work_left_ = left;
  return found;
}

// Leaves out what lies within another.
void leave_out_inner(const ClaimSpace& space, std::vector<Claim>& claims);

}  // namespace panoptes
