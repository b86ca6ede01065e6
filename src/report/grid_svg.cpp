// SPDX-License-Identifier: Apache-2.0
// Tables as a picture: what a terminal has in colours and lines, in boxes. Every cell has its row
// and column as attributes, for style sheets and for the tests, and all of it as a tooltip.
#include <fmt/format.h>

#include <algorithm>

#include "base/display.hpp"
#include "report/grid.hpp"
#include "report/xml.hpp"

namespace panoptes {
namespace {

constexpr double cell_letter = 7.3;  // width of a letter at 12 pixels, monospaced
constexpr double cell_height = 22, page_margin = 16, cell_padding = 8;

double boxed_width(std::string_view text) {
  return static_cast<double>(display_width(text)) * cell_letter + 2 * cell_padding;
}

std::string_view class_of(Colour colour) {
  switch (colour) {
    case Colour::good: return "good";
    case Colour::bad: return "bad";
    case Colour::warning: return "warning";
    case Colour::faint: return "faint";
    case Colour::plain:
    case Colour::heading:
    case Colour::message: break;
  }
  return "plain";
}

// A text at the left of what is `x` and `width`.
std::string text_at(double x, double y, std::string_view text, std::string_view kind = "") {
  return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                     kind.empty() ? "" : fmt::format(" class=\"{}\"", kind), x + cell_padding,
                     y + cell_height - 7, xml_escaped(text));
}

class GridDrawing {
 public:
  GridDrawing(const TitledGrid& table, double top) : table_(table), grid_(table.grid), y_(top) {
    label_width_ = boxed_width(grid_.corner);
    for (const std::string& label : grid_.labels)
      label_width_ = std::max(label_width_, boxed_width(label));
    double x = page_margin + label_width_;
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      double width = boxed_width(grid_.columns[c].title);
      for (const auto& row : grid_.rows) width = std::max(width, boxed_width(row[c].text));
      columns_.push_back({x, width});
      x += width;
    }
    widen_groups();
    width_ = std::max(columns_.empty() ? x : columns_.back().x + columns_.back().width,
                      page_margin + std::max(boxed_width(table.title), boxed_width(table.note)));
  }

  std::string draw() {
    std::string out = text_at(page_margin - cell_padding, y_, table_.title, "heading") + "\n";
    y_ += cell_height;
    if (!grid_.rows.empty()) {
      out += titles();
      for (std::size_t r = 0; r < grid_.rows.size(); ++r) out += row(r);
    }
    if (!table_.note.empty()) {
      out += text_at(page_margin - cell_padding, y_, table_.note, "small") + "\n";
      y_ += cell_height;
    }
    return out;
  }
  double bottom() const { return y_; }
  double width() const { return width_ + page_margin; }

 private:
  struct Span {
    double x, width;
  };

  bool begins_group(std::size_t c) const {
    return c == 0 || grid_.columns[c].group != grid_.columns[c - 1].group;
  }

  // The last column of a group has room for the rest of its name.
  void widen_groups() {
    double shift = 0;
    for (std::size_t c = 0, first = 0; c < columns_.size(); ++c) {
      columns_[c].x += shift;
      if (begins_group(c)) first = c;
      if (c + 1 < columns_.size() && !begins_group(c + 1)) continue;
      const double have = columns_[c].x + columns_[c].width - columns_[first].x;
      const double more = std::max(0.0, boxed_width(grid_.columns[first].group) - have);
      columns_[c].width += more;
      shift += more;
    }
  }

  std::string titles() {
    std::string out;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (begins_group(c)) out += text_at(columns_[c].x, y_, grid_.columns[c].group, "group");
    y_ += cell_height;
    out += text_at(page_margin - cell_padding, y_, grid_.corner, "group");
    for (std::size_t c = 0; c < columns_.size(); ++c)
      out += text_at(columns_[c].x, y_, grid_.columns[c].title, "group");
    y_ += cell_height;
    return out + "\n";
  }

  std::string row(std::size_t r) {
    std::string out = text_at(page_margin - cell_padding, y_, grid_.labels[r]);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Grid::Cell& cell = grid_.rows[r][c];
      const std::string state = xml_escaped(grid_.labels[r]);
      const std::string title =
          xml_escaped(fmt::format("{} {}", grid_.columns[c].group, grid_.columns[c].title));
      out += fmt::format(
          "<g class=\"cell {0}\" data-row=\"{1}\" data-column=\"{2}\"><title>{1}, {2}</title>"
          "<rect x=\"{3:.1f}\" y=\"{4:.1f}\" width=\"{5:.1f}\" height=\"{6}\"/>{7}</g>",
          class_of(cell.colour), state, title, columns_[c].x, y_, columns_[c].width, cell_height,
          cell.text.empty() ? "" : text_at(columns_[c].x, y_, cell.text));
    }
    y_ += cell_height;
    return out + "\n";
  }

  const TitledGrid& table_;
  const Grid& grid_;
  double y_;
  double label_width_ = 0, width_ = 0;
  std::vector<Span> columns_;
};

constexpr std::string_view grid_style_sheet =
    "<style>\n"
    "svg { background: #fff; }\n"
    "text { font: 12px monospace; fill: #222; }\n"
    ".heading { font-weight: bold; }\n"
    ".group { fill: #456; }\n"
    ".small { font-size: 10px; fill: #567; }\n"
    ".cell rect { fill: #fff; stroke: #ccd; }\n"
    ".good rect { fill: #e9f5ea; }\n"
    ".bad rect { fill: #fdecea; stroke: #c00; }\n"
    ".bad text { fill: #900; font-weight: bold; }\n"
    ".warning rect { fill: #fff6e0; }\n"
    ".warning text { fill: #8a5a00; }\n"
    ".faint text { fill: #89a; }\n"
    "</style>\n";

}  // namespace

std::string svg_grids(const std::vector<TitledGrid>& grids, const std::vector<std::string>& notes) {
  double width = 0, height = page_margin / 2;
  std::string body;
  for (const TitledGrid& table : grids) {
    GridDrawing drawing(table, height);
    body += fmt::format("<g class=\"table\">\n{}</g>\n", drawing.draw());
    height = drawing.bottom() + page_margin;
    width = std::max(width, drawing.width());
  }
  for (const std::string& note : notes) {
    body += text_at(page_margin - cell_padding, height, note, "small") + "\n";
    width = std::max(width, boxed_width(note) + 2 * page_margin);
    height += cell_height - 4;
  }
  height += page_margin / 2;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n{2}"
             "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
             width, height, grid_style_sheet) +
         body + "</svg>\n";
}

}  // namespace panoptes
