// SPDX-License-Identifier: Apache-2.0
#include "search/origin_log.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace panoptes {
namespace {

constexpr unsigned number_bits = 48;

}  // namespace

std::uint64_t packed(StateName state) {
  assert(state.number >> number_bits == 0 && state.owner >> (64 - number_bits) == 0);
  return (std::uint64_t{state.owner} << number_bits) | state.number;
}

StateName unpacked(std::uint64_t state) {
  return {static_cast<std::uint32_t>(state >> number_bits),
          state & ((std::uint64_t{1} << number_bits) - 1)};
}

StateOrigin OriginLog::origin(std::uint64_t number) const {
  const TrailLog::Origin origin = log_.origin(number);
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), origin.expansion,
      [](std::uint64_t expansion, const Run& run) { return expansion < run.expansion; });
  const Run& run = *std::prev(after);
  return {unpacked(run.first + origin.expansion - run.expansion), origin.successor};
}

void OriginLog::save(CheckpointFolder& folder, Streams streams, RecordWriter& record) const {
  constexpr std::size_t runs_at_once = 4096;
  log_.save(folder, streams.trail, record);
  std::vector<Run> runs;
  for (std::size_t at = folder.bytes(streams.runs) / sizeof(Run); at < runs_.size();) {
    const std::size_t end = std::min(runs_.size(), at + runs_at_once);
    runs.assign(runs_.begin() + static_cast<std::ptrdiff_t>(at),
                runs_.begin() + static_cast<std::ptrdiff_t>(end));
    folder.append(streams.runs, std::as_bytes(std::span(std::as_const(runs))));
    at = end;
  }
}

std::optional<std::vector<std::uint32_t>> choices_to(
    StateName state, const std::function<StateOrigin(StateName)>& origin_of,
    const Deadline& deadline) {
  std::vector<std::uint32_t> choices;
  while (state != StateName{}) {
    const StateOrigin origin = origin_of(state);
    if (origin.choice == StateOrigin::unknown) return {};
    choices.push_back(origin.choice);
    state = origin.parent;
    if (deadline.has_passed()) return {};
  }
  std::reverse(choices.begin(), choices.end());
  return choices;
}

}  // namespace panoptes
