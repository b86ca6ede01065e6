// SPDX-License-Identifier: Apache-2.0
// Argos text, laid out as the models of this repository are. docs/formatting.md has the rules.
//
// It works on the text as it is written, before macros and `#if`, so that it needs no includes and
// no definitions, and what does not parse (yet) is laid out as well.
//
// Promises, each held by a fuzzer:
//   safe    the tokens, comments and directives are the same afterwards, in the same order
//   stable  what was laid out once stays as it is
// It is not the inverse of anything: where a line ends between statements is the author's choice,
// and is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::argos {

// The longest line, in characters, where a line can be ended at all. Comments are left alone.
inline constexpr std::size_t line_columns = 100;

// A fault of the formatter: what it made would be another text.
struct FormatFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text of a file, laid out; nothing, with complaints, where it cannot be cut into tokens or is
// nested too deep. Throws FormatFault rather than give a text with other tokens.
std::optional<std::string> format(const SourceSet& sources, std::uint32_t file,
                                  Diagnostics& diagnostics);

}  // namespace panoptes::argos
