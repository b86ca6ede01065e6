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
  std::string text;        // the description of one of them
  std::size_t others = 0;  // that have the same key
};
using ErrorsByKey = std::map<ErrorKey, FoundErrors>;

ErrorsByKey errors_of(const Verdict& verdict) {
  ErrorsByKey found;
  for (const auto* errors : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *errors) {
      if (needs_graph(error.key.kind) || error.key.kind == ErrorKind::endless_atomic) continue;
      const auto [known, is_new] =
          found.try_emplace(without_fault(error.key), FoundErrors{error.description.text});
      known->second.others += is_new ? 0 : 1;
    }
  return found;
}

// What the first has and the second has not.
std::vector<std::string> only_in(const ErrorsByKey& first, const ErrorsByKey& second) {
  std::vector<std::string> found;
  for (const auto& [key, errors] : first)
    if (!second.contains(key)) found.push_back(errors.text);
  return found;
}

// How many of the first share the key of another, which the second has.
std::size_t sharing(const ErrorsByKey& first, const ErrorsByKey& second) {
  std::size_t count = 0;
  for (const auto& [key, errors] : first) count += second.contains(key) ? errors.others : 0;
  return count;
}

}  // namespace

Confirmation confirm_verdict(const Verdict& forward, const Verdict& backward) {
  const ErrorsByKey forwards = errors_of(forward), backwards = errors_of(backward);
  const std::vector<std::string> missing = only_in(forwards, backwards);
  const std::vector<std::string> new_ones = only_in(backwards, forwards);
  const BackwardReport& report = *backward.backward;
  if (!missing.empty() && report.is_settled())
    return {false, fmt::format("found forwards and not backwards: {}", missing.front())};
  if (!new_ones.empty() && forward.promise == Promise::exhaustive)
    return {false, fmt::format("found backwards and not forwards: {}", new_ones.front())};
  std::string text = fmt::format("{} of {} errors found in both", forwards.size() - missing.size(),
                                 forwards.size() + new_ones.size());
  if (const std::size_t others = sharing(forwards, backwards); others > 0)
    text += fmt::format("; forwards {} more, of rules that backwards are one target", others);
  if (!report.is_settled())
    text += fmt::format("; backwards {} of {} targets are not settled", report.unsettled(),
                        report.targets.size());
  else
    text += fmt::format("; backwards all {} targets are settled", report.targets.size());
  if (forward.promise != Promise::exhaustive) text += "; forwards not everything was seen";
  if (!new_ones.empty())
    text += fmt::format("; only backwards: {} (`panoptes backward` shows how)", new_ones.front());
  return {true, text};
}

}  // namespace panoptes
