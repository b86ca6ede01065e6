// SPDX-License-Identifier: Apache-2.0
// The text of a file is fetched anew for every token: adding a file to the SourceSet may move it.
#include "argos/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace panoptes::argos {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

// Sorted, for binary search.
constexpr std::array<std::pair<std::string_view, Word>, 36> words = {{
    {"_", Word::underscore},
    {"always", Word::always},
    {"assert", Word::assert_},
    {"break", Word::break_},
    {"channel", Word::channel},
    {"const", Word::const_},
    {"count", Word::count},
    {"default", Word::default_},
    {"do", Word::do_},
    {"else", Word::else_},
    {"empty", Word::empty},
    {"enum", Word::enum_},
    {"exists", Word::exists},
    {"fair", Word::fair},
    {"fi", Word::fi},
    {"forall", Word::forall},
    {"full", Word::full},
    {"goto", Word::goto_},
    {"head", Word::head},
    {"if", Word::if_},
    {"len", Word::len},
    {"ltl", Word::ltl},
    {"message", Word::message},
    {"never", Word::never},
    {"od", Word::od},
    {"proc", Word::proc},
    {"procedure", Word::procedure},
    {"process", Word::process},
    {"queue", Word::queue},
    {"sink", Word::sink},
    {"skip", Word::skip},
    {"timeout", Word::timeout},
    {"var", Word::var},
    {"variable", Word::variable},
    {"when", Word::when},
    {"wraps", Word::wraps},
}};

Word word_of(std::string_view text) {
  const auto found =
      std::lower_bound(words.begin(), words.end(), text,
                       [](const auto& entry, auto key) { return entry.first < key; });
  return found != words.end() && found->first == text ? found->second : Word::none;
}

// Longer operators stand before their own beginnings.
constexpr std::array<std::pair<std::string_view, TokenKind>, 43> operators = {{
    {"::", TokenKind::double_colon},
    {"->", TokenKind::arrow},
    {"..", TokenKind::dots},
    {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},
    {"<>", TokenKind::not_equal},
    {"<=", TokenKind::less_equal},
    {">=", TokenKind::greater_equal},
    {"++", TokenKind::increment},
    {"--", TokenKind::decrement},
    {"+%", TokenKind::plus_percent},
    {"+=", TokenKind::plus_assign},
    {"-=", TokenKind::minus_assign},
    {"*=", TokenKind::star_assign},
    {"/=", TokenKind::slash_assign},
    {"%=", TokenKind::percent_assign},
    {"&&", TokenKind::logical_and},
    {"||", TokenKind::logical_or},
    {":", TokenKind::colon},
    {";", TokenKind::semicolon},
    {",", TokenKind::comma},
    {"(", TokenKind::left_parenthesis},
    {")", TokenKind::right_parenthesis},
    {"{", TokenKind::left_brace},
    {"}", TokenKind::right_brace},
    {"[", TokenKind::left_bracket},
    {"]", TokenKind::right_bracket},
    {"!", TokenKind::exclamation},
    {"?", TokenKind::question},
    {"=", TokenKind::assign},
    {"<", TokenKind::less},
    {">", TokenKind::greater},
    {"+", TokenKind::plus},
    {"-", TokenKind::minus},
    {"*", TokenKind::star},
    {"/", TokenKind::slash},
    {"%", TokenKind::percent},
    {"#", TokenKind::hash},
    {".", TokenKind::dot},
    {"@", TokenKind::at_sign},
    // Slips of C programmers, told apart by the preprocessor.
    {"&", TokenKind::unknown},
    {"|", TokenKind::unknown},
    {"\\", TokenKind::unknown},
}};

}  // namespace

bool is_operator(char first, char second) {
  const char text[] = {first, second};
  return std::ranges::find(operators, std::string_view(text, 2),
                           [](const auto& entry) { return entry.first; }) != operators.end();
}

Lexer::Lexer(const SourceSet& sources, std::uint32_t file) : sources_(&sources), file_(file) {
  if (text().starts_with(byte_order_mark)) offset_ = byte_order_mark.size();
}

Token Lexer::next() { return lex(true); }
Token Lexer::next_in_line() { return lex(false); }

