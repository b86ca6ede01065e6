// SPDX-License-Identifier: Apache-2.0
// Whoever wants the graph itself gets every transition here, once, when its target is recorded.
// Numbers are those of a numbering store: 0 is the initial state.
//
// Thread safety: transitions() may be called concurrently by different workers where the sink's own
// header says so; everything else may not.
#pragma once

#include <cstdint>

#include "base/batch.hpp"
#include "rules/program.hpp"

namespace panoptes {

class GraphSink {
 public:
  virtual ~GraphSink() = default;
  virtual void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) = 0;
  // All of one state: those from `begin` on, before `end`, as a numbering store has marked them.
  virtual void transitions(unsigned /*worker*/, std::uint64_t source,
                           const SuccessorBatch& successors, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      transition(source, successors.rules[s], successors.numbers[s], successors.fresh[s] != 0);
  }
  // What it takes, and what it will take beside that when the search has ended.
  virtual std::uint64_t bytes() const { return 0; }
  virtual std::uint64_t growth_bytes() const { return 0; }
};

}  // namespace panoptes
