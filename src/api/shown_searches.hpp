// SPDX-License-Identifier: Apache-2.0
// What has to be searched for to show it of a model that was loaded.
#pragma once

#include <optional>

#include "api/check_model.hpp"
#include "verdict/arrivals.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {

struct Searched {
  std::optional<Arrivals> arrivals;  // for --holes
  std::optional<GlobalGraph> graph;  // for --graph

  bool has_seen_all() const {
    return (!arrivals || arrivals->promise == Promise::exhaustive) &&
           (!graph || graph->is_counted());
  }
};

// What the options of `show` ask of a search; as check_options().
CheckOptions show_options(const OptionValues& values);

Arrivals arrivals_of(const Loaded& loaded, const CheckOptions& options);
// Of --states states at most.
GlobalGraph graph_of(const OptionValues& values, const Loaded& loaded, const CheckOptions& options);

}  // namespace panoptes
