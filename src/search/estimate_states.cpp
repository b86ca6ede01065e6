// SPDX-License-Identifier: Apache-2.0
#include "search/estimate_states.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace panoptes {
namespace {

constexpr std::size_t least_levels = 10;  // to say anything
constexpr std::size_t least_fitted = 6;
constexpr double most_disagreement = 3;  // between the largest and the smallest of the fits
constexpr double most_times_more = 50;   // levels, than were seen

struct Point {
  double x, y;
};

// Coefficients of the parabola with the least squares; nothing where there is none.
std::optional<std::array<double, 3>> fit_parabola(const std::vector<Point>& points) {
  std::array<std::array<double, 4>, 3> rows{};
  for (const auto& [x, y] : points)
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rows[i][j] += std::pow(x, i + j);
      rows[i][3] += y * std::pow(x, i);
    }
  for (int i = 0; i < 3; ++i) {
    const auto best = std::max_element(
        rows.begin() + i, rows.end(),
        [&](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
    std::swap(rows[i], *best);
    if (std::abs(rows[i][i]) < 1e-12) return {};
    for (int r = 0; r < 3; ++r) {
      if (r == i) continue;
      const double factor = rows[r][i] / rows[i][i];
      for (int c = 0; c < 4; ++c) rows[r][c] -= factor * rows[i][c];
    }
  }
  return std::array{rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]};
}

// States and levels in all, by the last `fitted` levels.
std::optional<StateEstimate> extrapolate(const std::vector<double>& sizes, double known,
                                         std::size_t fitted) {
  const auto count = static_cast<double>(sizes.size());
  std::vector<Point> points;
  for (std::size_t d = sizes.size() - fitted; d < sizes.size(); ++d)
    if (sizes[d] > 0)
      points.push_back({(static_cast<double>(d) - count) / count, std::log(sizes[d])});
  const auto parabola = fit_parabola(points);
  if (!parabola || (*parabola)[2] >= 0) return {};
  const auto at = [&](double level) {
    const double x = (level - count) / count;
    return (*parabola)[0] + x * ((*parabola)[1] + x * (*parabola)[2]);
  };
  // Through the last level as it was.
  const double shift = std::log(std::max(sizes.back(), 1.0)) - at(count - 1);
  StateEstimate estimate{known, 0, 0, count};
  while (estimate.levels < most_times_more * count) {
    const double size = at(estimate.levels) + shift;
    if (size < 0) return estimate;
    estimate.states += std::exp(size);
    estimate.levels += 1;
  }
  return {};
}

}  // namespace

std::optional<StateEstimate> estimate_states(const std::vector<std::uint64_t>& known) {
  if (known.size() < least_levels) return {};
  std::vector<double> sizes;
  for (std::size_t d = 1; d < known.size(); ++d)
    sizes.push_back(static_cast<double>(known[d] - known[d - 1]));
  const auto seen = static_cast<double>(known.back());
  std::vector<StateEstimate> fits;
  for (const double share : {0.3, 0.5, 0.7}) {
    const auto fitted = static_cast<std::size_t>(share * static_cast<double>(sizes.size()));
    const auto fit = extrapolate(sizes, seen, std::clamp(fitted, least_fitted, sizes.size()));
    if (fit) fits.push_back(*fit);
  }
  if (fits.size() < 2) return {};
  double logarithms = 0, levels = 0;
  for (const StateEstimate& fit : fits) {
    logarithms += std::log(fit.states) / static_cast<double>(fits.size());
    levels = std::max(levels, fit.levels);
  }
  const auto by_states = [](const StateEstimate& a, const StateEstimate& b) {
    return a.states < b.states;
  };
  const auto [least, most] = std::minmax_element(fits.begin(), fits.end(), by_states);
  if (most->states > most_disagreement * least->states) return {};
  const double states = std::exp(logarithms);
  return StateEstimate{states, std::max(seen, states / 2),
                       states * (1 + 5 * std::sqrt(states / seen)), levels};
}

// Samples come as time goes by: a level that none was taken in lies evenly between those beside it.
std::vector<std::uint64_t> known_by_level(const std::vector<SearchSample>& samples) {
  std::vector<std::uint64_t> known;
  for (const SearchSample& sample : samples) {
    const std::uint64_t from = known.empty() ? 0 : known.back();
    const std::size_t missing =
        sample.depth + 1 - std::min<std::size_t>(known.size(), sample.depth + 1);
    for (std::size_t i = 1; i <= missing; ++i)
      known.push_back(from + (sample.states - from) * i / missing);
  }
  return known;
}

}  // namespace panoptes
