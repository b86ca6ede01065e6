// SPDX-License-Identifier: Apache-2.0
#include "search/explore.hpp"

#include <algorithm>
#include <new>

namespace panoptes {
namespace {

class Tally {
 public:
  Tally(Exploration& result, const Program& program) : result_(result) {
    result_.fired.resize(program.rules.size());
  }

  void count(const SuccessorBatch& successors, const std::vector<Finding>& findings) {
    result_.transitions += successors.size();
    for (const std::uint32_t failed : successors.failed) result_.transitions += failed;
    for (const RuleId rule : successors.rules) result_.fired[rule] = true;
    for (const Finding& finding : findings)
      if (finding.rule != none) result_.fired[finding.rule] = true;
  }

  void measure(const StateStore& store, const Frontier& frontier) {
    const StoreStats stats = store.stats();
    result_.states = stats.states;
    result_.depth = std::max(result_.depth, frontier.depth());
    result_.store_bytes = std::max(result_.store_bytes, stats.bytes);
    result_.frontier_bytes = std::max(result_.frontier_bytes, frontier.bytes());
    result_.trail_bytes = std::max(result_.trail_bytes, frontier.trail_bytes());
  }

  Progress progress(const StateStore& store, const Frontier& frontier) const {
    return {result_.states,
            result_.transitions,
            result_.depth,
            frontier.size(),
            store.stats().bytes + frontier.bytes() + frontier.trail_bytes(),
            0.0};
  }

 private:
  Exploration& result_;
};

bool has_error(const ErrorLog& errors, bool unread_messages_count) {
  return std::any_of(errors.records().begin(), errors.records().end(), [&](const auto& record) {
    return unread_messages_count || record.key.kind != ErrorKind::unread_messages;
  });
}

}  // namespace

Exploration explore(Stepper& stepper, StateStore& store, Frontier& frontier, Monitor& monitor,
                    ErrorLog& errors, const ExploreOptions& options) {
  Exploration result;
  Tally tally(result, stepper.program());
  StateBatch batch;
  SuccessorBatch successors;
  std::vector<Finding> findings;
  const std::uint64_t depth_limit = monitor.limits().depth;

  // One state, or many, from the frontier; false when the search is over.
  const auto advance = [&] {
    if (!monitor.go_on(tally.progress(store, frontier)) || !frontier.next(batch, store))
      return false;
    findings.clear();
    stepper.expand(batch, successors, findings);
    stepper.examine(batch, successors, options.receptions, findings);
    tally.count(successors, findings);

    const bool was_clean = errors.records().empty();
    errors.add(findings, batch, frontier);
    if (was_clean && !errors.records().empty()) {
      result.first_error_seconds = monitor.seconds();
      result.first_error_states = store.stats().states;
    }

    const bool deepest = depth_limit > 0 && frontier.depth() >= depth_limit;
    if (deepest && successors.size() > 0) result.stop = Stop::depth;
    frontier.admit(successors, store, deepest);
    tally.measure(store, frontier);
    const bool enough = options.first_error_only && frontier.level_ends() &&
                        has_error(errors, options.unread_messages_are_errors);
    if (enough && frontier.size() > 0) result.stop = Stop::first_error;
    return !enough;
  };

  frontier.start(stepper.program().initial, store);
  try {
    while (advance()) {
    }
  } catch (const std::bad_alloc&) {
    // The machine has less than it promised: what was found so far is still true.
    result.stop = Stop::memory;
  }
  tally.measure(store, frontier);
  if (monitor.stop() != Stop::finished && frontier.size() > 0) result.stop = monitor.stop();
  return result;
}

}  // namespace panoptes
