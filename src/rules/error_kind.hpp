// SPDX-License-Identifier: Apache-2.0
// The kinds of errors, and what counts as one.
#pragma once

#include <cstdint>
#include <string_view>

namespace panoptes {

enum class ErrorKind : std::uint8_t {
  deadlock,
  unspecified_reception,
  assertion,
  unread_messages,
  overflow,
  division_by_zero,
  index_out_of_range,
  out_of_range,
  endless_atomic,
  invariant,
  reached,  // the answer to a question: no error, but found as one
  // No stepper sees these: they take the graph.
  livelock,
  ltl,         // a run that a temporal property does not hold of
  progress,    // one that goes on for ever past no label that begins with `progress`
  acceptance,  // one that passes a label that begins with `accept` again and again
  stuck,       // a process that can never move again, while others go on
};
inline constexpr ErrorKind last_error_kind = ErrorKind::stuck;
std::string_view to_string(ErrorKind kind);

// Whether it is a run that a temporal property does not hold of, be it one that labels say.
constexpr bool is_of_property(ErrorKind kind) {
  return kind == ErrorKind::ltl || kind == ErrorKind::progress || kind == ErrorKind::acceptance;
}

// Whether it is of a whole run without end, and no matter of one state or step.
constexpr bool is_of_run(ErrorKind kind) {
  return kind == ErrorKind::livelock || is_of_property(kind);
}

// Whether it is an error to those who ask for it (`--strict`), and to all others a warning.
constexpr bool needs_strictness(ErrorKind kind) { return kind == ErrorKind::unread_messages; }

// Whether no state and no step shows it by itself: it takes what can be reached from there.
constexpr bool needs_graph(ErrorKind kind) { return is_of_run(kind) || kind == ErrorKind::stuck; }

// Each finds what those before it do.
enum class ReceptionPolicy : std::uint8_t { blocked, reading, any };
std::string_view to_string(ReceptionPolicy policy);

}  // namespace panoptes
