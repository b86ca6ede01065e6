// SPDX-License-Identifier: Apache-2.0
// Argos as a front end: the only door of this folder that the program uses, but for the formatter.
#pragma once

#include "protocol/front_end.hpp"

namespace panoptes::argos {

// Takes the files `*.argos`. Lives as long as the program.
const FrontEnd& front_end();

}  // namespace panoptes::argos
