// SPDX-License-Identifier: Apache-2.0
// Which reductions a search makes: each leaves out what need not be seen, and any of them go
// together.
#pragma once

namespace panoptes {

struct Reductions {
  bool internal = false;  // orders of internal steps (search/reduce_internal.hpp)
  bool symmetry = false;  // arrangements of members that are alike (rules/symmetry.hpp)

  bool any() const { return internal || symmetry; }
  // Some steps of a state are not followed. Members exchanged are none: every state is as far away
  // as the one that stands for it.
  bool leaves_out_steps() const { return internal; }
  bool operator==(const Reductions&) const = default;
};

}  // namespace panoptes
