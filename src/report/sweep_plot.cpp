// SPDX-License-Identifier: Apache-2.0
// A sweep as a drawing: states against one parameter, a line for each combination of the others, a
// mark for each verdict. States grow by powers, so their axis is logarithmic unless the largest run
// is hardly larger than the smallest. Every mark has what it stands for as attributes
// (`data-verdict`, `data-states`, ...) and as a tooltip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/display.hpp"
#include "report/number_text.hpp"
#include "report/sweep.hpp"
#include "report/xml.hpp"

namespace panoptes {
namespace {

constexpr double plot_left = 112, plot_top = 48, sweep_width = 560, sweep_height = 320;
constexpr double plot_bottom = plot_top + sweep_height, legend_row = 18;
constexpr double plot_letter = 7.3;  // width of a letter at 12 pixels, monospaced
constexpr std::size_t named_lines = 24, legend_letters = 60, tick_letters = 12, most_ticks = 16;
constexpr double logarithmic_from = 20.0;  // times as many states in the largest run

// Told apart without colours, too: by dashes.
constexpr std::string_view line_colours[] = {"#0b5394", "#c27c0e", "#38761d", "#741b47",
                                             "#45818e", "#990000", "#674ea7", "#7f6000"};
constexpr std::string_view line_dashes[] = {"none", "7 4", "2 3"};

// The axis of states: from what is drawn to where.
class StateAxis {
 public:
  explicit StateAxis(const SweepTable& table) {
    const SweepSize size(table);
    for (const SweepRun& run : table.runs) {
      if (run.end != SweepEnd::checked) continue;
      const auto states = static_cast<double>(std::max<std::uint64_t>(1, size.of(run)));
      least_ = is_empty_ ? states : std::min(least_, states);
      most_ = is_empty_ ? states : std::max(most_, states);
      is_empty_ = false;
    }
    is_logarithmic_ = most_ >= logarithmic_from * least_;
    if (is_logarithmic_) {
      least_ = std::pow(10.0, std::floor(std::log10(least_) + 1e-9));
      most_ = std::pow(10.0, std::ceil(std::log10(most_) - 1e-9));
    } else {
      unit_ = round_unit(most_ / 4.0);
      least_ = 0.0;
      most_ = std::ceil(most_ / unit_ - 1e-9) * unit_;
    }
  }

  bool is_empty() const { return is_empty_; }
  bool is_logarithmic() const { return is_logarithmic_; }
  double at(double states) const {
    const double share = is_logarithmic_
                             ? (std::log10(std::max(states, least_)) - std::log10(least_)) /
                                   (std::log10(most_) - std::log10(least_))
                             : (states - least_) / (most_ - least_);
    return plot_bottom - share * sweep_height;
  }
  std::vector<double> ticks() const {
    std::vector<double> result;
    if (is_logarithmic_)
      for (double tick = least_; tick <= most_ * 1.001; tick *= 10.0) result.push_back(tick);
    else
      for (double tick = 0.0; tick <= most_ * 1.001; tick += unit_) result.push_back(tick);
    return result;
  }

 private:
  // 1, 2 or 5 times a power of ten, not less than that.
  static double round_unit(double value) {
    double power = 1.0;
    while (power * 10.0 <= value) power *= 10.0;
    for (const double times : {1.0, 2.0, 5.0})
      if (times * power >= value) return times * power;
    return 10.0 * power;
  }

  double least_ = 1.0, most_ = 1.0, unit_ = 1.0;
  bool is_empty_ = true, is_logarithmic_ = false;
};

// The axis of a parameter: its values at their places, or side by side where they are no numbers.
class ParameterAxis {
 public:
  explicit ParameterAxis(const Parameter& parameter) : parameter_(parameter) {
    for (std::size_t i = 0; i < parameter.values.size(); ++i) order_.push_back(i);
    const bool has_places = is_numeric(parameter);
    if (has_places)
      std::ranges::sort(order_, {}, [&](std::size_t i) { return *number_of(parameter.values[i]); });
    const auto place = [&](std::size_t i) {
      return has_places ? static_cast<double>(*number_of(parameter.values[i]))
                        : static_cast<double>(i);
    };
    const double first = place(order_.front()), last = place(order_.back());
    for (std::size_t i = 0; i < parameter.values.size(); ++i)
      at_.push_back(plot_left + 24 +
                    (sweep_width - 48) *
                        (last > first ? (place(i) - first) / (last - first) : 0.5));
  }

