// SPDX-License-Identifier: Apache-2.0
#include "search/error_log.hpp"

namespace panoptes {

void ErrorLog::add(const std::vector<Finding>& findings, const StateBatch& batch,
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
                          frontier.mark(finding.source)});
    ++records_[found->second].count;
  }
}

}  // namespace panoptes
