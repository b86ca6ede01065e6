// SPDX-License-Identifier: Apache-2.0
// Broadcasts, found in the rules: a chain of sends is one step to all members of a family, and the
// order of the sends makes no difference to anybody.
//
// Idea: states between two sends of a broadcast are inside an indivisible sequence, and no way but
// the chain leads into or out of them. Where each send has room when its turn comes, or may be lost
// in any case, values do not depend on the sends before, and no assertion sees them, what the
// chain leads to is the same in any order. Only such chains are found.
#pragma once

#include <vector>

#include "rules/program.hpp"

namespace panoptes {

struct Broadcast {
  std::vector<std::vector<RuleId>> sends;  // in order; several rules where it may be lost
  // Conditions of the first ones, without those that ask for room in other channels.
  std::vector<ExpressionId> conditions;

  RuleId first() const { return sends.front().front(); }
  RuleId last() const { return sends.back().front(); }
};

class Broadcasts {
 public:
  explicit Broadcasts(const Program& program);

  const std::vector<Broadcast>& all() const { return all_; }
  bool has(RuleId rule) const { return is_part_[rule]; }

 private:
  void find_from(const Program& program, RuleId rule);

  std::vector<Broadcast> all_;
  std::vector<bool> is_part_;  // by rule
  // By process, state: rules that lead there, and `none` for the beginning.
  std::vector<std::vector<std::vector<RuleId>>> entries_;
};

}  // namespace panoptes
