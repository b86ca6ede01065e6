// SPDX-License-Identifier: Apache-2.0
#include "search/find_arrivals.hpp"

#include <algorithm>
#include <array>

#include "search/parts.hpp"
#include "search/search_once.hpp"

namespace panoptes {
namespace {

// Passes everything on, and notes what is first in each channel of the states that pass.
class ArrivalStepper final : public Stepper {
 public:
  explicit ArrivalStepper(std::unique_ptr<Stepper> stepper)
      : stepper_(std::move(stepper)), arrivals_(stepper_->program()) {}

  const Program& program() const override { return stepper_->program(); }
  void expand(const StateBatch& batch, SuccessorBatch& out,
              std::vector<Finding>& findings) override {
    stepper_->expand(batch, out, findings);
  }
  void examine(const StateBatch& batch, const SuccessorBatch& successors, ReceptionPolicy,
               std::vector<Finding>& findings) override {
    for (std::size_t i = 0; i < batch.size(); ++i) note_heads(batch[i]);
    // From the least strict to the strictest, which has the last word.
    const std::vector<Finding> failures = findings;
    for (const ReceptionPolicy policy :
         {ReceptionPolicy::any, ReceptionPolicy::reading, ReceptionPolicy::blocked}) {
      findings = failures;
      stepper_->examine(batch, successors, policy, findings);
      for (const Finding& finding : findings)
        if (finding.kind == ErrorKind::unspecified_reception)
          note_unspecified(finding, policy, batch[finding.source]);
    }
  }

  const Arrivals& arrivals() const { return arrivals_; }

 private:
  StateId control(ProcessId process, StateView state) const {
    return static_cast<StateId>(read(program().layout.control[process], state));
  }

  void note_heads(StateView state) {
    const Protocol& protocol = program().protocol;
    for (ProcessId p = 0; p < protocol.processes.size(); ++p)
      arrivals_.reached[p][control(p, state)] = 1;
    for (ChannelId c = 0; c < protocol.channels.size(); ++c)
      if (protocol.channels[c].reader != none)
        arrivals_
            .at(c, control(protocol.channels[c].reader, state),
                head_tag(program().layout.channels[c], state))
            .is_seen = true;
  }

  void note_unspecified(const Finding& finding, ReceptionPolicy policy, StateView state) {
    std::optional<ReceptionPolicy>& known =
        arrivals_.at(finding.channel, control(finding.process, state), finding.tag).unspecified;
    known = std::min(known.value_or(policy), policy);
  }

  std::unique_ptr<Stepper> stepper_;
  Arrivals arrivals_;
};

}  // namespace

Arrivals find_arrivals(const Program& program, const CheckOptions& options) {
  Parts parts(program, options);
  std::vector<const ArrivalStepper*> watchers;
  for (std::unique_ptr<Stepper>& stepper : parts.steppers) {
    // The frontier goes on with the one inside, which is where it was.
    auto watcher = std::make_unique<ArrivalStepper>(std::move(stepper));
    watchers.push_back(watcher.get());
    stepper = std::move(watcher);
  }
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  ErrorLog errors(program);
  ExploreOptions explore_options = options.explore;
  explore_options.budget = &parts.budget;
  const Exploration found = explore(parts.steppers, parts.stores.used(), *parts.frontier, monitor,
                                    errors, explore_options);
  Arrivals result(program);
  for (const ArrivalStepper* watcher : watchers) result.merge(watcher->arrivals());
  result.states = found.states;
  result.stop = found.stop;
  result.promise = promise_of(found.stop, parts.stores.own->promise());
  if (result.stop == Stop::finished && result.promise != Promise::exhaustive)
    result.stop = Stop::omission;
  result.has_failures = errors.has_failure();
  return result;
}

}  // namespace panoptes
