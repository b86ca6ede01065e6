// SPDX-License-Identifier: Apache-2.0
// The errors of a verdict as reports list them: each by its number, and which of them were asked
// for with their trails.
//
// Idea: numbers are those of the verdict, from 1, warnings behind the errors, whatever is asked
// for: a number that one report has fetches the same error in the next. Reports for programs list
// every error, and ask here whose trails they carry; those for people leave the others out.
//
// Thread safety: as that of a vector.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "verdict/make_reports.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

struct NumberRange {
  std::uint64_t first = 1, last = 1;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

// What somebody wants to see of all errors.
struct ErrorRequest {
  std::vector<NumberRange> show = {};  // those with these numbers; of all where there are none
  std::vector<std::string> only = {};  // ... those that every one of these words fits
  std::optional<std::uint64_t> trails = {};  // ... the trails of so many; if not said, it depends
};

// How many trails a report has where nobody says: one for people, a page, and one for programs.
inline constexpr std::size_t trails_for_people = 10, trails_on_page = 20,
                             trails_for_programs = kept_trails;

struct ListedError {
  std::size_t number;
  const ErrorReport* error;
  bool is_wanted;  // by number and words
  bool has_trail;  // and its trail is, too
};

class ErrorList {
 public:
  // `usual_trails`: how many, where nobody says. `program` and `verdict` outlive it.
  ErrorList(const Program& program, const Verdict& verdict, ErrorRequest request,
            std::size_t usual_trails);

  const std::vector<ListedError>& all() const { return all_; }
  std::size_t wanted_count() const { return wanted_; }
  std::size_t trail_count() const { return trails_; }  // of those that are wanted

  // What was asked for and is not there, a line for each number or word, with what is; "" where
  // there is nothing to say.
  std::string complaint() const;

 private:
  std::string number_complaint() const;
  std::string word_complaint() const;
  std::string not_listed() const;
  std::string what_there_is(const std::string& instead_of) const;

  const Program& program_;
  ErrorRequest request_;
  std::vector<ListedError> all_;
  std::uint64_t findings_left_out_ = 0;
  std::size_t wanted_ = 0, trails_ = 0;
  std::size_t fitting_ = 0;  // whatever their numbers
};

// An error with its trail: made again where nobody has asked for it before, unless that takes too
// long. `error` outlives it.
class WholeError {
 public:
  WholeError(const Program& program, const ErrorReport& error, const Deadline& deadline = {});
  const ErrorReport& operator*() const { return made_ ? *made_ : error_; }
  const ErrorReport* operator->() const { return &**this; }

 private:
  const ErrorReport& error_;
  std::optional<ErrorReport> made_;
};

// What it is about: the message; of a statement that fails, that.
const std::string& subject_of(const Program& program, const ErrorReport& error);

// How many members of families fail alike; 1 where it is not a matter of members. Mostly each has
// its own channel, which is no other error.
std::size_t alike_count(const Members& members);

// Whether the kind, a process, a control state or the message of an error is `word`, or that of its
// cause: a family stands for its members, a message for itself in whatever channel. All states of a
// deadlock together are one, too, and `warning` fits those.
bool fits(const Program& program, const ErrorReport& error, const std::string& word);

}  // namespace panoptes
