// SPDX-License-Identifier: Apache-2.0
#include "rules/error_table.hpp"

#include <algorithm>

namespace panoptes {

ExpressionId StateError::predicate_at(StateId state) const {
  const auto found = std::lower_bound(at.begin(), at.end(), state,
                                      [](const std::pair<StateId, ExpressionId>& here,
                                         StateId wanted) { return here.first < wanted; });
  return found != at.end() && found->first == state ? found->second : predicate;
}

}  // namespace panoptes
