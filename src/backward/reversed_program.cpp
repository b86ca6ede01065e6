// SPDX-License-Identifier: Apache-2.0
#include "backward/reversed_program.hpp"

namespace panoptes {

Result<std::vector<Targets::Candidate>, std::string> ReversedProgram::candidates(
    ReceptionPolicy receptions, const BackwardLimits& limits) {
  const std::uint64_t bytes_at_the_start = space.bytes();
  solver.allow(limits.work, [&]() -> const char* {
    if (limits.deadline.has_passed()) return "time";
    return space.bytes() - bytes_at_the_start > limits.bytes ? "memory" : nullptr;
  });
  try {
    return Targets(program, conditions, space, solver, predecessors).all(receptions);
  } catch (const TooMuchWork& much) {
    return std::string(much.what());
  }
}

}  // namespace panoptes
