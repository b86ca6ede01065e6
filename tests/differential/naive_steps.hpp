// SPDX-License-Identifier: Apache-2.0
// What rules/program.hpp says of a rule, done to plain numbers and lists: no words, no bits, no
// layout. A second opinion of the steps of a table, to be read and not to be fast.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rules/finding.hpp"
#include "rules/program.hpp"

namespace panoptes::differential {

struct NaiveState {
  std::vector<std::int64_t> control, variables;
  // By channel, from head to tail: a tag and values.
  std::vector<std::vector<std::vector<std::int64_t>>> channels;
  friend auto operator<=>(const NaiveState&, const NaiveState&) = default;
};

// One firing: a successor, or what is wrong.
struct NaiveStep {
  RuleId rule = none;
  bool ends_inside = false;
  bool fails = false;
  ErrorKind kind = ErrorKind::deadlock;  // of what fails
  NaiveState next;
  friend bool operator==(const NaiveStep&, const NaiveStep&) = default;
};

// Every state with its steps in order, as far as `most_states`.
struct NaiveSpace {
  std::map<NaiveState, std::vector<NaiveStep>> steps;
  bool is_complete = true;
};

NaiveState naive_initial(const Program& program);
std::vector<NaiveStep> naive_steps(const Program& program, const NaiveState& state);
NaiveSpace naive_space(const Program& program, std::size_t most_states);

}  // namespace panoptes::differential
