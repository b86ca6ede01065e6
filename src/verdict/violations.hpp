// SPDX-License-Identifier: Apache-2.0
// Runs of which a temporal property does not hold, as errors. Who finds them is
// search/temporal.hpp.
//
// Nothing of what was found is believed but the rules: they are fired by the interpreter, the cycle
// twice; the formula is evaluated on the moments of that run by its definition, without the
// automaton that has found it; and that the run is fair is looked up in its states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verdict/conclusions.hpp"

namespace panoptes {

struct Violations {
  std::vector<PropertyReport> properties;  // as the program has them
  std::vector<ErrorReport> errors;         // in any order
};

// Of what kind an error is that violates such a property.
ErrorKind kind_of(PropertyOrigin origin);

// The report of a run that violates property number `property`; how many states show it is left to
// the caller. Without a trail where that takes too long. Nothing where it does not replay, does not
// violate the property or is not fair, with the reason in `problem`.
std::optional<ErrorReport> report_violation(const Program& program, std::uint32_t property,
                                            const Lasso& run, const SourceSet& sources,
                                            std::string& problem, const Deadline& deadline = {});

// Makes members of a family that a property does not hold of one error, with the shortest run.
void group_members(const Program& program, Violations& found);

}  // namespace panoptes
