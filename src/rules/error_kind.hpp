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
  reached,   // the answer to a question: no error, but found as one
  livelock,  // no stepper sees it: it takes the graph
};
std::string_view to_string(ErrorKind kind);

// Whether it is an error to those who ask for it (`--strict`), and to all others a warning.
constexpr bool needs_strictness(ErrorKind kind) { return kind == ErrorKind::unread_messages; }

// Each finds what those before it do.
enum class ReceptionPolicy : std::uint8_t { blocked, reading, any };
std::string_view to_string(ReceptionPolicy policy);

}  // namespace panoptes
