// SPDX-License-Identifier: Apache-2.0
#include "verdict/make_reports.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "step/indivisible.hpp"

namespace panoptes {
namespace {

// With all that happens inside of indivisible sequences; nothing where that takes too long. States
// are those of the program that was searched.
std::optional<std::vector<RuleId>> whole_path(const Program& program, const ErrorRecord& record,
                                              WayBack& way_back, const Deadline& deadline) {
  auto path = way_back.path(record.marked, deadline);
  if (!path || way_back.has_insides() || !has_indivisible(program)) return path;
  const std::shared_ptr<const Inside>& inside = record.finding.inside;
  path =
      with_insides(program, *path, program.initial, inside ? inside->from : record.state, deadline);
  if (path && inside) path->insert(path->end(), inside->rules.begin(), inside->rules.end());
  return path;
}

// The trails of one verdict, one after the other.
class TrailMaker {
 public:
  TrailMaker(const SearchedProgram& program, WayBack& way_back, const Strictness& strictness,
             const SourceSet& sources, TrailRoom room)
      : program_(program.written),
        searched_(program.searched),
        way_back_(way_back),
        strictness_(strictness),
        sources_(sources),
        room_(std::move(room)),
        most_kept_bytes_(room_.bytes / 2) {}

  // The report with its trail, or why there is none; nothing at all where it does not replay.
  std::optional<ErrorReport> report(const ErrorRecord& record, std::string& problem) {
    const auto without = [&](TrailGap gap) {
      return report_without_trail(program_, record.finding, record.state, strictness_, sources_,
                                  gap);
    };
    if (const TrailGap gap = gap_of(record.depth + 1); gap != TrailGap::no_gap) return without(gap);
    auto path = whole_path(searched_, record, way_back_, room_.deadline);
    if (!path) return without(TrailGap::time);
    if (const TrailGap gap = gap_of(path->size() + 1); gap != TrailGap::no_gap) return without(gap);
    auto made = report_error(program_, record.finding, record.state, *path, strictness_, sources_,
                             problem, room_.deadline);
    if (!made) return problem.empty() ? std::optional(without(TrailGap::time)) : std::nullopt;
    keep(*made);
    return made;
  }

 private:
  // Why a trail of so many steps cannot be made.
  TrailGap gap_of(std::uint64_t steps) const {
    if (room_.deadline.has_passed()) return TrailGap::time;
    if (replayed_trail_bytes(program_, steps) > room_.bytes) return TrailGap::memory;
    return made_ > 0 && steps > room_.steps ? TrailGap::steps : TrailGap::no_gap;
  }

  // All of it or its way. Half of the room is left to whoever comes next, but for the very first.
  void keep(ErrorReport& error) {
    const std::uint64_t steps = error.step_count() + 1;
    const std::uint64_t bytes = replayed_trail_bytes(program_, steps);
    room_.steps -= std::min(room_.steps, steps);
    const bool is_whole =
        made_ == 0 || (made_ < kept_trails && kept_bytes_ + bytes <= most_kept_bytes_);
    ++made_;
    if (!is_whole) keep_way(program_, error);
    const std::uint64_t taken = is_whole ? bytes : steps * sizeof(RuleId);
    kept_bytes_ += taken;
    room_.bytes -= std::min(room_.bytes, taken);
  }

  const Program& program_;
  const Program& searched_;
  WayBack& way_back_;
  const Strictness& strictness_;
  const SourceSet& sources_;
  TrailRoom room_;
  std::uint64_t most_kept_bytes_, kept_bytes_ = 0;
  std::size_t made_ = 0;
};

}  // namespace

std::uint64_t replayed_trail_bytes(const Program& program, std::uint64_t steps) {
  constexpr std::uint64_t texts_and_places = 128;
  return steps * (sizeof(TrailStep) + program.layout.words * sizeof(Word) + texts_and_places);
}

void keep_way(const Program& program, ErrorReport& error) {
  if (error.gap != TrailGap::no_gap || needs_graph(error.finding.kind)) return;
  error.way = {error.rules(), error.trail.event_count(program)};
  error.gap = TrailGap::unasked;
  std::vector<TrailStep>().swap(error.trail.steps);  // its memory, too
}

// A narrower policy reports nothing that the widest does not.
ErrorReport with_trail(const Program& program, const ErrorReport& error, const Deadline& deadline) {
  assert(error.gap == TrailGap::unasked);
  std::vector<RuleId> rules = error.way.rules;
  if (error.trail.ends_in_failure) rules.pop_back();
  std::string problem;
  auto trail =
      replay(program, rules, error.finding, error.key, ReceptionPolicy::any, problem, deadline);
  assert(problem.empty());  // it was replayed before
  ErrorReport whole = error;
  whole.way = {};
  whole.gap = trail ? TrailGap::no_gap : TrailGap::time;
  if (trail) whole.trail = std::move(*trail);
  return whole;
}

bool make_reports(const SearchedProgram& program, const ErrorLog& errors, WayBack& way_back,
                  const Strictness& strictness, const SourceSet& sources, TrailRoom room,
                  Verdict& verdict, std::string& problem) {
  TrailMaker trails(program, way_back, strictness, sources, std::move(room));
  for (const ErrorRecord& record : errors.records()) {
    auto made = trails.report(record, problem);
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
