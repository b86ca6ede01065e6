// SPDX-License-Identifier: Apache-2.0
// Transition tables of processes below each other, as text; too large ones are named only.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/grid.hpp"
#include "report/show_content.hpp"
#include "report/state_text.hpp"

namespace panoptes {

class TableText {
 public:
  // `elsewhere` says what to do where one is too large.
  TableText(std::string title, std::string corner, std::string elsewhere, const TextStyle& style)
      : title_(std::move(title)),
        corner_(std::move(corner)),
        elsewhere_(std::move(elsewhere)),
        style_(style) {}

  struct Row {
    std::string label;
    std::map<std::size_t, std::string> cells;  // by action
  };
  // `row_of` gives each row by its number.
  template <typename RowOf>
  void add(const std::string& process, const std::vector<std::string>& actions, std::size_t rows,
           RowOf row_of) {
    out_ += fmt::format("{}{} of process {}\n\n", out_.empty() ? "" : "\n", title_, process);
    if (rows * actions.size() > cells_left_) {
      out_ +=
          fmt::format("  {} and {}: too many for a table; {}\n", plural(rows, "state", "states"),
                      plural(actions.size(), "action", "actions"), elsewhere_);
      return;
    }
    cells_left_ -= rows * actions.size();
    Grid grid;
    grid.corner = corner_;
    for (const std::string& action : actions) grid.columns.push_back({"", action});
    for (std::size_t r = 0; r < rows; ++r) {
      Row row = row_of(r);
      grid.labels.push_back(std::move(row.label));
      auto& cells = grid.rows.emplace_back(actions.size());
      for (auto& [action, text] : row.cells) cells[action].text = std::move(text);
    }
    out_ += to_text(grid, style_);
  }

  const std::string& text() const { return out_; }

 private:
  std::string title_, corner_, elsewhere_;
  TextStyle style_;
  std::string out_;
  std::size_t cells_left_ = most_cells;
};

}  // namespace panoptes
