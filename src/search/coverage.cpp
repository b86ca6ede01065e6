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

// How often so many or more of `all` are in a sample of that share.
double chance_of(std::uint64_t sampled, std::uint64_t all, double share) {
  double fewer = 0;
  for (std::uint64_t i = 0; i < sampled; ++i)
    fewer += std::exp(
        std::lgamma(static_cast<double>(all) + 1) - std::lgamma(static_cast<double>(i) + 1) -
        std::lgamma(static_cast<double>(all - i) + 1) + static_cast<double>(i) * std::log(share) +
        static_cast<double>(all - i) * std::log1p(-share));
  return 1 - fewer;
}

// The fewest of which so many are in a sample of that share more often than one time in twenty.
std::uint64_t least_of_all(std::uint64_t sampled, double share) {
  if (share == 1.0 || sampled == 0) return sampled;
  constexpr std::uint64_t most_exact = 50;
  if (sampled > most_exact) {  // as many as make a normal distribution
    const double spread = deviations * std::sqrt(share * (1 - share));
    const double wanted = static_cast<double>(sampled) - 0.5;
    const double root = (std::sqrt(spread * spread + 4 * share * wanted) - spread) / (2 * share);
    return std::max(sampled, static_cast<std::uint64_t>(root * root));
  }
  std::uint64_t low = sampled,
                high = static_cast<std::uint64_t>(static_cast<double>(sampled) / share);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (chance_of(sampled, middle, share) < 0.05)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// What runs and walks know together; and where walks have come to many states that no run knows,
// half of what they would have missed if they were independent of the runs (Lincoln and Petersen).
std::uint64_t states_by_walks(const StateSample& sample, const Incidence& found) {
  constexpr double many = 0.02;
  const auto walked = static_cast<double>(found.walked),
             both = static_cast<double>(found.walked_and_known),
             known = static_cast<double>(found.known);
  if (both == 0 || walked - both < many * walked) return sample.states();
  const double missed = (walked - both) * (known - both) / both;
  return sample.states() + static_cast<std::uint64_t>(missed / 2);
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
  const std::uint64_t seen = std::max<std::uint64_t>(1, sample.seen_by(run.number));
  const std::uint64_t whole =
      std::max(found.known + static_cast<std::uint64_t>(unknown), states_by_walks(sample, found));
  Coverage result;
  result.states_at_least = run.states + least_of_all(whole - seen, sample.share());
  result.at_most = static_cast<double>(run.states) / static_cast<double>(result.states_at_least);
  result.states_together =
      run.states +
      static_cast<std::uint64_t>(static_cast<double>(found.seen - seen) / sample.share());
  result.sampled_states = sample.states();
  result.sampled_share = sample.share();
  return result;
}

}  // namespace panoptes
