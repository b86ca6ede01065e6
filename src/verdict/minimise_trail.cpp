// SPDX-License-Identifier: Apache-2.0
#include "verdict/minimise_trail.hpp"

#include <algorithm>
#include <map>

#include "verdict/causality.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

// Steps of replay that may be spent on one trail.
constexpr std::size_t most_steps_of_one = 400'000;

// The rules of a trail, but for one that fires into an error: replay() adds it.
std::vector<RuleId> rules_of(const Trail& trail) {
  std::vector<RuleId> rules;
  for (const TrailStep& step : trail.steps) rules.push_back(step.rule);
  if (trail.ends_in_failure) rules.pop_back();
  return rules;
}

// The rules without those between two visits to the same state.
std::vector<RuleId> without_loops(const Trail& trail) {
  const std::vector<RuleId> rules = rules_of(trail);
  const auto state = [&](std::size_t i) -> const StateWords& {
    return i < trail.steps.size() ? trail.steps[i].before : trail.last;
  };
  std::map<StateWords, std::size_t> last_visit;
  for (std::size_t i = 0; i <= rules.size(); ++i) last_visit[state(i)] = i;
  std::vector<RuleId> result;
  for (std::size_t i = last_visit[state(0)]; i < rules.size(); i = last_visit[state(i + 1)])
    result.push_back(rules[i]);
  return result;
}

class Minimiser {
 public:
  Minimiser(const Program& program, ErrorReport& error, ReceptionPolicy receptions,
            TrailEffort& effort)
      : program_(program),
        error_(error),
        receptions_(receptions),
        effort_(effort),
        left_(std::min(effort.steps, most_steps_of_one)) {}

  void run() {
    keep_if_it_replays(without_loops(error_.trail));
    keep_if_it_replays(without_concurrent());
    for (std::size_t block = error_.trail.steps.size() / 2; block > 0; block /= 2)
      leave_out_blocks(block);
  }

 private:
  bool is_over() const { return left_ == 0 || (effort_.interrupted && effort_.interrupted()); }

  bool keep_if_it_replays(const std::vector<RuleId>& rules) {
    if (is_over() || rules.size() >= rules_of(error_.trail).size()) return false;
    const std::size_t cost = std::min(left_, rules.size() + 1);
    left_ -= cost;
    effort_.steps -= cost;
    std::string problem;
    auto trail = replay(program_, rules, error_.finding, error_.key, receptions_, problem);
    if (!trail) return false;
    error_.trail = std::move(*trail);
    return true;
  }

  std::vector<RuleId> without_concurrent() const {
    const std::vector<bool> needed = needed_by(program_, error_.trail, error_.finding);
    const std::vector<RuleId> rules = rules_of(error_.trail);
    std::vector<RuleId> result;
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (needed[i]) result.push_back(rules[i]);
    return result;
  }

  void leave_out_blocks(std::size_t block) {
    std::vector<RuleId> rules = rules_of(error_.trail);
    for (std::size_t end = rules.size(); end >= block && !is_over();) {
      const auto first = rules.begin() + static_cast<std::ptrdiff_t>(end - block);
      std::vector<RuleId> shorter(rules.begin(), first);
      shorter.insert(shorter.end(), first + static_cast<std::ptrdiff_t>(block), rules.end());
      end -= block;
      if (keep_if_it_replays(shorter)) rules = std::move(shorter);
      end = std::min(end, rules.size());
    }
  }

  const Program& program_;
  ErrorReport& error_;
  const ReceptionPolicy receptions_;
  TrailEffort& effort_;
  std::size_t left_;
};

}  // namespace

std::size_t minimise_trail(const Program& program, ErrorReport& error, ReceptionPolicy receptions,
                           const SourceSet& sources, TrailEffort& effort) {
  if (needs_graph(error.description.kind)) return 0;
  const std::size_t before = error.trail.steps.size();
  Minimiser(program, error, receptions, effort).run();
  if (error.trail.steps.size() == before) return 0;
  error.depth = search_depth(program, error.rules(), error.trail.ends_in_failure);
  describe_end(program, error, receptions, sources);
  return before - error.trail.steps.size();
}

}  // namespace panoptes
