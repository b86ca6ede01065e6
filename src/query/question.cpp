// SPDX-License-Identifier: Apache-2.0
#include "query/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace panoptes {
namespace {

// Words and punctuation of SQL, without comments; a quoted text or name is one.
class Tokens {
 public:
  explicit Tokens(std::string_view sql) : rest_(sql) {}

  // In small letters; "" at the end.
  std::string next() {
    skip_blanks();
    if (rest_.empty()) return {};
    const char first = rest_[0];
    std::size_t length = 1;
    if (first == '\'' || first == '"')
      length = quoted_length(first);
    else if ((first == 'e' || first == 'E') && rest_.substr(1, 1) == "'")
      length = escaped_length();
    else if (first == '$')
      length = dollar_quoted_length();
    else if (is_word(first))
      while (length < rest_.size() && is_word(rest_[length])) ++length;
    std::string token(rest_.substr(0, length));
    take(length);
    std::transform(token.begin(), token.end(), token.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return token;
  }

  // Characters up to the end of the last one.
  std::size_t position() const { return position_; }

 private:
  void take(std::size_t length) {
    rest_.remove_prefix(length);
    position_ += length;
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  void skip_blanks() {
    while (!rest_.empty()) {
      std::size_t length = 0;
      if (std::isspace(static_cast<unsigned char>(rest_[0])))
        length = 1;
      else if (rest_.starts_with("--"))
        length = std::min(rest_.find('\n'), rest_.size());
      else if (rest_.starts_with("/*"))
        length = comment_length();
      else
        return;
      take(length);
    }
  }
  // Comments of this kind may have others inside.
  std::size_t comment_length() const {
    std::size_t at = 2;
    for (int depth = 1; depth > 0 && at < rest_.size();) {
      const std::string_view two = rest_.substr(at, 2);
      depth += two == "/*" ? 1 : two == "*/" ? -1 : 0;
      at += two == "/*" || two == "*/" ? 2 : 1;
    }
    return at;
  }
  std::size_t quoted_length(char quote) const {
    const std::size_t end = rest_.find(quote, 1);
    return end == std::string_view::npos ? rest_.size() : end + 1;
  }
  // E'...', in which \' does not end it.
  std::size_t escaped_length() const {
    std::size_t at = 2;
    while (at < rest_.size() && rest_[at] != '\'') at += rest_[at] == '\\' ? 2 : 1;
    return std::min(at + 1, rest_.size());
  }
  std::size_t dollar_quoted_length() const {
    const std::size_t end_of_tag = rest_.find('$', 1);
    if (end_of_tag == std::string_view::npos) return 1;
    const std::string_view tag = rest_.substr(0, end_of_tag + 1);
    if (!std::all_of(tag.begin() + 1, tag.end() - 1, is_word)) return 1;
    const std::size_t end = rest_.find(tag, tag.size());
    return end == std::string_view::npos ? rest_.size() : end + tag.size();
  }

  std::string_view rest_;
  std::size_t position_ = 0;
};

}  // namespace

std::string why_not_a_question(const std::string& sql) {
  static constexpr auto asking =
      std::to_array<std::string_view>({"select", "with", "from", "values", "table", "describe",
                                       "show", "summarize", "pivot", "unpivot"});
  Tokens tokens(sql);
  std::string word = tokens.next();
  if (word.empty()) return "there is no query";
  if (word == "explain") {
    word = tokens.next();
    if (word == "analyze" || word == "analyse") word = tokens.next();
  }
  int depth = 0;  // of parentheses
  for (; word == "("; ++depth) word = tokens.next();
  if (std::find(asking.begin(), asking.end(), word) == asking.end())
    return fmt::format(
        "a query only reads, so it begins with SELECT, WITH, FROM or VALUES, not `{}`", word);
  bool is_over = false;
  for (word = tokens.next(); !word.empty(); word = tokens.next()) {
    if (is_over && word != ";") return "one statement at a time, please";
    is_over = is_over || word == ";";
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (depth < 0) return "there is a `)` too many";
  }
  return depth > 0 ? "there is a `)` too few" : "";
}

std::string statement_of(const std::string& sql) {
  Tokens tokens(sql);
  std::size_t end = 0;
  for (std::string word = tokens.next(); !word.empty() && word != ";"; word = tokens.next())
    end = tokens.position();
  return sql.substr(0, end);
}

}  // namespace panoptes
