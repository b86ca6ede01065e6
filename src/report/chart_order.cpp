// SPDX-License-Identifier: Apache-2.0
#include "report/chart_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace panoptes {
namespace {

// By process: its partners, and how many messages pass between them.
using Partners = std::vector<std::map<ProcessId, std::size_t>>;

// How far arrows reach, all in all.
std::size_t reach(const std::vector<ProcessId>& lifelines, const Partners& partners) {
  std::vector<std::size_t> column(partners.size());
  for (std::size_t i = 0; i < lifelines.size(); ++i) column[lifelines[i]] = i;
  std::size_t sum = 0;
  for (const ProcessId p : lifelines)
    for (const auto& [partner, count] : partners[p])
      if (column[p] < column[partner]) sum += count * (column[partner] - column[p]);
  return sum;
}

// How much farther arrows reach once lifelines i and i + 1 have changed places: one step for each
// message to one side, one less for each to the other.
std::ptrdiff_t change_by_exchange(const std::vector<ProcessId>& lifelines, std::size_t i,
                                  const std::vector<std::size_t>& column,
                                  const Partners& partners) {
  std::ptrdiff_t change = 0;
  for (const bool goes_right : {true, false})
    for (const auto& [partner, count] : partners[lifelines[goes_right ? i : i + 1]]) {
      if (column[partner] == i || column[partner] == i + 1) continue;  // still neighbours
      const bool comes_closer = (column[partner] > i) == goes_right;
      change +=
          comes_closer ? -static_cast<std::ptrdiff_t>(count) : static_cast<std::ptrdiff_t>(count);
    }
  return change;
}

}  // namespace

std::vector<std::size_t> close_order(const Causes& causes, const std::vector<TrailStep>& steps,
                                     std::size_t decisive) {
  std::vector<std::size_t> order;
  std::vector<bool> is_placed(steps.size());
  const auto place = [&](std::size_t step) {
    order.push_back(step);
    is_placed[step] = true;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is_placed[i]) continue;
    place(i);
    const auto taken = steps[i].taken_at;
    if (taken && *taken != i && *taken != decisive &&
        std::ranges::all_of(causes[*taken], [&](std::size_t c) { return is_placed[c]; }))
      place(*taken);
  }
  return order;
}

std::vector<ProcessId> arrange(std::vector<ProcessId> lifelines, std::size_t processes,
                               const std::vector<ChartArrow>& arrows) {
  constexpr std::size_t few = 6, most_passes = 200;
  Partners partners(processes);
  for (const ChartArrow& arrow : arrows) {
    if (arrow.from == none || arrow.to == none || arrow.from == arrow.to) continue;
    ++partners[arrow.from][arrow.to];
    ++partners[arrow.to][arrow.from];
  }
  if (lifelines.size() <= few) {
    std::vector<ProcessId> best = lifelines;
    std::size_t least = reach(best, partners);
    while (std::next_permutation(lifelines.begin(), lifelines.end())) {
      const std::size_t now = reach(lifelines, partners);
      if (now < least) best = lifelines;
      least = std::min(least, now);
    }
    return best;
  }
  std::vector<std::size_t> column(processes);
  for (std::size_t i = 0; i < lifelines.size(); ++i) column[lifelines[i]] = i;
  bool improves = true;
  for (std::size_t pass = 0; improves && pass < most_passes; ++pass) {
    improves = false;
    for (std::size_t i = 0; i + 1 < lifelines.size(); ++i) {
      if (change_by_exchange(lifelines, i, column, partners) >= 0) continue;
      std::swap(lifelines[i], lifelines[i + 1]);
      column[lifelines[i]] = i;
      column[lifelines[i + 1]] = i + 1;
      improves = true;
    }
  }
  return lifelines;
}

}  // namespace panoptes
