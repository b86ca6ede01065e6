// SPDX-License-Identifier: Apache-2.0
#include "report/chart_folding.hpp"

#include <algorithm>

namespace panoptes {
namespace {

// How often the block of `count` behind `first` comes in a row.
std::size_t times_in_a_row(const std::vector<RuleId>& rules, std::size_t first, std::size_t count) {
  std::size_t end = first + count;
  while (end < rules.size() && rules[end] == rules[end - count]) ++end;
  return (end - first) / count;
}

}  // namespace

std::vector<ChartPart> fold(const std::vector<RuleId>& rules, std::size_t first, std::size_t end) {
  constexpr std::size_t longest_block = 200, worth_it = 6;
  std::vector<ChartPart> parts;
  const auto add_plain = [&](std::size_t event) {
    if (!parts.empty() && parts.back().times == 1 && parts.back().end() == event)
      ++parts.back().count;
    else
      parts.push_back({event, 1, 1});
  };
  const std::vector<RuleId> run(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t at = first; at < end;) {
    ChartPart best{at, 1, 1};
    std::size_t saved = 0;
    for (std::size_t count = 1; count <= longest_block && at + 2 * count <= end; ++count) {
      const std::size_t times = times_in_a_row(run, at, count);
      if (times < 2 || (times - 1) * count <= saved) continue;
      best = {at, count, times};
      saved = (times - 1) * count;
    }
    if (saved >= worth_it) {
      parts.push_back(best);
      at = best.end();
    } else {
      add_plain(at++);
    }
  }
  return parts;
}

std::vector<ChartPart> leave_out_middle(const std::vector<ChartPart>& parts, std::size_t most,
                                        const std::vector<bool>& matters) {
  std::size_t drawn = 0;
  for (const ChartPart& part : parts) drawn += part.count;
  if (drawn <= most) return parts;
  const std::size_t head = most / 3, tail = most - head;
  std::vector<ChartPart> result;
  std::size_t before = 0;  // events drawn so far, had nothing been left out
  for (const ChartPart& part : parts) {
    // Of a plain part, some events may be left out; a block that repeats is there or not.
    const std::size_t piece = part.times == 1 ? 1 : part.count;
    for (std::size_t i = 0; i < part.count; i += piece) {
      const auto begin = matters.begin() + static_cast<std::ptrdiff_t>(part.first + i);
      const bool is_out =
          before + piece > head && before < drawn - tail &&
          std::none_of(begin, begin + static_cast<std::ptrdiff_t>(piece * part.times),
                       [](bool matters_here) { return matters_here; });
      before += piece;
      const ChartPart next =
          is_out ? ChartPart{part.first + i, part.times == 1 ? 1 : part.count * part.times, 0}
                 : ChartPart{part.first + i, piece, part.times};
      const bool joins = !result.empty() && result.back().times == next.times && next.times < 2;
      if (joins)
        result.back().count += next.count;
      else
        result.push_back(next);
    }
  }
  return result;
}

}  // namespace panoptes
