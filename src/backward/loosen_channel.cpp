// SPDX-License-Identifier: Apache-2.0
#include "backward/loosen_channel.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

void loosen_channel(ClaimSpace& space, Claim& claim, ChannelId channel, const Claim& outer,
                    const std::function<bool(const Claim&)>& accepts) {
  const ChannelClaim& limit = space.channel(outer, channel);
  const auto attempt = [&](ChannelClaim&& said) {
    Claim wider = claim;
    space.put(wider, channel, std::move(said));
    if (wider == claim || !accepts(wider)) return false;
    claim = std::move(wider);
    return true;
  };
  const auto least_behind = [&](const ChannelClaim& said) {
    const auto known = static_cast<std::uint32_t>(said.known.size());
    return std::max(limit.shortest(), known) - known;
  };
  const auto most_behind = [&](const ChannelClaim& said) {
    return limit.longest() - static_cast<std::uint32_t>(said.known.size());
  };
  const auto said = [&]() -> const ChannelClaim& { return space.channel(claim, channel); };
  ChannelClaim less = said();
  less.least = least_behind(less);
  less.most = most_behind(less);
  if (!attempt(std::move(less))) {
    less = said();
    less.most = most_behind(less);
    attempt(std::move(less));
    less = said();
    less.least = least_behind(less);
    attempt(std::move(less));
  }
  while (said().known.size() > limit.known.size()) {
    less = said();
    less.known.pop_back();
    less.least = least_behind(less);
    less.most = most_behind(less);
    if (!attempt(std::move(less))) break;
  }
  for (std::uint32_t i = 0; i < said().known.size(); ++i) {
    const MessageClaim around = space.message_at(outer, channel, i);
    less = said();
    less.known[i] = around;
    if (attempt(std::move(less))) continue;
    for (std::size_t v = 0; i < said().known.size() && v < said().known[i].values.size(); ++v) {
      less = said();
      const auto tag = static_cast<std::uint32_t>(less.known[i].tags.low());
      less.known[i].values[v] =
          around.tags.is_one() ? around.values[v] : space.message(channel, tag).values[v];
      attempt(std::move(less));
    }
  }
}

}  // namespace panoptes
