// SPDX-License-Identifier: Apache-2.0
// Backtracking: the ways on which a protocol of two processes gets from its initial state to where
// something is wrong.
//
// Idea: from the states that are unsafe, joins with G find their predecessors, and predecessors of
// those, until nothing is new; the round says how many steps it is to the nearest unsafe state. The
// transitions between all these states are what every faulty path is made of. Paths are then put
// together from the initial state on, shortest first: of all beginnings of paths, the one goes on
// that can be the shortest whole one, which the predecessors tell. Source: Frieder and Herman,
// Protocol Verification Using Database Technology, Model Extensions; Hart, Nilsson and Raphael, A
// Formal Basis for the Heuristic Determination of Minimum Cost Paths (A*).
//
//   unsafe        what is wrong, with the state in which it is
//   predecessors  steps_back and the state
//   faulty        the rows of G on the way
//   paths         the path, the step, and a row of G
//
// Cost: joins as for S; paths take most_beginnings at most, which is a second. How it can be wrong:
// a loop makes paths without end, so none visits a state twice; there can still be more than anyone
// can count, and then it says that it has not counted them all. Thread safety: that of the
// database.
#pragma once

#include "relational/five_steps.hpp"

namespace panoptes {

struct FaultyPaths {
  static constexpr std::uint64_t most_beginnings = 500'000;

  std::uint64_t listed = 0;  // in `paths`
  std::uint64_t found = 0;
  bool is_all = true;  // no other path gets there without visiting a state twice
};

// Adds those relations, with up to `most` paths; others are counted. REQUIRES: the steps were run.
DatabaseResult<FaultyPaths> find_faulty_paths(FiveSteps& steps, Database& database,
                                              std::uint64_t most);

// ---- the search for paths, on numbers alone -------------------------------------------------

struct FaultyGraph {
  struct Edge {
    std::uint32_t number, source, target;
  };
  std::vector<std::uint32_t> steps_back;  // by state, 0: unsafe
  std::vector<Edge> edges;                // by source
  std::uint32_t initial = 0;
};

// Calls `each` with the numbers of the edges of a path, shortest first, until it says false; gives
// the number of paths and whether these are all.
struct PathCount {
  std::uint64_t found = 0;
  bool is_all = true;
};
PathCount for_each_path(const FaultyGraph& graph, std::uint64_t most_beginnings,
                        const std::function<bool(const std::vector<std::uint32_t>&)>& each);

}  // namespace panoptes
