// SPDX-License-Identifier: Apache-2.0
#include "search/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace panoptes {
namespace {

constexpr double deviations = 1.645;  // one-sided, 95 %

double chao(const Incidence& found, double runs) {
  const auto once = static_cast<double>(found.known_once),
             twice = static_cast<double>(found.known_twice);
  return std::max(0.0, (runs - 1) / runs * once * (once - 1) / (2 * (twice + 1)));
}

// The variance of Chao's estimator where states are independent of each other.
double chao_variance(const Incidence& found, double runs) {
  const double twice = std::max(1.0, static_cast<double>(found.known_twice));
  const double ratio = static_cast<double>(found.known_once) / twice, part = (runs - 1) / runs;
  return twice * (part / 2 * std::pow(ratio, 2) + part * part * std::pow(ratio, 3) +
                  part * part / 4 * std::pow(ratio, 4));
}

// Known and unknown states as every set of all runs but one sees them: how much they scatter.
double jackknife_variance(const StateSample& sample) {
  const unsigned runs = sample.runs();
  std::vector<double> wholes;
  double mean = 0;
  for (unsigned run = 0; run < runs; ++run) {
    const Incidence others = sample.incidence(run);
    wholes.push_back(static_cast<double>(others.known) + unknown_states(others, runs - 1));
    mean += wholes.back() / runs;
  }
  double squares = 0;
  for (const double whole : wholes) squares += (whole - mean) * (whole - mean);
  return squares * (runs - 1) / runs;
}

double lower_end(double value, double variance) {
  return value / std::exp(deviations * std::sqrt(std::log1p(variance / (value * value))));
}

// The upper end of a share of so many, all of which were drawn by chance (Wilson's interval).
double upper_end(double share, double count) {
  const double square = deviations * deviations / count;
  return (share + square / 2 + std::sqrt(square * share * (1 - share) + square * square / 4)) /
         (1 + square);
}

}  // namespace

double unknown_states(const Incidence& found, unsigned runs) {
  constexpr double most = 4.0, weight_of_linear = 2.0 / 3.0;
  const double least = chao(found, runs);
  if (least <= 0) return 0;
  if (found.seen_once <= found.known_once) return least * most;
  const double more_for_each = static_cast<double>(found.known_once) /
                               static_cast<double>(found.seen_once - found.known_once);
  const double linear = more_for_each * static_cast<double>(found.known - found.seen);
  return least * std::clamp(std::pow(linear / least, weight_of_linear), 1.0, most);
}

std::optional<Coverage> estimate_coverage(const StateSample& sample, const SampledRun& run) {
  const Incidence found = sample.incidence();
  if (sample.runs() < least_runs_for_coverage || found.known < least_states_for_coverage) return {};
  double unknown = unknown_states(found, sample.runs());
  if (unknown > 0)
    unknown = lower_end(unknown, jackknife_variance(sample) + chao_variance(found, sample.runs()));
  const double whole = static_cast<double>(found.known) + std::floor(unknown);
  const double seen = std::max(1.0, static_cast<double>(sample.seen_by(run.number)));
  const auto states = static_cast<double>(run.states);
  const bool is_all = sample.share() == 1.0;
  Coverage result;
  result.at_most =
      is_all ? seen / whole : std::min(1.0, upper_end(seen / whole, whole / (1 - sample.share())));
  result.states_at_least = static_cast<std::uint64_t>(is_all ? whole : states / result.at_most);
  result.states_together =
      is_all ? found.seen
             : static_cast<std::uint64_t>(states * (static_cast<double>(found.seen) / seen));
  result.sampled_states = sample.states();
  result.sampled_share = sample.share();
  return result;
}

}  // namespace panoptes
