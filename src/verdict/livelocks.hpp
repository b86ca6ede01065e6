// SPDX-License-Identifier: Apache-2.0
// Livelocks as errors: components of a graph in which the same processes move and everybody is at
// the same places are one. Who finds components, and ways to them, is search/livelock.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verdict/conclusions.hpp"

namespace panoptes {

// Cycles, livelocks and stuck processes of a graph.
struct Livelocks {
  GraphReport graph;
  std::vector<ErrorReport> errors;       // in any order
  std::vector<bool> is_livelocked = {};  // by state: it is in a livelock
};

class LivelockGroups {
 public:
  explicit LivelockGroups(const Program& program) : program_(program) {}

  // A component of so many states; gives the number of its group.
  std::size_t add(const LivelockShape& shape, std::uint64_t states);
  std::size_t size() const { return groups_.size(); }

  // A component of a group, and a state of it.
  struct Example {
    LivelockShape shape;
    StateView state;
    Lasso run;  // the way to that state is a shortest one, and so is the cycle from there
  };
  // Without a trail where that takes too long. Nothing where it does not replay, with the reason in
  // `problem`.
  std::optional<ErrorReport> report(std::size_t group, const Example& example,
                                    const SourceSet& sources, std::string& problem,
                                    const Deadline& deadline) const;

 private:
  struct Group {
    ErrorKey exact;  // of its first component
    Members members;
    std::uint64_t count = 0;  // states in all of them
  };
  const Program& program_;
  std::map<ErrorKey, std::size_t> index_;
  std::vector<Group> groups_;
};

}  // namespace panoptes