  static bool is_numeric(const Parameter& parameter) {
    return std::ranges::all_of(parameter.values,
                               [](const auto& value) { return number_of(value).has_value(); });
  }

  const Parameter& parameter() const { return parameter_; }
  double at(std::size_t value) const { return at_[value]; }
  const std::vector<std::size_t>& in_order() const { return order_; }  // from left to right

 private:
  const Parameter& parameter_;
  std::vector<std::size_t> order_;
  std::vector<double> at_;
};

std::string drawn_text(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     xml_escaped(text));
}

// A circle, filled or not, or a cross.
std::string drawn_mark(double x, double y, Outcome outcome) {
  if (outcome == Outcome::violated)
    return fmt::format("<path class=\"violated\" d=\"M{:.1f} {:.1f}l10 10m0 -10l-10 10\"/>", x - 5,
                       y - 5);
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>",
                     to_string(outcome), x, y);
}

class SweepPlot {
 public:
  SweepPlot(const SweepTable& table, std::size_t parameter)
      : table_(table),
        number_(parameter),
        size_(table),
        states_(table),
        along_(table.parameters[parameter]) {
    for (std::size_t c = 0; c < table.runs.size(); ++c) {
      const std::vector<std::size_t> values = values_in(table.parameters, c);
      std::vector<std::size_t> others = values;
      others[number_] = 0;
      auto [line, is_new] = lines_.try_emplace(others, along_.parameter().values.size(), 0);
      line->second[values[number_]] = c;
    }
    for (const SmallestError& error : smallest_errors(table)) smallest_.insert(error.combination);
  }

