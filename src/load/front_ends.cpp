// SPDX-License-Identifier: Apache-2.0
#include "load/front_ends.hpp"

#include "argos/front_end.hpp"

namespace panoptes {

// The table of front ends. The first one also reads what none of them takes by its name: standard
// input, and files called otherwise.
const FrontEnd& front_end_of(std::string_view path) {
  const FrontEnd* const all[] = {&argos::front_end()};
  return front_end_for(path, all);
}

}  // namespace panoptes
