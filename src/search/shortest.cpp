// SPDX-License-Identifier: Apache-2.0
#include "search/shortest.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "search/search_once.hpp"
#include "verdict/merge.hpp"

namespace panoptes {
namespace {

// What is to be shortened, and how far away it is at most.
struct Wanted {
  std::set<ErrorKey> keys;
  std::uint64_t depth = 0;
};

// An error without a trail is as far away as nobody knows, and looked for no deeper than others.
Wanted wanted_of(const Program& program, const Verdict& found) {
  Wanted wanted;
  for (const auto* list : {&found.errors, &found.warnings})
    for (const ErrorReport& error : *list) {
      if (error.is_shortest || error.gap > TrailGap::unasked) continue;
      if (is_of_property(error.key.kind)) continue;  // which no search of states meets
      wanted.keys.insert(error.key);
      wanted.depth =
          std::max(wanted.depth, search_depth(program, error.rules(), error.trail.ends_in_failure));
    }
  return wanted;
}

// Level by level, with every step, and with all that is asked about states.
void make_plain(CheckOptions& options, std::uint64_t depth) {
  options.search = ExhaustiveSearch{};
  options.choice = {};
  options.cost.reset();
  options.reduce.internal = options.reduce.order = false;
  options.unreduced.clear();
  options.folded.clear();
  options.count_distinct = false;
  options.checkpoints = nullptr;
  // 0 would be no limit at all; a level more is no harm.
  options.limits.depth = std::max<std::uint64_t>(1, depth);
}

// What has ended the second search before it had met everything; finished where it has.
Stop why_ended(const Wanted& wanted, const Verdict& second) {
  std::set<ErrorKey> met;
  for (const auto* list : {&second.errors, &second.warnings})
    for (const ErrorReport& error : *list)
      if (error.is_shortest) met.insert(error.key);
  return std::ranges::includes(met, wanted.keys) ? Stop::finished : second.stop;
}

// Whoever wants the first error is not told of others.
void leave_others(const std::set<ErrorKey>& wanted, Verdict& second) {
  for (auto* list : {&second.errors, &second.warnings})
    std::erase_if(*list, [&](const ErrorReport& error) { return !wanted.contains(error.key); });
}

}  // namespace

std::optional<Verdict> with_shortest_trails(const Program& program, const SourceSet& sources,
                                            CheckOptions options, double start, Verdict&& found,
                                            std::string& problem) {
  const Wanted wanted = wanted_of(program, found);
  if (!options.shortest || wanted.keys.empty()) return std::move(found);
  make_plain(options, wanted.depth);
  ShortestReport report{.depth = wanted.depth};
  if (options.limits.seconds > 0.0) {
    options.limits.seconds -= options.clock() - start;
    if (options.limits.seconds <= 0.0) report.ended = Stop::time;
  }
  if (options.interrupted && options.interrupted->load()) report.ended = Stop::interrupted;
  if (report.ended != Stop::finished) {
    found.shortest = report;
    return std::move(found);
  }
  const double begun = options.clock();
  const bool wants_no_more = std::exchange(options.explore.first_error_only, false);
  auto second = search_once(program, sources, options, {.wanted = &wanted.keys}, problem);
  if (!second) return {};
  if (wants_no_more) leave_others(wanted.keys, *second);
  report.states = second->states;
  report.seconds = options.clock() - begun;
  report.ended = why_ended(wanted, *second);
  merge_shorter(program, found, std::move(*second), report);
  return std::move(found);
}

}  // namespace panoptes
