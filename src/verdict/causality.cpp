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
  std::vector<std::size_t> asked;  // steps that looked how much is in it
};

class Tracer {
 public:
  explicit Tracer(const Program& program)
      : program_(program),
        last_of_(program.protocol.processes.size()),
        variables_(program.protocol.variables.size()),
        assertions_(program.protocol.assertions.size()),
        channels_(program.protocol.channels.size()) {
    for (ChannelId c = 0; c < channels_.size(); ++c)
      channels_[c].sends.resize(program.protocol.channels[c].contents.size());
  }

  std::vector<std::size_t> add(std::size_t step, const Rule& rule) {
    std::vector<std::size_t> needs;
    if (auto& last = last_of_[rule.process]) needs.push_back(*last);
    last_of_[rule.process] = step;
    if (barrier_) needs.push_back(*barrier_);
    const Footprint foot = footprint(program_, rule);
    for (const VariableId v : foot.reads)
      if (is_shared(v)) variables_[v].read(step, needs);
    for (const VariableId v : foot.writes)
      if (is_shared(v)) variables_[v].write(step, needs);
    for (const std::uint32_t a : foot.assertions) assertions_[a].write(step, needs);
    for (const ChannelId c : foot.asks) ask(step, channels_[c], needs);
    if (foot.sends_to != none) send(step, foot.sends_to, needs);
    if (foot.receives_from != none) receive(step, channels_[foot.receives_from], needs);
    if (rule.rule_class > 0) {
      for (std::size_t earlier = barrier_.value_or(0); earlier < step; ++earlier)
        needs.push_back(earlier);
      barrier_ = step;
    }
    std::erase(needs, step);  // one that reads what it writes does not need itself
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    return needs;
  }

  // The step that sent what is at the head of a channel; nothing where it was there at the start.
  std::optional<std::size_t> sender_of_head(ChannelId channel) const {
    const ChannelHistory& history = channels_[channel];
    const std::size_t head = history.receives.size();
    return head < history.sends.size() ? history.sends[head] : std::nullopt;
  }
  std::optional<std::size_t> last_of(ProcessId process) const { return last_of_[process]; }

 private:
  bool is_shared(VariableId v) const { return program_.protocol.variables[v].process == none; }

  static void ask(std::size_t step, ChannelHistory& history, std::vector<std::size_t>& needs) {
    if (!history.sends.empty() && history.sends.back()) needs.push_back(*history.sends.back());
    if (!history.receives.empty()) needs.push_back(history.receives.back());
    history.asked.push_back(step);
  }

  void send(std::size_t step, ChannelId c, std::vector<std::size_t>& needs) {
    const Channel& channel = program_.protocol.channels[c];
    if (channel.is_sink) return;
    ChannelHistory& history = channels_[c];
    if (!history.sends.empty() && history.sends.back()) needs.push_back(*history.sends.back());
    const std::size_t number = history.sends.size();
    if (number >= channel.capacity && number - channel.capacity < history.receives.size())
      needs.push_back(history.receives[number - channel.capacity]);
    needs.insert(needs.end(), history.asked.begin(), history.asked.end());
    history.asked.clear();
    history.sends.emplace_back(step);
  }

  static void receive(std::size_t step, ChannelHistory& history, std::vector<std::size_t>& needs) {
    const std::size_t number = history.receives.size();
    if (number < history.sends.size() && history.sends[number])
      needs.push_back(*history.sends[number]);
    needs.insert(needs.end(), history.asked.begin(), history.asked.end());
    history.asked.clear();
    history.receives.push_back(step);
  }

  const Program& program_;
  std::vector<std::optional<std::size_t>> last_of_;  // by process
  std::vector<Shared> variables_, assertions_;
  std::vector<ChannelHistory> channels_;
  std::optional<std::size_t> barrier_;  // the last timeout that waited for a lock
};

}  // namespace

Causes causes_of(const Program& program, const std::vector<TrailStep>& steps) {
  Causes causes;
  causes.reserve(steps.size());
  Tracer tracer(program);
  for (std::size_t i = 0; i < steps.size(); ++i)
    causes.push_back(tracer.add(i, program.rules[steps[i].rule]));
  return causes;
}

std::vector<bool> needed_by(const Program& program, const Trail& trail, const Finding& finding) {
  Causes causes;
  Tracer tracer(program);
  for (std::size_t i = 0; i < trail.steps.size(); ++i)
    causes.push_back(tracer.add(i, program.rules[trail.steps[i].rule]));
  const bool is_local = trail.ends_in_failure || finding.kind == ErrorKind::unspecified_reception;
  std::vector<bool> needed(trail.steps.size(), !is_local);
  if (!is_local) return needed;
  if (trail.ends_in_failure) {
    needed.back() = true;
  } else {
    if (const auto step = tracer.last_of(finding.process)) needed[*step] = true;
    if (const auto step = tracer.sender_of_head(finding.channel)) needed[*step] = true;
  }
  for (std::size_t i = needed.size(); i-- > 0;)
    if (needed[i])
      for (const std::size_t earlier : causes[i]) needed[earlier] = true;
  return needed;
}

}  // namespace panoptes
