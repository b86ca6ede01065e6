// SPDX-License-Identifier: Apache-2.0
// What it costs to go on from a state: searches that choose prefer the cheap ones.
//
//   transit     many messages in transit are cheap: coordination is put to the test
//   scatter     few messages in transit and many processes that wait for input are cheap: that is
//               how a deadlock looks, with all channels empty and everybody waiting
//   expression  the user says
//
// Thread safety: of() may be called concurrently.
#pragma once

#include <cstdint>
#include <memory>

#include "protocol/cost.hpp"
#include "rules/program.hpp"

namespace panoptes {

class StateCost {
 public:
  virtual ~StateCost() = default;
  // Fills `costs` with that of every state, all of which are `depth` steps from the start.
  virtual void of(const StateBatch& states, std::uint64_t depth,
                  Buffer<std::int64_t>& costs) const = 0;
};

// REQUIRES: the program outlives the cost.
std::unique_ptr<StateCost> transit_cost(const Program& program);
std::unique_ptr<StateCost> scatter_cost(const Program& program);
// Where the expression has no value (it divides by zero), the state is the dearest of all.
std::unique_ptr<StateCost> expression_cost(const Program& program, CostExpression expression);

}  // namespace panoptes
