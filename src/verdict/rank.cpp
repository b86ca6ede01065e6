// SPDX-License-Identifier: Apache-2.0
#include "verdict/rank.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace panoptes {

void sort_by_length(std::vector<ErrorReport>& errors) {
  const auto rank = [](const ErrorReport& error) {
    return std::tuple(error_rank(error.finding, error.depth), std::cref(error.key));
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const ErrorReport& a, const ErrorReport& b) { return rank(a) < rank(b); });
}

}  // namespace panoptes
