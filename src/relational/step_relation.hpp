// SPDX-License-Identifier: Apache-2.0
// One relation of the five steps, and where it is.
//
// In the database it is a temporary table of numbers, called raw_ and its name; names of states and
// messages come in when it is shown or kept (named_steps.hpp). Thread safety: plain data.
#pragma once

#include <cstdint>
#include <string>

#include "relational/algebra.hpp"
#include "relational/database.hpp"

namespace panoptes {

struct StepRelation {
  int step = 1;
  std::string name;   // as in the paper: H-A
  std::string table;  // as kept: h_a
  std::string meaning;
  algebra::Names columns = {};
  std::uint64_t rows = 0;
  std::uint64_t rounds = 0;  // joins to the fixpoint, the last of which finds nothing; 0: no such
  double seconds = 0.0;
  bool is_built = true;  // else its rows were only counted
};

inline std::string raw_name(const std::string& table) { return "raw_" + table; }

}  // namespace panoptes
