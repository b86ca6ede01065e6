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

}  // namespace

std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem) {
  if (options.search == SearchKind::automatic) options.search = SearchKind::exhaustive;
  const double time_limit = options.limits.seconds, start = options.clock();
  std::optional<StateSample> sample;
  if (options.store.runs >= least_runs_for_coverage && options.folded.empty())
    options.explore.sample = &sample.emplace(sample_bytes(options.limits.memory_bytes));
  std::uint64_t run_number = 0;
  if (options.observer && options.store.kind != StoreKind::exact)
    options.observer = [&, observe = options.observer](Progress progress) {
      progress.run = run_number;
      progress.runs = options.store.runs;
      observe(progress);
    };
  const auto next_run = [&] {
    ++run_number;
    if (sample) sample->begin_run();
    return search_once(program, sources, options, {}, problem);
  };
  auto all = next_run();
  if (!all) return {};
  bool have_ended = ended_by_itself(all->stop);
  SampledRun best{0, all->states};
  for (std::uint64_t run = 1; run < options.store.runs && all->expected_omissions; ++run) {
    if (options.interrupted && options.interrupted->load()) break;
    if (options.explore.first_error_only && !all->errors.empty()) break;
    if (time_limit > 0.0) {
      options.limits.seconds = time_limit - (options.clock() - start);
      if (options.limits.seconds <= 0.0) break;
    }
    ++options.forgetful.seed;
    auto more = next_run();
    if (!more) return {};
    have_ended = have_ended && ended_by_itself(more->stop);
    if (run < StateSample::most_runs && more->states > best.states)
      best = {static_cast<unsigned>(run), more->states};
    merge_runs(program, *all, std::move(*more));
  }
  if (sample && have_ended) all->coverage = estimate_coverage(*sample, best);
  return all;
}

}  // namespace panoptes