  std::string draw() const {
    const std::string title = fmt::format("{}: {}", table_.model, tally(table_));
    const std::size_t rows = std::min(lines_.size(), named_lines + 1);
    const double height = plot_bottom + 70 + legend_row * static_cast<double>(rows);
    const double width = std::max(plot_left + sweep_width + 30,
                                  30 + plot_letter * static_cast<double>(display_width(title)));
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n{3}"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
        width, height, xml_escaped(title), style);
    out += drawn_text(15, 20, "start", title) + axes();
    std::size_t number = 0;
    for (const auto& [others, combinations] : lines_) out += line(combinations, number++);
    return out + legend() + "</svg>\n";
  }

 private:
  static constexpr std::string_view style =
      "<style>\n"
      "text { font: 12px monospace; fill: #222; }\n"
      ".grid { stroke: #dde3ea; }\n"
      ".line path.way { fill: none; stroke-width: 1.6; }\n"
      ".line .holds, .key .holds { fill: currentColor; }\n"
      ".line .unknown, .key .unknown { fill: #fff; stroke: currentColor; stroke-width: 1.6; }\n"
      ".line .violated, .key .violated { fill: none; stroke: currentColor; stroke-width: 2.6; }\n"
      ".smallest { fill: none; stroke: #c00; stroke-width: 1.6; }\n"
      "</style>\n";

  std::string axes() const {
    std::string out;
    if (states_.is_empty())
      return drawn_text(plot_left + sweep_width / 2, plot_top + sweep_height / 2, "middle",
                        "no run has states to draw");
    for (const double tick : states_.ticks()) {
      const double y = states_.at(tick);
      out += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n", plot_left, y, sweep_width);
      out += drawn_text(plot_left - 8, y + 4, "end", with_commas(static_cast<std::uint64_t>(tick)));
    }
    const std::vector<std::size_t>& values = along_.in_order();
    const std::size_t every = (values.size() + most_ticks - 1) / most_ticks;
    for (std::size_t i = 0; i < values.size(); i += every) {
      const Parameter::Value& value = along_.parameter().values[values[i]];
      out += drawn_text(along_.at(values[i]), plot_bottom + 18, "middle",
                        value ? cut_to_width(*value, tick_letters) : "-");
    }
    out += drawn_text(plot_left - 8, plot_top - 14, "end", size_.word());
    return out +
           drawn_text(plot_left + sweep_width, plot_bottom + 36, "end", along_.parameter().name);
  }

  // Runs with the same values of all other parameters, by that of this one.
  std::string line(const std::vector<std::size_t>& combinations, std::size_t number) const {
    std::string way, marks;
    bool goes_on = false;  // what was not checked leaves a gap
    for (const std::size_t value : along_.in_order()) {
      const SweepRun& run = table_.runs[combinations[value]];
      const bool is_drawn = run.end == SweepEnd::checked;
      if (is_drawn) {
        const double x = along_.at(value), y = states_.at(static_cast<double>(size_.of(run)));
        way += fmt::format("{}{:.1f} {:.1f}", goes_on ? "L" : "M", x, y);
        marks += mark(combinations[value], x, y);
      }
      goes_on = is_drawn;
    }
    return fmt::format(
        "<g class=\"line\" color=\"{}\" data-others=\"{}\"><path class=\"way\" "
        "stroke=\"currentColor\" stroke-dasharray=\"{}\" d=\"{}\"/>\n{}</g>\n",
        colour(number), xml_escaped(name_of(combinations)), dashes(number), way, marks);
  }

  std::string mark(std::size_t combination, double x, double y) const {
    const SweepRun& run = table_.runs[combination];
    const std::string found =
        run.shortest ? fmt::format(", {} after {} steps", run.shortest->kind, run.shortest->steps)
                     : "";
    const bool is_smallest = smallest_.contains(combination);
    return fmt::format(
        "<g class=\"run\" data-verdict=\"{}\" data-states=\"{}\"><title>{}: {}, {} {}{}{}"
        "</title>{}{}</g>\n",
        verdict_word(run), size_.of(run), xml_escaped(combination_text(table_, combination)),
        verdict_word(run), with_commas(size_.of(run)), size_.word(), xml_escaped(found),
        is_smallest ? "; no smaller combination has an error" : "", drawn_mark(x, y, run.outcome),
        is_smallest ? fmt::format("<circle class=\"smallest\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
                                  "r=\"10\"/>",
                                  x, y)
                    : "");
  }

  // The values of the other parameters.
  std::string name_of(const std::vector<std::size_t>& combinations) const {
    const std::vector<std::size_t> values = values_in(table_.parameters, combinations.front());
    std::string text;
    for (std::size_t p = 0; p < values.size(); ++p)
      if (p != number_)
        text += (text.empty() ? "" : " ") + setting_text(table_.parameters[p], values[p]);
    return text;
  }

  std::string legend() const {
    double y = plot_bottom + 60;
    std::string out = "<g class=\"key\" color=\"#222\">";
    double x = 15;
    const auto add = [&](const std::string& drawn, std::string_view words) {
      out += drawn + drawn_text(x + 16, y, "start", words);
      x += 40 + plot_letter * static_cast<double>(words.size());
    };
    add(drawn_mark(x + 5, y - 4, Outcome::holds), "holds");
    add(drawn_mark(x + 5, y - 4, Outcome::violated), "violated");
    add(drawn_mark(x + 5, y - 4, Outcome::unknown), "unknown: at least so many");
    add(fmt::format("<circle class=\"smallest\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/>", x + 5,
                    y - 4),
        "smallest with an error");
    out += "</g>\n";
    if (lines_.size() == 1 && table_.parameters.size() == 1) return out;
    std::size_t number = 0;
    for (const auto& [others, combinations] : lines_) {
      y += legend_row;
      if (number == named_lines)
        return out +
               drawn_text(31, y, "start", fmt::format("and {} more", lines_.size() - named_lines));
      out += fmt::format(
          "<path d=\"M15 {:.1f}h26\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
          "stroke-dasharray=\"{}\"/>\n",
          y - 4, colour(number), dashes(number));
      out += drawn_text(50, y, "start", cut_to_width(name_of(combinations), legend_letters));
      ++number;
    }
    return out;
  }

  static std::string_view colour(std::size_t line) {
    return line_colours[line % std::size(line_colours)];
  }
  static std::string_view dashes(std::size_t line) {
    return line_dashes[line / std::size(line_colours) % std::size(line_dashes)];
  }

  const SweepTable& table_;
  std::size_t number_;  // of the parameter along which it goes
  SweepSize size_;
  StateAxis states_;
  ParameterAxis along_;
  // By the values of the others, the combinations by the value of this one.
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> lines_;
  std::set<std::size_t> smallest_;
};

}  // namespace

bool sweep_plot(const SweepTable& table, const Sink& sink) {
  const auto found = std::ranges::find_if(table.parameters, ParameterAxis::is_numeric);
  const auto number = found == table.parameters.end() ? 0 : found - table.parameters.begin();
  return sink(SweepPlot(table, static_cast<std::size_t>(number)).draw());
}

}  // namespace panoptes
