// SPDX-License-Identifier: Apache-2.0
// The pages of the documentation, as its tests read them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace panoptes::docs {

inline const std::filesystem::path root = PANOPTES_SOURCE_DIR;

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The pages in the root and those under docs/.
inline std::vector<std::filesystem::path> every_page() {
  std::vector<std::filesystem::path> pages;
  const auto add = [&](const auto& entries) {
    for (const auto& entry : entries)
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
  };
  add(std::filesystem::directory_iterator(root));
  add(std::filesystem::recursive_directory_iterator(root / "docs"));
  std::sort(pages.begin(), pages.end());
  return pages;
}

// What stands between the comments `<!-- NAME -->` and `<!-- end of NAME -->` of a page.
inline std::string section(const std::string& page, const std::string& name) {
  const std::string text = read_file(root / page);
  const std::string begin = "<!-- " + name + " -->\n", end = "<!-- end of " + name + " -->\n";
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos) return {};
  return text.substr(from + begin.size(), to - from - begin.size());
}

// The cells of each row of a table, its head left out; `\|` is a bar inside of a cell.
inline std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  const auto trimmed = [](const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return std::string{};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
  };
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(table)) {
    if (!line.starts_with('|')) continue;
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '|' && line[i - 1] != '\\')
        cells.emplace_back();
      else
        cells.back() += line[i];
    }
    cells.pop_back();  // behind the last bar
    std::transform(cells.begin(), cells.end(), cells.begin(), trimmed);
    rows.push_back(std::move(cells));
  }
  if (rows.size() < 2) return {};
  return {rows.begin() + 2, rows.end()};
}

// A fenced block of a page.
struct Block {
  std::string page;
  std::string where;  // page and line
  std::string language;
  std::string file;  // "": none
  std::string text;
};

inline std::vector<Block> every_block() {
  std::vector<Block> blocks;
  for (const std::filesystem::path& page : every_page()) {
    bool inside = false;
    std::size_t indent = 0;  // of the fence: a block may stand in a list
    int number = 0;
    for (const std::string& line : lines_of(read_file(page))) {
      ++number;
      const std::size_t first = line.find_first_not_of(' ');
      if (first != std::string::npos && line.compare(first, 3, "```") == 0) {
        inside = !inside;
        indent = first;
        if (!inside) continue;
        const std::string name = page.filename().string();
        const std::string words = line.substr(first + 3);
        const std::size_t blank = std::min(words.find(' '), words.size());
        blocks.push_back({name,
                          fmt::format("{}:{}", name, number),
                          words.substr(0, blank),
                          words.substr(std::min(blank + 1, words.size())),
                          {}});
      } else if (inside) {
        blocks.back().text += line.substr(std::min(indent, line.size())) + "\n";
      }
    }
  }
  return blocks;
}

}  // namespace panoptes::docs
