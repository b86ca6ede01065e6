// SPDX-License-Identifier: Apache-2.0
#include "protocol/finish.hpp"

#include "protocol/determinise.hpp"
#include "protocol/limits.hpp"
#include "protocol/minimise.hpp"
#include "protocol/ranges.hpp"

namespace panoptes {

bool finish(Protocol& protocol, const BuildOptions& options, Diagnostics& diagnostics) {
  infer_ranges(protocol);
  if (options.minimise)
    for (Process& process : protocol.processes) minimise(process.automaton, options.asked);
  std::size_t subsets_left = BuildLimits::all_assertion_subsets;
  for (Assertion& assertion : protocol.assertions) {
    if (options.minimise) minimise(assertion.automaton, options.asked);
    determinise(assertion, options.minimise, subsets_left, diagnostics);
    if (diagnostics.has_errors()) return false;
  }
  return true;
}

}  // namespace panoptes
