// SPDX-License-Identifier: Apache-2.0
#include "api/confirm_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace panoptes {
namespace {

// A rule in which values may be missing for several reasons is one target.
ErrorKey without_fault(ErrorKey key) {
  if (key.kind == ErrorKind::index_out_of_range || key.kind == ErrorKind::out_of_range)
    key.kind = ErrorKind::division_by_zero;
  return key;
}

struct FoundErrors {
  std::map<ErrorKey, std::string> texts;  // descriptions by key
  std::size_t merged = 0;                 // others that have the key of one
};

FoundErrors errors_of(const Verdict& verdict) {
  FoundErrors found;
  for (const auto* errors : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *errors)
      if (!needs_graph(error.key.kind) && error.key.kind != ErrorKind::endless_atomic)
        found.merged +=
            found.texts.emplace(without_fault(error.key), error.description.text).second ? 0 : 1;
  return found;
}

// What the first has and the second has not.
std::vector<std::string> only_in(const std::map<ErrorKey, std::string>& first,
                                 const std::map<ErrorKey, std::string>& second) {
  std::vector<std::string> found;
  for (const auto& [key, text] : first)
    if (!second.contains(key)) found.push_back(text);
  return found;
}

}  // namespace

Confirmation confirm_verdict(const Verdict& forward, const Verdict& backward) {
  const auto [forwards, merged] = errors_of(forward);
  const auto backwards = errors_of(backward).texts;
  const std::vector<std::string> missing = only_in(forwards, backwards);
  const std::vector<std::string> new_ones = only_in(backwards, forwards);
  const auto& targets = backward.backward->targets;
  const auto unsettled = static_cast<std::size_t>(
      std::count_if(targets.begin(), targets.end(),
                    [](const BackwardReport::Target& target) { return !target.reason.empty(); }));
  const bool is_settled = unsettled == 0 && backward.backward->reason.empty();
  if (!missing.empty() && is_settled)
    return {false, fmt::format("found forwards and not backwards: {}", missing.front())};
  if (!new_ones.empty() && forward.promise == Promise::exhaustive)
    return {false, fmt::format("found backwards and not forwards: {}", new_ones.front())};
  std::string text = fmt::format("{} of {} errors found in both", forwards.size() - missing.size(),
                                 forwards.size() + new_ones.size());
  if (merged > 0) text += fmt::format(", {} more being of a rule that has no value, too", merged);
  if (!is_settled)
    text += fmt::format("; backwards {} of {} targets are not settled", unsettled, targets.size());
  else
    text += fmt::format("; backwards all {} targets are settled", targets.size());
  if (forward.promise != Promise::exhaustive) text += "; forwards not everything was seen";
  if (!new_ones.empty())
    text += fmt::format("; only backwards: {} (`panoptes backward` shows how)", new_ones.front());
  return {true, text};
}

}  // namespace panoptes
