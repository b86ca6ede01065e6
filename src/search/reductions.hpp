// SPDX-License-Identifier: Apache-2.0
// Which reductions a search makes: each leaves out what need not be seen, and any of them go
// together.
#pragma once

namespace panoptes {

struct Reductions {
  bool internal = false;  // orders of internal steps (search/reduce_internal.hpp)
  bool order = false;     // orders of independent steps (search/reduce_order.hpp)

  bool any() const { return internal || order; }
  bool operator==(const Reductions&) const = default;
};

}  // namespace panoptes
