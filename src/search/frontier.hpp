// SPDX-License-Identifier: Apache-2.0
// A Frontier holds what is known and not yet expanded. It decides the order of a search, knows the
// way back to each of its states, and accounts for what it holds; who needs one of the three gets
// no more than that.
#pragma once

#include "search/frontier_account.hpp"
#include "search/resumable.hpp"
#include "search/state_order.hpp"
#include "verdict/way_back.hpp"

namespace panoptes {

class Frontier : public StateOrder, public WayBack, public FrontierAccount {
 public:
  // Itself, where a search in this order can be written down; null else.
  virtual Resumable* resumable() { return nullptr; }
};

}  // namespace panoptes
