// SPDX-License-Identifier: Apache-2.0
#include "search/error_log.hpp"

#include <algorithm>
#include <tuple>

namespace panoptes {

void ErrorLog::add(const std::vector<Finding>& findings, const StateBatch& batch, unsigned worker,
                   Frontier& frontier) {
  for (const Finding& finding : findings) {
    const StateView state = batch[finding.source];
    ErrorKey key = key_of(program_, finding, state);
    const auto [found, fresh] = index_.try_emplace(key, records_.size());
    if (fresh)
      records_.push_back({std::move(key),
                          finding,
                          {state.begin(), state.end()},
                          0,
                          frontier.depth(),
                          frontier.mark(worker, finding.source)});
    ++records_[found->second].count;
  }
}

std::vector<ErrorRecord> ErrorLog::sorted() const {
  std::vector<ErrorRecord> result = records_;
  // A deadlock comes after the errors it may follow from.
  const auto rank = [](const ErrorRecord& r) {
    return std::tuple(r.depth + (r.finding.rule != none), r.key.kind == ErrorKind::deadlock);
  };
  std::sort(result.begin(), result.end(), [&](const ErrorRecord& a, const ErrorRecord& b) {
    return std::tuple(rank(a), a.key) < std::tuple(rank(b), b.key);
  });
  return result;
}

void ErrorLog::merge(const ErrorLog& other) {
  for (const ErrorRecord& record : other.records_) {
    const auto [found, fresh] = index_.try_emplace(record.key, records_.size());
    if (fresh) {
      records_.push_back(record);
      continue;
    }
    ErrorRecord& known = records_[found->second];
    const std::uint64_t count = known.count + record.count;
    if (record.depth < known.depth) known = record;
    known.count = count;
  }
}

}  // namespace panoptes
