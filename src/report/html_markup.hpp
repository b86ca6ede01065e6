// SPDX-License-Identifier: Apache-2.0
// Text with markup, for a page.
//
// Idea: what is markup and what is not is a matter of type. Markup comes from patterns, which are
// constants of this program; whatever is put into one is escaped, unless it is markup itself. So
// names, messages and comments of a model cannot become markup, and nobody has to think of it.
//
// How it can be wrong: by a picture that is_markup() is said of and that is none. There are two:
// charts (report/chart.hpp) and Graphviz's, and both escape what they write.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "report/xml.hpp"

namespace panoptes {

class Html {
 public:
  Html() = default;

  // Of what was made as markup elsewhere.
  static Html is_markup(std::string text) { return Html(std::move(text)); }

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  Html& operator+=(const Html& more) {
    text_ += more.text_;
    return *this;
  }
  friend Html operator+(Html first, const Html& second) { return std::move(first += second); }

 private:
  explicit Html(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// What is put into a pattern.
inline std::string_view in_markup(const Html& html) { return html.text(); }
inline std::string in_markup(std::string_view text) { return xml_escaped(text); }
template <typename Number>
requires std::is_arithmetic_v<Number> Number in_markup(Number number) { return number; }

// `html("<td>{}</td>", name)`.
template <typename... Values>
Html html(fmt::format_string<decltype(in_markup(std::declval<const Values&>()))...> pattern,
          const Values&... values) {
  return [&](const auto&... ready) {
    return Html::is_markup(fmt::vformat(pattern, fmt::make_format_args(ready...)));
  }(in_markup(values)...);
}

}  // namespace panoptes
