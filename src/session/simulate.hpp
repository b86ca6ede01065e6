// SPDX-License-Identifier: Apache-2.0
// One run of a protocol, its steps chosen by chance.
//
// How it may be wrong: it says nothing of what other runs do, so one without an error is no proof
// of anything. The error it ends with is real: the run is replayed before anybody sees it, and one
// that does not replay is a fault of Panoptes. The same seed, weights and rules make the same run.
//
// Cost: one state for each step, as a walk has it. Thread safety: one thread; `interrupted` is
// called by it, once for each step.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "session/choose_step.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {

enum class RunEnd : std::uint8_t {
  length,       // as many steps as were wanted
  stopped,      // nothing can happen any more, and that is how it should be
  error,        // the run has come to an error
  interrupted,  // somebody wanted it to end
};
std::string_view to_string(RunEnd end);

struct SimulationOptions {
  std::size_t length = 100;
  Strictness strictness;
  std::function<bool()> interrupted;  // may be empty
};

struct Simulation {
  RunEnd end = RunEnd::length;
  std::optional<ErrorReport> error;  // of `error`; a warning may stand at the end of `stopped`
  Trail trail;
};

// Ends at the first state with an error, at a step that fails, or after so many steps. Nothing
// where the run does not replay, with the reason in `problem`. REQUIRES: the chooser was made for
// `program`, and length <= Walk::most_steps.
std::optional<Simulation> simulate(const Program& program, StepChooser chooser,
                                   const SimulationOptions& options, const SourceSet& sources,
                                   std::string& problem);

}  // namespace panoptes
