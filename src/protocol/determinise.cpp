// SPDX-License-Identifier: Apache-2.0
// Subset construction. Internal steps of an assertion (a `skip` or jump among several options) are
// followed silently, so a subset is closed under them. The number of subsets can be exponential in
// the assertion's states; it is bounded, and in practice there are a handful.
#include "protocol/determinise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "protocol/limits.hpp"

namespace panoptes {
namespace {

using Subset = std::set<StateId>;

Subset close(const Automaton& automaton, Subset subset) {
  std::vector<StateId> waiting(subset.begin(), subset.end());
  while (!waiting.empty()) {
    const StateId state = waiting.back();
    waiting.pop_back();
    for (const Transition& t : automaton.states[state].transitions)
      if (t.kind == ActionKind::internal && subset.insert(t.target).second)
        waiting.push_back(t.target);
  }
  return subset;
}

ExternalAction action_of(const Transition& t) {
  return {t.channel, t.kind == ActionKind::send, t.message};
}

// Moore's partition of the subsets: equal future means equal class.
void merge_equal_futures(Assertion& assertion) {
  std::vector<std::uint32_t> classes(assertion.next.size());
  for (std::size_t s = 0; s < classes.size(); ++s) classes[s] = assertion.accepts_end[s];
  std::size_t count = 0;
  while (true) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> refined;
    for (std::size_t s = 0; s < classes.size(); ++s) {
      std::vector<std::uint32_t> signature{classes[s]};
      for (const std::uint32_t to : assertion.next[s])
        signature.push_back(to == none ? none : classes[to]);
      refined.push_back(
          known.try_emplace(std::move(signature), static_cast<std::uint32_t>(known.size()))
              .first->second);
    }
    classes = std::move(refined);
    if (known.size() == count) break;
    count = known.size();
  }
  std::vector<std::vector<std::uint32_t>> next(count);
  std::vector<bool> accepts(count);
  for (std::size_t s = 0; s < classes.size(); ++s) {
    auto& row = next[classes[s]];
    row = assertion.next[s];
    for (std::uint32_t& to : row)
      if (to != none) to = classes[to];
    accepts[classes[s]] = assertion.accepts_end[s];
  }
  assertion.initial = classes[assertion.initial];
  assertion.next = std::move(next);
  assertion.accepts_end = std::move(accepts);
}

}  // namespace

void determinise(Assertion& assertion, bool minimised, std::size_t& left,
                 Diagnostics& diagnostics) {
  const Automaton& automaton = assertion.automaton;
  std::map<Subset, std::uint32_t> numbers;
  std::vector<Subset> subsets;
  const auto number_of = [&](Subset subset) {
    const auto [found, fresh] =
        numbers.try_emplace(std::move(subset), static_cast<std::uint32_t>(subsets.size()));
    if (fresh) subsets.push_back(found->first);
    return found->second;
  };
  assertion.initial = number_of(close(automaton, {automaton.initial}));
  for (std::size_t s = 0; s < subsets.size(); ++s) {
    if (subsets.size() > BuildLimits::assertion_subsets) {
      diagnostics.error(assertion.place,
                        fmt::format("`{}` needs more than {} subsets of states", assertion.name,
                                    BuildLimits::assertion_subsets),
                        "split it into several assertions");
      return;
    }
    if (subsets.size() > left) {
      diagnostics.error(assertion.place,
                        fmt::format("the assertions up to `{}` need more than {} subsets of states "
                                    "together",
                                    assertion.name, BuildLimits::all_assertion_subsets),
                        "check them one at a time, e.g. by #ifdef and -D");
      return;
    }
    std::vector<Subset> moved(assertion.scope.size());
    for (const StateId state : subsets[s])
      for (const Transition& t : automaton.states[state].transitions) {
        if (t.kind == ActionKind::internal) continue;
        const auto symbol =
            std::lower_bound(assertion.scope.begin(), assertion.scope.end(), action_of(t));
        moved[static_cast<std::size_t>(symbol - assertion.scope.begin())].insert(t.target);
      }
    assertion.accepts_end.push_back(subsets[s].contains(automaton.end));
    auto& row = assertion.next.emplace_back();
    for (Subset& subset : moved)
      row.push_back(subset.empty() ? none : number_of(close(automaton, std::move(subset))));
  }
  left -= subsets.size();
  if (minimised) merge_equal_futures(assertion);
}

}  // namespace panoptes
