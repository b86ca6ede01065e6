// SPDX-License-Identifier: Apache-2.0
#include "search/check_program.hpp"

#include "step/interpreter.hpp"

namespace panoptes {

Result<Verdict, std::string> check_program(const Program& program, const SourceSet& sources,
                                           const CheckOptions& options) {
  try {
    std::string problem;
    auto verdict = check(program, sources, options, problem);
    if (verdict) return std::move(*verdict);
    return problem;
  } catch (const InternalFault& fault) {
    return std::string(fault.what());
  }
}

}  // namespace panoptes
