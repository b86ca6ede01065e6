// SPDX-License-Identifier: Apache-2.0
// The tokens as the parser wants them: with a little lookahead, and with errors that recover.
//
// After a syntax error the stream is confused: further errors are swallowed until the parser has
// found a place to go on from, and calls recover(). So one mistake gives one message. Errors that
// do not disturb the parsing (a number too large) are reported without confusion.
//
// Once nothing more can be said (Diagnostics is full, a limit was met) the stream just ends, and it
// ends silently.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "argos/preprocessor.hpp"
#include "argos/token.hpp"
#include "base/diagnostic.hpp"

namespace panoptes::argos {

class TokenStream {
 public:
  TokenStream(Preprocessor& preprocessor, const SourceSet& sources, Diagnostics& diagnostics);

  // The token `ahead` of the next one; ahead is at most 3.
  const Token& peek(std::size_t ahead = 0);
  Token take();
  // Tokens taken so far: tells a loop whether it got anywhere.
  std::size_t taken() const { return taken_; }
  // The token taken last.
  const Token& last() const { return last_; }

  bool at(TokenKind kind) { return peek().kind == kind; }
  bool at(Word word) { return peek().word == word; }
  bool next_is(TokenKind kind) { return peek(1).kind == kind; }
  bool accept(TokenKind kind);
  // Takes the token, or reports "expected ... `after`" and takes nothing.
  bool expect(TokenKind kind, std::string_view after, std::string suggestion = {});

  std::vector<std::string> macro_names() const { return preprocessor_.macro_names(); }
  std::string_view text(const Token& token) const { return text_of(token, sources_); }
  std::string quote(const Token& token) const { return in_quotes(token, sources_); }

  // A syntax error at the next token: the stream is confused from here.
  void error(std::string message, std::string suggestion = {}, std::vector<Note> notes = {});
  void error_at(Place place, std::string message, std::string suggestion = {},
                std::vector<Note> notes = {});
  // The same where what is wrong has been said before.
  void known_error() { confused_ = true; }
  // An error or a warning about something that was understood all the same.
  void report(Place place, std::string message, std::string suggestion = {},
              std::vector<Note> notes = {});
  void warn(Place place, std::string message, std::string suggestion = {});
  // An error after which nothing more is read.
  void give_up(Place place, std::string message);

  bool confused() const { return confused_; }
  void recovered() { confused_ = false; }

 private:
  void fill(std::size_t count);
  bool silent();

  Preprocessor& preprocessor_;
  const SourceSet& sources_;
  Diagnostics& diagnostics_;
  std::array<Token, 4> ahead_;
  std::size_t count_ = 0;
  std::size_t taken_ = 0;
  Token last_;
  bool confused_ = false;
  bool stopped_ = false;
};

}  // namespace panoptes::argos
