// SPDX-License-Identifier: Apache-2.0
#include "store/line_table.hpp"

namespace panoptes {

void no_room() { throw std::bad_alloc(); }

}  // namespace panoptes
