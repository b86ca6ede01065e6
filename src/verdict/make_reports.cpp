// SPDX-License-Identifier: Apache-2.0
#include "verdict/make_reports.hpp"

#include <memory>
#include <utility>

#include "step/indivisible.hpp"

namespace panoptes {
namespace {

// With all that happens inside of indivisible sequences; nothing where that takes too long.
std::optional<std::vector<RuleId>> whole_path(const Program& program, const ErrorRecord& record,
                                              WayBack& way_back, const Deadline& deadline) {
  auto path = way_back.path(record.marked, deadline);
  if (!path || !has_indivisible(program)) return path;
  const std::shared_ptr<const Inside>& inside = record.finding.inside;
  path =
      with_insides(program, *path, program.initial, inside ? inside->from : record.state, deadline);
  if (path && inside) path->insert(path->end(), inside->rules.begin(), inside->rules.end());
  return path;
}

// The trail, or why there is none; nothing at all where it does not replay.
std::optional<ErrorReport> report_of(const Program& program, const ErrorRecord& record,
                                     WayBack& way_back, const Strictness& strictness,
                                     const SourceSet& sources, TrailRoom& room,
                                     std::string& problem) {
  const auto without = [&](TrailGap gap) {
    return report_without_trail(program, record.finding, record.state, strictness, sources, gap);
  };
  if (room.deadline.has_passed()) return without(TrailGap::time);
  std::uint64_t bytes = replayed_trail_bytes(program, record.depth + 1);
  if (bytes > room.bytes) return without(TrailGap::memory);
  auto path = whole_path(program, record, way_back, room.deadline);
  if (!path) return without(TrailGap::time);
  bytes = replayed_trail_bytes(program, path->size() + 1);
  if (bytes > room.bytes) return without(TrailGap::memory);
  auto made = report_error(program, record.finding, record.state, *path, strictness, sources,
                           problem, room.deadline);
  if (!made && problem.empty()) return without(TrailGap::time);
  room.bytes -= bytes;
  return made;
}

}  // namespace

std::uint64_t replayed_trail_bytes(const Program& program, std::uint64_t steps) {
  constexpr std::uint64_t texts_and_places = 128;
  return steps * (sizeof(TrailStep) + program.layout.words * sizeof(Word) + texts_and_places);
}

bool make_reports(const Program& program, const ErrorLog& errors, WayBack& way_back,
                  const Strictness& strictness, const SourceSet& sources, TrailRoom room,
                  Verdict& verdict, std::string& problem) {
  for (const ErrorRecord& record : errors.records()) {
    auto made = report_of(program, record, way_back, strictness, sources, room, problem);
    if (!made) return false;
    made->count = record.count;
    made->members = record.members;
    made->depth = record.depth;
    made->is_shortest = way_back.is_shortest();
    (made->is_warning ? verdict.warnings : verdict.errors).push_back(std::move(*made));
  }
  return true;
}

}  // namespace panoptes
