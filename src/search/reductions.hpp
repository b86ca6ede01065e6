// SPDX-License-Identifier: Apache-2.0
// Which reductions a search makes: each leaves out what need not be seen, and any of them go
// together.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace panoptes {

struct Reductions {
  bool internal = false;  // orders of internal steps (search/reduce_internal.hpp)
  bool order = false;     // orders of independent steps (search/reduce_order.hpp)
  bool values = false;    // values nobody will read (rules/dead_values.hpp)
  bool symmetry = false;  // arrangements of members that are alike (rules/symmetry.hpp)

  std::array<bool, 4> all() const { return {internal, order, values, symmetry}; }
  bool any() const { return internal || order || values || symmetry; }
  // Whether steps are left out: trails may then be longer than they need be. Else states are taken
  // for one that can do the same, and each is as far away as the one that stands for it.
  bool leaves_out_steps() const { return internal || order; }
  // Whether temporal properties can be told from what is left, of those that have no use for the
  // order of steps (protocol/quiet_moments.hpp).
  bool keeps_runs() const { return !internal && !values && !symmetry; }
  // As they are asked for.
  std::vector<std::string> names() const {
    constexpr std::array words{"internal", "order", "values", "symmetry"};
    std::vector<std::string> result;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (all()[i]) result.emplace_back(words[i]);
    return result;
  }
  bool operator==(const Reductions&) const = default;
};

}  // namespace panoptes
