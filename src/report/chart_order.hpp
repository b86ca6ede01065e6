// SPDX-License-Identifier: Apache-2.0
// In which order a chart has its steps and its lifelines, so that arrows are short.
//
// How it may be wrong: with many lifelines another order may be shorter still.
#pragma once

#include <vector>

#include "report/chart.hpp"
#include "verdict/causality.hpp"

namespace panoptes {

// All steps, each behind those it needs; a receive directly behind its send wherever it can be. A
// step that decides stays the last: nothing comes after it. `decisive` is none where none does.
std::vector<std::size_t> close_order(const Causes& causes, const std::vector<TrailStep>& steps,
                                     std::size_t decisive);

// As declared, or in an order in which arrows are shorter. All orders are tried of a few, changes
// of two neighbours of many; those are given up on after some passes.
std::vector<ProcessId> arrange(std::vector<ProcessId> lifelines, std::size_t processes,
                               const std::vector<ChartArrow>& arrows);

}  // namespace panoptes
