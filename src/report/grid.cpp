// SPDX-License-Identifier: Apache-2.0
#include "report/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/display.hpp"

namespace panoptes {
namespace {

constexpr std::string_view margin = "  ";
constexpr std::string_view gap = "  ";        // between columns
constexpr std::string_view border = " │ ";    // between groups
constexpr std::string_view crossing = "─┼─";  // of the line below the titles

std::string repeated(std::string_view what, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += what;
  return out;
}

std::string padding(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string(width > taken ? width - taken : 0, ' ');
}

// Columns begin .. end - 1, as wide as they need to be.
struct Block {
  std::size_t begin, end;
};

class GridText {
 public:
  GridText(const Grid& grid, const TextStyle& style) : grid_(grid), style_(style) {
    label_width_ = display_width(grid.corner);
    for (const std::string& label : grid.labels)
      label_width_ = std::max(label_width_, display_width(label));
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      widths_.push_back(display_width(grid.columns[c].title));
      for (const auto& row : grid.rows)
        widths_[c] = std::max(widths_[c], display_width(row[c].text));
    }
  }

  std::string text() {
    std::string out;
    for (const Block& block : blocks()) {
      if (!out.empty()) out += "\n";
      widen_groups(block);
      out += draw(block);
    }
    return out;
  }

 private:
  bool begins_group(std::size_t c, const Block& block) const {
    return c == block.begin || grid_.columns[c].group != grid_.columns[c - 1].group;
  }
  bool has_groups() const {
    return std::any_of(grid_.columns.begin(), grid_.columns.end(),
                       [](const Grid::Column& column) { return !column.group.empty(); });
  }
  std::size_t group_end(std::size_t c, const Block& block) const {
    do ++c;
    while (c < block.end && !begins_group(c, block));
    return c;
  }
  std::size_t group_width(std::size_t begin, std::size_t end) const {
    std::size_t width = 0;
    for (std::size_t c = begin; c < end; ++c)
      width += widths_[c] + (c == begin ? 0 : display_width(gap));
    return width;
  }
  std::size_t width_of(const Block& block) const {
    std::size_t width = display_width(margin) + label_width_;
    for (std::size_t c = block.begin; c < block.end; c = group_end(c, block))
      width += display_width(border) +
               std::max(group_width(c, group_end(c, block)), display_width(grid_.columns[c].group));
    return width;
  }

  // As many columns as fit, one at least.
  std::vector<Block> blocks() const {
    std::vector<Block> result;
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      if (result.empty() ||
          (style_.width > 0 && width_of({result.back().begin, c + 1}) > style_.width))
        result.push_back({c, c});
      result.back().end = c + 1;
    }
    if (result.empty()) result.push_back({0, 0});
    return result;
  }

  // The last column of a group has room for the rest of its name.
  void widen_groups(const Block& block) {
    for (std::size_t c = block.begin; c < block.end; c = group_end(c, block)) {
      const std::size_t end = group_end(c, block);
      const std::size_t wanted = display_width(grid_.columns[c].group);
      const std::size_t width = group_width(c, end);
      if (wanted > width) widths_[end - 1] += wanted - width;
    }
  }

  // A line of cells; `cell(c)` gives each, and what pads it is not coloured.
  template <typename CellOf>
  std::string line(const Block& block, const std::string& label, CellOf cell) const {
    std::string out = fmt::format("{}{}", margin, label);
    std::string blanks = padding(label, label_width_);
    for (std::size_t c = block.begin; c < block.end; ++c) {
      const Grid::Cell shown = cell(c);
      out += blanks;
      out += begins_group(c, block) ? border : gap;
      out += coloured(shown.text, shown.colour, style_);
      blanks = padding(shown.text, widths_[c]);
    }
    while (out.ends_with(' ')) out.pop_back();
    return out + "\n";
  }

  std::string draw(const Block& block) const {
    std::string out;
    if (has_groups()) {
      // The name of a group may reach over its columns: each group is one wide cell here.
      std::string names = fmt::format("{}{}", margin, std::string(label_width_, ' '));
      for (std::size_t c = block.begin; c < block.end; c = group_end(c, block)) {
        const std::string& group = grid_.columns[c].group;
        names += border;
        names += coloured(group, Colour::heading, style_) +
                 padding(group, group_width(c, group_end(c, block)));
      }
      while (names.ends_with(' ')) names.pop_back();
      out += names + "\n";
    }
    out += line(block, grid_.corner,
                [&](std::size_t c) { return Grid::Cell{grid_.columns[c].title}; });
    out += fmt::format("{}{}", margin, repeated("─", label_width_));
    for (std::size_t c = block.begin; c < block.end; c = group_end(c, block)) {
      out += crossing;
      out += repeated("─", group_width(c, group_end(c, block)));
    }
    out += "\n";
    for (std::size_t r = 0; r < grid_.rows.size(); ++r)
      out += line(block, grid_.labels[r], [&](std::size_t c) { return grid_.rows[r][c]; });
    return out;
  }

  const Grid& grid_;
  const TextStyle& style_;
  std::size_t label_width_ = 0;
  std::vector<std::size_t> widths_;
};

}  // namespace

std::string to_text(const Grid& grid, const TextStyle& style) {
  return GridText(grid, style).text();
}

std::vector<std::string> folded_list(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (lines.empty() || display_width(lines.back()) + 1 + display_width(word) > width)
      lines.push_back(word);
    else
      lines.back() += " " + word;
  }
  return lines;
}

}  // namespace panoptes
