// SPDX-License-Identifier: Apache-2.0
#include "search/find_arrivals.hpp"

#include <algorithm>

#include "search/batch_watcher.hpp"
#include "search/parts.hpp"
#include "step/examine.hpp"

namespace panoptes {
namespace {

// Notes what is first in each channel of the states of a search. Each worker has its own.
class ArrivalWatcher final : public BatchWatcher {
 public:
  // `program` outlives it.
  ArrivalWatcher(const Program& program, std::size_t workers)
      : program_(program), arrivals_(workers, Arrivals(program)) {}

  // REQUIRES: it was examined by the strictest policy.
  void expanded(unsigned worker, const StateBatch& batch, const SuccessorBatch& successors,
                const std::vector<Finding>& findings) override {
    Arrivals& arrivals = arrivals_[worker];
    for (std::size_t i = 0; i < batch.size(); ++i) note_heads(arrivals, batch[i]);
    note_unspecified(arrivals, batch, findings, ReceptionPolicy::blocked);
    std::vector<Finding> failures = findings;
    std::erase_if(failures, [](const Finding& finding) { return finding.rule == none; });
    for (const ReceptionPolicy policy : {ReceptionPolicy::reading, ReceptionPolicy::any}) {
      std::vector<Finding> more = failures;
      examine(program_, batch, successors, policy, more);
      note_unspecified(arrivals, batch, more, policy);
    }
  }

  const std::vector<Arrivals>& arrivals() const { return arrivals_; }

 private:
  StateId control(ProcessId process, StateView state) const {
    return static_cast<StateId>(read(program_.layout.control[process], state));
  }

  void note_heads(Arrivals& arrivals, StateView state) const {
    const Protocol& protocol = program_.protocol;
    for (ProcessId p = 0; p < protocol.processes.size(); ++p)
      arrivals.reached[p][control(p, state)] = 1;
    for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
      const Channel& channel = protocol.channels[c];
      if (channel.reader() == none) continue;
      const StateId at = control(channel.reader(), state);
      for (std::uint32_t place = 0; place < channel.places_to_receive(); ++place)
        if (const auto tag = tag_at(program_.layout.channels[c], place, state); tag || place == 0)
          arrivals.at(c, at, tag).is_seen = true;
    }
  }

  void note_unspecified(Arrivals& arrivals, const StateBatch& batch,
                        const std::vector<Finding>& findings, ReceptionPolicy policy) const {
    for (const Finding& finding : findings) {
      if (finding.kind != ErrorKind::unspecified_reception) continue;
      const StateId state = control(finding.process, batch[finding.source]);
      std::optional<ReceptionPolicy>& known =
          arrivals.at(finding.channel, state, finding.tag).unspecified;
      known = std::min(known.value_or(policy), policy);
    }
  }

  const Program& program_;
  std::vector<Arrivals> arrivals_;  // by worker
};

}  // namespace

Arrivals find_arrivals(const Program& program, const CheckOptions& options) {
  Parts parts(program, options);
  ArrivalWatcher watcher(program, parts.steppers.size());
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options{options.explore};
  explore_options.budget = &parts.budget;
  explore_options.receptions = ReceptionPolicy::blocked;
  explore_options.watcher = &watcher;
  const Exploration found = explore(parts.steppers, parts.stores.used(), *parts.frontier, monitor,
                                    errors, explore_options);
  Arrivals result(program);
  for (const Arrivals& seen : watcher.arrivals()) result.merge(seen);
  result.states = found.states;
  result.conclude(found.ending, parts.stores.own->promise(), errors.has_failure());
  return result;
}

}  // namespace panoptes
