// SPDX-License-Identifier: Apache-2.0
// A short cycle in a component of a product: one that has all marks and, where it is to be fair in
// the weak sense, all processes that can move in some state either move or cannot in another.
//
// Idea: breadth first from each thing that is needed to the nearest other one, and in the end back.
// Only what lies near is looked at, but for who can move, which is asked of all states.
// How it can be wrong: it is not always the shortest. It depends on the links of states and their
// order, and not on the numbers of the states.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "search/product.hpp"

namespace panoptes {

// The edges of it from `start` on, each with its source. REQUIRES: `nodes` are all of a component
// that has such a cycle, `start` among them; and has_process_bits() where it is to be fair.
std::vector<std::pair<Product::Node, Product::Edge>> short_cycle(
    const Product& product, std::span<const Product::Node> nodes, Product::Node start,
    bool is_weakly_fair);

}  // namespace panoptes
