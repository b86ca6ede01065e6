// SPDX-License-Identifier: Apache-2.0
#include "verdict/livelocks.hpp"

#include <utility>

namespace panoptes {

std::size_t LivelockGroups::add(const LivelockShape& shape, std::uint64_t states) {
  const ErrorKey exact = exact_key_of(program_, shape);
  const auto [found, fresh] = index_.try_emplace(group_key(program_, exact), groups_.size());
  if (fresh) groups_.emplace_back().exact = exact;
  Group& group = groups_[found->second];
  group.count += states;
  add_members(program_, group.exact, exact, group.members);
  return found->second;
}

std::optional<ErrorReport> LivelockGroups::report(std::size_t group, const Example& example,
                                                  const SourceSet& sources, std::string& problem,
                                                  const Deadline& deadline) const {
  LivelockShape seen;
  auto trail = replay_livelock(program_, example.run, seen, problem, deadline);
  if (!trail && !problem.empty()) return {};
  ErrorReport report;
  report.key = group_key(program_, groups_[group].exact);
  report.description = describe(program_, example.shape, sources);
  report.finding.kind = ErrorKind::livelock;
  report.count = groups_[group].count;
  report.members = groups_[group].members;
  report.depth = example.run.way.size();
  if (trail) {
    report.trail = std::move(trail->way);
    report.cycle = std::move(trail->cycle);
  } else {
    report.gap = TrailGap::time;
    report.trail.last.assign(example.state.begin(), example.state.end());
  }
  report.is_shortest = true;
  return report;
}

}  // namespace panoptes
