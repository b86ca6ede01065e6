// SPDX-License-Identifier: Apache-2.0
#include "api/plan_model.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/system.hpp"
#include "report/json.hpp"

namespace panoptes {

int plan_command(const Arguments& arguments) {
  if (const std::string problem = wrong_nodes(arguments); !problem.empty())
    return complain(problem);
  const Loaded loaded = load(arguments);
  const bool json = arguments.has(option::json);
  if (!json || !loaded.program) tell(loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) {
    if (json && !print(json_input_error(arguments.model, loaded.sources, loaded.diagnostics)))
      return ExitCode::internal_failure;
    return ExitCode::bad_input;
  }
  const auto plan = plan_model(arguments.model, arguments, loaded, interrupted());
  if (!plan) return own_fault(plan.failure());
  return print_or_fail(json ? plan_json(*plan) : plan_text(*plan));
}

}  // namespace panoptes
