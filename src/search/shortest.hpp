// SPDX-License-Identifier: Apache-2.0
// The shortest trails of what was found by a search whose trails are perhaps longer.
//
// Idea: whoever leaves out steps, or does not go level by level, finds the same errors by other
// ways. How far away they are at most is known then, so one more search looks, level by level and
// with every step, no deeper than that, and ends as soon as it has met each of them. What it meets
// first is the shortest. States that can do the same may still be taken for one
// (Reductions::leaves_out_steps).
//
// Cost: the plain graph down to that depth, in memory. How it can be wrong: it ends early, and then
// trails it has not shortened are still not called the shortest.
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// `found` with the shortest trails, where `options` ask for them and there are others; `start` is
// when the first search began, by the clock of `options`.
std::optional<Verdict> with_shortest_trails(const Program& program, const SourceSet& sources,
                                            CheckOptions options, double start, Verdict&& found,
                                            std::string& problem);

}  // namespace panoptes
