// SPDX-License-Identifier: Apache-2.0
// Which reductions a search makes: each leaves out what need not be seen, and any of them go
// together.
#pragma once

namespace panoptes {

struct Reductions {
  bool internal = false;  // orders of internal steps (search/reduce_internal.hpp)

  bool values = false;    // values nobody will read (rules/dead_values.hpp)

  bool any() const { return internal || values; }
  // Whether steps are left out: trails may then be longer than they need be. States are taken for
  // one otherwise, but each has all its steps.
  bool leaves_out_steps() const { return internal; }
  bool operator==(const Reductions&) const = default;
};

}  // namespace panoptes
