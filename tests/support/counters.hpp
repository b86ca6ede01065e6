// SPDX-License-Identifier: Apache-2.0
// A protocol whose levels are wide, for tests in which several work on one.
#pragma once

#include <fmt/format.h>

#include "support/program.hpp"

namespace panoptes::test {

// Three counters that nothing connects, so that levels are wide; two of them fail in many states.
inline Compiled independent_counters(bool wide) {
  return compile(fmt::format(R"(
proc counter[i : 0..2]
  var n : 0..{0}, value : 0..{1}, other : 0..{1};
{{
  do
  :: (n < {0}) -> value = n * {2}; other = value; n++
  :: (n == {0}) -> break
  od;
  assert(i == 1)
}})",
                             wide ? 10 : 12, wide ? 24'000 : 12, wide ? 2'400 : 1),
                 {.minimise = false});
}

}  // namespace panoptes::test
