// SPDX-License-Identifier: Apache-2.0
// The lines of a model's text that a page shows: all of them, or where there are too many those
// around statements that were not executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/executed.hpp"

namespace panoptes {

class ShownSource {
 public:
  static constexpr std::size_t most_lines = 3000;

  ShownSource(const Program& program, const Executed& executed, const SourceSet& sources);

  struct Line {
    std::uint32_t number = 0;             // from 1
    std::uint32_t begin = 0, end = 0;     // bytes of its text, without the line end
    std::vector<StatementId> statements;  // that begin in it or go on
  };
  struct File {
    std::uint32_t number = 0;  // in the SourceSet
    std::vector<Line> lines;   // that are shown
    std::size_t all_lines = 0;
  };
  const std::vector<File>& files() const { return files_; }
  bool is_shown(std::uint32_t file, std::uint32_t line) const;
  // Lines that are not.
  std::size_t left_out() const { return left_out_; }

 private:
  std::vector<File> files_;
  std::size_t left_out_ = 0;
};

}  // namespace panoptes
