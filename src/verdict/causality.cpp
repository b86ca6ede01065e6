// SPDX-License-Identifier: Apache-2.0
#include "verdict/causality.hpp"

#include <algorithm>
#include <optional>

namespace panoptes {
namespace {

// Something that steps read and write: whoever writes it needs those who read it before, and
// whoever reads it the one who wrote it.
struct Shared {
  std::optional<std::size_t> writer;
  std::vector<std::size_t> readers;  // since then

  void read(std::size_t step, std::vector<std::size_t>& needs) {
    if (writer) needs.push_back(*writer);
    readers.push_back(step);
  }
  void write(std::size_t step, std::vector<std::size_t>& needs) {
    needs.insert(needs.end(), readers.begin(), readers.end());
    if (writer) needs.push_back(*writer);
    readers.clear();
    writer = step;
  }
};

struct ChannelHistory {
  std::vector<std::optional<std::size_t>> sends;  // by message; nothing for those of the beginning
  std::vector<std::size_t> receives;
  std::vector<std::optional<std::size_t>> waiting;  // of `sends`, those not received
  ProcessId last_reader = none;
  // Steps that looked how much is in it, since the last send and since the last receive: both
  // change what they saw, and may be of different processes.
  std::vector<std::size_t> asked_since_send, asked_since_receive;
};

class Tracer {
 public:
  explicit Tracer(const Program& program)
      : program_(program),
        last_of_(program.protocol.processes.size()),
        asked_where_(program.protocol.processes.size()),
        variables_(program.protocol.variables.size()),
        assertions_(program.protocol.assertions.size()),
        channels_(program.protocol.channels.size()) {
    for (ChannelId c = 0; c < channels_.size(); ++c)
      for (auto* sends : {&channels_[c].sends, &channels_[c].waiting})
        sends->resize(program.protocol.channels[c].contents.size());
  }

  std::vector<std::size_t> add(std::size_t step, RuleId id) {
    const Rule& rule = program_.rules[id];
    std::vector<std::size_t> needs;
    for (const ProcessMove& move : rule.moves) {
      if (auto& last = last_of_[move.process]) needs.push_back(*last);
      take(asked_where_[move.process], needs);
      last_of_[move.process] = step;
    }
    if (barrier_) needs.push_back(*barrier_);
    const Footprint foot = footprint(program_, rule);
    for (const VariableId v : foot.reads)
      if (is_shared(v)) variables_[v].read(step, needs);
    for (const VariableId v : foot.writes)
      if (is_shared(v)) variables_[v].write(step, needs);
    for (const std::uint32_t a : foot.assertions) assertions_[a].write(step, needs);
    for (const ChannelId c : foot.asks) ask(step, channels_[c], needs);
    for (const ProcessId p : foot.asks_where) {
      if (last_of_[p]) needs.push_back(*last_of_[p]);
      asked_where_[p].push_back(step);
    }
    if (foot.sends_to != none) send(step, foot.sends_to, needs);
    if (foot.receives_from != none) receive(step, rule, channels_[foot.receives_from], needs);
    if (foot.flushes != none) flush(step, channels_[foot.flushes], needs);
    if (program_.class_of(id) > 0) {
      for (std::size_t earlier = barrier_.value_or(0); earlier < step; ++earlier)
        needs.push_back(earlier);
      barrier_ = step;
    }
    std::erase(needs, step);  // one that reads what it writes does not need itself
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    return needs;
  }

  // The steps that a reception depends on for being unspecified: the last one of its process, the
  // send of what has arrived, and whatever has made the rest of what the process could do there
  // impossible.
  std::vector<std::size_t> needs_of(const Finding& finding, StateView state) const {
    std::vector<std::size_t> needs;
    if (const auto last = last_of_[finding.process]) needs.push_back(*last);
    add_sender(finding.channel, 0, needs);
    const Slot& slot = program_.layout.control[finding.process];
    const ControlInfo& at =
        program_.at(finding.process, static_cast<StateId>(panoptes::read(slot, state)));
    for_each_rule(at, [&](RuleId id) { add_needs_of_rule(id, needs); });
    return needs;
  }

 private:
  // Where a message was there from the start, nobody sent it.
  void add_sender(ChannelId channel, std::uint32_t position,
                  std::vector<std::size_t>& needs) const {
    const ChannelHistory& history = channels_[channel];
    if (position < history.waiting.size() && history.waiting[position])
      needs.push_back(*history.waiting[position]);
  }

