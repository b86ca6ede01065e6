// SPDX-License-Identifier: Apache-2.0
// Members of families that are alike, and families whose members are not (symmetry.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/source.hpp"

namespace panoptes {

// Members that may be exchanged: all of them at will, or those of a ring by rotation.
struct MemberGroup {
  std::string name;  // `node[0..5]`; `client[0..2] and server[0..2]`
  std::int64_t low = 0, high = 0;
  bool is_ring = false;

  std::size_t size() const { return static_cast<std::size_t>(high - low + 1); }
  // How many arrangements of them there are; saturates.
  std::uint64_t arrangements() const;
};

// A family whose members are not.
struct NotAlike {
  std::string family;
  std::string reason;
  Place place;
  std::string ring_reason = {};  // why they are no ring either; "" of two
  Place ring_place = {};
};

}  // namespace panoptes
