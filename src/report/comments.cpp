// SPDX-License-Identifier: Apache-2.0
#include "report/comments.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/parts.hpp"

namespace panoptes {
namespace {

constexpr std::string_view blanks = " \t\r";

// The comment at the end of a line.
struct LineComment {
  std::size_t column = 0;  // of its first sign, from 0
  std::string_view words;
  bool is_alone = false;  // nothing else stands in the line
};

// One that goes on in the next line is no comment here.
std::optional<LineComment> comment_in(std::string_view line) {
  for (std::size_t at = 0; (at = line.find('/', at)) != std::string_view::npos;) {
    const std::string_view sign = line.substr(at, 2);
    const bool is_alone = trimmed(line.substr(0, at)).empty();
    if (sign == "//") return LineComment{at, trimmed(line.substr(at + 2)), is_alone};
    if (sign != "/*") {
      ++at;
      continue;
    }
    const std::size_t end = line.find("*/", at + 2);
    if (end == std::string_view::npos) return std::nullopt;
    if (trimmed(line.substr(end + 2)).empty())
      return LineComment{at, trimmed(line.substr(at + 2, end - at - 2)), is_alone};
    at = end + 2;
  }
  return std::nullopt;
}

// A title of several lines is not about the first of them, nor is a licence.
bool is_heading(std::string_view words) {
  return words.starts_with("--") || words.starts_with("==") || words.starts_with("SPDX");
}

// The lines of a text around one place.
class Lines {
 public:
  Lines(std::string_view text, std::size_t offset) : text_(text), begin_(begin_of(offset)) {}

  std::string_view line() const { return text_.substr(begin_, end_of(begin_) - begin_); }
  bool go_up() {
    if (begin_ == 0) return false;
    begin_ = begin_of(begin_ - 1);
    return true;
  }
  bool go_down() {
    const std::size_t end = end_of(begin_);
    if (end == text_.size()) return false;
    begin_ = end + 1;
    return true;
  }

 private:
  std::size_t begin_of(std::size_t offset) const {
    const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }
  std::size_t end_of(std::size_t offset) const {
    return std::min(text_.find('\n', offset), text_.size());
  }

  std::string_view text_;
  std::size_t begin_;
};

std::string joined(const std::vector<std::string_view>& parts) {
  std::string out;
  for (const std::string_view part : parts)
    if (!part.empty()) out += (out.empty() ? "" : " ") + std::string(part);
  return out;
}

constexpr std::size_t most_lines = 12;  // of a comment

std::string beside(Lines lines) {
  const auto first = comment_in(lines.line());
  if (!first || first->is_alone) return {};
  std::vector<std::string_view> words{first->words};
  while (words.size() < most_lines && lines.go_down()) {
    const auto next = comment_in(lines.line());
    if (!next || !next->is_alone || next->column != first->column) break;
    words.push_back(next->words);
  }
  return joined(words);
}

std::string above(Lines lines) {
  const std::size_t column = std::min(lines.line().find_first_not_of(blanks), lines.line().size());
  std::vector<std::string_view> words;
  while (words.size() < most_lines && lines.go_up()) {
    const auto next = comment_in(lines.line());
    if (!next || !next->is_alone || next->column != column || is_heading(next->words)) break;
    words.push_back(next->words);
  }
  std::ranges::reverse(words);
  return joined(words);
}

}  // namespace

std::string comment_beside(const SourceSet& sources, Place place) {
  if (!place.known()) return {};
  const std::string_view text = sources.text(place.file);
  std::string at_end =
      beside(Lines(text, std::min<std::size_t>(place.offset + place.length, text.size())));
  return at_end.empty() ? beside(Lines(text, place.offset)) : at_end;
}

std::string comment_of(const SourceSet& sources, Place place) {
  std::string comment = comment_beside(sources, place);
  if (!comment.empty() || !place.known()) return comment;
  return above(Lines(sources.text(place.file), place.offset));
}

}  // namespace panoptes
