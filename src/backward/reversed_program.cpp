// SPDX-License-Identifier: Apache-2.0
#include "backward/reversed_program.hpp"

namespace panoptes {

template <typename Ask>
ReversedProgram::Found ReversedProgram::within(const BackwardLimits& limits, Ask ask) {
  const std::uint64_t bytes_at_the_start = space.bytes();
  // It may be asked on when this has returned.
  solver.allow(limits.work, [this, limits, bytes_at_the_start]() -> const char* {
    if (limits.deadline.has_passed()) return "time";
    return space.bytes() - bytes_at_the_start > limits.bytes ? "memory" : nullptr;
  });
  try {
    return ask(Targets(program, conditions, space, solver, predecessors));
  } catch (const TooMuchWork& much) {
    return std::string(much.what());
  }
}

Result<std::vector<Targets::Candidate>, std::string> ReversedProgram::candidates(
    ReceptionPolicy receptions, const BackwardLimits& limits) {
  return within(limits, [&](Targets targets) -> Found { return targets.all(receptions); });
}

Result<std::vector<Targets::Candidate>, std::string> ReversedProgram::potential_deadlocks(
    const BackwardLimits& limits) {
  return within(limits, [](Targets targets) -> Found {
    auto found = targets.potential_deadlocks();
    if (!found) return std::string("work");
    return std::move(*found);
  });
}

}  // namespace panoptes
