// SPDX-License-Identifier: Apache-2.0
// Says less of a channel, step by step, as long as somebody accepts what remains of the claim.
#pragma once

#include <functional>

#include "backward/claims.hpp"

namespace panoptes {

// What is said of the channel is never less than in `outer`. REQUIRES: the claim is within that
// there.
void loosen_channel(ClaimSpace& space, Claim& claim, ChannelId channel, const Claim& outer,
                    const std::function<bool(const Claim&)>& accepts);

}  // namespace panoptes
