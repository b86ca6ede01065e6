// SPDX-License-Identifier: Apache-2.0
// A protocol in which orders hardly matter until it has been looked at for long: for tests of
// searches that then have a break.
#pragma once

#include <fmt/format.h>

#include "support/program.hpp"

namespace panoptes::test {

// Three that count in one variable, so that everybody's next step depends on everybody else's. Then
// each talks to somebody of its own. With 55 there are 180,000 states and half a million steps.
inline Compiled late_choices(int last = 55) {
  return compile(fmt::format(R"(
channel letters[0..2][2];
var total : 0..{1};
proc talker[i : 0..2]
  var n : 0..{0};
{{
  do
  :: (n < {0}) -> n++, total = total + 1
  :: (n == {0}) -> break
  od;
  letters[i]!first; letters[i]!second
}}
proc listener[i : 0..2]
{{
  letters[i]?first; letters[i]?second
}})",
                             last, 3 * last));
}

}  // namespace panoptes::test
