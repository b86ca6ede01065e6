// SPDX-License-Identifier: Apache-2.0
// A table on a terminal: rows with a label, columns in groups, folded where it is too wide.
//
// How it may be wrong: every character counts as one column (base/display.hpp), so wide ones shift
// what stands behind them. A single column that is wider than the terminal stays as wide as it is.
//
// Cost: memory for every cell, filled or not: who makes a grid says how large it may be.
// Thread safety: functions of their arguments.
#pragma once

#include <string>
#include <vector>

#include "report/text_style.hpp"

namespace panoptes {

struct Grid {
  struct Cell {
    std::string text;
    Colour colour = Colour::plain;
  };
  struct Column {
    std::string group;  // neighbours with the same one stand under it; "" everywhere: no groups
    std::string title;
  };
  std::string corner;  // above the labels
  std::vector<Column> columns;
  std::vector<std::string> labels;      // by row
  std::vector<std::vector<Cell>> rows;  // by row, column
};
// Where not all columns fit beside each other, the others follow below. REQUIRES: as many labels as
// rows, and in every row as many cells as there are columns.
std::string to_text(const Grid& grid, const TextStyle& style);

// A table under a title, and a line below it; "" where there is none.
struct TitledGrid {
  std::string title;
  Grid grid;
  std::string note;
};
// Tables below each other, and lines of text below them, as a picture.
std::string svg_grids(const std::vector<TitledGrid>& grids, const std::vector<std::string>& notes);

// `words` joined by ", ", in lines of at most `width` where that can be.
std::vector<std::string> folded_list(const std::vector<std::string>& words, std::size_t width);

}  // namespace panoptes
