// SPDX-License-Identifier: Apache-2.0
#include "verdict/rank.hpp"

#include <algorithm>

namespace panoptes {

void sort_by_length(std::vector<ErrorReport>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const ErrorReport& a, const ErrorReport& b) {
    return a.step_count() < b.step_count();
  });
}

}  // namespace panoptes
