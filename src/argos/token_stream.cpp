// SPDX-License-Identifier: Apache-2.0
#include "argos/token_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace panoptes::argos {

TokenStream::TokenStream(Preprocessor& preprocessor, const SourceSet& sources,
                         Diagnostics& diagnostics)
    : preprocessor_(preprocessor), sources_(sources), diagnostics_(diagnostics) {}

bool TokenStream::silent() {
  if (diagnostics_.full() || preprocessor_.gave_up()) stopped_ = true;
  return stopped_;
}

// The end of the file is where the last token ends: what is missing there is missing after it.
void TokenStream::fill(std::size_t count) {
  for (; count_ < count; ++count_) {
    Token token = preprocessor_.next();
    if (token.kind == TokenKind::end_of_file && (count_ > 0 || taken_ > 0)) {
      const Place before = (count_ > 0 ? ahead_[count_ - 1] : last_).place;
      token.place = {before.file, before.offset + before.length, 0, before.expansion};
    }
    ahead_[count_] = token;
  }
}

const Token& TokenStream::peek(std::size_t ahead) {
  static const Token nothing;
  if (stopped_) return nothing;
  fill(ahead + 1);
  return silent() ? nothing : ahead_[ahead];
}

Token TokenStream::take() {
  last_ = peek();
  if (count_ > 0 && last_.kind != TokenKind::end_of_file) {
    std::move(ahead_.begin() + 1, ahead_.end(), ahead_.begin());
    --count_;
    ++taken_;
  }
  return last_;
}

bool TokenStream::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool TokenStream::expect(TokenKind kind, std::string_view after, std::string suggestion) {
  if (accept(kind)) return true;
  error(fmt::format("expected {} {}, found {}", describe(kind), after, quote(peek())),
        std::move(suggestion));
  return false;
}

void TokenStream::error(std::string message, std::string suggestion, std::vector<Note> notes) {
  // What stands here was reported when it was broken.
  if (at(TokenKind::broken)) confused_ = true;
  error_at(peek().place, std::move(message), std::move(suggestion), std::move(notes));
}

void TokenStream::error_at(Place place, std::string message, std::string suggestion,
                           std::vector<Note> notes) {
  if (!confused_) report(place, std::move(message), std::move(suggestion), std::move(notes));
  confused_ = true;
}

void TokenStream::report(Place place, std::string message, std::string suggestion,
                         std::vector<Note> notes) {
  if (silent()) return;
  diagnostics_.error(place, std::move(message), std::move(suggestion), std::move(notes));
}

void TokenStream::warn(Place place, std::string message, std::string suggestion) {
  if (silent()) return;
  diagnostics_.warning(place, std::move(message), std::move(suggestion));
}

void TokenStream::give_up(Place place, std::string message) {
  report(place, std::move(message));
  stopped_ = true;
}

}  // namespace panoptes::argos
