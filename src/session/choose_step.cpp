// SPDX-License-Identifier: Apache-2.0
#include "session/choose_step.hpp"

#include <fmt/format.h>

#include <set>

#include "base/diagnostic.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t tag_factor = 4;

std::uint64_t tag_weight(const Rule& rule) {
  if (rule.likelihood > 0) return tag_factor * tag_factor;
  return rule.likelihood < 0 ? 1 : tag_factor;
}

bool is_called(const Program& program, const Rule& rule, const std::string& name) {
  const Process& process = program.protocol.processes[rule.owner().process];
  if (process.name == name || process.declaration == name) return true;
  if (rule.kind == ActionKind::timeout) return name == "timeout";
  return rule.tag != 0 && program.protocol.channels[rule.channel].sort[rule.tag - 1].name == name;
}

// Everything that can have a weight.
std::set<std::string> names_of(const Program& program) {
  std::set<std::string> names{"timeout"};
  for (const Process& process : program.protocol.processes) {
    names.insert(process.name);
    names.insert(process.declaration);
  }
  for (const Channel& channel : program.protocol.channels)
    for (const MessageType& type : channel.sort) names.insert(type.name);
  return names;
}

}  // namespace

std::optional<StepChooser> StepChooser::make(const Program& program, std::uint64_t seed,
                                             const Weights& weights, std::string& problem) {
  StepChooser chooser(seed);
  for (const Rule& rule : program.rules) chooser.weights_.push_back(tag_weight(rule));
  std::set<std::string> given;
  for (const auto& [name, weight] : weights) {
    const std::set<std::string> names = names_of(program);
    if (!names.contains(name)) {
      const std::vector<std::string> known(names.begin(), names.end());
      const std::string suggestion = did_you_mean(name, known);
      problem = fmt::format("no process and no message is called `{}`{}{}", name,
                            suggestion.empty() ? "" : "; ", suggestion);
      return {};
    }
    if (!given.insert(name).second) {
      problem = fmt::format("`{}` has two weights", name);
      return {};
    }
    for (std::size_t i = 0; i < program.rules.size(); ++i)
      if (is_called(program, program.rules[i], name)) chooser.weights_[i] *= weight;
  }
  return chooser;
}

std::size_t StepChooser::choose(const std::vector<EnabledStep>& steps) {
  std::uint64_t total = 0;
  for (const EnabledStep& step : steps) total += weights_[step.rule];
  const std::uint64_t random = next_random(random_);
  if (total == 0) return static_cast<std::size_t>(place_of(random, steps.size()));
  std::uint64_t left = place_of(random, total);
  std::size_t choice = 0;
  for (; left >= weights_[steps[choice].rule]; ++choice) left -= weights_[steps[choice].rule];
  return choice;
}

}  // namespace panoptes