Token Lexer::lex(bool cross_lines) {
  const Stop stop = skip_blanks(cross_lines);
  const std::string_view rest = text().substr(offset_);
  if (stop == Stop::open_comment) {
    const Token comment = make(TokenKind::unterminated_comment, 2);
    offset_ = static_cast<std::uint32_t>(text().size());
    return comment;
  }
  if (stop == Stop::line_end) return make(TokenKind::end_of_line, 0);
  if (stop == Stop::file_end)
    return make(cross_lines ? TokenKind::end_of_file : TokenKind::end_of_line, 0);

  if (continues_name(rest[0])) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), continues_name);
    const auto length = static_cast<std::uint32_t>(end - rest.begin());
    Token token = make(is_digit(rest[0]) ? TokenKind::number : TokenKind::identifier, length);
    if (token.kind == TokenKind::identifier) token.word = word_of(rest.substr(0, length));
    return token;
  }
  for (const auto& [spelled, kind] : operators)
    if (rest.starts_with(spelled)) return make(kind, static_cast<std::uint32_t>(spelled.size()));
  return make(TokenKind::unknown, 1);
}

Token Lexer::make(TokenKind kind, std::uint32_t length) {
  Token token;
  token.kind = kind;
  token.starts_line = at_line_start_;
  token.spelling = {file_, offset_, length};
  token.place = {file_, offset_, length, 0};
  if (kind != TokenKind::end_of_line) at_line_start_ = false;
  offset_ += length;
  return token;
}

Lexer::Stop Lexer::skip_blanks(bool cross_lines) {
  const std::string_view whole = text();
  while (offset_ < whole.size()) {
    const char c = whole[offset_];
    const std::string_view rest = whole.substr(offset_);
    if (is_blank(c)) {
      ++offset_;
    } else if (c == '\n') {
      if (!cross_lines) return Stop::line_end;
      ++offset_;
      ++line_;
      at_line_start_ = true;
    } else if (c == '\\') {
      if (!skip_continuation(rest)) return Stop::token;
    } else if (rest.starts_with("//")) {
      skip_line_comment(rest, cross_lines);
    } else if (rest.starts_with("/*")) {
      if (!skip_block_comment(rest)) return Stop::open_comment;
    } else {
      return Stop::token;
    }
  }
  return Stop::file_end;
}

// A backslash right before a line end joins the lines.
bool Lexer::skip_continuation(std::string_view rest) {
  const std::size_t end = rest.starts_with("\\\r\n") ? 3 : rest.starts_with("\\\n") ? 2 : 0;
  if (end == 0) return false;
  offset_ += static_cast<std::uint32_t>(end);
  ++line_;
  return true;
}

// Inside a directive the backslash at the end of a comment still continues the directive, so that
// the lines of a long macro can each have a comment.
void Lexer::skip_line_comment(std::string_view rest, bool cross_lines) {
  std::size_t end = std::min(rest.find('\n'), rest.size());
  if (!cross_lines && end < rest.size()) {
    const std::size_t last = rest[end - 1] == '\r' ? end - 2 : end - 1;
    if (last >= 2 && rest[last] == '\\') end = last;
  }
  offset_ += static_cast<std::uint32_t>(end);
}

// Line ends inside a comment end no directive and start no line.
bool Lexer::skip_block_comment(std::string_view rest) {
  const std::size_t end = rest.find("*/", 2);
  if (end == std::string_view::npos) return false;
  line_ += static_cast<std::uint32_t>(
      std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  offset_ += static_cast<std::uint32_t>(end + 2);
  return true;
}

Place Lexer::rest_of_line() const {
  const std::string_view rest = text().substr(offset_);
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::size_t first = 0, last = end;
  while (first < last && is_blank(rest[first])) ++first;
  while (last > first && is_blank(rest[last - 1])) --last;
  return {file_, offset_ + static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(last - first), 0};
}

void Lexer::skip_line() {
  const std::string_view whole = text();
  // A comment that is never closed must be left for next() to find.
  while (skip_blanks(false) == Stop::token && offset_ < whole.size()) ++offset_;
}

}  // namespace panoptes::argos
