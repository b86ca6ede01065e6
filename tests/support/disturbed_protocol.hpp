// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

namespace panoptes::test {

// A protocol for runs that are disturbed: errors of several kinds at several depths, families,
// indivisible sequences. Counters 0 to `members` count to `last`; what a value is multiplied by
// makes states wide.
inline std::string disturbed_protocol(int members, int last, int factor) {
  return fmt::format(R"(
channel link[2], back[1];
proc counter[i : 0..{3}]
  var n : 0..{0}, value : 0..{1};
{{
  do
  :: (n < {0}) -> n++; value = n * {2}
  :: (n == {0}) -> atomic {{ n = 0; value = 0 }}
  :: (n == 2) -> assert(n != 2); break
  od
}}
proc sender {{ do :: link!ping :: link!pong :: back?ack od }}
proc receiver {{ do :: link?ping -> back!ack :: link?timeout -> break od; link?ping }}
)",
                     last, last * factor, factor, members);
}

}  // namespace panoptes::test
