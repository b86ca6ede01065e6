// SPDX-License-Identifier: Apache-2.0
#include "base/source.hpp"

#include <algorithm>

namespace panoptes {

Place cover(Place first, Place last) {
  if (first.file != last.file || last.offset < first.offset) return first;
  first.length = std::max(first.length, last.offset + last.length - first.offset);
  return first;
}

std::uint32_t SourceSet::add(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}};
  for (std::uint32_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  files_.push_back(std::move(file));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::uint32_t SourceSet::add_expansion(Expansion expansion) {
  expansions_.push_back(std::move(expansion));
  return static_cast<std::uint32_t>(expansions_.size());
}

std::string_view SourceSet::text(Place place) const {
  if (!place.known()) return {};
  const std::string_view all = files_[place.file].text;
  return all.substr(std::min<std::size_t>(place.offset, all.size()), place.length);
}

LineColumn SourceSet::line_column(Place place) const {
  if (!place.known()) return {};
  const auto& starts = files_[place.file].line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), place.offset);
  const auto line = static_cast<std::uint32_t>(after - starts.begin());
  return {line, place.offset - starts[line - 1] + 1};
}

std::string_view SourceSet::line(Place place) const {
  if (!place.known()) return {};
  const File& file = files_[place.file];
  const std::uint32_t number = line_column(place).line;
  const std::uint32_t begin = file.line_starts[number - 1];
  std::uint32_t end = number < file.line_starts.size()
                          ? file.line_starts[number] - 1
                          : static_cast<std::uint32_t>(file.text.size());
  if (end > begin && file.text[end - 1] == '\r') --end;
  return std::string_view(file.text).substr(begin, end - begin);
}

std::string SourceSet::line_and_column(Place place) const {
  if (place.known() && place.file != 0) return describe(place);
  const LineColumn at = line_column(place);
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string SourceSet::describe(Place place) const {
  if (!place.known()) return {};
  const LineColumn at = line_column(place);
  return name(place.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace panoptes
