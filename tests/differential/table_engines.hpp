// SPDX-License-Identifier: Apache-2.0
// The steps of a table by every engine there is, in the terms of naive_steps.hpp.
#pragma once

#include <string>

#include "differential/naive_steps.hpp"
#include "relational/database.hpp"
#include "relational/dialect.hpp"
#include "step/stepper.hpp"

namespace panoptes::differential {

NaiveState decoded(const Program& program, StateView state);

// An engine's opinion.
struct EngineSpace {
  std::map<NaiveState, std::vector<NaiveStep>> steps;
  bool knows_kinds = true;   // of what fails
  bool knows_order = true;   // of the steps of a state
  std::string problem = {};  // it failed itself; "" where it did not
};

EngineSpace space_by(Stepper& stepper);
EngineSpace space_by_c(const Program& program);
EngineSpace space_by_sql(const Program& program, Database& database, const Dialect& dialect);

// Where the engine is of another opinion; "" nowhere.
std::string difference(const NaiveSpace& wanted, const EngineSpace& got);

}  // namespace panoptes::differential
