// SPDX-License-Identifier: Apache-2.0
#include "report/shown_source.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace panoptes {
namespace {

constexpr std::uint32_t context_lines = 2;  // around what was not executed, where not all are shown

// The lines of a text, without statements.
std::vector<ShownSource::Line> text_lines(std::string_view text) {
  std::vector<ShownSource::Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool has_return = end > begin && text[end - 1] == '\r';
    lines.push_back({static_cast<std::uint32_t>(lines.size() + 1),
                     static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(has_return ? end - 1 : end),
                     {}});
    begin = end + 1;
  }
  return lines;
}

// Puts a statement into every line that it stands in.
void put_into_lines(StatementId statement, Place place, std::vector<ShownSource::Line>& lines) {
  auto line = std::ranges::upper_bound(lines, place.offset, {}, &ShownSource::Line::begin);
  if (line != lines.begin()) --line;
  for (; line != lines.end() && line->begin < place.offset + std::max(1u, place.length); ++line)
    line->statements.push_back(statement);
}

}  // namespace

ShownSource::ShownSource(const Program& program, const Executed& executed,
                         const SourceSet& sources) {
  const auto& statements = program.protocol.statements;
  std::map<std::uint32_t, std::vector<StatementId>> by_file;
  for (StatementId s = 0; s < statements.size(); ++s)
    if (statements[s].place.known() && executed.of(s) != Execution::no_step)
      by_file[statements[s].place.file].push_back(s);
  std::size_t all = 0;
  for (const auto& [number, of_file] : by_file) {
    File& file = files_.emplace_back(File{number, text_lines(sources.text(number)), 0});
    file.all_lines = file.lines.size();
    all += file.all_lines;
    for (const StatementId s : of_file) put_into_lines(s, statements[s].place, file.lines);
  }
  if (all <= most_lines) return;
  std::size_t left = most_lines;
  for (File& file : files_) {
    std::set<std::uint32_t> wanted;
    for (const Line& line : file.lines)
      if (std::ranges::any_of(line.statements,
                              [&](StatementId s) { return is_missing(executed.of(s)); }))
        for (std::uint32_t near = line.number - std::min(line.number, context_lines);
             near <= line.number + context_lines; ++near)
          wanted.insert(near);
    std::erase_if(file.lines, [&](const Line& line) { return !wanted.contains(line.number); });
    if (file.lines.size() > left) file.lines.resize(left);
    left -= file.lines.size();
  }
  left_out_ = all - (most_lines - left);
}

bool ShownSource::is_shown(std::uint32_t file, std::uint32_t line) const {
  const auto found = std::ranges::find(files_, file, &File::number);
  return found != files_.end() && std::ranges::binary_search(found->lines, line, {}, &Line::number);
}

}  // namespace panoptes
