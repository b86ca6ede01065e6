// SPDX-License-Identifier: Apache-2.0
// An edge of a state graph, by numbers.
#pragma once

#include <compare>
#include <cstdint>

#include "rules/program.hpp"

namespace panoptes::test {

struct Edge {
  std::uint64_t source;
  RuleId rule;
  std::uint64_t target;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

}  // namespace panoptes::test
