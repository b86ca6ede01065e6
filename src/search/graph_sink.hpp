// SPDX-License-Identifier: Apache-2.0
// Whoever wants the graph itself gets every transition here, once, when its target is recorded.
// Numbers are those of a numbering store: 0 is the initial state.
#pragma once

#include <cstdint>

#include "rules/program.hpp"

namespace panoptes {

class GraphSink {
 public:
  virtual ~GraphSink() = default;
  virtual void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) = 0;
  // What it takes, and what it will take beside that when the search has ended.
  virtual std::uint64_t bytes() const { return 0; }
  virtual std::uint64_t growth_bytes() const { return 0; }
};

}  // namespace panoptes
