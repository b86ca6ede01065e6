// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of one process: what is sent is put into a queue of the receiver.
//
// For tests: the same search over ranks, under sanitizers, without MPI. A rank whose transport is
// destroyed is gone, and the others notice.
//
// Thread safety: each transport is for one thread, and all of them may be used at once.
#pragma once

#include <memory>
#include <vector>

#include "transport/transport.hpp"

namespace panoptes {

// One for each rank.
std::vector<std::unique_ptr<Transport>> thread_transports(unsigned ranks);

}  // namespace panoptes
