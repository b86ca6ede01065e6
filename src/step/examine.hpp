// SPDX-License-Identifier: Apache-2.0
// What is wrong with states, by the table of the program.
//
// It asks for no more than it is given: the enabled rules of every state are those that made a
// successor and those that failed, whoever found them, and where.
#pragma once

#include <vector>

#include "base/batch.hpp"
#include "rules/finding.hpp"

namespace panoptes {

// Adds what is wrong with the states of `batch` themselves. `successors`: theirs, all of them;
// `findings`: among others, those of the rules that failed.
void examine(const Program& program, const StateBatch& batch, const SuccessorBatch& successors,
             ReceptionPolicy receptions, std::vector<Finding>& findings);

}  // namespace panoptes
