// SPDX-License-Identifier: Apache-2.0
// The languages that the program reads.
#pragma once

#include <string_view>

#include "protocol/front_end.hpp"

namespace panoptes {

// What the model `path` is read with.
const FrontEnd& front_end_of(std::string_view path);

}  // namespace panoptes