  void add_needs_of_rule(RuleId id, std::vector<std::size_t>& needs) const {
    const Footprint foot = footprint(program_, program_.rules[id]);
    for (const VariableId v : foot.reads)
      if (is_shared(v) && variables_[v].writer) needs.push_back(*variables_[v].writer);
    for (const ChannelId c : foot.asks) add_last_changes(channels_[c], needs);
    for (const ProcessId p : foot.asks_where)
      if (last_of_[p]) needs.push_back(*last_of_[p]);
    if (foot.sends_to != none) add_last_changes(channels_[foot.sends_to], needs);
    if (foot.flushes != none) add_last_changes(channels_[foot.flushes], needs);
    if (foot.receives_from != none)
      add_sender(foot.receives_from, program_.rules[id].position, needs);
  }

  bool is_shared(VariableId v) const { return program_.protocol.variables[v].process == none; }

  static void ask(std::size_t step, ChannelHistory& history, std::vector<std::size_t>& needs) {
    add_last_changes(history, needs);
    history.asked_since_send.push_back(step);
    history.asked_since_receive.push_back(step);
  }

  static void add_last_changes(const ChannelHistory& history, std::vector<std::size_t>& needs) {
    if (!history.sends.empty() && history.sends.back()) needs.push_back(*history.sends.back());
    if (!history.receives.empty()) needs.push_back(history.receives.back());
  }

  void send(std::size_t step, ChannelId c, std::vector<std::size_t>& needs) {
    const Channel& channel = program_.protocol.channels[c];
    if (channel.capacity == 0) return;  // a sink, or a rendezvous
    ChannelHistory& history = channels_[c];
    if (!history.sends.empty() && history.sends.back()) needs.push_back(*history.sends.back());
    const std::size_t number = history.sends.size();
    if (number >= channel.capacity && number - channel.capacity < history.receives.size())
      needs.push_back(history.receives[number - channel.capacity]);
    take(history.asked_since_send, needs);
    history.sends.emplace_back(step);
    history.waiting.emplace_back(step);
  }

  // Which message it takes depends on those that others have taken before.
  static void receive(std::size_t step, const Rule& rule, ChannelHistory& history,
                      std::vector<std::size_t>& needs) {
    if (rule.position < history.waiting.size()) {
      if (const auto sender = history.waiting[rule.position]) needs.push_back(*sender);
      history.waiting.erase(history.waiting.begin() + rule.position);
    }
    if (history.last_reader != none && history.last_reader != rule.owner().process)
      needs.push_back(history.receives.back());
    history.last_reader = rule.owner().process;
    take(history.asked_since_receive, needs);
    history.receives.push_back(step);
  }

  // As if it took them one by one.
  static void flush(std::size_t step, ChannelHistory& history, std::vector<std::size_t>& needs) {
    add_last_changes(history, needs);
    take(history.asked_since_receive, needs);
    history.receives.insert(history.receives.end(), history.waiting.size(), step);
    history.waiting.clear();
  }

  static void take(std::vector<std::size_t>& asked, std::vector<std::size_t>& needs) {
    needs.insert(needs.end(), asked.begin(), asked.end());
    asked.clear();
  }

  const Program& program_;
  std::vector<std::optional<std::size_t>> last_of_;    // by process
  std::vector<std::vector<std::size_t>> asked_where_;  // by process, since then
  std::vector<Shared> variables_, assertions_;
  std::vector<ChannelHistory> channels_;
  std::optional<std::size_t> barrier_;  // the last step that waited for a lock
};

Causes trace(const std::vector<TrailStep>& steps, Tracer& tracer) {
  Causes causes;
  causes.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) causes.push_back(tracer.add(i, steps[i].rule));
  return causes;
}

}  // namespace

Causes causes_of(const Program& program, const std::vector<TrailStep>& steps) {
  Tracer tracer(program);
  return trace(steps, tracer);
}

std::vector<bool> needed_by(const Program& program, const Trail& trail, const Finding& finding) {
  Tracer tracer(program);
  const Causes causes = trace(trail.steps, tracer);
  const bool is_local = trail.ends_in_failure || finding.kind == ErrorKind::unspecified_reception;
  std::vector<bool> needed(trail.steps.size(), !is_local);
  if (!is_local) return needed;
  if (trail.ends_in_failure) {
    needed.back() = true;
  } else {
    for (const std::size_t step : tracer.needs_of(finding, trail.last)) needed[step] = true;
  }
  for (std::size_t i = needed.size(); i-- > 0;)
    if (needed[i])
      for (const std::size_t earlier : causes[i]) needed[earlier] = true;
  return needed;
}

}  // namespace panoptes
