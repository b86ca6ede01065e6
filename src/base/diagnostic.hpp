// SPDX-License-Identifier: Apache-2.0
// What the user is told about the input: errors, warnings and notes, each with a place.
//
// User errors are values, collected here; nothing in the front end throws. A Diagnostics keeps at
// most `error_limit` errors and `warning_limit` warnings and then says so once: broken input of any
// size gives a short answer.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace panoptes {

enum class Severity { error, warning };

struct Note {
  Place place;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string message;     // one sentence, lower case, no full stop
  std::string suggestion;  // what to do, e.g. "did you mean `ack1`?"; may be empty
  std::vector<Note> notes;
};

class Diagnostics {
 public:
  static constexpr std::size_t error_limit = 20;
  static constexpr std::size_t warning_limit = 50;

  void error(Place place, std::string message, std::string suggestion = {},
             std::vector<Note> notes = {});
  void warning(Place place, std::string message, std::string suggestion = {},
               std::vector<Note> notes = {});

  bool has_errors() const { return error_count_ > 0; }
  // True once `error_limit` errors were reported: the caller should give up.
  bool full() const { return error_count_ >= error_limit; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  // Every diagnostic as text, in order of place, errors and warnings alike.
  std::string render(const SourceSet& sources) const;

 private:
  // A body written once and read many times (a family, a procedure) is complained about once.
  bool is_known(Place place, const std::string& message) const;
  void add(Diagnostic diagnostic);
  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
};

// One diagnostic as text: "file:line:column: error: message", the source line, a caret line, the
// suggestion and the notes (the macros a place came through among them).
std::string render(const Diagnostic& diagnostic, const SourceSet& sources);

// The candidate nearest to `word` (Damerau-Levenshtein distance, at most a third of its length),
// or "" when none is near.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "did you mean `x`?" for the nearest candidate, "" when none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace panoptes
