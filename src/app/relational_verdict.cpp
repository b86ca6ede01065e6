// SPDX-License-Identifier: Apache-2.0
#include "app/relational_verdict.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

// An error as `check` counts it: all findings with the same key, and of those of the least depth
// the one with the least exact key.
struct Group {
  const RelatedError* first = nullptr;
  ErrorKey exact;  // of the first
  std::uint64_t count = 0;
  Members members;
};
using Groups = std::map<ErrorKey, Group>;

Groups groups_of(const Program& program, const Related& related) {
  Groups groups;
  for (const RelatedError& error : related.errors) {
    ErrorKey exact = exact_key_of(program, error.finding, error.state);
    Group& group = groups[group_key(program, exact)];
    group.count += error.count;
    if (group.first) add_members(program, group.exact, exact, group.members);
    if (group.first && std::tie(group.first->depth, group.exact) <= std::tie(error.depth, exact))
      continue;
    group.first = &error;
    group.exact = std::move(exact);
  }
  return groups;
}

// Shortest first; a deadlock comes after the errors it may follow from.
std::vector<Groups::const_iterator> in_order(const Groups& groups) {
  std::vector<Groups::const_iterator> order;
  for (auto at = groups.begin(); at != groups.end(); ++at) order.push_back(at);
  const auto rank = [](const Groups::const_iterator& at) {
    const RelatedError& error = *at->second.first;
    return std::tuple(error.depth + (error.finding.rule != none),
                      error.finding.kind == ErrorKind::deadlock);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return order;
}

std::optional<ErrorReport> report(const Program& program, const Group& group,
                                  const SourceSet& sources, const JudgeOptions& options,
                                  std::string& problem) {
  const RelatedError& error = *group.first;
  auto result = report_error(program, error.finding, error.state, error.path,
                             {options.receptions, options.strict}, sources, problem);
  if (!result) return {};
  result->count = group.count;
  result->members = group.members;
  result->depth = error.depth;
  result->is_shortest = true;
  return result;
}

}  // namespace

std::optional<Verdict> judge(const Program& program, const SourceSet& sources,
                             const Related& related, const JudgeOptions& options,
                             std::string& problem) {
  Verdict verdict;
  verdict.promise = Promise::exhaustive;
  verdict.states = verdict.states_analysed = related.states;
  verdict.transitions = related.transitions;
  verdict.depth = related.depth;
  verdict.seconds = options.seconds;
  verdict.relational =
      RelationalReport{options.engine, related.faulty_states, related.search_seconds};
  bool has_failures = false;
  const Groups groups = groups_of(program, related);
  for (const auto& at : in_order(groups)) {
    auto made = report(program, at->second, sources, options, problem);
    if (!made) return {};
    has_failures = has_failures || made->finding.rule != none;
    (made->is_warning ? verdict.warnings : verdict.errors).push_back(std::move(*made));
  }
  verdict.outcome = verdict.errors.empty() ? Outcome::holds : Outcome::violated;
  verdict.dead_code = dead_code(program, related.fired);
  verdict.is_dead_code_certain = !has_failures;
  if (!has_failures) verdict.dead_in_members = dead_in_members(program, related.fired);
  return verdict;
}

}  // namespace panoptes
