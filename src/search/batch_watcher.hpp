// SPDX-License-Identifier: Apache-2.0
// Whoever wants to see what a search sees, and changes nothing, is told of every batch.
//
// Thread safety: workers call concurrently, each by its number.
#pragma once

#include <vector>

#include "base/batch.hpp"
#include "rules/finding.hpp"

namespace panoptes {

class BatchWatcher {
 public:
  virtual ~BatchWatcher() = default;

  // This worker has expanded and examined the batch.
  virtual void expanded(unsigned worker, const StateBatch& batch, const SuccessorBatch& successors,
                        const std::vector<Finding>& findings) = 0;
};

}  // namespace panoptes
