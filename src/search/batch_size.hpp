// SPDX-License-Identifier: Apache-2.0
// How many states to expand at a time.
//
// Every worker has the successors of a batch in its hands, and a store several notes about each
// word of them: of a thousand processes that is a megabyte for one state. All of it must be a small
// part of the memory, so the wider states are and the more successors they have, the fewer go
// together.
#pragma once

#include <cstdint>

#include "rules/program.hpp"

namespace panoptes {

// What the successors of one state take, at most.
std::uint64_t expansion_bytes(const Program& program);

// States of a batch, at least one and at most `most`, where `workers` share so much memory.
std::size_t batch_states(const Program& program, unsigned workers, std::uint64_t memory_bytes,
                         std::size_t most);

// Of so many workers, as many as may expand a state at the same time.
unsigned workers_with_room(const Program& program, unsigned workers, std::uint64_t memory_bytes);

}  // namespace panoptes
