// SPDX-License-Identifier: Apache-2.0
#include "search/repeated_runs.hpp"

#include <algorithm>

#include "search/coverage.hpp"
#include "search/search_once.hpp"
#include "verdict/merge.hpp"

namespace panoptes {
namespace {

// A small part of the memory, and no more than says all that a sample can.
std::uint64_t sample_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t part = 64, enough = std::uint64_t{2} << 20;
  return std::min(memory_bytes / part, enough);
}

// When the runs have ended: where no store takes states for others, some come to what no run has.
// They make a few times as many steps as a run sees states. An error they find is one.
bool walk_too(const Program& program, const SourceSet& sources, CheckOptions options,
              StateSample& sample, Verdict& all, std::string& problem) {
  constexpr std::uint64_t steps_for_each_state = 4;
  const std::uint64_t depth = std::max<std::uint64_t>(1, all.depth);
  options.search = RandomWalks{1 + steps_for_each_state * all.states / depth};
  options.choice = {};
  options.checkpoints = nullptr;
  options.limits.depth = 2 * depth;
  sample.begin_walks();
  auto found = search_once(program, sources, options, {.sample = &sample}, problem);
  if (!found) return false;
  merge_walks(program, all, std::move(*found));
  return true;
}

std::uint64_t runs_of(const CheckOptions& options) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  const Runs* const runs = search ? std::get_if<Runs>(&search->course) : nullptr;
  return runs ? runs->count : 1;
}

}  // namespace

std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem) {
  const std::uint64_t runs = runs_of(options);
  const double time_limit = options.limits.seconds, start = options.clock();
  std::optional<StateSample> sample;
  if (runs >= least_runs_for_coverage && options.folded.empty())
    sample.emplace(sample_bytes(options.limits.memory_bytes));
  std::uint64_t run_number = 0;
  if (options.observer && runs > 1)
    options.observer = [&, observe = options.observer](Progress progress) {
      progress.run = run_number;
      progress.runs = runs;
      observe(progress);
    };
  const auto next_run = [&] {
    ++run_number;
    if (sample) sample->begin_run();
    return search_once(program, sources, options, {.sample = sample ? &*sample : nullptr}, problem);
  };
  auto all = next_run();
  if (!all) return {};
  bool have_ended = ended_by_itself(all->stop);
  SampledRun best{0, all->states};
  for (std::uint64_t run = 1; run < runs && all->expected_omissions; ++run) {
    if (options.interrupted && options.interrupted->load()) break;
    if (options.explore.first_error_only && !all->errors.empty()) break;
    if (time_limit > 0.0) {
      options.limits.seconds = time_limit - (options.clock() - start);
      if (options.limits.seconds <= 0.0) break;
    }
    ++options.seed;
    auto more = next_run();
    if (!more) return {};
    have_ended = have_ended && ended_by_itself(more->stop);
    if (run < StateSample::most_runs && more->states > best.states)
      best = {static_cast<unsigned>(run), more->states};
    merge_runs(program, *all, std::move(*more));
  }
  if (!sample || !have_ended) return all;
  if (time_limit > 0.0) options.limits.seconds = time_limit - (options.clock() - start);
  const bool has_time = time_limit == 0.0 || options.limits.seconds > 0.0;
  // Walks know nothing of what a reduction leaves out.
  const bool can_walk = has_time && !options.reduce.leaves_out_steps();
  if (all->promise == Promise::partial && can_walk &&
      !walk_too(program, sources, options, *sample, *all, problem))
    return {};
  all->coverage = estimate_coverage(*sample, best);
  return all;
}

}  // namespace panoptes
