// SPDX-License-Identifier: Apache-2.0
#include "api/model_request.hpp"

#include "options/table.hpp"

namespace panoptes {

ModelRequest model_request(const OptionValues& values) {
  ModelRequest request;
  request.definitions = values.all(option::define);
  request.build.default_capacity = static_cast<std::uint32_t>(*values.get(option::capacity));
  request.build.minimise = !values.has(option::no_minimise);
  if (const auto slots = values.get(option::at_most_slots))
    request.build.most_slots = static_cast<std::uint32_t>(*slots);
  request.rules = {values.get(option::timeouts), values.get(option::overflow)};
  request.build.ranges = values.get(option::ranges);
  if (values.has(option::faults)) request.faults = values.get(option::faults);
  request.labels = values.get(option::labels);
  request.cost = values.get(option::cost);
  request.never = values.all(option::never);
  request.ltl = values.all(option::ltl);
  if (values.has(option::fair)) request.fair = values.text(option::fair);
  request.progress = values.has(option::non_progress);
  request.acceptance = values.has(option::acceptance);
  request.reach = values.get(option::reach);
  request.folds = values.all(option::fold);
  const bool may_reduce = find_option(option::reduce.name, values.command()) != nullptr;
  for (const Reduce reduction : may_reduce ? values.get(option::reduce) : std::vector<Reduce>{}) {
    if (reduction == Reduce::symmetry) request.symmetry = SymmetryWish::required;
    if (reduction == Reduce::automatic) request.symmetry = SymmetryWish::welcome;
  }
  return request;
}

}  // namespace panoptes
