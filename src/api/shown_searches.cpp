// SPDX-License-Identifier: Apache-2.0
#include "api/shown_searches.hpp"

#include <algorithm>
#include <thread>

#include "api/memory.hpp"
#include "search/find_arrivals.hpp"
#include "search/global_graph.hpp"

namespace panoptes {

CheckOptions show_options(const OptionValues& values) {
  CheckOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.limits.memory_bytes = memory_of(values);
  options.limits.seconds = values.get(option::time).value_or(0.0);
  options.explore.receptions = values.get(option::receptions);
  return options;
}

Arrivals arrivals_of(const Loaded& loaded, const CheckOptions& options) {
  return find_arrivals(*loaded.program, options);
}

GlobalGraph graph_of(const OptionValues& values, const Loaded& loaded,
                     const CheckOptions& options) {
  return find_graph(*loaded.program, options, *values.get(option::states));
}

}  // namespace panoptes
