// SPDX-License-Identifier: Apache-2.0
// How a search went as time went by: three plots with one axis of time.
#include <algorithm>
#include <cmath>

#include "report/html_parts.hpp"
#include "report/number_text.hpp"

namespace panoptes {
namespace {

constexpr double plot_width = 320, plot_height = 150;
constexpr double left_margin = 62, right_margin = 14, top_margin = 12, bottom_margin = 24;
constexpr std::size_t least_samples = 8;  // that say something

struct Point {
  double x = 0, y = 0;
};
// A line that may have gaps.
using Curve = std::vector<std::vector<Point>>;

struct Plot {
  std::string_view title;
  std::string (*label)(double);  // of a value
  Curve curve;
};

// 1, 2 or 5 times a power of ten, and no less than `value`.
double round_up(double value) {
  if (value <= 0.0) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value) return factor * power;
  return 10.0 * power;
}

// 950, 12 k, 3.5 M
std::string short_count(double value) {
  constexpr std::string_view units[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  for (; value >= 1000.0 && unit + 1 < std::size(units); ++unit) value /= 1000.0;
  return fmt::format("{:.{}f}{}", value, value < 10.0 && unit > 0 ? 1 : 0, units[unit]);
}

std::string short_bytes(double value) { return as_bytes(static_cast<std::uint64_t>(value)); }

std::string seconds_text(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.3g} ms", seconds * 1000.0)
                       : fmt::format("{:.3g} s", seconds);
}

template <typename Value>
Curve curve_of(const std::vector<SearchSample>& samples, Value value) {
  Curve curve(1);
  for (const SearchSample& sample : samples)
    curve.back().push_back({sample.seconds, static_cast<double>(value(sample))});
  return curve;
}

// Between one sample and the next it is what it is on average. Where the number of states is less
// than before, another run has begun.
Curve rate_of(const std::vector<SearchSample>& samples) {
  Curve curve(1);
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const SearchSample &before = samples[i - 1], &now = samples[i];
    if (now.states < before.states) curve.emplace_back();
    if (now.states < before.states || now.seconds <= before.seconds) continue;
    const double rate =
        static_cast<double>(now.states - before.states) / (now.seconds - before.seconds);
    curve.back().push_back({before.seconds, rate});
    curve.back().push_back({now.seconds, rate});
  }
  return curve;
}

Html drawn_plot(const Plot& plot, double end) {
  double most = 0.0;
  for (const auto& piece : plot.curve)
    for (const Point& point : piece) most = std::max(most, point.y);
  const double top = round_up(most);
  const auto x_of = [&](double x) {
    return left_margin + x / end * (plot_width - left_margin - right_margin);
  };
  const auto y_of = [&](double y) {
    return plot_height - bottom_margin - y / top * (plot_height - top_margin - bottom_margin);
  };
  Html inside;
  for (const double part : {0.0, 0.5, 1.0})
    inside += html(
        "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"y\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x_of(0), y_of(part * top), x_of(end), y_of(part * top), x_of(0) - 6, y_of(part * top) + 4,
        plot.label(part * top));
  inside += html(
      "<text class=\"x\" x=\"{:.1f}\" y=\"{:.1f}\">0</text>"
      "<text class=\"x end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      x_of(0), plot_height - 6, x_of(end), plot_height - 6, seconds_text(end));
  for (const auto& piece : plot.curve) {
    Html points;
    for (const Point& point : piece) points += html("{:.1f},{:.1f} ", x_of(point.x), y_of(point.y));
    inside += html("<polyline points=\"{}\"/>\n", points);
  }
  return html(
      "<figure class=\"plot\"><figcaption>{}</figcaption>"
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}, as time went by; at most {}\">\n"
      "{}</svg></figure>\n",
      plot.title, plot_width, plot_height, plot.title, plot.label(most), inside);
}

}  // namespace

Html plots_part(const std::vector<SearchSample>& samples) {
  if (samples.size() < least_samples)
    return html("<p class=\"note\">{}</p>\n",
                samples.empty() ? "No plots: nobody took samples of this search."
                                : "No plots: the search was over before there was much to plot.");
  const double end = samples.back().seconds;
  Html plots;
  for (const Plot& plot :
       {Plot{"states in a second", short_count, rate_of(samples)},
        Plot{"states that wait to be visited", short_count,
             curve_of(samples, [](const SearchSample& s) { return s.frontier; })},
        Plot{"memory of its states and ways back", short_bytes,
             curve_of(samples, [](const SearchSample& s) { return s.memory_bytes; })}})
    plots += drawn_plot(plot, end);
  return html("<div class=\"plots\">\n{}</div>\n", plots);
}

}  // namespace panoptes
