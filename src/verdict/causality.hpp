// SPDX-License-Identifier: Apache-2.0
// Which steps of a trail depend on which. The order in which a search found them is one of many:
// steps that do not depend on each other, directly or through others, are concurrent.
//
// A step needs an earlier one where exchanging them could make a difference: they are of the same
// process; the one receives what the other sent, or has sent to the same channel before it; the one
// could only send because the other made room; both have to do with a shared variable or an
// assertion, or with how much is in a channel, and one of them changes it. A timeout that waits for
// a lock needs everything before it, and is needed by everything after.
//
// How it may be wrong: towards too much. Steps that are independent only for the values they happen
// to have are taken for dependent.
#pragma once

#include <cstddef>
#include <vector>

#include "verdict/trail.hpp"

namespace panoptes {

// By step: those it needs directly, earlier ones all.
using Causes = std::vector<std::vector<std::size_t>>;
Causes causes_of(const Program& program, const std::vector<TrailStep>& steps);

// By step: whether the error at the end of the trail needs it, directly or through others.
std::vector<bool> needed_by(const Program& program, const Trail& trail, const Finding& finding);

}  // namespace panoptes
